#!/usr/bin/python3
"""Writes the seed inputs of the fuzz targets into corpus/<target>/, next to this script."""

import bz2
import pathlib
import struct

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"


def size(value):
    return bytes([value]) if value < 255 else b"\xff" + struct.pack("<i", value)


def string(text):
    data = text.encode()
    return size(len(data)) + data


def encapsulation(payload, version=(1, 1)):
    return struct.pack("<iBB", 6 + len(payload), *version) + payload


def target(name, category="", facet=None):
    path = size(0) if facet is None else size(1) + string(facet)
    return string(name) + string(category) + path


def tail(operation, mode=0, context=(), params=encapsulation(b"")):
    entries = b"".join(string(key) + string(value) for key, value in context)
    return string(operation) + bytes([mode]) + size(len(context)) + entries + params


def header(kind, compression, total):
    return b"IceP" + bytes([1, 0, 1, 0, kind, compression]) + struct.pack("<i", total)


def message(kind, body, compression=0):
    return header(kind, compression, 14 + len(body)) + body


def compressed(kind, body):
    return message(kind, struct.pack("<i", 14 + len(body)) + bz2.compress(body, 1), 2)


SMALL = target("n") + tail("op")
FULL = target("weather.publish", "IceStorm", "side") + tail(
    "report", 2, (("cost", "3"), ("key", "x" * 300)), encapsulation(b"\x05hello", (1, 0)))


def forwarded(operation, mode=0, params=encapsulation(b""), context=()):
    entries = b"".join(string(key) + string(value) for key, value in context)
    data = size(len(params)) + params
    return string(operation) + bytes([mode]) + data + size(len(context)) + entries


def forward(*events):
    return encapsulation(size(len(events)) + b"".join(events))


def stream(*messages):
    return bytes([7]) + b"".join(messages)


FORWARD = forward(
    forwarded("a", 2, encapsulation(b"one", (1, 0)), (("b", "2"), ("a", "1"))),
    forwarded("bad", 0, b"no encapsulation"),
    forwarded("c", 9, encapsulation(b"p" * 300)))
TO_LINK = target("l") + tail("forward", 0, (), FORWARD)
BATCH = struct.pack("<i", 3) + SMALL + FULL + SMALL

SEEDS = {
    "fuzz_request": {
        "oneway": message(0, struct.pack("<i", 0) + SMALL),
        "twoway": message(0, struct.pack("<i", 7) + FULL, 1),
        "batch": message(1, BATCH),
        "batch_empty": message(1, struct.pack("<i", 0)),
        "validate": message(3, b""),
        "close": message(4, b"", 1),
    },
    "fuzz_forward": {
        "three": FORWARD,
        "none": forward(),
        "smallest": encapsulation(size(1) + bytes(4), (1, 0)),
        "count": encapsulation(size(300) + bytes(40)),
    },
    "fuzz_ingress": {
        "oneways": stream(*[message(0, struct.pack("<i", 0) + SMALL)] * 3),
        "twoway": stream(message(0, struct.pack("<i", 7) + FULL, 1), message(3, b""),
                         message(0, struct.pack("<i", 8) + SMALL)),
        "contexts": stream(message(0, struct.pack("<i", 0) + target("n") + tail(
            "op", 1, (("b", ""), ("a", "1"), ("b", "2")), encapsulation(b"x" * 60)))),
        "batch": stream(message(1, BATCH), message(1, struct.pack("<i", 0))),
        "compressed": stream(compressed(1, struct.pack("<i", 20) + SMALL * 20),
                             compressed(0, struct.pack("<i", 9) + FULL)),
        "link": stream(message(0, struct.pack("<i", 5) + TO_LINK),
                       message(0, struct.pack("<i", 6) + target("l") + tail("ice_ids", 1))),
        "facet": stream(message(0, struct.pack("<i", 5) + target("n", "", "f") + tail("op")),
                        message(0, struct.pack("<i", 6) + target("n", "", "") + tail("op"))),
        "bad_encapsulation": stream(message(0, struct.pack("<i", 5) + target("n") + tail(
            "op", 0, (), struct.pack("<iBB", 99, 1, 1)))),
    },
    "fuzz_reply": {
        "ok": struct.pack("<iB", 1, 0) + encapsulation(b""),
        "user_exception": struct.pack("<iB", 2, 1) + encapsulation(b"\x20\x04::Ex", (1, 0)),
        "object_not_exist": struct.pack("<iB", 3, 2) + target("n", "c") + string("op"),
        "facet_not_exist": struct.pack("<iB", 4, 3) + target("n", "", "f") + string("op"),
        "unknown": struct.pack("<iB", 5, 7) + string("failed\nbadly " + "x" * 300),
        "other_status": struct.pack("<iB", 6, 99) + b"anything",
    },
    "fuzz_tail": {
        "small": tail("op"),
        "context": tail("report", 9, (("a", "1"), ("b", ""), ("a", "2")), encapsulation(b"abc")),
        "long": tail("o" * 256, 1, (("k" * 255, "v" * 254),), encapsulation(b"p" * 20, (1, 0))),
        "only_context": size(2) + string("a") + string("1") + string("b") + string("2"),
    },
    "fuzz_compression": {
        "batch": compressed(1, struct.pack("<i", 20) + SMALL * 20),
        "bomb": header(1, 2, 60) + struct.pack("<i", 200) + bz2.compress(b"\0" * 100000, 9),
        "plain": message(1, struct.pack("<i", 20) + SMALL * 20),
        "too_large": header(1, 2, 60) + struct.pack("<i", 0x7FFFFFFF) + bz2.compress(b"abc"),
    },
}

for name, inputs in SEEDS.items():
    folder = CORPUS / name
    folder.mkdir(parents=True, exist_ok=True)
    for seed, data in inputs.items():
        (folder / seed).write_bytes(data)

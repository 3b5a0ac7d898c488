"""Turns measurements into JSON lines and Markdown."""

import json
import math
import os
import platform
import subprocess
import time

TITLES = {"direct": "direct", "icestorm": "IceStorm", "squall": "Squall"}
SECTIONS = (
    ("batch", False, "Batched oneway calls", "µs per call",
     "{calls:,} calls in a row, gathered into batches by the client and flushed by Ice whenever "
     "1 MiB is full; the rest is flushed at the end."),
    ("twoway", False, "Synchronous twoway calls", "µs per call",
     "{calls:,} calls one after the other. Direct, the server answers; otherwise the broker does, "
     "and passes the event on oneway."),
    ("oneway", True, "Sequences, one way", "Mbit/s",
     "{calls:,} oneway calls in a row."),
    ("twoway", True, "Sequences, two way", "Mbit/s",
     "{calls:,} twoway calls one after the other; as above, the broker answers for itself."),
)


def environment(root, options):
    """Where and how the run was made."""
    return {
        "kind": "run", "date": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
        "commit": _output(["git", "-C", root, "describe", "--always", "--dirty"]),
        "build_type": _build_setting(options.build, "CMAKE_BUILD_TYPE"),
        "compiler": _output(["g++", "-dumpfullversion"]), "ice": _output(["slice2cpp", "-v"]),
        "cpu": _cpu_name(), "cores": os.cpu_count(), "kernel": platform.release(),
        "rounds": options.rounds, "broker_properties": options.broker_property,
        "load_before": os.getloadavg()[0],
    }


def add_best(result):
    """The best round of each kind of time, as µs per call and Mbit/s of arguments."""
    for kind in ("sender", "delivered"):
        per_call = min(result[f"{kind}_s"]) / result["calls"]
        result[f"{kind}_us"] = round(per_call * 1e6, 4)
        result[f"{kind}_mbit_s"] = round(result["payload_bytes"] * 8 / per_call / 1e6, 2)


def progress(results):
    """One line about one row."""
    return ", ".join(f"{one['way']} {_figure(min(one['delivered_s']) / one['calls'] * 1e6)} µs"
                     for one in results)


def write(folder, text, run, results, skipped):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "throughput.md"), "w", encoding="utf-8") as file:
        file.write(text + "\n")
    with open(os.path.join(folder, "throughput.jsonl"), "w", encoding="utf-8") as file:
        for line in [{**run, "skipped": skipped}] + results:
            file.write(json.dumps(line) + "\n")


def markdown(run, results, skipped):
    lines = [
        "# Throughput: direct, through IceStorm, through Squall", "",
        "Written by `bench/throughput/run`. One client, one server, both Ice for C++, on one "
        "machine over loopback TCP; a broker between them has one topic with the server as its "
        "only subscriber, oneway. Small calls have 0 to 8 parameters: `b3` takes three bytes, `d8` "
        "eight doubles (s short, i int, l long, f float; `v` takes none).", "",
        "*Sent*: until the client's last call returned and its last batch was written. "
        "*Delivered*: until the server answered one twoway call of the client, made after that, to "
        "say that it has counted every call. Every row of every round arrived complete, once.", "",
        f"Rounds: {run['rounds']}; each figure is its best. In a round the ways take turns "
        "at a row. The ratios are of delivered speed: above 1, Squall is the faster.", "",
        f"{run['date']} UTC, commit {run['commit']}, {run['build_type']}, g++ {run['compiler']}, "
        f"Ice {run['ice']}, {run['cores']} cores of {run['cpu']}, Linux {run['kernel']}, load "
        f"average {run['load_before']:.2f} before and {run['load_after']:.2f} after."]
    if run["broker_properties"]:
        lines += ["", "Broker properties: `" + "`, `".join(run["broker_properties"]) + "`."]
    for name, reason in skipped.items():
        lines += ["", f"{TITLES[name]} was skipped: {reason}."]
    for mode, is_sequence, title, unit, words in SECTIONS:
        rows = [one for one in results
                if one["mode"] == mode and one["operation"].startswith("send") == is_sequence]
        if rows:
            lines += ["", f"## {title}, {unit}", "", words.format(calls=rows[0]["calls"]), ""]
            lines += _table(rows, "mbit_s" if is_sequence else "us")
    return "\n".join(lines)


def _table(rows, unit):
    by_operation = {}
    for one in rows:
        by_operation.setdefault(one["operation"], {})[one["way"]] = one
    titles = [f"{title} {kind}" for title in TITLES.values() for kind in ("sent", "delivered")]
    lines = ["| call | " + " | ".join(titles) + " | Squall : IceStorm | Squall : direct |",
             "|---|" + "---:|" * (len(titles) + 2)]
    ratios = {"icestorm": [], "direct": []}
    for operation, ways in by_operation.items():
        name = operation
        if unit == "mbit_s":
            name += f" ({next(iter(ways.values()))['payload_bytes']:,} B)"
        cells = [_figure(ways[way][f"{kind}_{unit}"]) if way in ways else "–"
                 for way in TITLES for kind in ("sender", "delivered")]
        for other, of_other in ratios.items():
            if other in ways and "squall" in ways:
                of_other.append(ways[other]["delivered_us"] / ways["squall"]["delivered_us"])
                cells.append(_figure(of_other[-1]))
            else:
                cells.append("–")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    means = [_figure(_geometric_mean(of_other)) if of_other else "–"
             for of_other in ratios.values()]
    lines.append("| *geometric mean* |" + " |" * len(titles) + f" {' | '.join(means)} |")
    return lines


def _geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def _figure(value):
    """Three significant digits, without an exponent."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.{2 if value < 10 else 1}f}" if value >= 1 else f"{value:.3f}"


def _output(command):
    """What a program prints about itself, or unknown."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return (done.stdout + done.stderr).strip()


def _build_setting(build, name):
    try:
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
            for line in cache:
                if line.startswith(name + ":"):
                    return line.split("=", 1)[1].strip()
    except OSError:
        pass
    return "unknown"


def _cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()

"""The few pieces of the Ice protocol 1.0 that the tests write and read by hand.

Layout: behaviour reference 12.1-12.5. Nothing here checks what it is told to send: most callers
want to send what no Ice run time would.
"""

import socket
import struct
from collections import namedtuple

HEADER_SIZE = 14
REQUEST, BATCH_REQUEST, REPLY, VALIDATE, CLOSE = range(5)

Reply = namedtuple("Reply", "request_id status body")
Request = namedtuple("Request", "request_id identity facet operation mode context params")


def size(count):
    return bytes([count]) if count < 255 else b"\xff" + struct.pack("<i", count)


def string(text):
    data = text.encode("utf-8")
    return size(len(data)) + data


def identity(name, category=""):
    return string(name) + string(category)


def dictionary(entries):
    return size(len(entries)) + b"".join(string(k) + string(v) for k, v in entries.items())


def encapsulation(payload=b"", encoding=(1, 1)):
    return struct.pack("<iBB", 6 + len(payload), *encoding) + payload


def message(kind, body=b"", *, compression=0):
    return header(kind, HEADER_SIZE + len(body), compression=compression) + body


def header(kind, total, *, magic=b"IceP", protocol=(1, 0), encoding=(1, 0), compression=0):
    return magic + bytes([*protocol, *encoding, kind, compression]) + struct.pack("<i", total)


def record(target, operation, *, mode=0, facet=(), context=None, params=None):
    """What a request and each member of a batch consist of; `target` is identity(...)."""
    return (target + size(len(facet)) + b"".join(string(f) for f in facet) + string(operation) +
            bytes([mode]) + dictionary(context or {}) +
            (encapsulation() if params is None else params))


def request(request_id, target, operation, **rest):
    return message(REQUEST, struct.pack("<i", request_id) + record(target, operation, **rest))


def batch(records, *, count=None):
    stated = len(records) if count is None else count
    return message(BATCH_REQUEST, struct.pack("<i", stated) + b"".join(records))


class Reader:
    """Takes values off the front of a byte string."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    def take(self, count):
        piece = self._data[self._at:self._at + count]
        if len(piece) != count:
            raise ValueError(f"{count} bytes wanted at {self._at} of {len(self._data)}")
        self._at += count
        return piece

    def integer(self):
        return struct.unpack("<i", self.take(4))[0]

    def size(self):
        first = self.take(1)[0]
        return first if first < 255 else self.integer()

    def string(self):
        return self.take(self.size()).decode("utf-8")

    def rest(self):
        return self.take(len(self._data) - self._at)

    def record(self, request_id):
        name_and_category = (self.string(), self.string())
        facet = [self.string() for _ in range(self.size())]
        operation = self.string()
        mode = self.take(1)[0]
        context = [(self.string(), self.string()) for _ in range(self.size())]
        params_size = struct.unpack("<i", self._data[self._at:self._at + 4])[0]
        return Request(request_id, name_and_category, facet, operation, mode, context,
                       self.take(params_size))


class RawConnection:
    """One TCP connection whose messages are made by hand."""

    def __init__(self, sock, deadline=10):
        self._socket = sock
        self._socket.settimeout(deadline)

    @classmethod
    def connect(cls, port):
        """Connects as a client and reads the server's validate message."""
        connection = cls(socket.create_connection(("127.0.0.1", port), timeout=10))
        kind, _ = connection.read_message()
        if kind != VALIDATE:
            raise AssertionError(f"message of type {kind} instead of a validate message")
        return connection

    @staticmethod
    def knock(port):
        """Connects and leaves, which wakes whoever waits in accept()."""
        try:
            socket.create_connection(("127.0.0.1", port), timeout=10).close()
        except OSError:
            pass

    def send(self, data):
        self._socket.sendall(data)

    def read_message(self):
        """(type, body) of the next message, or None when the peer has closed or reset."""
        head = self._read(HEADER_SIZE)
        if head is None:
            return None
        total = struct.unpack("<i", head[10:])[0]
        body = self._read(total - HEADER_SIZE)
        return None if body is None else (head[8], body)

    def read_payload_message(self):
        """The next message that is no heartbeat."""
        while True:
            result = self.read_message()
            if result is None or result[0] != VALIDATE:
                return result

    def call(self, request_id, target, operation, **rest):
        """Sends a twoway request and returns its Reply."""
        self.send(request(request_id, target, operation, **rest))
        answer = self.read_payload_message()
        if answer is None or answer[0] != REPLY:
            raise AssertionError(f"no reply to {operation}: {answer}")
        reader = Reader(answer[1])
        return Reply(reader.integer(), reader.take(1)[0], reader.rest())

    def closes(self):
        """True when the peer ends the connection, after whatever it had still to say."""
        try:
            while self.read_message() is not None:
                pass
            return True
        except TimeoutError:
            return False

    def close(self):
        self._socket.close()

    def _read(self, count):
        data = b""
        while len(data) < count:
            try:
                piece = self._socket.recv(count - len(data))
            except (ConnectionResetError, BrokenPipeError):
                return None
            if not piece:
                return None
            data += piece
        return data


class RawListener:
    """A loopback port that speaks only when told to. Closes what it accepted."""

    def __init__(self, port=0):
        self._socket = socket.create_server(("127.0.0.1", port))
        self._socket.settimeout(10)
        self._accepted = []
        self.port = self._socket.getsockname()[1]

    def accept(self, *, validate=True):
        connection = RawConnection(self._socket.accept()[0])
        self._accepted.append(connection)
        if validate:
            connection.send(message(VALIDATE))
        return connection

    def close(self):
        self._socket.close()
        for connection in self._accepted:
            connection.close()

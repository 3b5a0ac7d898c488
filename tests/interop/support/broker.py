"""Starts one broker, ours or the real packaged IceStorm, on free loopback ports and stops it.

SQUALL_BROKER chooses the kind for a test run (squall, the default, or icestorm); SQUALLD names our
daemon. Both kinds take the same IceStorm.* properties, which is the point of these tests.
"""

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

READY_DEADLINE = 20
STOP_DEADLINE = 20
# Below Linux's ephemeral range, so that no outgoing connection takes a port between look and use.
PORT_RANGE = (12000, 32000)


def broker_kind():
    """The kind of broker this run is about: squall or icestorm."""
    return os.environ.get("SQUALL_BROKER", "squall")


def eventually(deadline, predicate):
    """Polls until predicate() is true; returns its last value once `deadline` seconds are over."""
    end = time.monotonic() + deadline
    while True:
        value = predicate()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.005)


def _is_free(port):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_INET, kind) as probe:
            if kind == socket.SOCK_STREAM:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


def free_port():
    """A port that neither tcp nor udp uses on loopback."""
    for _ in range(1000):
        port = random.randint(*PORT_RANGE)
        if _is_free(port):
            return port
    raise RuntimeError(f"no free port between {PORT_RANGE[0]} and {PORT_RANGE[1]}")


class BrokerFailure(AssertionError):
    """The broker did not start, stop or live as it should; the text carries its log."""


class Broker:
    """One broker process. Make it with start_broker()."""

    def __init__(self, kind, properties, ports, persistent):
        program = _program(kind)
        self.kind = kind
        self.manager_port, self.publish_port = ports
        self.instance = properties.get("IceStorm.InstanceName", "IceStorm")
        self.folder = tempfile.mkdtemp(prefix=f"squall-interop-{kind}-")
        self._log_path = os.path.join(self.folder, "broker.log")
        self._stdout = []
        self._ready = threading.Event()
        command = [program] + _arguments(kind, self._all_properties(properties, persistent),
                                         self.folder)
        with open(self._log_path, "wb") as log:
            self._process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                                             stdout=subprocess.PIPE, stderr=log)
        self.pid = self._process.pid
        self._reader = threading.Thread(target=self._read_stdout, daemon=True)
        self._reader.start()

    @property
    def manager_proxy(self):
        """The topic manager as a stringified proxy."""
        return f"{self.instance}/TopicManager:tcp -h 127.0.0.1 -p {self.manager_port}"

    @property
    def log(self):
        """All that the broker wrote so far, standard output first."""
        with open(self._log_path, encoding="utf-8", errors="replace") as log:
            return "\n".join(self._stdout) + "\n" + log.read()

    def is_alive(self):
        return self._process.poll() is None

    def cpu_seconds(self):
        """User and system time that the process has used."""
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def signal(self, number):
        self._process.send_signal(number)

    def wait(self, deadline):
        """The exit status, or None if the process still runs after `deadline` seconds."""
        try:
            status = self._process.wait(deadline)
        except subprocess.TimeoutExpired:
            return None
        self._reader.join()
        return status

    def stop(self):
        """SIGTERM, then demands exit status 0 within the deadline."""
        if not self.is_alive():
            self._fail(f"ended by itself with status {self._process.returncode}")
        self.signal(signal.SIGTERM)
        status = self.wait(3 if self.kind == "icestorm" else STOP_DEADLINE)
        if status is None and self.kind == "icestorm":
            # IceBox loses a signal that comes between its ready line and its main loop.
            self.signal(signal.SIGTERM)
            status = self.wait(STOP_DEADLINE)
        if status is None:
            self._fail(f"did not stop within {STOP_DEADLINE} s of SIGTERM")
        if status != 0:
            self._fail(f"exited with status {status} after SIGTERM")
        self.discard()

    def discard(self):
        """Ends what still runs, by its pid, and removes the folder. Safe to call twice."""
        if self.is_alive():
            self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def wait_until_ready(self):
        """True when it said so in time, False when it ended instead."""
        eventually(READY_DEADLINE, lambda: self._ready.is_set() or not self.is_alive())
        if self._ready.is_set():
            return True
        if self.is_alive():
            self._fail(f"no line 'IceStorm ready' on stdout within {READY_DEADLINE} s")
        return False

    def _all_properties(self, properties, persistent):
        publish = f"-h 127.0.0.1 -p {self.publish_port}"
        result = {
            "IceStorm.TopicManager.Endpoints": f"tcp -h 127.0.0.1 -p {self.manager_port}",
            "IceStorm.Publish.Endpoints": f"tcp {publish}:udp {publish}",
        }
        if self.kind == "icestorm" and persistent:
            result["IceStorm.LMDB.Path"] = self.folder
        else:
            result["IceStorm.Transient"] = "1"
        result.update(properties)
        return result

    def _read_stdout(self):
        for line in self._process.stdout:
            text = line.decode("utf-8", "replace").rstrip()
            self._stdout.append(text)
            if text == "IceStorm ready":
                self._ready.set()

    def _fail(self, what):
        log = self.log
        self.discard()
        raise BrokerFailure(f"{self.kind} (pid {self.pid}) {what}\n--- its log:\n{log}")


def _program(kind):
    if kind == "icestorm":
        return "icebox"
    if kind != "squall":
        raise RuntimeError(f"SQUALL_BROKER is '{kind}'; it can be squall or icestorm")
    program = os.environ.get("SQUALLD")
    if not program:
        raise RuntimeError("SQUALLD is not set: it names the squalld program to test")
    return program


def _arguments(kind, properties, folder):
    if kind == "squall":
        return [f"--{name}={value}" for name, value in properties.items()]
    config = os.path.join(folder, "icebox.config")
    box = {
        "IceBox.Service.IceStorm": "IceStormService,37:createIceStorm",
        "IceBox.PrintServicesReady": "IceStorm",
        "IceBox.InheritProperties": "1",
        "Ice.Warn.Connections": "0",
        "Ice.Warn.Dispatch": "0",
    }
    with open(config, "w", encoding="utf-8") as file:
        for name, value in {**box, **properties}.items():
            file.write(f"{name}={value}\n")
    return [f"--Ice.Config={config}"]


def start_broker(kind=None, properties=None, *, ports=None, persistent=False):
    """A broker that serves. `persistent` gives the real IceStorm a database, for what its transient
    mode lacks or does wrong; our daemon is always transient here."""
    for _ in range(5):
        broker = Broker(kind or broker_kind(), properties or {},
                        ports or (free_port(), free_port()), persistent)
        try:
            if broker.wait_until_ready():
                return broker
        except BaseException:
            broker.discard()
            raise
        log = broker.log
        broker.discard()
        # Somebody else can take a free port first; anything but that is a failure.
        if ports or "address already in use" not in log.lower():
            break
    raise BrokerFailure(f"{broker.kind} ended while it started\n--- its log:\n{log}")

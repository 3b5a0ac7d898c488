"""The processes of one way from client to server: direct, or through a broker started here."""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

from servers import PORT_RANGE, RunFailure, free_port, icebox_arguments

# KiB. contents.hpp has the same number.
MESSAGE_SIZE_MAX = "4096"
START_DEADLINE = 20
STOP_DEADLINE = 20
# IceBox loses a signal that comes between its ready line and its main loop.
SIGNAL_REPEAT = 3


class Missing(Exception):
    """A broker that is not installed; the text says what to do."""


def read_line(process, deadline, what):
    """The next line of the process's standard output, within `deadline` seconds. The process must
    write one line at a time, and only when it is waited for."""
    readable, _, _ = select.select([process.stdout], [], [], deadline)
    if not readable:
        raise RunFailure(f"{what} did not answer within {deadline:g} s")
    line = process.stdout.readline().decode("utf-8", "replace").strip()
    if not line:
        raise RunFailure(f"{what} ended with status {process.wait()}")
    return line


@contextlib.contextmanager
def _started(command, **options):
    """A process that ends when its standard input does; killed if it does not."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                               **options)
    try:
        yield process
    finally:
        process.stdin.close()
        try:
            process.wait(STOP_DEADLINE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


class Way:
    """One client, its server, and what is between them. Make it with open_way()."""

    def __init__(self, name, client, deadline):
        self.name = name
        self._client = client
        self._deadline = deadline

    def measure(self, mode, operation, calls):
        """Seconds until sent, seconds until delivered, bytes of arguments of one call."""
        what = f"the client of {self.name}, asked for {mode} {operation},"
        try:
            self._client.stdin.write(f"{mode} {operation} {calls}\n".encode())
        except BrokenPipeError:
            pass  # read_line reports how it ended.
        # The client bounds the wait for deliveries itself; sending may take as long.
        line = read_line(self._client, 2 * self._deadline + START_DEADLINE, what)
        sent, delivered, payload = line.split()
        return float(sent), float(delivered), int(payload)

    def finish(self):
        """Ends the client, which then looks for calls that came too often."""
        self._client.stdin.close()
        try:
            status = self._client.wait(STOP_DEADLINE)
        except subprocess.TimeoutExpired:
            raise RunFailure(f"the client of {self.name} did not end within {STOP_DEADLINE} s of "
                             "the end of its input") from None
        if status != 0:
            raise RunFailure(f"the client of {self.name} ended with status {status}")


def open_way(stack, name, options):
    """Starts all processes of one way; `stack` ends them, the client first."""
    manager = []
    if name != "direct":
        manager = [stack.enter_context(_broker(name, options))]
    server = stack.enter_context(_started([os.path.join(options.bin, "throughput_server")]))
    proxy = read_line(server, START_DEADLINE, f"the server of {name}")
    client = stack.enter_context(_started(
        [os.path.join(options.bin, "throughput_client"), proxy, str(options.deadline)] + manager))
    read_line(client, options.deadline + START_DEADLINE, f"the client of {name}")
    return Way(name, client, options.deadline)


@contextlib.contextmanager
def _broker(kind, options):
    """A broker that serves; yields its topic manager's proxy."""
    if kind == "icestorm" and not shutil.which("icebox"):
        raise Missing("no icebox on the PATH; install the packages zeroc-icebox and "
                      "libzeroc-icestorm3.7")
    folder = tempfile.mkdtemp(prefix=f"squall-throughput-{kind}-")
    process = None
    try:
        process, port = _serving_broker(kind, options, folder)
        yield f"IceStorm/TopicManager:tcp -h 127.0.0.1 -p {port}"
    except RunFailure as failure:
        log = _log(folder) if process else ""
        if not log:
            raise
        status = "" if process.poll() is None else f", ended with status {process.returncode}"
        raise RunFailure(f"{failure}\n--- log of {kind}{status}:\n{log}") from None
    finally:
        if process:
            _stop(process)
        shutil.rmtree(folder, ignore_errors=True)


def _serving_broker(kind, options, folder):
    for _ in range(5):
        port = free_port()
        command = _broker_command(kind, options, folder, port)
        with open(os.path.join(folder, "log"), "wb") as log:
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=log, bufsize=0)
        try:
            line = read_line(process, START_DEADLINE, kind)
            if line == "IceStorm ready":
                return process, port
            raise RunFailure(f"{kind} wrote '{line}' instead of 'IceStorm ready'")
        except RunFailure as failure:
            _stop(process)
            log = _log(folder)
            if kind == "icestorm" and "unable to load" in log:
                raise Missing("IceBox cannot load IceStormService; install the package "
                              "libzeroc-icestorm3.7") from None
            # Somebody else can take a free port first; anything but that is a failure.
            if "address already in use" not in log.lower():
                raise RunFailure(f"{failure}\n--- log of {kind}:\n{log}") from None
        except BaseException:
            _stop(process)
            raise
    raise RunFailure(f"{kind} found no free port in five tries between {PORT_RANGE[0]} and "
                     f"{PORT_RANGE[1]}")


def _broker_command(kind, options, folder, port):
    properties = {
        "IceStorm.TopicManager.Endpoints": f"tcp -h 127.0.0.1 -p {port}",
        "IceStorm.Publish.Endpoints": "tcp -h 127.0.0.1",
        "IceStorm.Transient": "1",
        "Ice.MessageSizeMax": MESSAGE_SIZE_MAX,
        **dict(one.split("=", 1) for one in options.broker_property),
    }
    if kind == "squall":
        return [options.squalld] + [f"--{name}={value}" for name, value in properties.items()]
    return ["icebox", *icebox_arguments(folder, properties)]


def _log(folder):
    with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as log:
        return log.read().strip()


def _stop(process):
    end = time.monotonic() + STOP_DEADLINE
    while process.poll() is None and time.monotonic() < end:
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(SIGNAL_REPEAT)
    if process.poll() is None:
        process.kill()
        process.wait()
    process.stdout.close()

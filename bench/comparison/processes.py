"""Child processes, ended by pid only, and what /proc tells about them."""

import json
import os
import queue
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

from servers import RunFailure

TICK = os.sysconf("SC_CLK_TCK")


def wait_for_port(port, child, deadline=15):
    """Returns when somebody listens there."""
    end = time.monotonic() + deadline
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        child.check_alive()
        time.sleep(0.01)
    raise RunFailure(f"{child.name} does not listen on its port after {deadline} s")


class Child:
    """A process whose lines on standard output are read as they come."""

    def __init__(self, command, *, folder=None, stdin_text=None, env=None):
        self.name = os.path.basename(str(command[0]))
        self._process = subprocess.Popen(
            [str(part) for part in command], cwd=folder, env=env, text=True, errors="replace",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pid = self._process.pid
        self._lines = queue.Queue()
        self._errors = []
        self._readers = [threading.Thread(target=self._read_lines, daemon=True),
                         threading.Thread(target=self._read_errors, daemon=True)]
        for reader in self._readers:
            reader.start()
        if stdin_text is not None:
            self.tell(stdin_text)
            self.end_input()

    def _read_lines(self):
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _read_errors(self):
        for line in self._process.stderr:
            self._errors.append(line.rstrip("\n"))
            del self._errors[:-20]

    def _fail(self, what):
        said = " | ".join(self._errors[-3:])
        raise RunFailure(f"{self.name} {what}" + (f": {said}" if said else ""))

    def tell(self, text):
        try:
            self._process.stdin.write(text)
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail("ended before it was told what to do")

    def end_input(self):
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass

    def line(self, deadline=30):
        """The next line of standard output."""
        try:
            line = self._lines.get(timeout=deadline)
        except queue.Empty:
            self._fail(f"said nothing for {deadline} s")
        if line is None:
            self._readers[1].join(1)
            self._fail("ended early")
        return line

    def json(self, deadline=30):
        return json.loads(self.line(deadline))

    def is_alive(self):
        return self._process.poll() is None

    def check_alive(self):
        if not self.is_alive():
            self._readers[1].join(1)
            self._fail(f"ended with status {self._process.returncode}")

    def signal(self, number):
        self._process.send_signal(number)

    def wait(self, deadline):
        """Demands that the process ends by itself with status 0."""
        try:
            status = self._process.wait(deadline)
        except subprocess.TimeoutExpired:
            self._fail(f"did not end within {deadline} s")
        if status != 0:
            self._readers[1].join(1)
            self._fail(f"ended with status {status}")

    def stop(self, patience=3):
        """SIGTERM, after `patience` seconds SIGKILL. Safe to call twice."""
        if self.is_alive():
            self.signal(signal.SIGTERM)
            try:
                self._process.wait(patience)
            except subprocess.TimeoutExpired:
                self.kill()
        self._close()

    def kill(self):
        if self.is_alive():
            self.signal(signal.SIGKILL)
        self._close()

    def _close(self):
        self._process.wait()
        for reader in self._readers:
            reader.join()
        self.end_input()
        self._process.stdout.close()
        self._process.stderr.close()


def cpu_ns(pid):
    """CPU time of a process: of its threads from schedstat, in ns; of ended threads, which are not
    there any more, the kernel's total knows in ticks of 10 ms."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except (OSError, ValueError):
            return _cpu_ticks_ns(pid)
    ticks = _cpu_ticks_ns(pid)
    return total if ticks - total < 3 * 1e9 / TICK else ticks


def _cpu_ticks_ns(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1_000_000_000 // TICK


def memory_mb(pid):
    """Resident memory now and at its peak, and threads."""
    values = dict(line.split(":", 1) for line in
                  Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return {"rss_mb": int(values["VmRSS"].split()[0]) / 1024,
            "peak_rss_mb": int(values["VmHWM"].split()[0]) / 1024,
            "threads": int(values["Threads"])}

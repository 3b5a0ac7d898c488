"""What every broker is to a run."""

import re
import shutil
import subprocess
import tempfile


class Broker:
    """One broker process for one run. Made from an Environment (session.py); start() first.

    A subclass says what it is in its class attributes, starts self.process, and knows how to attach
    subscribers and publishers."""

    name = ""
    title = ""
    # The Debian packages without which it cannot run.
    packages = ()
    # The programs that it needs, and those of ours.
    needs = ()
    # Program and argument that print its version; empty for a program of ours without one.
    version_command = ()
    # Finishes small batched events so quickly that more of them are sent.
    fast = False
    # Delivers the events of one publisher in order.
    keeps_order = True

    def __init__(self, environment):
        self.environment = environment
        self.process = None
        self.folder = None

    @classmethod
    def missing(cls, environment):
        """What it lacks on this machine, as a note; None when it can run."""
        for need in cls.needs:
            if environment.program(need) is None:
                packages = " ".join(cls.packages)
                return f"{need} is missing" + (f" (packages: {packages})" if packages else "")
        return None

    @classmethod
    def version(cls, environment):
        """What it says of itself; empty where it has none."""
        if not cls.version_command:
            return ""
        program, argument = cls.version_command
        return _first_version([environment.program(program), argument])

    @classmethod
    def serves(cls, row):
        """Whether it has what the row needs; if not, the row has no figure for it."""
        raise NotImplementedError

    @property
    def pid(self):
        return self.process.pid

    def start(self, row):
        self.folder = tempfile.mkdtemp(prefix=f"squall-bench-{self.name}-")
        self.launch(row)

    def launch(self, row):
        raise NotImplementedError

    def attach(self, topic, row, subscribers, events):
        """A sink with so many subscribers of the topic, as a Child that will report. Events that
        are published from now on reach all of them."""
        raise NotImplementedError

    def publish(self, topics, row, events):
        """A publisher at work, as a Child that ends when all is sent."""
        raise NotImplementedError

    def stop(self):
        if self.process:
            self.process.stop()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def _first_version(command):
    """The first number with dots that a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    found = re.search(r"\d+\.\d+(\.\d+)*", done.stdout + done.stderr)
    return found.group(0) if found else ""

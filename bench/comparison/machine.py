"""The machine: how busy it is with other work, and what it is."""

import os
import platform
import resource
import time
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
BUSY_LIMIT = 0.10
FOREIGN_LIMIT = 0.15
TRIES = 10


class MachineBusy(Exception):
    """Other work uses the machine; a comparison would measure that."""


def busy_seconds():
    """CPU time that all processors together have spent on anything but idling and waiting."""
    with open("/proc/stat", encoding="ascii") as stat:
        user, nice, system, _idle, _iowait, irq, softirq, steal = (
            int(field) for field in stat.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICK


def own_seconds():
    """CPU time of this process and of the children it has waited for."""
    usages = [resource.getrusage(who)
              for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def busy_share(seconds):
    """Share of all processors that was in use during the next `seconds`."""
    before, start = busy_seconds(), time.monotonic()
    time.sleep(seconds)
    return (busy_seconds() - before) / ((time.monotonic() - start) * os.cpu_count())


def wait_until_idle(sample=0.3, pause=2.0):
    """Returns once the machine is less than 10 % busy; MachineBusy after ten tries."""
    share = 0.0
    for attempt in range(TRIES):
        if attempt > 0:
            time.sleep(pause)
        share = busy_share(sample)
        if share < BUSY_LIMIT:
            return
    raise MachineBusy(f"machine busy: other work uses {share:.0%} of it, {BUSY_LIMIT:.0%} is the "
                      "limit; end that work, or say --force to measure all the same")


class ForeignWatch:
    """The share of the machine that went to anything but this process and what it has started."""

    def __init__(self):
        self._start = time.monotonic()
        self._busy = busy_seconds()
        self._own = own_seconds()

    def share(self, living_children_seconds):
        """`living_children_seconds`: CPU time, since the start, of children not waited for."""
        elapsed = time.monotonic() - self._start
        ours = own_seconds() - self._own + living_children_seconds
        return max(0.0, (busy_seconds() - self._busy - ours) / (elapsed * os.cpu_count()))


def facts():
    """What a reader needs to judge the figures; nothing that identifies the machine."""
    model = "unknown"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {"cpu": model, "cores": os.cpu_count(), "kernel": platform.release().split("-")[0],
            "memory_gib": round(memory)}

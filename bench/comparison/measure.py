"""One run: a fresh broker, subscribers, a publisher, and what it cost."""

import signal
import time
from dataclasses import replace

from comparison import machine
from comparison.processes import cpu_ns, memory_mb

PUBLISH_SECONDS = 300
REPORT_SECONDS = 300
# When the frozen subscriber stops reading, after the first event.
FREEZE_AFTER_SECONDS = 1.0


class Run:
    """What belongs to one run; everything that it started has ended after close()."""

    def __init__(self, broker, row):
        self.broker = broker
        self.row = row
        self.events = row.events_for(broker)
        self._sinks = []
        self._publishers = []

    def attach(self, topic, subscribers, *, events=None, row=None):
        sink = self.broker.attach(topic, row or self.row, subscribers, events or self.events)
        self._sinks.append(sink)
        return sink

    def publish(self, topics, *, events=None, row=None):
        publisher = self.broker.publish(topics, row or self.row, events or self.events)
        self._publishers.append(publisher)
        return publisher

    def children_cpu_ns(self):
        """Of those that live on; publishers are waited for and count then."""
        return sum(cpu_ns(child.pid) for child in self._sinks + [self.broker.process]
                   if child.is_alive())

    def close(self):
        # The broker last: it would wait for subscribers that do not answer its goodbye.
        for child in self._publishers + self._sinks:
            child.kill()
        self.broker.stop()


def check(broker, report):
    """What is wrong with a sink's report; None if each event came exactly once."""
    faults = []
    if report["received"] != report["expected"]:
        faults.append(f"{report['received']:,} of {report['expected']:,} deliveries")
    if report["repeats"]:
        faults.append(f"{report['repeats']:,} repeats")
    if report["lost_connections"]:
        faults.append(f"{report['lost_connections']} connections lost")
    if broker.keeps_order and report["out_of_order"]:
        faults.append(f"{report['out_of_order']:,} out of order")
    return ", ".join(faults) or None


def measure(broker, row):
    """Figures of one run as a dictionary. RunFailure when it could not be done at all."""
    run = Run(broker, row)
    try:
        broker.start(row)
        return _KINDS[row.kind](run)
    finally:
        run.close()


def _flow(run, topics, sink):
    """Publishes, waits until all has arrived; the figures that every kind of row has."""
    broker, row = run.broker, run.row
    watch = machine.ForeignWatch()
    children, cpu = run.children_cpu_ns(), cpu_ns(broker.pid)
    publisher = run.publish(topics)
    publisher.wait(PUBLISH_SECONDS)
    report = sink.json(REPORT_SECONDS)
    cpu = cpu_ns(broker.pid) - cpu
    share = watch.share((run.children_cpu_ns() - children) / 1e9)
    return _figures(run, report, cpu, share)


def _figures(run, report, cpu, foreign):
    received = max(1, report["received"])
    return {
        **report,
        "failure": check(run.broker, report),
        "events": run.events,
        "cpu_us": cpu / 1000 / received,
        "deliveries_per_s": report["received"] / max(report["seconds"], 1e-9),
        "foreign": foreign,
        **memory_mb(run.broker.pid),
    }


def _flood(run):
    sink = run.attach("load", run.row.subscribers)
    return _flow(run, ["load"], sink)


def _topics(run):
    names = [f"load{i}" for i in range(run.row.topics)]
    sink = run.attach(names, run.row.subscribers)
    return _flow(run, names, sink)


def _memory(run):
    """Resident memory once with 1 subscriber that has had events, then with 999 more."""
    row, broker = run.row, run.broker
    watch, children = machine.ForeignWatch(), run.children_cpu_ns()
    reports, sizes = [], []
    for topic, subscribers in (("load", 1), ("more", row.subscribers - 1)):
        small = replace(row, subscribers=subscribers)
        sink = run.attach(topic, subscribers, row=small)
        run.publish([topic], row=small).wait(PUBLISH_SECONDS)
        reports.append(sink.json(REPORT_SECONDS))
        sizes.append(memory_mb(broker.pid)["rss_mb"])
    total = {name: sum(report[name] for report in reports)
             for name in ("expected", "received", "repeats", "out_of_order", "lost_connections")}
    return {
        **total,
        "failure": check(broker, total),
        "events": run.events,
        "idle_mb": sizes[0],
        "full_mb": sizes[1],
        "kb_per_subscriber": (sizes[1] - sizes[0]) * 1024 / (row.subscribers - 1),
        "foreign": watch.share((run.children_cpu_ns() - children) / 1e9),
        **memory_mb(broker.pid),
    }


def _frozen(run):
    """One of three subscribers stops reading; the figures are those of the two others."""
    row, broker = run.row, run.broker
    sink = run.attach("load", row.subscribers - 1)
    victim = run.attach("load", 1)
    watch = machine.ForeignWatch()
    children, cpu = run.children_cpu_ns(), cpu_ns(broker.pid)
    start = time.monotonic()
    publisher = run.publish(["load"])
    time.sleep(min(FREEZE_AFTER_SECONDS, run.events / row.rate / 2))
    victim.check_alive()
    victim.signal(signal.SIGSTOP)
    publisher.wait(PUBLISH_SECONDS)
    publishing = time.monotonic() - start
    report = sink.json(REPORT_SECONDS)
    cpu = cpu_ns(broker.pid) - cpu
    share = watch.share((run.children_cpu_ns() - children) / 1e9)
    return {**_figures(run, report, cpu, share), "publishing_s": publishing}


_KINDS = {"flood": _flood, "rate": _flood, "real": _flood, "topics": _topics, "memory": _memory,
          "frozen": _frozen}

"""All runs: rounds that take turns over all brokers, repeats, progress."""

import sys
import time

from comparison import machine
from comparison.measure import measure
from servers import RunFailure

REPEATS = 2


class Progress:
    """A line per run on standard error, with what is left."""

    def __init__(self, total):
        self._total = total
        self._done = 0
        self._durations = {}

    def say(self, text):
        print(text, file=sys.stderr, flush=True)

    def finished(self, record, seconds, remaining):
        self._done += 1
        self._durations.setdefault((record["row"], record["broker"]), []).append(seconds)
        self.say(f"[{self._done}/{self._total}] {record['row']:<10} {record['broker']:<15} "
                 f"{_summary(record)}  ({seconds:.1f} s, {self._left(remaining)} left)")

    def _left(self, remaining):
        known = [seconds for all_of in self._durations.values() for seconds in all_of]
        average = sum(known) / len(known)
        total = 0.0
        for key in remaining:
            mine = self._durations.get(key)
            total += sum(mine) / len(mine) if mine else average
        return f"{int(total // 60)}:{int(total % 60):02d}"


def _summary(record):
    if record["failure"]:
        return "FAILED: " + record["failure"]
    if "idle_mb" in record:
        return f"{record['idle_mb']:.1f} MB, {record['kb_per_subscriber']:.1f} KB per subscriber"
    text = f"{record['cpu_us']:8.3f} µs/delivery, {record['deliveries_per_s']:,.0f}/s"
    if "publishing_s" in record:
        text += f", peak {record['peak_rss_mb']:.0f} MB"
    elif record["rate"]:
        text += f", p50 {record['p50_us']:.0f} p99 {record['p99_us']:.0f} µs"
    if record["foreign"] >= machine.FOREIGN_LIMIT:
        text += f", foreign {record['foreign']:.0%}"
    return text


def _attempt(broker_class, row, environment):
    try:
        return measure(broker_class(environment), row)
    except RunFailure as failure:
        return {"failure": str(failure), "foreign": 0.0}


def run_all(brokers, rows, rounds, environment, force):
    """One record per run. MachineBusy unless `force`."""
    plan = [(row, broker) for _ in range(rounds) for row in rows for broker in brokers
            if broker.serves(row)]
    per_round = len(plan) // rounds if rounds else 0
    progress = Progress(len(plan))
    for index, (row, broker) in enumerate(plan):
        start = time.monotonic()
        for attempt in range(REPEATS + 1):
            if not force:
                machine.wait_until_idle()
            record = {"round": index // per_round + 1, "attempt": attempt + 1, "row": row.key,
                      "broker": broker.name, "subscribers": row.subscribers, "bytes": row.bytes,
                      "rate": row.rate, **_attempt(broker, row, environment)}
            # A run that others disturbed does not count, unless it failed: that is never noise.
            again = (record["foreign"] >= machine.FOREIGN_LIMIT and not record["failure"]
                     and attempt < REPEATS and not force)
            record["set_aside"] = again
            yield record
            if not again:
                break
        progress.finished(record, time.monotonic() - start,
                          [(row.key, broker.name) for row, broker in plan[index + 1:]])

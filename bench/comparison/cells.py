"""Runs to cells: medians, spread, and the verdict on targets."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import median

UNITS = {"cpu_us": "µs CPU per delivery", "p50_us": "µs, p50", "p99_us": "µs, p99",
         "idle_mb": "MB idle", "kb_per_subscriber": "KB per further subscriber",
         "deliveries_per_s": "deliveries/s", "peak_rss_mb": "MB at the peak"}


@dataclass(frozen=True)
class Cell:
    """The runs of one broker in one row that count."""

    records: tuple

    def values(self, measure):
        return [record[measure] for record in self.records if measure in record]

    def median(self, measure):
        """None when no run has it."""
        values = self.values(measure)
        return median(values) if values else None

    @property
    def failures(self):
        return [record["failure"] for record in self.records if record["failure"]]


def cells(records):
    """(row key, broker name) -> Cell. Runs set aside do not count; failures do, as failures."""
    grouped = defaultdict(list)
    for record in records:
        if not record["set_aside"]:
            grouped[record["row"], record["broker"]].append(record)
    return {key: Cell(tuple(group)) for key, group in grouped.items()}


def number(value):
    """Three digits that mean something, without an exponent."""
    if value is None:
        return "–"
    if value >= 1e6:
        return f"{value / 1e6:.2f} M"
    if value >= 1e4:
        return f"{value / 1e3:.0f} k"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.{3 if value < 1 else 2 if value < 10 else 1}f}"


def spread(cell, measure):
    """median (lowest–highest)"""
    values = cell.values(measure)
    if not values:
        return "–"
    if len(values) == 1:
        return number(values[0])
    return f"{number(median(values))} ({number(min(values))}–{number(max(values))})"


@dataclass(frozen=True)
class Verdict:
    """How Squall stands to one target. Each ratio is (what it is a ratio to, measured, allowed)."""

    row: object
    target: object
    value: float
    ratios: tuple

    @property
    def outcome(self):
        """pass, miss, mixed when the ratios disagree, not judged without any."""
        if not self.ratios:
            return "not judged"
        kept = [measured >= allowed if self.target.at_least else measured <= allowed
                for _name, measured, allowed in self.ratios]
        return "pass" if all(kept) else "mixed" if any(kept) else "miss"


def verdicts(rows, table):
    """One Verdict per target whose row Squall has completed."""
    result = []
    for row in rows:
        ours = table.get((row.key, "squall"))
        for target in row.targets if ours and not ours.failures else ():
            value = ours.median(target.measure)
            ratios = []
            for name, reference in (("icestorm", target.icestorm), ("floor", target.floor)):
                cell = table.get((row.key, name))
                if reference and cell and not cell.failures and cell.median(target.measure):
                    ratios.append((name, value / cell.median(target.measure),
                                   target.limit / reference))
            if target.icestorm is None and target.floor is None:
                ratios.append(("limit", value, target.limit))
            result.append(Verdict(row, target, value, tuple(ratios)))
    return result

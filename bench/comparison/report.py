"""The results as JSON lines and as a page of Markdown tables."""

import json

from comparison.cells import UNITS, cells, number, spread, verdicts
from comparison.machine import FOREIGN_LIMIT

RATIO_NAMES = {"icestorm": "× IceStorm", "floor": "× floor", "limit": ""}


def write_json(path, header, records):
    """The first line is about the machine and the brokers; each of the others is one run."""
    with open(path, "w", encoding="utf-8") as file:
        for line in [header, *records]:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _head(header, records, brokers):
    set_aside = sum(record["set_aside"] for record in records)
    disturbed = sum(record["foreign"] >= FOREIGN_LIMIT and not record["set_aside"]
                    for record in records)
    versions = "; ".join(f"{broker.title} {header['versions'][broker.name]}".strip()
                         for broker in brokers)
    machine = header["machine"]
    lines = [
        "# Squall beside other brokers", "",
        f"Written by `{header['command']}` on {header['date']}; `README.md` says how to read it.",
        "",
        f"- Machine: {machine['cores']} cores of {machine['cpu']}, {machine['memory_gib']} GiB, "
        f"Linux {machine['kernel']}; everything on loopback TCP.",
        f"- Brokers: {versions}.",
        f"- {header['rounds']} round(s); cells are medians, with the lowest and highest in "
        f"brackets. {len(records) - set_aside} runs count; {set_aside} were repeated and "
        f"{disturbed} count although other work used {FOREIGN_LIMIT:.0%} of the machine or more.",
    ]
    lines += [f"- Left out: {note}." for note in header["notes"]]
    failed = [record for record in records if record["failure"]]
    lines += [f"- **FAILED**: {record['row']}, {record['broker']}, round {record['round']}: "
              f"{record['failure']}" for record in failed]
    if not failed:
        lines.append("- Every event arrived exactly once in every run; from every broker but "
                     "IceStorm, whose pool of two threads reorders, also in order.")
    return "\n".join(lines) + "\n"


def _grid(rows, brokers, table, text):
    """A table with a line per row of work and a column per broker."""
    body = []
    for row in rows:
        line = [row.title]
        for broker in brokers:
            cell = table.get((row.key, broker.name))
            line.append("–" if cell is None else
                        "FAILED" if cell.failures else text(row, cell))
        body.append(line)
    return _table(["work"] + [broker.title for broker in brokers], body)


def _limit(target):
    """The target as it was set, with what IceStorm and the floor had then."""
    if target.words:
        return target.words
    text = f"{'≥' if target.at_least else '≤'} {number(target.limit)}"
    others = [f"{name} {number(value)}" for name, value in
              (("IceStorm", target.icestorm), ("floor", target.floor)) if value]
    return text + (f" ({', '.join(others)})" if others else "")


def _targets(found):
    body = []
    for verdict in found:
        unit = UNITS[verdict.target.measure]
        ratios = "; ".join(
            f"{number(measured)} {RATIO_NAMES[name]}".strip()
            + f" ({'≥' if verdict.target.at_least else '≤'} {number(allowed)})"
            for name, measured, allowed in verdict.ratios)
        body.append([verdict.row.title, _limit(verdict.target),
                     f"{number(verdict.value)} {unit}", ratios or "–", f"**{verdict.outcome}**"])
    return _table(["work", "target (others when it was set)", "Squall", "ratio (allowed)",
                   "verdict"], body)


def _ratios(row, cell, table):
    parts = []
    for name, sign in (("icestorm", "I"), ("floor", "f")):
        other = table.get((row.key, name))
        if other and not other.failures and other.median("cpu_us") and cell.median("cpu_us"):
            parts.append(f"{number(cell.median('cpu_us') / other.median('cpu_us'))} {sign}")
    return ", ".join(parts) or "–"


def markdown(header, rows, brokers, records, plots):
    table = cells(records)
    used = [row for row in rows if any((row.key, broker.name) in table for broker in brokers)]
    flows = [row for row in used if row.kind != "memory"]
    parts = [_head(header, records, brokers)]

    found = verdicts(used, table)
    if found:
        parts += ["## Targets\n",
                  "Each limit is judged as a ratio to IceStorm and to the floor in this same run; "
                  "mixed: one is kept, one not.\n", _targets(found)]
    if flows:
        parts += ["## Broker CPU, µs per delivery\n",
                  _grid(flows, brokers, table, lambda row, cell: spread(cell, "cpu_us")),
                  "The same as ratios to IceStorm (I) and to the floor (f):\n",
                  _grid(flows, brokers, table, lambda row, cell: _ratios(row, cell, table))]
    paced = [row for row in flows if row.rate]
    unpaced = [row for row in flows if not row.rate]
    if unpaced:
        parts += ["## Deliveries per second\n",
                  _grid(unpaced, brokers, table,
                        lambda row, cell: spread(cell, "deliveries_per_s"))]
    if paced:
        parts += ["## Latency at a fixed rate, µs: p50 / p99 / p99.9\n",
                  _grid(paced, brokers, table, lambda row, cell: " / ".join(
                      number(cell.median(f"{name}_us")) for name in ("p50", "p99", "p999")))]
    parts += _memory_parts(used, flows, brokers, table)
    parts += [f"![{plot}]({plot})\n" for plot in plots]
    return "\n".join(parts)


def _memory_parts(used, flows, brokers, table):
    parts = []
    rows = [row for row in used if row.kind == "memory"]
    if rows:
        parts += ["## Resident memory: MB with 1 subscriber, MB with all, KB per further one\n",
                  _grid(rows, brokers, table, lambda row, cell: " / ".join(
                      spread(cell, name) for name in ("idle_mb", "full_mb", "kb_per_subscriber")))]
    if flows:
        parts += ["## Peak resident memory, MB\n",
                  _grid(flows, brokers, table, lambda row, cell: spread(cell, "peak_rss_mb"))]
    frozen = [row for row in flows if row.kind == "frozen"]
    if frozen:
        parts += ["## Beside a frozen subscriber: seconds that publishing took, p99 of the others "
                  "in µs\n",
                  _grid(frozen, brokers, table, lambda row, cell: " / ".join(
                      number(cell.median(name)) for name in ("publishing_s", "p99_us")))]
    return parts

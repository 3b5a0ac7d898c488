"""The results as SVG pictures."""

import matplotlib

matplotlib.use("svg")
# The same results give the same file.
matplotlib.rcParams["svg.hashsalt"] = "squall"
matplotlib.rcParams["svg.fonttype"] = "none"

import matplotlib.pyplot as plt  # noqa: E402

from comparison.cells import cells  # noqa: E402

COLOURS = {"squall": "#d62728", "icestorm": "#1f77b4", "floor": "#7f7f7f"}
OTHERS = ("#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#bcbd22")


def _colours(brokers):
    others = iter(OTHERS)
    return {broker.name: COLOURS.get(broker.name) or next(others) for broker in brokers}


def _bars(path, rows, brokers, table, measure, axis):
    """A group of bars per row, a bar per broker; lines show the lowest and highest."""
    rows = [row for row in rows if any(_value(table, row, broker, measure) for broker in brokers)]
    if not rows:
        return None
    colours = _colours(brokers)
    figure, axes = plt.subplots(figsize=(max(6, 1.6 * len(rows) + 2), 4.5))
    width = 0.85 / len(brokers)
    for index, broker in enumerate(brokers):
        places, values, errors = [], [], [[], []]
        for place, row in enumerate(rows):
            value = _value(table, row, broker, measure)
            if value:
                seen = table[row.key, broker.name].values(measure)
                places.append(place + (index - (len(brokers) - 1) / 2) * width)
                values.append(value)
                errors[0].append(value - min(seen))
                errors[1].append(max(seen) - value)
        if values:
            axes.bar(places, values, width, yerr=errors, label=broker.title,
                     color=colours[broker.name], error_kw={"linewidth": 0.8})
    axes.set_yscale("log")
    axes.set_ylabel(axis)
    axes.set_xticks(range(len(rows)), [row.key for row in rows])
    axes.grid(axis="y", which="both", linewidth=0.3)
    axes.set_axisbelow(True)
    axes.legend(fontsize=8, ncols=4, loc="upper center", bbox_to_anchor=(0.5, 1.16), frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return path.name


def _value(table, row, broker, measure):
    cell = table.get((row.key, broker.name))
    return None if cell is None or cell.failures else cell.median(measure)


def _latency(path, rows, brokers, table):
    """The quantiles of the rows at a fixed rate, a line per broker."""
    row = next((row for row in rows if row.kind == "rate"), None)
    known = [broker for broker in brokers if row and _value(table, row, broker, "p50_us")]
    if not known:
        return None
    colours = _colours(brokers)
    names = ("p50_us", "p99_us", "p999_us")
    figure, axes = plt.subplots(figsize=(6, 4))
    for broker in known:
        axes.plot(("p50", "p99", "p99.9"), [_value(table, row, broker, name) for name in names],
                  marker="o", label=broker.title, color=colours[broker.name])
    axes.set_yscale("log")
    axes.set_ylabel("latency, µs")
    axes.set_title(row.title, fontsize=10)
    axes.grid(axis="y", which="both", linewidth=0.3)
    axes.legend(fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return path.name


def draw(output, rows, brokers, records):
    """Writes the pictures; returns the names of those that had something to show."""
    table = cells(records)
    unpaced = [row for row in rows if not row.rate]
    # A delivery of 2 MB would dwarf all others.
    small = [row for row in rows if row.kind != "frozen"]
    for name in ("cpu.svg", "deliveries.svg", "latency.svg"):
        (output / name).unlink(missing_ok=True)
    names = [
        _bars(output / "cpu.svg", small, brokers, table, "cpu_us",
              "broker CPU, µs per delivery"),
        _bars(output / "deliveries.svg", unpaced, brokers, table, "deliveries_per_s",
              "deliveries per second"),
        _latency(output / "latency.svg", rows, brokers, table),
    ]
    return [name for name in names if name]

"""The command line of bench/compare."""

import argparse
import datetime
import importlib.util
import signal
import subprocess
import sys
from pathlib import Path

from comparison import machine, matrix
from comparison.environment import ROOT, Environment
from comparison.ice_brokers import Floor, IceStorm, Squall
from comparison.peers import Mosquitto, MosquittoQos1, Nats, Redis, ZeroMq
from comparison.report import markdown, write_json
from comparison.session import run_all

BROKERS = (Squall, IceStorm, Floor, Nats, Redis, ZeroMq, Mosquitto, MosquittoQos1)
OK, FAILED, USAGE, BUSY = 0, 1, 2, 3


def _number(first, last):
    """A type of argparse: an integer from first to last."""
    def parse(text):
        if not first <= int(text) <= last:
            raise argparse.ArgumentTypeError(f"{text} is not from {first} to {last}")
        return int(text)
    parse.__name__ = f"number from {first} to {last}"
    return parse


def _parser():
    parser = argparse.ArgumentParser(
        prog="bench/compare", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Compares Squall with other brokers and with a floor on this machine.",
        epilog="Exit status: 0 all runs delivered every event exactly once, 1 some did not,\n"
               "2 wrong use or something of ours is missing, 3 the machine is busy.")
    parser.add_argument("--quick", action="store_true",
                        help="fewer events, one round, the most important rows: under 2 minutes")
    parser.add_argument("--install", action="store_true",
                        help="first install the packages that are missing and build what runs")
    parser.add_argument("--list", action="store_true", help="show rows and brokers, run nothing")
    parser.add_argument("--rows", type=_words, default=[], metavar="A,B", help="only these rows")
    parser.add_argument("--brokers", type=_words, default=[], metavar="A,B",
                        help="only these brokers")
    parser.add_argument("--rounds", type=_number(1, 1000), help="rounds over all brokers (3; --quick: 1)")
    parser.add_argument("--events", choices=matrix.SCALES, help="how many events (full; "
                        "--quick: quick); tiny only shows that all works")
    parser.add_argument("--force", action="store_true",
                        help="measure on a busy machine too; repeat nothing")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/performance", metavar="DIR",
                        help="where results go (docs/performance)")
    parser.add_argument("--squalld", type=Path, default=ROOT / "build/release/bin/squalld",
                        metavar="PATH", help="the daemon to measure (build/release/bin/squalld)")
    parser.add_argument("--programs", type=Path, metavar="DIR",
                        help="where bench_sink and the others are (the folder of squalld)")
    parser.add_argument("--shards", type=_number(1, 64), default=0, metavar="N",
                        help="IceStorm.Publish.ThreadPool.Size of Squall (its own default)")
    return parser


def _words(text):
    return [word for word in text.split(",") if word]


def _select_brokers(names):
    known = {broker.name: broker for broker in BROKERS}
    for name in names:
        if name not in known:
            raise ValueError(f"--brokers: '{name}' is no broker; there are {', '.join(known)}")
    return [known[name] for name in names] if names else list(BROKERS)


def _list():
    print("rows:")
    for row in matrix.ROWS:
        print(f"  {row.key:<12} {row.title}" + ("" if row.quick else "  (not with --quick)"))
    print("brokers:")
    for broker in BROKERS:
        print(f"  {broker.name:<16} {' '.join(broker.packages)}")


def _install():
    subprocess.run([ROOT / "scripts/install-packages", "build", "bench"], check=True)
    for command in (["cmake", "--preset", "release"],
                    ["cmake", "--build", "--preset", "release", "--target", "squalld",
                     "bench_load"]):
        subprocess.run(command, cwd=ROOT, check=True)


def _say(text):
    print(text, file=sys.stderr, flush=True)


def _available(wanted, environment):
    """The brokers that can run, and a note for each that cannot."""
    brokers, notes = [], []
    for broker in wanted:
        missing = broker.missing(environment)
        if missing:
            notes.append(f"{broker.title}: {missing}")
            _say(f"{broker.name} is skipped: {missing}")
        else:
            brokers.append(broker)
    return brokers, notes


def _plots(output, rows, brokers, records):
    if importlib.util.find_spec("matplotlib") is None:
        _say("no plots: matplotlib is missing (package: python3-matplotlib)")
        return []
    from comparison.plots import draw
    return draw(output, rows, brokers, records)


def main(arguments):
    options = _parser().parse_args(arguments)
    if options.list:
        _list()
        return OK
    if options.install:
        _install()
    environment = Environment(options.squalld.resolve(),
                              (options.programs or options.squalld.parent).resolve(),
                              options.shards)
    size = options.events or ("quick" if options.quick else "full")
    try:
        rows = [matrix.scaled(row, size) for row in matrix.select(options.rows, options.quick)]
        wanted = _select_brokers(options.brokers)
    except ValueError as error:
        _say(f"bench/compare: {error}")
        return USAGE
    brokers, notes = _available(wanted, environment)
    if not brokers or Squall in wanted and Squall not in brokers:
        _say("bench/compare: build squalld and the target bench_load first; --install does, and "
             "installs what the others need")
        return USAGE
    try:
        options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _say(f"bench/compare: --output {options.output} cannot be made: {error.strerror}")
        return USAGE
    rounds = options.rounds or (1 if options.quick else 3)
    header = {
        "date": datetime.date.today().isoformat(),
        "command": " ".join(["bench/compare", *_public(arguments)]),
        "machine": machine.facts(), "rounds": rounds, "notes": notes,
        "versions": {broker.name: broker.version(environment) for broker in brokers},
    }
    records = []
    # So that brokers end with us.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for record in run_all(brokers, rows, rounds, environment, options.force):
            records.append(record)
    except (machine.MachineBusy, KeyboardInterrupt) as reason:
        _say(f"bench/compare: {str(reason) or 'interrupted'}")
        _save_partly(options.output, header, records)
        return BUSY if isinstance(reason, machine.MachineBusy) else FAILED
    _write(options.output, header, rows, brokers, records)
    return FAILED if any(record["failure"] for record in records) else OK


def _public(arguments):
    """The command line without paths, which mean nothing elsewhere."""
    shown, skip = [], False
    for argument in arguments:
        if skip or argument.split("=")[0] in ("--output", "--squalld", "--programs"):
            skip = not skip and "=" not in argument
            continue
        shown.append(argument)
    return shown


def _save_partly(output, header, records):
    """Keeps the runs that are done, beside the results of the last complete comparison."""
    if records:
        output.mkdir(parents=True, exist_ok=True)
        write_json(output / "partial.jsonl", header, records)
        _say(f"the {len(records)} runs that are done are in partial.jsonl")


def _write(output, header, rows, brokers, records):
    output.mkdir(parents=True, exist_ok=True)
    write_json(output / "results.jsonl", header, records)
    plots = _plots(output, rows, brokers, records)
    page = markdown(header, rows, brokers, records, plots)
    (output / "results.md").write_text(page, encoding="utf-8")
    print(page)

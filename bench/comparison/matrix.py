"""The rows of work, and the targets that Squall has in them."""

from dataclasses import dataclass, replace
from typing import Optional

MEGA = 1_000_000


@dataclass(frozen=True)
class Target:
    """A limit for Squall, and what IceStorm and the floor had when it was set. Machines differ, so
    it is judged as two ratios: limit / icestorm and limit / floor (None: not to be compared)."""

    measure: str
    limit: float
    icestorm: Optional[float] = None
    floor: Optional[float] = None
    # The figure must be at least the limit, not at most.
    at_least: bool = False
    # For a target that was set without figures.
    words: str = ""


@dataclass(frozen=True)
class Row:
    key: str
    title: str
    # How it is measured (measure.py): flood, rate, memory, topics, frozen or real.
    kind: str
    # Publisher: oneway or batch. Brokers with a client that buffers by itself take part in batch.
    mode: str
    subscribers: int
    # Of each publisher.
    events: int
    bytes: int = 100
    # Events per second of each publisher; 0 is full speed.
    rate: float = 0
    # oneway, twoway or ordered.
    subscriber_mode: str = "oneway"
    topics: int = 1
    # Endpoints that the subscribers of Ice brokers share; 0: one each.
    endpoints: int = 0
    # Connections that the publishers of Ice brokers share.
    connections: int = 1
    # Events of brokers that finish the above in a blink.
    fast_events: int = 0
    # Brokers other than those that speak Ice take part.
    peers: bool = False
    quick: bool = True
    targets: tuple = ()

    def events_for(self, broker):
        return self.fast_events if broker.fast and self.fast_events else self.events


def _cpu(limit, icestorm=None, floor=None):
    return (Target("cpu_us", limit, icestorm, floor),)


ROWS = (
    Row("batch-1", "batching publisher, 1 subscriber", "flood", "batch", 1, 500_000,
        fast_events=2 * MEGA, peers=True, targets=_cpu(0.40, 9.6, 0.20)),
    Row("batch-10", "batching publisher, 10 subscribers", "flood", "batch", 10, 200_000,
        fast_events=MEGA, peers=True, targets=_cpu(0.10, 4.9, 0.05)),
    Row("batch-100", "batching publisher, 100 subscribers", "flood", "batch", 100, 20_000,
        fast_events=100_000, peers=True, targets=_cpu(0.15, 5.6, 0.085)),
    Row("oneway-1", "oneway publisher, 1 subscriber", "flood", "oneway", 1, 500_000,
        targets=_cpu(3.5, 10.8, 3.0)),
    Row("oneway-10", "oneway publisher, 10 subscribers", "flood", "oneway", 10, 200_000,
        fast_events=400_000, targets=_cpu(0.45, 4.6, 0.27)),
    Row("oneway-100", "oneway publisher, 100 subscribers", "flood", "oneway", 100, 20_000,
        fast_events=100_000, quick=False),
    Row("large", "64 KiB events, 10 subscribers", "flood", "oneway", 10, 3_000, bytes=65_536,
        peers=True, targets=_cpu(18, 29, 17.7)),
    Row("twoway", "1 twoway subscriber", "flood", "oneway", 1, 100_000, subscriber_mode="twoway",
        targets=_cpu(3, 15.6)),
    Row("ordered", "1 ordered subscriber", "flood", "oneway", 1, 100_000,
        subscriber_mode="ordered", targets=_cpu(8, 16.5)),
    Row("rate", "1,000 events/s for 5 s, 10 subscribers", "rate", "oneway", 10, 5_000, rate=1_000,
        peers=True, targets=(Target("p50_us", 125, 145, 120), Target("p99_us", 200, 309, 180))),
    Row("memory", "memory at 1 and 1,000 subscribers", "memory", "oneway", 1_000, 10, peers=True,
        targets=(Target("idle_mb", 15), Target("kb_per_subscriber", 3))),
    Row("topics", "1,000 topics × 5 subscribers, 100 events/s each for 10 s", "topics", "oneway",
        5_000, 1_000, rate=100, topics=1_000, endpoints=250, connections=8, quick=False,
        targets=(Target("cpu_us", 1, 3, words="a third of IceStorm"),)),
    Row("frozen", "2 MB events at 30 Hz for 10 s, 3 subscribers, 1 frozen", "frozen", "oneway", 3,
        300, bytes=2 * MEGA, rate=30, quick=False,
        # Half of what the frozen one is sent: more would mean that it is all kept.
        targets=(Target("peak_rss_mb", 300),)),
    Row("real", "4 real Ice C++ subscribers", "real", "batch", 4, 200_000, fast_events=500_000,
        targets=(Target("deliveries_per_s", 3, 1, at_least=True,
                        words="3 × IceStorm"),)),
)

# Share of the events of a full run, by --events.
SCALES = {"tiny": 0.01, "quick": 0.2, "full": 1.0}


def scaled(row, size):
    """The row with fewer events."""
    share = SCALES[size]
    if share == 1.0:
        return row
    row = replace(row, fast_events=int(row.fast_events * share))
    if row.kind == "memory":
        return row
    if row.kind == "frozen":
        # Too few to tell bounded memory from unbounded.
        row = replace(row, targets=())
    if row.kind == "topics":
        # Fewer topics, and for a shorter time.
        topics = max(10, int(row.topics * share))
        return replace(row, topics=topics, subscribers=5 * topics, endpoints=min(250, 5 * topics),
                       events=max(20, int(row.events * share)))
    return replace(row, events=max(20, int(row.events * share)))


def select(keys, quick):
    """The rows of these keys; without keys all, or those of the quick run."""
    known = {row.key: row for row in ROWS}
    for key in keys:
        if key not in known:
            raise ValueError(f"--rows: '{key}' is no row; there are {', '.join(known)}")
    if keys:
        return [known[key] for key in keys]
    return [row for row in ROWS if row.quick or not quick]

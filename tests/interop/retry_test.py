"""Subscribers that fail and come back: retryCount and the offline window (behaviour reference 6.3,
6.4 and 6.8)."""

import re
import time
import unittest

from support.broker import eventually, free_port
from support.case import InteropCase, only_on
from support.clients import Recorder, Subscriber, publish
from support.peers import RefusingPort

MODES = {
    "twoway": (lambda p: p, {}),
    "ordered": (lambda p: p, {"reliability": "ordered"}),
    "oneway": (lambda p: p.ice_oneway(), {}),
    "batch": (lambda p: p.ice_batchOneway(), {}),
}


class Unreachable:
    """A topic whose one subscriber fails whenever it is tried."""

    def __init__(self, case, mode, retry_count):
        self.port = RefusingPort()
        case.addCleanup(self.port.close)
        self.topic = case.create_topic(f"{mode}{retry_count}")
        self.publisher = self.topic.getPublisher()
        of_mode, qos = MODES[mode]
        proxy = case.proxy(f"s:tcp -h 127.0.0.1 -p {self.port.port}")
        self.topic.subscribeAndGetPublisher({"retryCount": str(retry_count), **qos},
                                            of_mode(proxy))

    @property
    def attempts(self):
        return self.port.attempts


class RetryCountTest(InteropCase):
    """6.3: n is survived n times in a row; the next failure is final. With a Discard.Interval of 0
    each event that finds the subscriber offline is one try."""

    properties = {"IceStorm.Discard.Interval": "0", "IceStorm.Flush.Timeout": "20"}
    # So long no attempt, and the failure of the last one has been noted.
    quiet_seconds = 0.25

    def wait_until_quiet(self, all_of_them):
        def attempts():
            return sum(one.attempts for one in all_of_them)
        seen = attempts()
        while eventually(self.quiet_seconds, lambda: attempts() != seen):
            seen = attempts()

    def fail_until_removed(self, all_of_them):
        """One event at a time, for two in flight may fail together, or one after the other."""
        end = time.monotonic() + 30
        left = all_of_them
        while left:
            self.assertLess(time.monotonic(), end, f"{len(left)} are never removed")
            for one in left:
                publish(one.publisher, 0)
            self.wait_until_quiet(left)
            left = [one for one in left if one.topic.getSubscribers()]

    def attempts_per_failure(self, mode):
        """What one failure costs in connections: Ice tries again at once, which we need not."""
        one = Unreachable(self, mode, 0)
        self.fail_until_removed([one])
        self.assertIn(one.attempts, (1, 2))
        return one.attempts

    def test_number_of_attempts(self):
        """B23: in every mode and for every retryCount."""
        modes = [mode for mode in MODES if mode != "batch" or self.broker.kind == "squall"]
        counts = (0, 1, 2, 5)
        table = {(mode, count): Unreachable(self, mode, count)
                 for mode in modes for count in counts}
        self.fail_until_removed(list(table.values()))
        for mode in modes:
            once = table[mode, 0].attempts
            self.assertIn(once, (1, 2), mode)
            self.assertEqual([table[mode, count].attempts for count in counts],
                             [once * (count + 1) for count in counts], mode)

    def test_minus_one_is_never_removed(self):
        for mode in MODES:
            with self.subTest(mode):
                one = Unreachable(self, mode, -1)
                # A batch subscriber of 3.7 fails once and is stuck then (6.8).
                wanted = 1 if mode == "batch" and self.broker.kind == "icestorm" else 10

                def tried_often(one=one, wanted=wanted):
                    publish(one.publisher, 0)
                    return one.attempts >= wanted
                self.assert_eventually(tried_often, "too few attempts", 20)
                self.assertEqual(self.subscriber_names(one.topic), ["s"])

    def run_outages(self, name, outages):
        """A subscriber with retryCount 1 that fails once, comes back, fails once..."""
        attempts_per_failure = self.attempts_per_failure(name)
        mode, qos = MODES[name]
        port = free_port()
        place = f"tcp -h 127.0.0.1 -p {port}"
        topic = self.create_topic(name)
        publisher = topic.getPublisher()
        recorder = Recorder()
        topic.subscribeAndGetPublisher({"retryCount": "1", **qos}, mode(self.proxy(f"s:{place}")))
        for outage in range(outages):
            refusing = RefusingPort(port)
            publish(publisher, 1000 + outage)
            failed = eventually(10, lambda p=refusing: p.attempts >= attempts_per_failure)
            refusing.close()
            self.assertTrue(failed, f"{refusing.attempts} attempts in outage {outage}")
            subscriber = Subscriber(self.communicator, "s", recorder, place).activate()

            def arrives(number=outage):
                publish(publisher, number)
                return eventually(0.2, lambda: number in recorder.sequence_numbers())
            self.assert_eventually(arrives, f"lost after outage {outage}")
            subscriber.close()
            self.assertEqual(self.subscriber_names(topic), ["s"])

    def test_count_starts_again_after_a_success(self):
        """Twoway kinds of IceStorm 3.7 as well."""
        for name in ("twoway", "ordered"):
            with self.subTest(name):
                self.run_outages(name, 4)

    @only_on("squall", "section 15: in 3.7 the count of oneway and batch is never reset")
    def test_count_starts_again_after_a_success_without_replies(self):
        for name in ("oneway", "batch"):
            with self.subTest(name):
                self.run_outages(name, 4)


class OfflineWindowTest(InteropCase):
    """6.4: what is published in the window is dropped; the first event after it is the probe. The
    log line is one that ZeroC's federation2 test looks for (6.11)."""

    properties = {"IceStorm.Discard.Interval": "2"}

    def test_events_of_the_window_are_missing(self):
        """B25 in part, and B14: the other subscriber notices nothing."""
        topic = self.create_topic()
        place = f"tcp -h 127.0.0.1 -p {free_port()}"
        topic.subscribeAndGetPublisher({"retryCount": "1"}, self.proxy(f"shaky:{place}"))
        healthy = self.subscriber("healthy").activate()
        topic.subscribeAndGetPublisher({}, healthy.proxy)
        publisher = topic.getPublisher()
        started = time.monotonic()
        publish(publisher, 0)
        self.assert_eventually(lambda: re.search("shaky.*subscriber offline", self.broker.log),
                               "no line says that the subscriber is offline")
        subscriber = self.subscriber("shaky", endpoints=place).activate()
        sent = 1
        while not subscriber.recorder.events:
            publish(publisher, sent)
            sent += 1
            self.assertLess(time.monotonic() - started, 10, "never back online")
            time.sleep(0.02)
        window = time.monotonic() - started
        self.assertGreater(window, 1.8, "events within the window are dropped")
        first = subscriber.recorder.sequence_numbers()[0]
        self.assertGreater(first, 1)
        for i in range(sent, sent + 5):
            publish(publisher, i)
        subscriber.recorder.wait_for(sent + 5 - first)
        self.assertEqual(subscriber.recorder.sequence_numbers(), list(range(first, sent + 5)))
        self.assert_in_order(healthy.recorder, sent + 5)


if __name__ == "__main__":
    unittest.main(verbosity=2)

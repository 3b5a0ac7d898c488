"""Stopping and starting again: what was accepted is delivered, and nobody can hold the stop up for
longer than its deadline (behaviour reference 6.9; issue item 4)."""

import os
import signal
import subprocess
import sys
import time
import unittest

import Ice
import IceStorm

from support import wire
from support.broker import eventually, start_broker
from support.case import only_on
from support.clients import (HoldingRecorder, Recorder, Subscriber, client_communicator, numbered,
                             publish, success)

DRAIN_DEADLINE = 15
AT_ONCE = 3


def state_of(pid):
    """The state of a process as the kernel abbreviates it; T is stopped."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        return stat.read().rpartition(")")[2].split()[0]


class ShutdownTest(unittest.TestCase):
    """A broker of its own for each test. The real IceStorm runs with a database: its transient mode
    does not drain at all."""

    def start(self, ports=None, **settings):
        properties = {f"IceStorm.{name.replace('_', '.')}": value
                      for name, value in settings.items()}
        self.broker = start_broker(properties=properties, ports=ports, persistent=True)
        self.addCleanup(self.broker.discard)
        self.communicator = client_communicator()
        self.addCleanup(self.communicator.destroy)
        manager = IceStorm.TopicManagerPrx.checkedCast(
            self.communicator.stringToProxy(self.broker.manager_proxy))
        return manager.create("topic")

    def subscribe(self, topic, identity, recorder=None, mode=lambda p: p, qos=None):
        """Answers in the order of arrival, on threads of its own."""
        communicator = client_communicator()
        self.addCleanup(communicator.destroy)
        subscriber = Subscriber(communicator, identity, recorder).activate()
        self.addCleanup(subscriber.close)
        topic.subscribeAndGetPublisher(qos or {}, mode(subscriber.proxy))
        return subscriber.recorder

    @staticmethod
    def publish_all(topic, count):
        publisher = topic.getPublisher()
        for i in range(count):
            publish(publisher, i)

    def assert_stops(self, within, *, number=signal.SIGTERM):
        """Exit status 0, in no more than that many seconds; how long it took."""
        started = time.monotonic()
        self.broker.signal(number)
        status = self.broker.wait(within)
        took = time.monotonic() - started
        self.assertEqual(status, 0, f"after {took:.1f} s; None means: still running\n"
                         + self.broker.log)
        return took

    def check_drain(self, number):
        """1,000 acknowledged events, slow subscribers of every mode, then the signal at once."""
        def slow(current):
            time.sleep(0.001)
            return success(current)
        topic = self.start(Flush_Timeout="500")
        recorders = {
            "ordered": self.subscribe(topic, "ordered", Recorder(slow),
                                      qos={"reliability": "ordered"}),
            "twoway": self.subscribe(topic, "twoway", Recorder(slow)),
            "oneway": self.subscribe(topic, "oneway", Recorder(slow), lambda p: p.ice_oneway()),
            "batch": self.subscribe(topic, "batch", Recorder(slow), lambda p: p.ice_batchOneway()),
        }
        self.publish_all(topic, 1000)
        self.assertLess(len(recorders["ordered"].events), 1000, "not slow enough to prove anything")
        self.assert_stops(DRAIN_DEADLINE, number=number)
        for name, recorder in recorders.items():
            recorder.wait_for(1000)
            self.assertEqual(recorder.sequence_numbers(), list(range(1000)), name)

    def test_accepted_events_are_delivered(self):
        """B05"""
        self.check_drain(signal.SIGTERM)

    def test_sigint_is_as_good(self):
        self.check_drain(signal.SIGINT)

    def test_idle_broker_stops_at_once(self):
        topic = self.start()
        recorder = self.subscribe(topic, "s")
        self.publish_all(topic, 10)
        self.assertTrue(recorder.wait_for(10))
        self.assert_stops(AT_ONCE)

    @only_on("squall", "3.7.8 ends while the first flush still waits for its connection")
    def test_batch_timer_does_not_hold_the_stop_up(self):
        """B06 in part: 50 subscribers with a flush pending."""
        topic = self.start(Flush_Timeout="1000")
        recorders = [self.subscribe_on_shared(topic, f"batch{i}") for i in range(50)]
        self.publish_all(topic, 5)
        self.assert_stops(AT_ONCE)
        for recorder in recorders:
            recorder.wait_for(5)
            self.assertEqual(recorder.sequence_numbers(), list(range(5)))

    def subscribe_on_shared(self, topic, identity):
        subscriber = Subscriber(self.communicator, identity).activate()
        topic.subscribeAndGetPublisher({}, subscriber.proxy.ice_batchOneway())
        return subscriber.recorder

    def test_offline_window_does_not_hold_the_stop_up(self):
        """B01 and B09: subscribers that failed, with the window of a minute open."""
        topic = self.start(Discard_Interval="60")
        for i, option in enumerate(("-t", "-o", "-O", "-t")):
            topic.subscribeAndGetPublisher(
                {"retryCount": "-1"},
                self.communicator.stringToProxy(f"dead{i} {option}:tcp -h 127.0.0.1 -p 1"))
        self.publish_all(topic, 100)
        self.assert_stops(5)

    def test_restarts_on_the_same_ports_without_a_pause(self):
        """B07"""
        ports = None
        for _ in range(4):
            topic = self.start(ports)
            ports = (self.broker.manager_port, self.broker.publish_port)
            recorder = self.subscribe(topic, "s")
            self.publish_all(topic, 5)
            self.assertTrue(recorder.wait_for(5))
            self.assert_stops(AT_ONCE)

    @only_on("squall", "IceStorm has no deadline for its stop")
    def test_deadline_bounds_the_drain(self):
        """B10: one never answers, two never validate; the healthy one gets all, and the log counts
        for each other one what it did not get."""
        topic = self.start(Shutdown_Timeout="2")
        self.subscribe(topic, "never-answers", HoldingRecorder())
        healthy = self.subscribe(topic, "healthy")
        silent = wire.RawListener()
        self.addCleanup(silent.close)
        for option in ("-t", "-o"):
            topic.subscribeAndGetPublisher({}, self.communicator.stringToProxy(
                f"never-validates{option} {option}:tcp -h 127.0.0.1 -p {silent.port}"))
        self.publish_all(topic, 100)
        took = self.assert_stops(2 + AT_ONCE)
        self.assertGreater(took, 1.5, "the drain has its time")
        self.assertEqual(healthy.sequence_numbers(), list(range(100)))
        for name in ("never-answers", "never-validates-t", "never-validates-o"):
            self.assertRegex(self.broker.log, rf"(?m)^.*{name}\b.*\b(9\d|100)\b.*$")

    @only_on("squall", "IceStorm waits for its connections' timeout")
    def test_frozen_ws_subscriber_does_not_hold_up_the_stop(self):
        """Events in the hands of the Ice run time, in writes that make no progress."""
        topic = self.start(Shutdown_Timeout="1")
        program = ("import sys; sys.path.insert(0, sys.argv[1]); "
                   "from support.clients import Subscriber, client_communicator; "
                   "c = client_communicator(); "
                   "s = Subscriber(c, 'frozen', endpoints='ws -h 127.0.0.1').activate(); "
                   "print(c.proxyToString(s.proxy), flush=True); sys.stdin.read()")
        child = subprocess.Popen(
            [sys.executable, "-c", program, os.path.dirname(os.path.abspath(__file__))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for action in (child.stdout.close, child.stdin.close, child.wait, child.kill):
            self.addCleanup(action)
        frozen = self.communicator.stringToProxy(child.stdout.readline().strip())
        for name, mode in (("frozen-oneway", frozen.ice_oneway()), ("frozen-twoway", frozen)):
            topic.subscribeAndGetPublisher({}, mode.ice_identity(Ice.Identity(name, "")))
        child.send_signal(signal.SIGSTOP)
        self.assertTrue(eventually(5, lambda: state_of(child.pid) == "T"), "it does not stop")
        publisher = topic.getPublisher()
        for i in range(300):
            publisher.ice_invoke("event", Ice.OperationMode.Normal, numbered(i, padding=20_000))
        self.assert_stops(1 + AT_ONCE)
        for name in ("frozen-oneway", "frozen-twoway"):
            self.assertRegex(self.broker.log, rf"(?m)^.*undelivered.*{name}\b.*\b\d+$")

    @only_on("squall", "IceStorm knows no second signal")
    def test_second_signal_ends_the_drain_at_once(self):
        topic = self.start(Shutdown_Timeout="60")
        self.subscribe(topic, "never-answers", HoldingRecorder())
        self.publish_all(topic, 20)
        self.broker.signal(signal.SIGTERM)
        self.assertIsNone(self.broker.wait(1), "there is something to drain")
        self.broker.signal(signal.SIGTERM)
        status = self.broker.wait(AT_ONCE)
        self.assertIsNotNone(status, "still running")
        self.assertNotIn(-status, (signal.SIGSEGV, signal.SIGABRT))
        self.assertRegex(self.broker.log, r"(?m)^.*never-answers\b.*\b(19|20)\b.*$")

    def test_stop_is_graceful_towards_publishers(self):
        """In a stop every twoway publish either succeeds, and is delivered then, or fails."""
        topic = self.start()
        recorder = self.subscribe(topic, "s", qos={"reliability": "ordered"})
        publisher = topic.getPublisher()
        for i in range(100):
            publish(publisher, i)
        self.broker.signal(signal.SIGTERM)
        acknowledged = 100

        def stopped():
            nonlocal acknowledged
            try:
                publish(publisher, acknowledged)
                acknowledged += 1
                return False
            except Ice.LocalException:
                return True
        self.assertTrue(eventually(10, stopped))
        self.assertEqual(self.broker.wait(DRAIN_DEADLINE), 0, self.broker.log)
        recorder.wait_for(acknowledged)
        self.assertEqual(recorder.sequence_numbers()[:acknowledged], list(range(acknowledged)))


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Subscribers that fail for good, and their neighbours, who must not notice (behaviour reference
6.1, 6.2, 6.5 and 6.10)."""

import threading
import time
import unittest

import Ice

from support import wire
from support.broker import eventually, free_port
from support.case import InteropCase
from support.clients import (HoldingRecorder, Recorder, numbered, publish, raising, success,
                             user_exception)

MODES = {
    "twoway": (lambda p: p, {}),
    "ordered": (lambda p: p, {"reliability": "ordered"}),
    "oneway": (lambda p: p.ice_oneway(), {}),
}


class HardFailureTest(InteropCase):
    properties = {"IceStorm.Discard.Interval": "0"}

    def publish_until_removed(self, topic, deadline=10):
        """One event after the other until the topic has no subscriber."""
        publisher, count = topic.getPublisher(), 0
        end = time.monotonic() + deadline
        while topic.getSubscribers():
            self.assertLess(time.monotonic(), end, f"still subscribed after {count} events")
            publish(publisher, count)
            count += 1
            time.sleep(0.005)

    def dead_proxy(self, identity="dead"):
        """Nobody listens there."""
        return self.proxy(f"{identity}:tcp -h 127.0.0.1 -p {free_port()}")

    def test_object_not_exist_removes_whatever_the_retry_count(self):
        for count in ("0", "-1", "5"):
            for mode in ("twoway", "ordered"):
                with self.subTest(retry_count=count, mode=mode):
                    topic = self.create_topic(f"{mode}{count}")
                    gone = self.subscriber("gone", Recorder(raising(
                        Ice.ObjectNotExistException()))).activate()
                    own = topic.subscribeAndGetPublisher(
                        {"retryCount": count, **MODES[mode][1]}, gone.proxy)
                    self.publish_until_removed(topic)
                    with self.assertRaises(Ice.ObjectNotExistException):
                        publish(own, 1)

    def test_removal_is_final(self):
        """B28: the first of five outstanding requests says ObjectNotExist, the others succeed."""
        first = threading.Event()

        def answer(current):
            if not first.is_set():
                first.set()
                raise Ice.ObjectNotExistException()
            return success(current)
        topic = self.create_topic()
        subscriber = self.subscriber("s", Recorder(answer))
        topic.subscribeAndGetPublisher({"retryCount": "-1"}, subscriber.proxy)
        for i in range(5):
            publish(topic.getPublisher(), i)
        subscriber.activate()
        self.assertTrue(subscriber.recorder.wait_for(1))
        self.publish_until_removed(topic)

    def test_dead_subscriber_without_retries_is_removed(self):
        """B26: in every stream mode; gone with an event that follows the failure."""
        for name, (mode, qos) in MODES.items():
            with self.subTest(name):
                topic = self.create_topic(name)
                topic.subscribeAndGetPublisher(qos, mode(self.dead_proxy()))
                self.publish_until_removed(topic)

    def test_user_exception_counts_as_success(self):
        """6.2: even with the default retryCount of 0."""
        for name in ("twoway", "ordered"):
            with self.subTest(name):
                topic = self.create_topic(name)
                subscriber = self.subscriber(name, Recorder(user_exception)).activate()
                topic.subscribeAndGetPublisher(MODES[name][1], subscriber.proxy)
                for i in range(20):
                    publish(topic.getPublisher(), i)
                self.assert_in_order(subscriber.recorder, 20)
                self.assertEqual(self.subscriber_names(topic), [name])

    def test_failed_replies_are_soft(self):
        """6.2: with the default retryCount they remove, with -1 they never do."""
        replies = [Ice.FacetNotExistException(), Ice.OperationNotExistException(),
                   Ice.UnknownException("x"), Ice.UnknownLocalException("x"),
                   Ice.UnknownUserException("x")]
        for number, exception in enumerate(replies):
            with self.subTest(type(exception).__name__):
                topic = self.create_topic(f"once{number}")
                subscriber = self.subscriber("s", Recorder(raising(exception))).activate()
                topic.subscribeAndGetPublisher({}, subscriber.proxy)
                self.publish_until_removed(topic)

                topic = self.create_topic(f"ever{number}")
                recorder = Recorder(raising(exception))
                subscriber = self.subscriber("s", recorder).activate()
                topic.subscribeAndGetPublisher({"retryCount": "-1"}, subscriber.proxy)
                for i in range(5):
                    publish(topic.getPublisher(), i)
                    self.assertTrue(recorder.wait_for(i + 1))
                recorder.answer = success
                self.assert_eventually(lambda: self.reaches(topic, recorder),
                                       "not delivering again")
                self.assertEqual(self.subscriber_names(topic), ["s"])

    @staticmethod
    def reaches(topic, recorder):
        """Publishes one event and tells whether it arrives."""
        publish(topic.getPublisher(), 77)
        return eventually(0.1, lambda: 77 in recorder.sequence_numbers())


class BadNeighboursTest(InteropCase):
    """B09, B11 and "bad input" of the issue: others go on at full rate."""

    def bad_subscribers(self):
        silent = wire.RawListener()
        garbage = wire.RawListener()
        for listener in (silent, garbage):
            self.addCleanup(listener.close)
        threading.Thread(target=self.talk_garbage, args=(garbage,), daemon=True).start()
        holding = self.subscriber("never-answers", HoldingRecorder()).activate()
        port1 = "tcp -h 127.0.0.1 -p 1"
        return [
            self.proxy("unresolvable:tcp -h no.such.host.invalid -p 4061"),
            self.proxy(f"refused:{port1}"), self.proxy(f"refused1 -o:{port1}"),
            self.proxy(f"refused2 -O:{port1}"), self.proxy("noendpoint"),
            self.proxy("unloaded:opaque -t 99 -e 1.0 -v abch"),
            self.proxy(f"silent:tcp -h 127.0.0.1 -p {silent.port}"),
            self.proxy(f"garbage:tcp -h 127.0.0.1 -p {garbage.port}"),
            holding.proxy,
        ]

    @staticmethod
    def talk_garbage(listener):
        """Validates as it should, then answers the first bytes with nonsense."""
        try:
            connection = listener.accept()
            connection.read_payload_message()
            connection.send(b"this is no Ice message at all....")
        except OSError:
            pass

    def test_healthy_subscriber_is_complete_next_to_bad_ones(self):
        topic = self.create_topic()
        for count in ("0", "-1"):
            for number, proxy in enumerate(self.bad_subscribers()):
                identity = Ice.Identity(name=f"bad{number}", category=f"retry{count}")
                topic.subscribeAndGetPublisher({"retryCount": count},
                                               proxy.ice_identity(identity))
        healthy = self.subscriber("healthy").activate()
        topic.subscribeAndGetPublisher({}, healthy.proxy.ice_oneway())
        publisher = topic.getPublisher()
        slowest = 0.0
        for i in range(1000):
            before = time.monotonic()
            publisher.ice_invoke("event", Ice.OperationMode.Normal, numbered(i, 100))
            slowest = max(slowest, time.monotonic() - before)
        self.assert_in_order(healthy.recorder, 1000)
        self.assertIn("retry-1/bad0", self.subscriber_names(topic))
        # A call that waited for any of the bad ones would take their time-out of a minute.
        self.assertLess(slowest, 5)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Base class of the interop test cases."""

import unittest

import Ice
import IceStorm

from support.broker import broker_kind, eventually, start_broker
from support.clients import Subscriber, client_communicator


def only_on(kind, reason):
    """Skips a test on the other broker and says why."""
    return unittest.skipIf(broker_kind() != kind, f"only on {kind}: {reason}")


class InteropCase(unittest.TestCase):
    """One broker and one client run time per class; topics and subscribers per test."""

    properties = {}
    persistent = False

    @classmethod
    def setUpClass(cls):
        cls.broker = start_broker(properties=cls.properties, persistent=cls.persistent)
        cls.addClassCleanup(cls.broker.discard)
        cls.communicator = client_communicator()
        cls.addClassCleanup(cls.communicator.destroy)
        cls.manager = IceStorm.TopicManagerPrx.checkedCast(
            cls.communicator.stringToProxy(cls.broker.manager_proxy))

    @classmethod
    def tearDownClass(cls):
        cls.communicator.destroy()
        cls.broker.stop()

    def create_topic(self, suffix=""):
        """A topic named after the test."""
        return self.manager.create(self.id().rsplit(".", 1)[1] + suffix)

    def subscriber(self, identity, recorder=None, endpoints="tcp -h 127.0.0.1"):
        """A subscriber that is closed at the end of the test; not activated."""
        result = Subscriber(self.communicator, identity, recorder, endpoints)
        self.addCleanup(result.close)
        return result

    def proxy(self, text):
        return self.communicator.stringToProxy(text)

    def assert_all_received(self, recorder, count, deadline=10):
        recorder.wait_for(count, deadline)
        self.assertEqual(len(recorder.events), count)

    def assert_in_order(self, recorder, count, deadline=10):
        """Exactly event(0) to event(count - 1), in that order."""
        recorder.wait_for(count, deadline)
        self.assertEqual(recorder.sequence_numbers(), list(range(count)))

    def assert_eventually(self, predicate, message, deadline=10):
        self.assertTrue(eventually(deadline, predicate), message)

    @staticmethod
    def subscriber_names(topic):
        return sorted(Ice.identityToString(i) for i in topic.getSubscribers())

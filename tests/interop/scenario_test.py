"""The scenario of ZeroC's own `single` test (behaviour reference 13.2): eight subscribers of every
delivery mode on one topic, registered before their adapters are active, and 1000 events.

Covers B95 (b) in part: events wait until the subscriber's adapter is active."""

import unittest

from support.broker import eventually
from support.case import InteropCase
from support.clients import publish

EVENTS = 1000
DEADLINE = 30
TCP = "tcp -h 127.0.0.1"


class ScenarioTest(InteropCase):
    def subscribe_all(self, topic):
        """Subscribes the eight, then activates their adapters; recorders by identity."""
        plan = [
            # identity, endpoints, proxy as subscribed, QoS
            ("oneway1", TCP, lambda p: p.ice_oneway(), {}),
            ("oneway2", TCP, lambda p: p.ice_oneway(), {}),
            ("twoway", TCP, lambda p: p, {}),
            ("batch", TCP, lambda p: p.ice_batchOneway(), {}),
            ("ordered", TCP, lambda p: p, {"reliability": "ordered"}),
            ("balanced", f"{TCP}:{TCP}", lambda p: p,
             {"locatorCacheTimeout": "10", "connectionCached": "0"}),
            ("datagram", "udp -h 127.0.0.1", lambda p: p.ice_datagram(), {}),
            ("batchdatagram", "udp -h 127.0.0.1", lambda p: p.ice_batchDatagram(), {}),
        ]
        subscribers = []
        for identity, endpoints, mode, qos in plan:
            subscriber = self.subscriber(identity, endpoints=endpoints)
            topic.subscribeAndGetPublisher(qos, mode(subscriber.proxy))
            subscribers.append(subscriber)
        self.assertEqual(self.subscriber_names(topic), sorted(p[0] for p in plan))
        for subscriber in subscribers:
            subscriber.activate()
        return {plan[i][0]: subscribers[i].recorder for i in range(len(plan))}

    def check_all(self, recorders):
        """Every stream subscriber has each event once; every datagram one at least one event."""
        for name in ("oneway1", "oneway2", "twoway", "batch", "ordered", "balanced"):
            recorder = recorders[name]
            recorder.wait_for(EVENTS, DEADLINE)
            self.assertEqual(sorted(recorder.sequence_numbers()), list(range(EVENTS)), name)
            self.assertEqual({e.transport for e in recorder.events}, {"tcp"}, name)
        self.assertEqual(recorders["ordered"].sequence_numbers(), list(range(EVENTS)))

        for name in ("oneway1", "oneway2", "batch"):
            self.assertEqual({e.request_id for e in recorders[name].events}, {0}, name)
        for name in ("twoway", "ordered", "balanced"):
            self.assertGreater(min(e.request_id for e in recorders[name].events), 0, name)

        for name in ("datagram", "batchdatagram"):
            self.assertTrue(recorders[name].wait_for(1, DEADLINE), f"{name} got nothing")
            self.assertEqual({e.transport for e in recorders[name].events}, {"udp"}, name)
            self.assertEqual({e.request_id for e in recorders[name].events}, {0}, name)

        connections = {e.connection for e in recorders["balanced"].events}
        self.assertEqual(len(connections), 2, "per-request balancing uses both endpoints")

    def run_scenario(self, send_all):
        topic = self.create_topic()
        recorders = self.subscribe_all(topic)
        send_all(topic.getPublisher())
        self.check_all(recorders)

    def test_twoway_publisher_reaches_all_eight(self):
        def send_all(publisher):
            for i in range(EVENTS):
                publish(publisher, i)
        self.run_scenario(send_all)

    def test_oneway_publisher_reaches_all_eight(self):
        def send_all(publisher):
            oneway = publisher.ice_oneway()
            for i in range(EVENTS):
                publish(oneway, i)
        self.run_scenario(send_all)

    def test_batch_oneway_publisher_reaches_all_eight(self):
        def send_all(publisher):
            batch = publisher.ice_batchOneway()
            for i in range(EVENTS):
                publish(batch, i)
                if i % 100 == 99:
                    batch.ice_flushBatchRequests()
        self.run_scenario(send_all)

    def test_datagram_publisher_reaches_a_stream_subscriber(self):
        """The publish endpoints include udp; a lost datagram is made up for by the next."""
        topic = self.create_topic()
        subscriber = self.subscriber("stream").activate()
        topic.subscribeAndGetPublisher({}, subscriber.proxy)
        datagram = topic.getPublisher().ice_datagram()

        def one_arrived():
            publish(datagram, 7)
            return subscriber.recorder.wait_for(1, 0.1)
        self.assertTrue(eventually(DEADLINE, one_arrived))
        self.assertEqual(subscriber.recorder.sequence_numbers()[0], 7)

    def test_many_topics_share_one_identity(self):
        """B95: one identity on 20 topics, half of them subscribed before the adapter is active."""
        topics = [self.create_topic(f"-{i}") for i in range(20)]
        subscriber = self.subscriber("same")
        for topic in topics[:10]:
            topic.subscribeAndGetPublisher({}, subscriber.proxy)
        for i, topic in enumerate(topics[:10]):
            publish(topic.getPublisher(), i)
        subscriber.activate()
        for topic in topics[10:]:
            topic.subscribeAndGetPublisher({}, subscriber.proxy)
        for i, topic in enumerate(topics[10:], 10):
            publish(topic.getPublisher(), i)
        subscriber.recorder.wait_for(20)
        self.assertEqual(sorted(subscriber.recorder.sequence_numbers()), list(range(20)))


class BatchTimerTest(InteropCase):
    properties = {"IceStorm.Flush.Timeout": "2000"}

    def test_batch_subscriber_waits_for_its_timer(self):
        """A oneway subscriber has all events while the batch subscriber still has none; that one
        then gets them in order."""
        topic = self.create_topic()
        oneway = self.subscriber("oneway").activate()
        batch = self.subscriber("batch").activate()
        topic.subscribeAndGetPublisher({}, oneway.proxy.ice_oneway())
        topic.subscribeAndGetPublisher({}, batch.proxy.ice_batchOneway())
        publisher = topic.getPublisher()
        for i in range(20):
            publish(publisher, i)
        self.assertTrue(oneway.recorder.wait_for(20))
        self.assertEqual(batch.recorder.events, [])
        self.assert_in_order(batch.recorder, 20)


if __name__ == "__main__":
    unittest.main(verbosity=2)

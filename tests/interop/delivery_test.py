"""What reaches a subscriber, and when: fidelity, per-subscriber publishers, subscribing again
(behaviour reference 5, 6.7)."""

import unittest

import Ice
import IceStorm

from support.broker import free_port
from support.case import InteropCase
from support.clients import HoldingRecorder, Subscriber, numbered, publish
from support.wire import encapsulation

Mode = Ice.OperationMode


class FidelityTest(InteropCase):
    """B51: mode, operation, context and bytes pass untouched, for every delivery mode."""

    properties = {"IceStorm.Flush.Timeout": "100"}

    def subscribe_each_mode(self, topic, endpoints="tcp -h 127.0.0.1"):
        plan = {
            "twoway": (lambda p: p, {}),
            "ordered": (lambda p: p, {"reliability": "ordered"}),
            "oneway": (lambda p: p.ice_oneway(), {}),
            "batch": (lambda p: p.ice_batchOneway(), {}),
        }
        recorders = {}
        for name, (mode, qos) in plan.items():
            subscriber = self.subscriber(name, endpoints=endpoints).activate()
            topic.subscribeAndGetPublisher(qos, mode(subscriber.proxy))
            recorders[name] = subscriber.recorder
        return recorders

    def check_events(self, events, *, endpoints="tcp -h 127.0.0.1", publisher_of=lambda p: p):
        """Publishes (operation, mode, context, payload, encoding) one by one; each subscriber must
        see exactly these, in this order."""
        topic = self.create_topic()
        recorders = self.subscribe_each_mode(topic, endpoints)
        publisher = publisher_of(topic.getPublisher())
        for operation, mode, context, payload, encoding in events:
            publisher.ice_invoke(operation, mode, encapsulation(payload, encoding), context)
        for name, recorder in recorders.items():
            self.assertTrue(recorder.wait_for(len(events)), name)
            self.assertEqual([e[:5] for e in recorder.events], events, name)

    def test_modes_contexts_and_encodings(self):
        contexts = [
            {},
            {"key": "value"},
            {"": "", "empty": "", "Größe": "目🌩", "cost": "7"},
            {f"key{i:02}": "v" * i * 10 for i in range(50)},
        ]
        self.check_events([
            (f"op{i}", mode, context, b"payload", encoding)
            for i, context in enumerate(contexts)
            for mode in (Mode.Normal, Mode.Nonmutating, Mode.Idempotent)
            for encoding in ((1, 0), (1, 1))])

    def test_operation_names(self):
        names = ["event", "", "ice_ping", "ice_isA", "with space", "übung", "o" * 300]
        self.check_events([(name, Mode.Normal, {}, b"x", (1, 1)) for name in names])

    def test_payload_sizes(self):
        """Up to 1,000,000 bytes, below the default Ice.MessageSizeMax of 1 MiB."""
        pattern = bytes(range(251)) * 4000
        self.check_events([("event", Mode.Normal, {}, pattern[:length], (1, 1))
                           for length in (0, 1, 7, 254, 255, 4096, 65536, 300_000, 1_000_000)])

    def test_compressed_from_the_publisher(self):
        self.check_events([("event", Mode.Normal, {}, b"z" * length, (1, 1))
                           for length in (0, 10, 5000, 100_000)],
                          publisher_of=lambda p: p.ice_compress(True))

    def test_compressed_to_the_subscriber(self):
        self.check_events([("event", Mode.Normal, {}, b"z" * length, (1, 1))
                           for length in (0, 10, 5000, 100_000)],
                          endpoints="tcp -h 127.0.0.1 -z")

    def test_facet_of_the_subscriber(self):
        topic = self.create_topic()
        subscriber = self.subscriber("faceted").activate()
        face = subscriber.adapter.addFacet(subscriber.recorder, subscriber.identity, "a face")
        topic.subscribeAndGetPublisher({}, face)
        publish(topic.getPublisher(), 1)
        self.assert_all_received(subscriber.recorder, 1)
        self.assertEqual(subscriber.recorder.events[0].facet, "a face")


class OrderTest(InteropCase):
    def test_oneway_publisher_that_leaves_at_once(self):
        """B53 (a): sends 10,000 events, closes gracefully; nothing is lost, order holds."""
        topic = self.create_topic()
        subscriber = self.subscriber("s").activate()
        topic.subscribeAndGetPublisher({}, subscriber.proxy.ice_oneway())
        publisher = topic.getPublisher().ice_oneway().ice_connectionId("leaves")
        for i in range(10_000):
            publish(publisher, i)
        publisher.ice_getConnection().close(Ice.ConnectionClose.GracefullyWithWait)
        self.assert_in_order(subscriber.recorder, 10_000, 30)

    def test_batch_of_many_tiny_events(self):
        """B57: one message with 10,000 events."""
        topic = self.create_topic()
        subscriber = self.subscriber("s").activate()
        topic.subscribeAndGetPublisher({}, subscriber.proxy.ice_oneway())
        publisher = topic.getPublisher().ice_batchOneway()
        for i in range(10_000):
            publish(publisher, i)
        publisher.ice_flushBatchRequests()
        self.assert_in_order(subscriber.recorder, 10_000, 30)

    def test_several_publishers_keep_their_own_order(self):
        """B50 in part: per publisher the numbers rise."""
        topic = self.create_topic()
        subscriber = self.subscriber("s").activate()
        topic.subscribeAndGetPublisher({"reliability": "ordered"}, subscriber.proxy)
        publishers = [topic.getPublisher().ice_oneway().ice_connectionId(str(i)) for i in range(4)]
        for i in range(500):
            for number, publisher in enumerate(publishers):
                publish(publisher, number * 1000 + i)
        subscriber.recorder.wait_for(2000, 30)
        seen = subscriber.recorder.sequence_numbers()
        for number in range(4):
            own = [n - number * 1000 for n in seen if n // 1000 == number]
            self.assertEqual(own, list(range(500)), f"publisher {number}")


class WindowTest(InteropCase):
    """4.2: how much a subscriber that does not answer is sent."""

    def in_flight(self, qos):
        """How many of 20 events a subscriber that holds its answers gets; it gets all later."""
        topic = self.create_topic()
        holder = HoldingRecorder()
        subscriber = self.subscriber("holds", holder).activate()
        healthy = self.subscriber("healthy").activate()
        topic.subscribeAndGetPublisher(qos, subscriber.proxy)
        topic.subscribeAndGetPublisher({}, healthy.proxy)
        for i in range(20):
            publish(topic.getPublisher(), i)
        # The healthy one has all and a call through the broker came back: nothing is on its way
        # but what the window lets through, which is waited for.
        self.assert_all_received(healthy.recorder, 20)
        holder.wait_for(5 if not qos else 1)
        topic.getName()
        count = len(holder.events)
        holder.release()
        self.assert_in_order(holder, 20)
        return count

    def test_twoway_has_five_in_flight(self):
        self.assertEqual(self.in_flight({}), 5)

    def test_ordered_has_one_in_flight(self):
        self.assertEqual(self.in_flight({"reliability": "ordered"}), 1)


class OwnPublisherTest(InteropCase):
    """The publisher that subscribeAndGetPublisher returns (5.2)."""

    def test_reaches_its_subscriber_only_and_in_order_with_the_topic(self):
        topic = self.create_topic()
        one, other = self.subscriber("one").activate(), self.subscriber("other").activate()
        own = topic.subscribeAndGetPublisher({"reliability": "ordered"}, one.proxy)
        topic.subscribeAndGetPublisher({"reliability": "ordered"}, other.proxy)
        everybody = topic.getPublisher()
        for i in range(0, 100, 2):
            publish(everybody, i)
            publish(own, i + 1)
        self.assert_in_order(one.recorder, 100)
        other.recorder.wait_for(50)
        self.assertEqual(other.recorder.sequence_numbers(), list(range(0, 100, 2)))

    def test_works_in_every_publisher_mode(self):
        topic = self.create_topic()
        subscriber = self.subscriber("s").activate()
        own = topic.subscribeAndGetPublisher({}, subscriber.proxy.ice_oneway())
        publish(own, 0)
        publish(own.ice_oneway(), 1)
        batch = own.ice_batchOneway()
        publish(batch, 2)
        publish(batch, 3)
        batch.ice_flushBatchRequests()
        self.assert_in_order(subscriber.recorder, 4)

    def test_is_gone_after_unsubscribe(self):
        topic = self.create_topic()
        subscriber = self.subscriber("s").activate()
        own = topic.subscribeAndGetPublisher({}, subscriber.proxy)
        publish(own, 1)
        topic.unsubscribe(subscriber.proxy)
        with self.assertRaises(Ice.ObjectNotExistException):
            publish(own, 2)


class ResubscribeTest(InteropCase):
    def test_first_event_after_subscribe_is_delivered(self):
        """B54: 200 rounds, from the connection that subscribed and from another in turn."""
        topic = self.create_topic()
        subscriber = self.subscriber("s").activate()
        publishers = [topic.getPublisher(), topic.getPublisher().ice_connectionId("another")]
        for i in range(200):
            topic.subscribeAndGetPublisher({}, subscriber.proxy)
            publish(publishers[i % 2], i)
            self.assertTrue(subscriber.recorder.wait_for(i + 1), f"round {i}")
            topic.unsubscribe(subscriber.proxy)
        self.assert_in_order(subscriber.recorder, 200)

    def test_subscribing_again_starts_afresh(self):
        """B29: 50 cycles, each with its own endpoint and QoS; 5 of 5 events each time."""
        topic = self.create_topic()
        qos = [{}, {"reliability": "ordered"}, {"retryCount": "3"}]
        places = [self.subscriber("again").activate() for _ in range(2)]
        for cycle in range(50):
            place = places[cycle % 2]
            already = len(place.recorder.events)
            topic.subscribeAndGetPublisher(qos[cycle % 3], place.proxy)
            for i in range(5):
                publish(topic.getPublisher(), cycle * 5 + i)
            self.assertTrue(place.recorder.wait_for(already + 5), f"cycle {cycle}")
            topic.unsubscribe(place.proxy)
            publish(topic.getPublisher(), -1)
        for parity, place in enumerate(places):
            self.assertEqual(place.recorder.sequence_numbers(),
                             [c * 5 + i for c in range(parity, 50, 2) for i in range(5)])

    def test_subscribing_again_with_requests_outstanding(self):
        """B29: the new subscription does not wait for the old one's answers."""
        topic = self.create_topic()
        old = self.subscriber("again", HoldingRecorder()).activate()
        topic.subscribeAndGetPublisher({"reliability": "ordered"}, old.proxy)
        for i in range(10):
            publish(topic.getPublisher(), i)
        self.assertTrue(old.recorder.wait_for(1))
        topic.unsubscribe(old.proxy)
        new = self.subscriber("again").activate()
        topic.subscribeAndGetPublisher({"reliability": "ordered"}, new.proxy)
        for i in range(5):
            publish(topic.getPublisher(), i)
        self.assert_in_order(new.recorder, 5)

    def test_restarted_client_replaces_its_old_subscription(self):
        """B30: AlreadySubscribed, then by unsubscribe and subscribe to the new port only."""
        topic = self.create_topic()
        place = f"tcp -h 127.0.0.1 -p {free_port()}"
        first = Subscriber(self.communicator, "fixed", endpoints=place).activate()
        topic.subscribeAndGetPublisher({}, first.proxy)
        first.close()
        second = self.subscriber("fixed").activate()
        with self.assertRaises(IceStorm.AlreadySubscribed):
            topic.subscribeAndGetPublisher({}, second.proxy)
        topic.unsubscribe(second.proxy)
        topic.subscribeAndGetPublisher({}, second.proxy)
        back = self.subscriber("fixed", endpoints=place).activate()
        for i in range(5):
            publish(topic.getPublisher(), i)
        self.assert_in_order(second.recorder, 5)
        self.assertEqual(back.recorder.events, [])


class PublisherTest(InteropCase):
    def test_topic_without_subscribers_takes_events(self):
        topic = self.create_topic()
        for i in range(10):
            publish(topic.getPublisher(), i)

    def test_events_before_a_subscription_are_not_kept(self):
        topic = self.create_topic()
        publish(topic.getPublisher(), 1)
        subscriber = self.subscriber("s").activate()
        topic.subscribeAndGetPublisher({}, subscriber.proxy)
        publish(topic.getPublisher(), 2)
        self.assertTrue(subscriber.recorder.wait_for(1))
        self.assertEqual(subscriber.recorder.sequence_numbers(), [2])

    def test_oversized_event_ends_that_connection_only(self):
        """B46 in part: 2 MB against the broker's default of 1 MiB; the twoway publisher is told."""
        topic = self.create_topic()
        subscriber = self.subscriber("s").activate()
        topic.subscribeAndGetPublisher({}, subscriber.proxy)
        with self.assertRaises(Ice.ConnectionLostException):
            topic.getPublisher().ice_connectionId("big").ice_invoke(
                "event", Mode.Normal, numbered(0, 2_000_000))
        publish(topic.getPublisher(), 0)
        self.assert_in_order(subscriber.recorder, 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Send.QueueSizeMax: the exact count, and what each policy does (behaviour reference 6.6, 13.6)."""

import unittest

import Ice

from support.case import InteropCase
from support.clients import HoldingRecorder, publish

ORDERED = {"reliability": "ordered"}


class DropEventsTest(InteropCase):
    properties = {
        "IceStorm.Send.QueueSizeMax": "200",
        "IceStorm.Send.QueueSizeMaxPolicy": "DropEvents",
        "IceStorm.Flush.Timeout": "1000",
    }

    def test_subscriber_that_is_not_active_yet(self):
        """The stress case of 13.6, scaled: event 0 is in flight on a connection that nobody has
        validated, so it counts as sent; of the 999 others exactly the last 200 remain."""
        topic = self.create_topic()
        late = self.subscriber("late")
        topic.subscribeAndGetPublisher(ORDERED, late.proxy)
        for i in range(1000):
            publish(topic.getPublisher(), i)
        late.activate()
        expected = [0] + list(range(800, 1000))
        late.recorder.wait_for(len(expected))
        publish(topic.getPublisher(), 1000)
        late.recorder.wait_for(len(expected) + 1)
        self.assertEqual(late.recorder.sequence_numbers(), expected + [1000])
        self.assertEqual(self.subscriber_names(topic), ["late"])

    def test_subscriber_that_stops_answering(self):
        """B37: the oldest go; the healthy neighbour gets all."""
        topic = self.create_topic()
        frozen = self.subscriber("frozen", HoldingRecorder()).activate()
        healthy = self.subscriber("healthy").activate()
        topic.subscribeAndGetPublisher(ORDERED, frozen.proxy)
        topic.subscribeAndGetPublisher(ORDERED, healthy.proxy)
        publish(topic.getPublisher(), 0)
        self.assertTrue(frozen.recorder.wait_for(1))
        for i in range(1, 1000):
            publish(topic.getPublisher(), i)
            self.assertTrue(healthy.recorder.wait_for(i + 1))
        frozen.recorder.release()
        expected = [0] + list(range(800, 1000))
        frozen.recorder.wait_for(len(expected))
        self.assertEqual(frozen.recorder.sequence_numbers(), expected)
        self.assert_in_order(healthy.recorder, 1000)

    def test_batch_subscriber(self):
        """The bound holds for what waits for the timer too."""
        topic = self.create_topic()
        batch = self.subscriber("batch").activate()
        topic.subscribeAndGetPublisher({}, batch.proxy.ice_batchOneway())
        publisher = topic.getPublisher().ice_batchOneway()
        for i in range(500):
            publish(publisher, i)
        publisher.ice_flushBatchRequests()
        batch.recorder.wait_for(200)
        publish(topic.getPublisher(), 500)
        batch.recorder.wait_for(201)
        self.assertEqual(batch.recorder.sequence_numbers(), list(range(300, 501)))


class RemoveSubscriberCase(InteropCase):
    """B36: the event that would exceed the bound removes, not one before; only the one at fault."""

    bound = None

    def check_removal(self, qos, in_flight):
        topic = self.create_topic()
        frozen = self.subscriber("frozen", HoldingRecorder()).activate()
        healthy = self.subscriber("healthy").activate()
        own = topic.subscribeAndGetPublisher({"retryCount": "-1", **qos}, frozen.proxy)
        topic.subscribeAndGetPublisher({}, healthy.proxy)
        publisher = topic.getPublisher()
        for i in range(in_flight):
            publish(publisher, i)
            self.assertTrue(frozen.recorder.wait_for(i + 1))
        for i in range(in_flight, in_flight + self.bound):
            publish(publisher, i)
            self.assertTrue(healthy.recorder.wait_for(i + 1))
        self.assertEqual(self.subscriber_names(topic), ["frozen", "healthy"])
        publish(publisher, in_flight + self.bound)
        self.assert_eventually(lambda: self.subscriber_names(topic) == ["healthy"],
                               f"not removed by event {in_flight + self.bound}")
        with self.assertRaises(Ice.ObjectNotExistException):
            publish(own, 0)
        frozen.recorder.release()
        publish(publisher, in_flight + self.bound + 1)
        self.assert_in_order(healthy.recorder, in_flight + self.bound + 2)
        self.assertEqual(frozen.recorder.sequence_numbers(), list(range(in_flight)))

        again = self.subscriber("frozen").activate()
        topic.subscribeAndGetPublisher({}, again.proxy)
        publish(publisher, 0)
        self.assert_in_order(again.recorder, 1)


class RemoveAboveOneTest(RemoveSubscriberCase):
    properties = {"IceStorm.Send.QueueSizeMax": "1"}
    bound = 1

    def test_ordered(self):
        self.check_removal(ORDERED, 1)

    def test_twoway(self):
        self.check_removal({}, 5)


class RemoveAboveTwoTest(RemoveSubscriberCase):
    properties = {
        "IceStorm.Send.QueueSizeMax": "2",
        "IceStorm.Send.QueueSizeMaxPolicy": "RemoveSubscriber",
    }
    bound = 2

    def test_ordered(self):
        self.check_removal(ORDERED, 1)


class RemoveAboveManyTest(RemoveSubscriberCase):
    properties = {"IceStorm.Send.QueueSizeMax": "300"}
    bound = 300

    def test_ordered(self):
        self.check_removal(ORDERED, 1)

    def test_twoway(self):
        self.check_removal({}, 5)

    def test_backlogs_below_the_bound_are_harmless(self):
        """B42, B43: only the present backlog counts."""
        topic = self.create_topic()
        subscriber = self.subscriber("s")
        topic.subscribeAndGetPublisher(ORDERED, subscriber.proxy)
        subscriber.activate()
        for cycle in range(10):
            holder = HoldingRecorder()
            subscriber.adapter.remove(subscriber.identity)
            subscriber.adapter.add(holder, subscriber.identity)
            for i in range(280):
                publish(topic.getPublisher(), i)
            holder.release()
            self.assert_in_order(holder, 280)
            self.assertEqual(self.subscriber_names(topic), ["s"], f"cycle {cycle}")


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""What the control objects answer, exception by exception (behaviour reference 1, 2.2 and 4.1).

The real IceStorm runs with a database; its transient mode has known defects (B70, B71, B91)."""

import unittest

import Ice
import IceStorm

from support import wire
from support.case import InteropCase, only_on
from support.clients import publish


class ContractCase(InteropCase):
    persistent = True

    def call(self, proxy, operation, params=b"", mode=Ice.OperationMode.Normal):
        """The reply's parameters, without their 6-byte header."""
        ok, result = proxy.ice_invoke(operation, mode, wire.encapsulation(params))
        self.assertTrue(ok, f"{operation} raised a user exception: {result!r}")
        return bytes(result[6:])

    def link_object(self, topic):
        identity = Ice.Identity(name=topic.getName() + ".link", category=self.broker.instance)
        return topic.getPublisher().ice_identity(identity)

    def finder(self):
        return self.proxy(f"IceStorm/Finder:tcp -h 127.0.0.1 -p {self.broker.manager_port}")


class TypesTest(ContractCase):
    def check_types(self, proxy, *ids):
        """ice_id is the last of `ids`; ice_ids and ice_isA know all of them and no other."""
        proxy.ice_ping()
        everything = ["::Ice::Object", *ids]
        self.assertEqual(proxy.ice_ids(), everything)
        self.assertEqual(proxy.ice_id(), ids[-1])
        for type_id in everything:
            self.assertTrue(proxy.ice_isA(type_id), type_id)
        self.assertFalse(proxy.ice_isA("::IceStorm::Elsewhere"))

    def test_manager(self):
        self.check_types(self.manager, "::IceStorm::TopicManager",
                         "::IceStorm::TopicManagerInternal")

    def test_topic(self):
        self.check_types(self.create_topic(), "::IceStorm::Topic", "::IceStorm::TopicInternal")

    def test_finder(self):
        """B91: in every mode."""
        finder = self.finder()
        self.check_types(finder, "::IceStorm::Finder")
        found = IceStorm.FinderPrx.checkedCast(finder).getTopicManager()
        self.assertEqual(found.ice_getIdentity(), self.manager.ice_getIdentity())
        self.assertEqual(found.ice_getEndpoints()[0].getInfo().port, self.broker.manager_port)

    def test_link_object(self):
        self.check_types(self.link_object(self.create_topic()), "::IceStorm::TopicLink")


class TopicManagerTest(ContractCase):
    def test_create_refuses_a_taken_name(self):
        self.manager.create("taken")
        with self.assertRaises(IceStorm.TopicExists) as caught:
            self.manager.create("taken")
        self.assertEqual(caught.exception.name, "taken")

    def test_retrieve_names_what_is_missing(self):
        with self.assertRaises(IceStorm.NoSuchTopic) as caught:
            self.manager.retrieve("never made")
        self.assertEqual(caught.exception.name, "never made")

    def test_retrieve_and_retrieve_all_give_the_created_proxy(self):
        topic = self.create_topic()
        self.assertEqual(self.manager.retrieve(topic.getName()), topic)
        self.assertEqual(self.manager.retrieveAll()[topic.getName()], topic)

    def test_slice_checksums_are_empty(self):
        self.assertEqual(self.call(self.manager, "getSliceChecksums",
                                   mode=Ice.OperationMode.Nonmutating), b"\0")

    def test_there_is_no_replica_node(self):
        self.assertEqual(self.call(self.manager, "getReplicaNode",
                                   mode=Ice.OperationMode.Idempotent), b"\0\0")

    def test_unknown_operation(self):
        with self.assertRaises(Ice.OperationNotExistException):
            self.call(self.manager, "subscribe")

    @only_on("squall", "3.7 has no createOrRetrieve")
    def test_create_or_retrieve(self):
        """B90: creates the first time, then finds the same topic."""
        name = wire.string("once")
        first = self.call(self.manager, "createOrRetrieve", name)
        found = self.call(self.manager, "retrieve", name, Ice.OperationMode.Idempotent)
        self.assertEqual(first, found)
        self.assertEqual(self.call(self.manager, "createOrRetrieve", name), first)
        self.manager.retrieve("once").destroy()
        self.assertEqual(self.call(self.manager, "createOrRetrieve", name), first)
        self.assertEqual(self.manager.retrieve("once").getName(), "once")

    def test_destroyed_names_are_free_at_once(self):
        """B71, with and without subscribers."""
        for i in range(100):
            topic = self.manager.create("phoenix")
            if i % 2:
                topic.subscribeAndGetPublisher({}, self.proxy("ash:tcp -h 127.0.0.1 -p 1"))
            self.assertEqual(topic.getSubscribers() != [], i % 2 == 1)
            topic.destroy()
        self.assertNotIn("phoenix", self.manager.retrieveAll())


class TopicTest(ContractCase):
    def test_name_and_empty_lists(self):
        topic = self.create_topic()
        self.assertEqual(topic.getName(), "test_name_and_empty_lists")
        self.assertEqual(topic.getSubscribers(), [])
        self.assertEqual(topic.getLinkInfoSeq(), [])

    def test_null_arguments(self):
        """B92 and behaviour reference 1.7"""
        topic = self.create_topic()
        with self.assertRaises(IceStorm.InvalidSubscriber) as caught:
            topic.subscribeAndGetPublisher({}, None)
        self.assertIn("null", caught.exception.reason)
        for call in (lambda: topic.link(None, 0), lambda: topic.unlink(None)):
            with self.assertRaises(Ice.UnknownException):
                call()
        with self.assertRaises(Ice.UnknownUserException):
            topic.unsubscribe(None)
        self.assertEqual((topic.getSubscribers(), topic.getLinkInfoSeq()), ([], []))

    def test_unsubscribe_of_an_unknown_identity_succeeds(self):
        self.create_topic().unsubscribe(self.proxy("nobody:tcp -h 127.0.0.1 -p 1"))

    def test_unsubscribe_goes_by_identity(self):
        topic = self.create_topic()
        topic.subscribeAndGetPublisher({}, self.proxy("a:tcp -h 127.0.0.1 -p 1"))
        topic.unsubscribe(self.proxy("a -o:tcp -h 127.0.0.1 -p 2"))
        self.assertEqual(topic.getSubscribers(), [])

    def test_old_subscribe_is_gone(self):
        with self.assertRaises(Ice.OperationNotExistException):
            self.call(self.create_topic(), "subscribe")

    def test_link_proxy_names_the_link_object(self):
        topic = self.create_topic()
        reply = self.call(topic, "getLinkProxy", mode=Ice.OperationMode.Idempotent)
        self.assertTrue(reply.startswith(wire.identity(f"{topic.getName()}.link", "IceStorm")))

    def test_reap_leaves_subscribers_alone(self):
        """B93: an internal call that any client can make."""
        topic = self.create_topic()
        topic.subscribeAndGetPublisher({}, self.proxy("kept:tcp -h 127.0.0.1 -p 1"))
        try:
            self.call(topic, "reap", wire.size(1) + wire.identity("kept"))
        except Ice.UnknownException:
            self.assertEqual(self.broker.kind, "icestorm", "a database without replicas")
        self.assertEqual(self.subscriber_names(topic), ["kept"])

    def test_destroyed_topic_is_gone_with_all_its_objects(self):
        """B70: nothing of a destroyed topic answers, nor can anybody subscribe to it."""
        topic = self.create_topic()
        subscriber = self.proxy("late:tcp -h 127.0.0.1 -p 1")
        own_publisher = topic.subscribeAndGetPublisher({}, subscriber)
        publisher, link = topic.getPublisher(), self.link_object(topic)
        topic.destroy()
        calls = {
            "getName": topic.getName, "getPublisher": topic.getPublisher,
            "getSubscribers": topic.getSubscribers, "destroy": topic.destroy,
            "subscribe": lambda: topic.subscribeAndGetPublisher({}, subscriber),
            "unsubscribe": lambda: topic.unsubscribe(subscriber),
            "publish": lambda: publish(publisher, 1),
            "publish to one": lambda: publish(own_publisher, 1),
            "link object": link.ice_ping,
        }
        for what, call in calls.items():
            with self.subTest(what), self.assertRaises(Ice.ObjectNotExistException):
                call()
        again = self.manager.create("test_destroyed_topic_is_gone_with_all_its_objects")
        self.assertEqual(again.getSubscribers(), [])
        again.subscribeAndGetPublisher({}, subscriber)

    def test_facets_do_not_exist(self):
        topic = self.create_topic()
        objects = [self.manager, topic, topic.getPublisher(), self.finder(),
                   self.link_object(topic)]
        for target in objects:
            with self.subTest(target), self.assertRaises(Ice.FacetNotExistException):
                target.ice_facet("other").ice_ping()


class SubscribeTest(ContractCase):
    def check_qos(self, table, accepted):
        topic = self.create_topic()
        for qos in table:
            with self.subTest(qos):
                subscriber = self.proxy("s:tcp -h 127.0.0.1 -p 1")
                if accepted:
                    topic.subscribeAndGetPublisher(qos, subscriber)
                    topic.unsubscribe(subscriber)
                    continue
                with self.assertRaises(IceStorm.BadQoS) as caught:
                    topic.subscribeAndGetPublisher(qos, subscriber)
                self.assertIn(list(qos.values())[0], caught.exception.reason)
                self.assertEqual(topic.getSubscribers(), [])

    def test_accepted_qos(self):
        """Among them any retryCount text, as 3.7 reads it, and unknown keys (rep1 sends one)."""
        values = {
            "reliability": ["", "ordered"],
            "retryCount": ["-1", "0", "5", "-7", "", "abc", "5abc", " 7 "],
            "locatorCacheTimeout": ["-1", "0", "10", " 10 "],
            "connectionCached": ["-1", "0", "1", " 1 ", "17"],
            "persistent": ["true"],
            "": ["", "x"],
        }
        self.check_qos([{key: v} for key, texts in values.items() for v in texts] + [{}], True)

    def test_bad_qos(self):
        """B49"""
        values = {
            "reliability": ["oneway", "twoway", "batch", "Ordered", " ordered", "ordered "],
            "locatorCacheTimeout": ["", "abc", "0x10", "1 2", "99999999999"],
            "connectionCached": ["", "true", "abc", "0x1", "99999999999"],
        }
        self.check_qos([{key: v} for key, texts in values.items() for v in texts], False)

    def test_locator_cache_timeout_below_minus_one(self):
        """IceStorm lets its own failure through; squall says what is wrong with the QoS."""
        topic = self.create_topic()
        refusal = IceStorm.BadQoS if self.broker.kind == "squall" else Ice.UnknownException
        with self.assertRaises(refusal):
            topic.subscribeAndGetPublisher({"locatorCacheTimeout": "-2"},
                                           self.proxy("s:tcp -h 127.0.0.1 -p 1"))
        self.assertEqual(topic.getSubscribers(), [])

    def test_ordered_needs_a_twoway_proxy(self):
        """B49"""
        topic = self.create_topic()
        for option in ("-o", "-O", "-d", "-D"):
            with self.subTest(option), self.assertRaises(IceStorm.BadQoS):
                topic.subscribeAndGetPublisher(
                    {"reliability": "ordered"},
                    self.proxy(f"s {option}:tcp -h 127.0.0.1 -p 1:udp -h 127.0.0.1 -p 1"))
        self.assertEqual(topic.getSubscribers(), [])

    def test_retry_count_goes_with_every_mode(self):
        """B23"""
        topic = self.create_topic()
        for option in ("-t", "-o", "-O", "-d", "-D"):
            for count in ("-1", "0", "1", "5"):
                with self.subTest(option=option, count=count):
                    subscriber = self.proxy(
                        f"s {option}:tcp -h 127.0.0.1 -p 1:udp -h 127.0.0.1 -p 1")
                    topic.subscribeAndGetPublisher({"retryCount": count}, subscriber)
                    topic.unsubscribe(subscriber)

    def test_second_subscription_is_refused_before_its_qos_is_read(self):
        topic = self.create_topic()
        topic.subscribeAndGetPublisher({}, self.proxy("cat/s:tcp -h 127.0.0.1 -p 1"))
        for qos in ({}, {"reliability": "nonsense"}):
            with self.assertRaises(IceStorm.AlreadySubscribed):
                topic.subscribeAndGetPublisher(qos, self.proxy("cat/s:tcp -h 127.0.0.1 -p 2"))
        topic.subscribeAndGetPublisher({}, self.proxy("s:tcp -h 127.0.0.1 -p 1"))
        self.assertEqual(self.subscriber_names(topic), ["cat/s", "s"])

    def test_unusable_proxies_are_accepted(self):
        """Nothing is resolved or contacted (behaviour reference 4.3); B92 in part."""
        topic = self.create_topic()
        proxies = {
            "wellknown": "wellknown", "indirect": "indirect @ Adapter",
            "unresolvable": "unresolvable:tcp -h no.such.host.invalid -p 4061",
            "noport": "noport:tcp -h 10000", "opaque": "opaque:opaque -t 99 -e 1.0 -v abch",
            "faceted": "faceted -f face:tcp -h 127.0.0.1 -p 1",
            "old": "old -e 1.0:tcp -h 127.0.0.1 -p 1",
        }
        for text in proxies.values():
            topic.subscribeAndGetPublisher({}, self.proxy(text))
        self.assertEqual(self.subscriber_names(topic), sorted(proxies))


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Identities, endpoints of returned proxies, and topic names (behaviour reference 2)."""

import unittest

import Ice
import IceStorm

from support.case import InteropCase, only_on
from support.clients import publish


class NamingCase(InteropCase):
    persistent = True

    def endpoints(self, proxy):
        """(type, host, port) of each endpoint."""
        infos = [e.getInfo() for e in proxy.ice_getEndpoints()]
        kinds = {Ice.TCPEndpointType: "tcp", Ice.UDPEndpointType: "udp"}
        return [(kinds[i.type()], i.host, i.port) for i in infos]

    def assert_plain_twoway(self, proxy):
        self.assertTrue(proxy.ice_isTwoway())
        self.assertFalse(proxy.ice_isSecure())
        self.assertEqual(proxy.ice_getFacet(), "")
        self.assertEqual(proxy.ice_getAdapterId(), "")
        encoding = proxy.ice_getEncodingVersion()
        self.assertEqual((encoding.major, encoding.minor), (1, 1))

    def assert_manager_endpoints(self, proxy):
        self.assert_plain_twoway(proxy)
        self.assertEqual(self.endpoints(proxy), [("tcp", "127.0.0.1", self.broker.manager_port)])
        self.assertEqual(proxy.ice_getEndpoints()[0].getInfo().timeout, 60000)

    def assert_publish_endpoints(self, proxy):
        self.assert_plain_twoway(proxy)
        port = self.broker.publish_port
        self.assertEqual(self.endpoints(proxy),
                         [("tcp", "127.0.0.1", port), ("udp", "127.0.0.1", port)])
        self.assertEqual(proxy.ice_getEndpoints()[0].getInfo().timeout, 60000)


class ProxiesTest(NamingCase):
    """The forms of the identities in 2.1 and of the proxies in 2.3."""

    def test_topic_and_publishers(self):
        created = self.manager.create("t")
        for topic in (created, self.manager.retrieve("t"), self.manager.retrieveAll()["t"]):
            self.assertEqual(Ice.identityToString(topic.ice_getIdentity()), "IceStorm/topic.t")
            self.assert_manager_endpoints(topic)
        for publisher in (created.getPublisher(), created.getNonReplicatedPublisher()):
            self.assertEqual(Ice.identityToString(publisher.ice_getIdentity()),
                             "IceStorm/t.publish")
            self.assert_publish_endpoints(publisher)

    def test_publisher_of_one_subscriber(self):
        """Its name ends with the subscriber's identity as Ice prints it, escapes included."""
        topic = self.manager.create("per")
        table = [
            # subscriber identity as (name, category), what follows topic.per.publish.
            (("plain", ""), "plain"),
            (("sub1", "cat"), "cat/sub1"),
            (("a/b", "c/d"), "c\\/d/a\\/b"),
            (("back\\slash", ""), "back\\\\slash"),
            (("with space", ""), "with space"),
            (("ünïcode", "目"), "目/ünïcode"),
        ]
        for (name, category), tail in table:
            with self.subTest(name=name):
                identity = Ice.Identity(name=name, category=category)
                subscriber = self.proxy("x:tcp -h 127.0.0.1 -p 1").ice_identity(identity)
                publisher = topic.subscribeAndGetPublisher({}, subscriber)
                self.assertEqual(publisher.ice_getIdentity(),
                                 Ice.Identity(name=f"topic.per.publish.{tail}",
                                              category="IceStorm"))
                self.assert_publish_endpoints(publisher)

    def test_unknown_identities_do_not_exist(self):
        topic = self.manager.create("known")
        for target, name in [(self.manager, "topic.unknown"), (self.manager, "known"),
                             (topic.getPublisher(), "unknown.publish"),
                             (topic.getPublisher(), "unknown.link"),
                             (topic.getPublisher(), "topic.known.publish.nobody"),
                             (topic.getPublisher(), "topic.known")]:
            for category in ("IceStorm", "", "Other"):
                with self.subTest(name=name, category=category):
                    proxy = target.ice_identity(Ice.Identity(name=name, category=category))
                    with self.assertRaises(Ice.ObjectNotExistException):
                        proxy.ice_ping()
        # The right name in another category is another object.
        with self.assertRaises(Ice.ObjectNotExistException):
            publish(topic.getPublisher().ice_identity(
                Ice.Identity(name="known.publish", category="Other")), 1)


class InstanceNameTest(NamingCase):
    properties = {"IceStorm.InstanceName": "Weather"}

    def test_instance_name_is_the_category_of_all_but_the_finder(self):
        topic = self.manager.create("rain")
        subscriber = self.proxy("s:tcp -h 127.0.0.1 -p 1")
        publisher = topic.subscribeAndGetPublisher({}, subscriber)
        proxies = [self.manager, topic, topic.getPublisher(), publisher]
        self.assertEqual({p.ice_getIdentity().category for p in proxies}, {"Weather"})
        finder = IceStorm.FinderPrx.checkedCast(
            self.proxy(f"IceStorm/Finder:tcp -h 127.0.0.1 -p {self.broker.manager_port}"))
        self.assertEqual(finder.getTopicManager().ice_getIdentity(),
                         self.manager.ice_getIdentity())


class PublishedEndpointsTest(NamingCase):
    """B103: one setting decides what address every returned proxy names."""

    properties = {
        "IceStorm.TopicManager.PublishedEndpoints": "tcp -h published.example -p 4061",
        "IceStorm.Publish.PublishedEndpoints": "tcp -h published.example -p 4062",
    }

    def test_returned_proxies_name_the_published_host_only(self):
        topic = self.manager.create("outside")
        self.assertEqual(self.endpoints(topic), [("tcp", "published.example", 4061)])
        inside = topic.ice_endpoints(self.manager.ice_getEndpoints())
        own = inside.subscribeAndGetPublisher({}, self.proxy("s:tcp -h 127.0.0.1 -p 1"))
        for publisher in (inside.getPublisher(), inside.getNonReplicatedPublisher(), own):
            self.assertEqual(self.endpoints(publisher), [("tcp", "published.example", 4062)])
        self.assertEqual(self.endpoints(self.manager.retrieveAll()["outside"]),
                         [("tcp", "published.example", 4061)])


class TopicNamesTest(NamingCase):
    """2.4: no rule at all."""

    def check_name(self, name):
        topic = self.manager.create(name)
        try:
            self.assertEqual(topic.getName(), name)
            self.assertEqual(topic.ice_getIdentity().name, f"topic.{name}")
            self.assertEqual(self.manager.retrieve(name), topic)
            self.assertIn(name, self.manager.retrieveAll())
            self.assertEqual(topic.getPublisher().ice_getIdentity().name, f"{name}.publish")
            with self.assertRaises(IceStorm.TopicExists):
                self.manager.create(name)
            subscriber = self.subscriber("s").activate()
            topic.subscribeAndGetPublisher({}, subscriber.proxy)
            publish(topic.getPublisher(), 5)
            self.assert_all_received(subscriber.recorder, 1)
        finally:
            topic.destroy()
        with self.assertRaises(IceStorm.NoSuchTopic):
            self.manager.retrieve(name)

    def test_any_text_is_a_name(self):
        names = ["", " ", "a b", "x/y", "/", "\\", "a\\/b", "tab\tnew\nline", "\"quoted\"", "'",
                 "Größe-目-🌩", "topic.topic", "x.publish", "x.link", "@", "n" * 254, "n" * 400]
        for name in names:
            with self.subTest(name=name):
                self.check_name(name)

    @only_on("squall", "IceStorm's database limits the length of a key")
    def test_long_names_without_a_database(self):
        """B94: 64 KB."""
        for length in (512, 64 * 1024):
            with self.subTest(length=length):
                self.check_name("n" * length)

    def test_names_compare_bytewise(self):
        """One letter, composed and decomposed; upper and lower case."""
        names = ["é", "e\u0301", "Case", "case", "case "]
        topics = [self.manager.create(name) for name in names]
        self.assertEqual(len({t.ice_getIdentity().name for t in topics}), len(names))
        self.assertEqual([self.manager.retrieve(name).getName() for name in names], names)


if __name__ == "__main__":
    unittest.main(verbosity=2)

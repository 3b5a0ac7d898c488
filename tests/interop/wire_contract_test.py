"""The contract seen byte by byte: operation modes, encodings, replies of publishers, and what a
subscriber gets on the wire (behaviour reference 1.3, 1.6, 1.8, 4.2, 5.2)."""

import unittest

import Ice

from support import wire
from support.broker import broker_kind
from support.case import InteropCase

OK, USER_EXCEPTION, OBJECT_NOT_EXIST, FACET_NOT_EXIST, OPERATION_NOT_EXIST = range(5)
UNKNOWN_LOCAL = 5
NORMAL, NONMUTATING, IDEMPOTENT = range(3)
ENCODINGS = [(1, 0), (1, 1)]


class WireCase(InteropCase):
    persistent = True

    def connect(self, port):
        connection = wire.RawConnection.connect(port)
        self.addCleanup(connection.close)
        return connection

    def to_manager(self):
        return self.connect(self.broker.manager_port)

    def to_publish(self):
        return self.connect(self.broker.publish_port)

    def listener(self):
        listener = wire.RawListener()
        self.addCleanup(listener.close)
        return listener

    @staticmethod
    def manager_identity():
        return wire.identity("TopicManager", "IceStorm")


class OperationModesTest(WireCase):
    """1.6: a 3.7 client sends 1, a 3.8 client 2 for the same operation."""

    def modes_accepted(self, connection, target, operation, params=None):
        accepted = []
        for mode in (NORMAL, NONMUTATING, IDEMPOTENT):
            reply = connection.call(mode + 1, target, operation, mode=mode, params=params)
            self.assertEqual(reply.request_id, mode + 1)
            self.assertIn(reply.status, (OK, UNKNOWN_LOCAL), operation)
            if reply.status == OK:
                accepted.append(mode)
        return accepted

    def test_idempotent_operations(self):
        """Mode 0 is refused by 3.7, accepted by 3.8 and by us."""
        topic = self.create_topic()
        expected = [NORMAL, NONMUTATING, IDEMPOTENT]
        if broker_kind() == "icestorm":
            expected = [NONMUTATING, IDEMPOTENT]
        name = wire.encapsulation(wire.string(topic.getName()))
        subscriber = wire.encapsulation(wire.identity("nobody") + b"\0\0\0\1\0\1\1\0\0")
        topic_identity = wire.identity(f"topic.{topic.getName()}", "IceStorm")
        connection = self.to_manager()
        for target, operation, params in [
                (self.manager_identity(), "retrieve", name),
                (self.manager_identity(), "retrieveAll", None),
                (self.manager_identity(), "getSliceChecksums", None),
                (self.manager_identity(), "getReplicaNode", None),
                (topic_identity, "getName", None),
                (topic_identity, "getPublisher", None),
                (topic_identity, "getNonReplicatedPublisher", None),
                (topic_identity, "getLinkInfoSeq", None),
                (topic_identity, "getLinkProxy", None),
                (topic_identity, "unsubscribe", subscriber)]:
            with self.subTest(operation):
                self.assertEqual(self.modes_accepted(connection, target, operation, params),
                                 expected)

    def test_normal_operations_take_mode_normal(self):
        """1 and 2 may be refused."""
        topic = self.create_topic()
        accepted = self.modes_accepted(
            self.to_manager(), wire.identity(f"topic.{topic.getName()}", "IceStorm"),
            "getSubscribers")
        self.assertIn(NORMAL, accepted)

    def test_publishers_take_any_mode(self):
        """Even one that does not exist."""
        topic = self.create_topic()
        target = wire.identity(f"{topic.getName()}.publish", "IceStorm")
        connection = self.to_publish()
        for mode in (NORMAL, NONMUTATING, IDEMPOTENT, 9):
            self.assertEqual(connection.call(1, target, "event", mode=mode).status, OK)


class EncodingsTest(WireCase):
    """1.8: a reply has the encoding of its request."""

    def test_replies_follow_the_request(self):
        topic = self.create_topic()
        name = topic.getName()
        in_1_1 = (wire.identity(f"topic.{name}", "IceStorm") + b"\0\0\0" + b"\1\0\1\1" + b"\1")
        in_1_0 = (wire.identity(f"topic.{name}", "IceStorm") + b"\0\0\0" + b"\1")
        connection = self.to_manager()
        for encoding, proxy_start in zip(ENCODINGS, (in_1_0, in_1_1)):
            with self.subTest(encoding=encoding):
                params = wire.encapsulation(wire.string(name), encoding)
                reply = connection.call(1, self.manager_identity(), "retrieve", mode=NONMUTATING,
                                        params=params)
                self.assertEqual(reply.status, OK)
                self.assertEqual(tuple(reply.body[4:6]), encoding)
                self.assertTrue(reply.body[6:].startswith(proxy_start), reply.body)

    def test_user_exceptions_follow_the_request(self):
        connection = self.to_manager()
        for encoding in ENCODINGS:
            with self.subTest(encoding=encoding):
                params = wire.encapsulation(wire.string("missing"), encoding)
                reply = connection.call(1, self.manager_identity(), "retrieve", mode=NONMUTATING,
                                        params=params)
                self.assertEqual(reply.status, USER_EXCEPTION)
                self.assertEqual(tuple(reply.body[4:6]), encoding)
                # 1.0 begins with "uses classes", 1.1 with the slice flags; the type id follows.
                self.assertEqual(reply.body[6] == 0, encoding == (1, 0))
                self.assertTrue(reply.body[7:].startswith(wire.string("::IceStorm::NoSuchTopic")))
                self.assertIn(wire.string("missing"), reply.body)

    def test_undeclared_user_exception_of_unsubscribe_null(self):
        """1.7: InvalidSubscriber is on the wire although no client expects it."""
        topic = self.create_topic()
        reply = self.to_manager().call(
            1, wire.identity(f"topic.{topic.getName()}", "IceStorm"), "unsubscribe",
            mode=IDEMPOTENT, params=wire.encapsulation(wire.identity("")))
        self.assertEqual(reply.status, USER_EXCEPTION)
        self.assertIn(b"::IceStorm::InvalidSubscriber", reply.body)

    def test_whole_contract_in_1_0(self):
        manager = self.manager.ice_encodingVersion(Ice.Encoding_1_0)
        topic = manager.create("in 1.0").ice_encodingVersion(Ice.Encoding_1_0)
        self.assertEqual(topic.getName(), "in 1.0")
        self.assertIn("in 1.0", manager.retrieveAll())
        subscriber = self.subscriber("s").activate()
        own = topic.subscribeAndGetPublisher({"retryCount": "1"},
                                             subscriber.proxy.ice_encodingVersion(Ice.Encoding_1_0))
        self.assertEqual(self.subscriber_names(topic), ["s"])
        for publisher in (topic.getPublisher(), own):
            publisher.ice_invoke("event", Ice.OperationMode.Normal,
                                 wire.encapsulation(b"abc", (1, 0)))
        self.assert_all_received(subscriber.recorder, 2)
        self.assertEqual({e.encoding for e in subscriber.recorder.events}, {(1, 0)})
        topic.destroy()


class PublisherRepliesTest(WireCase):
    """1.3: every operation is an event and succeeds with nothing."""

    def test_every_operation_succeeds_with_an_empty_result(self):
        topic = self.create_topic()
        topic.subscribeAndGetPublisher({"retryCount": "-1"},
                                       self.proxy("s:tcp -h 127.0.0.1 -p 1"))
        name = topic.getName()
        connection = self.to_publish()
        for target in (f"{name}.publish", f"topic.{name}.publish.s"):
            for operation in ("event", "", "ice_ping", "ice_isA", "ice_ids", "ice_id", "übung"):
                for encoding in ENCODINGS:
                    with self.subTest(target=target, operation=operation, encoding=encoding):
                        reply = connection.call(7, wire.identity(target, "IceStorm"), operation,
                                                params=wire.encapsulation(b"xy", encoding))
                        self.assertEqual(reply, (7, OK, wire.encapsulation(b"", encoding)))

    def test_facet_on_a_publisher(self):
        topic = self.create_topic()
        reply = self.to_publish().call(
            3, wire.identity(f"{topic.getName()}.publish", "IceStorm"), "event", facet=["f"])
        self.assertEqual(reply.status, FACET_NOT_EXIST)

    def test_unknown_object_is_named_in_the_reply(self):
        target = wire.identity("absent.publish", "IceStorm")
        reply = self.to_publish().call(3, target, "event")
        self.assertEqual(reply, (3, OBJECT_NOT_EXIST, target + b"\0" + wire.string("event")))

    def test_unknown_operation_is_named_in_the_reply(self):
        reply = self.to_manager().call(3, self.manager_identity(), "subscribe")
        self.assertEqual(reply, (3, OPERATION_NOT_EXIST,
                                 self.manager_identity() + b"\0" + wire.string("subscribe")))


class SubscriberWireTest(WireCase):
    """5.2: the bytes that reach a subscriber."""

    properties = {"IceStorm.Flush.Timeout": "1000"}

    def subscribe(self, option, identity="sub", category="", facet=""):
        """A topic with one subscriber that is a bare socket; (its publisher's target, listener)."""
        topic = self.create_topic(f"{option}{identity}")
        listener = self.listener()
        proxy = self.proxy(f"x {option}:tcp -h 127.0.0.1 -p {listener.port}").ice_identity(
            Ice.Identity(name=identity, category=category)).ice_facet(facet)
        topic.subscribeAndGetPublisher({}, proxy)
        return topic, wire.identity(f"{topic.getName()}.publish", "IceStorm"), listener

    def publish(self, target, **rest):
        self.assertEqual(self.to_publish().call(1, target, **rest).status, OK)

    def read_request(self, connection):
        kind, body = connection.read_payload_message()
        self.assertEqual(kind, wire.REQUEST)
        reader = wire.Reader(body)
        return reader.record(reader.integer())

    EVENT = dict(operation="event", mode=NONMUTATING, context={"a": "1", "b": "2"},
                 params=wire.encapsulation(b"payload", (1, 0)))

    def check_record(self, request, request_id, identity, facet):
        self.assertEqual(request, (request_id, identity, facet, "event", NONMUTATING,
                                   [("a", "1"), ("b", "2")], self.EVENT["params"]))

    def test_twoway_request(self):
        _, target, listener = self.subscribe("-t", "n/m", "c", "face")
        self.publish(target, **self.EVENT)
        request = self.read_request(listener.accept())
        self.assertGreater(request.request_id, 0)
        self.check_record(request, request.request_id, ("n/m", "c"), ["face"])

    def test_oneway_request(self):
        _, target, listener = self.subscribe("-o")
        self.publish(target, **self.EVENT)
        self.check_record(self.read_request(listener.accept()), 0, ("sub", ""), [])

    def test_batch_message_holds_all_events_of_one_period(self):
        _, target, listener = self.subscribe("-O")
        for _ in range(3):
            self.publish(target, **self.EVENT)
        kind, body = listener.accept().read_payload_message()
        self.assertEqual(kind, wire.BATCH_REQUEST)
        reader = wire.Reader(body)
        self.assertEqual(reader.integer(), 3)
        for _ in range(3):
            self.check_record(reader.record(0), 0, ("sub", ""), [])
        self.assertEqual(reader.rest(), b"")

    def test_undefined_mode_passes_unchanged(self):
        _, target, listener = self.subscribe("-o")
        self.publish(target, operation="event", mode=9)
        self.assertEqual(self.read_request(listener.accept()).mode, 9)

    def test_equal_endpoints_share_one_connection(self):
        topic, target, listener = self.subscribe("-t", "first")
        proxy = self.proxy(f"second:tcp -h 127.0.0.1 -p {listener.port}")
        topic.subscribeAndGetPublisher({}, proxy)
        self.publish(target, **self.EVENT)
        connection = listener.accept()
        requests = [self.read_request(connection) for _ in range(2)]
        self.assertEqual({r.identity[0] for r in requests}, {"first", "second"})
        self.assertEqual(len({r.request_id for r in requests}), 2)

    def test_twoway_is_pipelined(self):
        _, target, listener = self.subscribe("-t")
        for _ in range(5):
            self.publish(target, **self.EVENT)
        connection = listener.accept()
        ids = [self.read_request(connection).request_id for _ in range(5)]
        self.assertEqual(len(set(ids)), 5)


if __name__ == "__main__":
    unittest.main(verbosity=2)

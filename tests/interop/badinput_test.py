"""Bytes that no Ice run time sends (issue: "Bad input"; behaviour reference 12.1-12.4; B57, B93).
After each: the guilty connection is closed or gets a proper reply, another connection and another
subscriber go on, and an ordinary event makes its round."""

import random
import socket
import struct
import unittest

import Ice

from support import wire
from support.case import InteropCase
from support.clients import publish

MESSAGE_SIZE_MAX = 1024 * 1024


class BadInputTest(InteropCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.seed = random.randrange(2**32)
        print(f"seed of the random bytes: {cls.seed}", flush=True)

    def setUp(self):
        """A bystander: its own connection to either port, and a subscription."""
        self.topic = self.create_topic()
        self.bystander = self.subscriber("bystander").activate()
        self.topic.subscribeAndGetPublisher({"reliability": "ordered"}, self.bystander.proxy)
        self.publisher = self.topic.getPublisher()
        self.publisher_connection = self.publisher.ice_getConnection()
        self.rounds = 0
        self.check_bystander()

    def tearDown(self):
        self.topic.destroy()

    def check_bystander(self):
        """The broker lives, and whoever was connected before still is, with the same connection."""
        publish(self.publisher, self.rounds)
        self.rounds += 1
        self.assert_in_order(self.bystander.recorder, self.rounds)
        self.assertEqual(self.publisher.ice_getConnection(), self.publisher_connection)
        self.assertEqual(self.manager.retrieve(self.topic.getName()), self.topic)
        self.assertTrue(self.broker.is_alive())

    def connect(self, port):
        connection = wire.RawConnection.connect(port)
        self.addCleanup(connection.close)
        return connection

    def target(self):
        return wire.identity(f"{self.topic.getName()}.publish", "IceStorm")

    def ports(self):
        return [("publish", self.broker.publish_port), ("manager", self.broker.manager_port)]

    def check_closes(self, table):
        """Each entry of {name: bytes} ends its connection, on either port."""
        for what, data in table.items():
            for port_name, port in self.ports():
                with self.subTest(what, port=port_name):
                    connection = self.connect(port)
                    connection.send(data)
                    self.assertTrue(connection.closes(), "the connection stays open")
                    self.check_bystander()

    def test_broken_headers(self):
        body = bytes(50)
        total = wire.HEADER_SIZE + len(body)
        self.check_closes({
            "magic": wire.header(wire.REQUEST, total, magic=b"ICEP") + body,
            "http": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "protocol version": wire.header(wire.REQUEST, total, protocol=(2, 0)) + body,
            "encoding of the protocol": wire.header(wire.REQUEST, total, encoding=(9, 0)) + body,
            "type": wire.header(99, total) + body,
            "size 0": wire.header(wire.REQUEST, 0),
            "size 13": wire.header(wire.REQUEST, 13),
            "negative size": wire.header(wire.REQUEST, -1),
            "size above the maximum": wire.header(wire.REQUEST, MESSAGE_SIZE_MAX + 1),
            "huge size": wire.header(wire.REQUEST, 2**31 - 1) + body,
            "compression that is no bzip2":
                wire.message(wire.REQUEST, struct.pack("<i", 100) + b"not bzip2", compression=2),
            "compressed, of negative size":
                wire.message(wire.REQUEST, struct.pack("<i", -1) + b"BZh9", compression=2),
        })

    def test_broken_requests(self):
        record = wire.record(self.target(), "event")
        request_id = struct.pack("<i", 1)
        self.check_closes({
            "facet path of two": wire.request(1, self.target(), "event", facet=["a", "b"]),
            "empty body": wire.message(wire.REQUEST),
            "header only": wire.message(wire.REQUEST, request_id),
            "identity cut": wire.message(wire.REQUEST, request_id + record[:5]),
            "operation cut": wire.message(wire.REQUEST,
                                          request_id + record[:len(self.target()) + 3]),
            "string beyond the message": wire.message(wire.REQUEST, request_id + b"\xc8abc"),
            "negative string size":
                wire.message(wire.REQUEST, request_id + b"\xff" + struct.pack("<i", -5) + b"abc"),
        })

    def test_broken_batches(self):
        """The events before the broken one may pass."""
        record = wire.record(wire.identity("absent.publish", "IceStorm"), "event")
        self.check_closes({
            "negative count": wire.batch([record], count=-1),
            "two billion records": wire.batch([record], count=2**31 - 1),
            "one record of two": wire.batch([record], count=2),
            "last record cut": wire.message(wire.BATCH_REQUEST,
                                            struct.pack("<i", 2) + record + record[:9]),
        })

    def test_bad_parameters_get_a_reply(self):
        """12.4: status 5 and the connection lives; the next event on it passes."""
        for what, params in {
                "encapsulation beyond the message": struct.pack("<iBB", 5000, 1, 1) + b"abc",
                "encapsulation smaller than its header": struct.pack("<iBB", 3, 1, 1),
        }.items():
            with self.subTest(what):
                connection = self.connect(self.broker.publish_port)
                reply = connection.call(1, self.target(), "event", params=params)
                self.assertEqual((reply.request_id, reply.status), (1, 5))
                good = wire.encapsulation(struct.pack("<i", self.rounds))
                self.assertEqual(connection.call(2, self.target(), "event", params=good).status, 0)
                self.rounds += 1
                self.check_bystander()

    def test_unknown_identity_gets_a_reply(self):
        for port_name, port in self.ports():
            with self.subTest(port=port_name):
                connection = self.connect(port)
                for i in (1, 2, 3):
                    reply = connection.call(i, wire.identity("nobody", "nowhere"), "event")
                    self.assertEqual((reply.request_id, reply.status), (i, 2))
                self.check_bystander()
        if self.broker.kind == "squall":
            self.assertRegex(self.broker.log, r'unknown object .*"nowhere/nobody".* operation="event"')

    def test_connections_that_end_in_the_middle(self):
        whole = wire.request(1, wire.identity("nobody"), "event",
                             params=wire.encapsulation(bytes(200)))
        for cut in (0, 1, 13, 14, 20, len(whole) - 1):
            for port_name, port in self.ports():
                with self.subTest(cut=cut, port=port_name):
                    connection = self.connect(port)
                    connection.send(whole[:cut])
                    connection.close()
                    self.check_bystander()

    def test_reset_in_the_middle(self):
        for _, port in self.ports():
            sock = socket.create_connection(("127.0.0.1", port), timeout=10)
            sock.sendall(b"IceP")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.close()
            self.check_bystander()

    def test_unexpected_message_types(self):
        """A heartbeat is fine at any time; a close message ends the connection, and what follows
        it is ignored."""
        for _, port in self.ports():
            connection = self.connect(port)
            connection.send(wire.message(wire.VALIDATE) * 3)
            self.assertEqual(connection.call(5, wire.identity("nobody"), "x").status, 2)
            connection.send(wire.message(wire.CLOSE) + wire.request(6, self.target(), "event"))
            self.assertTrue(connection.closes())
            self.check_bystander()

    def test_random_bytes(self):
        """Half of them behind a proper header, so that they reach the body's parser."""
        generator = random.Random(self.seed)
        for number in range(60):
            noise = generator.randbytes(generator.randrange(1, 400))
            if number % 2:
                kind = generator.choice([wire.REQUEST, wire.BATCH_REQUEST])
                noise = wire.message(kind, noise)
            for port_name, port in self.ports():
                with self.subTest(number=number, port=port_name, seed=self.seed):
                    connection = self.connect(port)
                    connection.send(noise)
                    connection.close()
        self.check_bystander()

    def test_broken_datagrams(self):
        """The publish port listens on udp as well."""
        generator = random.Random(self.seed)
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(sock.close)
        sock.connect(("127.0.0.1", self.broker.publish_port))
        whole = wire.request(0, wire.identity("nobody"), "event")
        for data in [b"", b"IceP", whole[:20], whole + b"more", wire.header(wire.REQUEST, 13),
                     wire.header(wire.REQUEST, 10**6), wire.message(wire.CLOSE),
                     wire.request(7, wire.identity("nobody"), "twoway"),
                     *(generator.randbytes(100) for _ in range(20))]:
            sock.send(data)
        self.check_bystander()
        subscriber = self.subscriber("after").activate()
        self.topic.subscribeAndGetPublisher({}, subscriber.proxy)
        datagram = self.publisher.ice_datagram()

        def one_arrives():
            datagram.ice_invoke("marker", Ice.OperationMode.Normal, wire.encapsulation())
            return subscriber.recorder.wait_for_operation("marker", 0.1)
        self.assert_eventually(one_arrives, "no datagram passes any more")


if __name__ == "__main__":
    unittest.main(verbosity=2)

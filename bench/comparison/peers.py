"""The brokers of other ecosystems."""

import os

from comparison.brokers import Broker
from comparison.processes import Child, wait_for_port
from servers import free_port


class Peer(Broker):
    """Subscribers are raw sinks that connect; the publisher uses the ecosystem's own client."""

    fast = True
    protocol = ""
    publisher = ""
    # What --mode and --group say to the publisher.
    publisher_mode = ""
    publisher_group = 100
    qos = 0

    @classmethod
    def serves(cls, row):
        return row.peers

    def start(self, row):
        self.port = self.publish_port = free_port()
        super().start(row)
        wait_for_port(self.port, self.process)

    def attach(self, topic, row, subscribers, events):
        sink = self.sink(topic, subscribers, events)
        try:
            sink.line()
        except BaseException:
            sink.kill()
            raise
        return sink

    def sink(self, topic, subscribers, events):
        return Child([self.environment.program("bench_sink"), "--protocol", self.protocol,
                      "--port", self.port, "--topic", topic, "--subscribers", subscribers,
                      "--events", events, "--qos", self.qos])

    def publish(self, topics, row, events):
        return Child([self.environment.program(self.publisher), "--port", self.publish_port,
                      "--topic", topics[0], "--events", events, "--bytes", row.bytes, "--rate",
                      row.rate, "--group", self.publisher_group]
                     + (["--mode", self.publisher_mode] if self.publisher_mode else []))

    def config(self, text):
        path = os.path.join(self.folder, "broker.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class Nats(Peer):
    name = "nats"
    title = "NATS"
    packages = ("nats-server", "libnats-dev")
    needs = ("nats-server", "bench_nats_publisher", "bench_sink")
    version_command = ("nats-server", "--version")
    protocol = "nats"
    publisher = "bench_nats_publisher"

    def launch(self, row):
        # Nobody is cut off for being slow.
        path = self.config(f"host: 127.0.0.1\nport: {self.port}\nmax_payload: 8MB\n"
                           "max_pending: 2GB\nwrite_deadline: \"60s\"\n")
        self.process = Child([self.environment.program("nats-server"), "-c", path])


class Redis(Peer):
    name = "redis"
    title = "Redis"
    packages = ("redis-server", "libhiredis-dev")
    needs = ("redis-server", "bench_redis_publisher", "bench_sink")
    version_command = ("redis-server", "--version")
    protocol = "redis"
    publisher = "bench_redis_publisher"

    def launch(self, row):
        path = self.config(f"bind 127.0.0.1\nport {self.port}\nsave \"\"\nappendonly no\n"
                           "client-output-buffer-limit pubsub 0 0 0\n")
        self.process = Child([self.environment.program("redis-server"), path], folder=self.folder)


class Mosquitto(Peer):
    name = "mosquitto"
    title = "Mosquitto QoS 0"
    packages = ("mosquitto", "libmosquitto-dev")
    needs = ("mosquitto", "bench_mqtt_publisher", "bench_sink")
    version_command = ("mosquitto", "-h")
    fast = False
    protocol = "mqtt"
    publisher = "bench_mqtt_publisher"
    publisher_mode = "0"
    publisher_group = 200

    def launch(self, row):
        # As root it would become another user, who may not read its folder.
        user = "user root\n" if os.geteuid() == 0 else ""
        path = self.config(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n{user}"
                           "persistence false\nmax_inflight_messages 0\nmax_queued_messages 0\n"
                           "max_queued_bytes 0\nlog_type error\n")
        self.process = Child([self.environment.program("mosquitto"), "-c", path])


class MosquittoQos1(Mosquitto):
    name = "mosquitto-qos1"
    title = "Mosquitto QoS 1"
    publisher_mode = "1"
    qos = 1


class ZeroMq(Peer):
    """A proxy of ours on libzmq's own zmq_proxy."""

    name = "zeromq"
    title = "ZeroMQ proxy"
    packages = ("libzmq3-dev",)
    needs = ("bench_zmq_proxy", "bench_zmq_publisher", "bench_sink")
    version_command = ("bench_zmq_proxy", "--version")
    protocol = "zmtp"
    publisher = "bench_zmq_publisher"

    def launch(self, row):
        self.publish_port = free_port()
        self.process = Child([self.environment.program("bench_zmq_proxy"), self.publish_port,
                              self.port])

    def attach(self, topic, row, subscribers, events):
        """Nothing acknowledges a subscription: probes are published until all have had one."""
        sink = self.sink(topic, subscribers, events)
        probe = Child([self.environment.program(self.publisher), "--port", self.publish_port,
                       "--topic", topic, "--probe"])
        try:
            sink.line()
        except BaseException:
            sink.kill()
            raise
        finally:
            probe.kill()
        return sink

"""The brokers that speak Ice: ours, the packaged IceStorm, and the floor."""

import contextlib
import importlib.util
import os

from comparison.brokers import Broker
from comparison.processes import Child
from servers import RunFailure, free_port, icebox_arguments

READY_SECONDS = 20
DEFAULT_MESSAGE_BYTES = 1 << 20
MESSAGE_SIZE_KB = 8192


class IceSink(Broker):
    """What the Ice brokers share: subscribers listen, and publishers have proxies."""

    @classmethod
    def serves(cls, row):
        return True

    def attach(self, topic, row, subscribers, events):
        program = "bench_ice_subscribers" if row.kind == "real" else "bench_sink"
        command = [self.environment.program(program), "--subscribers", subscribers,
                   "--events", events]
        if row.endpoints:
            command += ["--endpoints", min(row.endpoints, subscribers)]
        sink = Child(command)
        try:
            ports = sink.json()["ports"]
            self.subscribe(topic, row, subscribers, ports)
        except BaseException:
            sink.kill()
            raise
        return sink

    def subscribe(self, topic, row, subscribers, ports):
        raise NotImplementedError

    def publisher_proxy(self, topic):
        raise NotImplementedError

    def publish(self, topics, row, events):
        proxies = "".join(self.publisher_proxy(topic) + "\n" for topic in topics)
        return Child([self.environment.program("bench_ice_publisher"), "--mode", row.mode,
                      "--events", events, "--bytes", row.bytes, "--rate", row.rate,
                      "--connections", row.connections], stdin_text=proxies)


class Floor(IceSink):
    name = "floor"
    title = "floor"
    needs = ("bench_floor", "bench_sink", "bench_ice_publisher")
    fast = True

    def launch(self, row):
        self.process = Child([self.environment.program("bench_floor")])
        self._port = int(self.process.line())

    @classmethod
    def serves(cls, row):
        return row.subscriber_mode == "oneway" and row.kind in (
            "flood", "rate", "memory", "real")

    def start(self, row):
        super().start(row)
        self._topic = None

    def subscribe(self, topic, row, subscribers, ports):
        for number in range(subscribers):
            self.process.tell(f"connect {ports[number % len(ports)]} {number}\n")
            if self.process.line() != "connected":
                raise RunFailure("the floor did not connect to a subscriber")

    def publisher_proxy(self, topic):
        return f"floor:tcp -h 127.0.0.1 -p {self._port}"


class TopicBroker(IceSink):
    """IceStorm and what is compatible: topics are made and subscribed to through its manager."""

    @classmethod
    def missing(cls, environment):
        if importlib.util.find_spec("IceStorm") is None:
            return "Ice for Python is missing (packages: python3-zeroc-ice)"
        return super().missing(environment)

    def start(self, row):
        self.manager_port, self.publish_port = free_port(), free_port()
        self._topics = {}
        self._sinks = 0
        super().start(row)
        try:
            self._await_ready()
            self._communicator = _communicator()
        except BaseException:
            self.stop()
            raise

    def properties(self, row):
        result = {
            "IceStorm.TopicManager.Endpoints": f"tcp -h 127.0.0.1 -p {self.manager_port}",
            "IceStorm.Publish.Endpoints": f"tcp -h 127.0.0.1 -p {self.publish_port}",
        }
        if row.bytes > DEFAULT_MESSAGE_BYTES:
            result["Ice.MessageSizeMax"] = str(MESSAGE_SIZE_KB)
        if row.kind == "frozen":
            # IceStorm's own way to bound memory; neither broker has a bound by default.
            result["IceStorm.Send.QueueSizeMax"] = "16"
            result["IceStorm.Send.QueueSizeMaxPolicy"] = "DropEvents"
        return result

    def _await_ready(self):
        while self.process.line(READY_SECONDS) != "IceStorm ready":
            pass

    def subscribe(self, topic, row, subscribers, ports):
        with _ice_failures():
            self._subscribe(topic, row, subscribers, ports)

    def _subscribe(self, topic, row, subscribers, ports):
        import IceStorm
        manager = IceStorm.TopicManagerPrx.uncheckedCast(self._communicator.stringToProxy(
            f"IceStorm/TopicManager:tcp -h 127.0.0.1 -p {self.manager_port}"))
        self._sinks += 1
        qos = {"reliability": "ordered"} if row.subscriber_mode == "ordered" else {}
        option = "-o" if row.subscriber_mode == "oneway" else "-t"
        # Subscriber i belongs to topic i / (subscribers of a topic).
        names = topic if isinstance(topic, list) else [topic]
        share = subscribers // len(names)
        for number in range(subscribers):
            name = names[number // share]
            if name not in self._topics:
                self._topics[name] = manager.create(name)
            port = ports[number % len(ports)]
            proxy = self._communicator.stringToProxy(
                f"sink{self._sinks}/{number} {option}:tcp -h 127.0.0.1 -p {port}")
            self._topics[name].subscribeAndGetPublisher(qos, proxy)

    def publisher_proxy(self, topic):
        with _ice_failures():
            return self._communicator.proxyToString(self._topics[topic].getPublisher())

    def stop(self):
        communicator = getattr(self, "_communicator", None)
        if communicator:
            communicator.destroy()
            self._communicator = None
        super().stop()


@contextlib.contextmanager
def _ice_failures():
    """A call that the broker does not answer as it should ends the run, not the whole."""
    import Ice
    try:
        yield
    except Ice.Exception as error:
        raise RunFailure(f"a call to the broker failed: {error!r}".split("\n", 1)[0]) from error


def _communicator():
    import Ice
    data = Ice.InitializationData()
    data.properties = Ice.createProperties()
    data.properties.setProperty("Ice.Default.InvocationTimeout", "30000")
    return Ice.initialize(data)


class Squall(TopicBroker):
    name = "squall"
    title = "Squall"
    needs = ("squalld", "bench_sink", "bench_ice_publisher")
    version_command = ("squalld", "--version")
    fast = True

    def launch(self, row):
        properties = self.properties(row)
        if self.environment.shards:
            properties["IceStorm.Publish.ThreadPool.Size"] = str(self.environment.shards)
        self.process = Child(
            [self.environment.program("squalld")]
            + [f"--{name}={value}" for name, value in properties.items()], folder=self.folder,
            env={**os.environ, "ICE_CONFIG": ""})


class IceStorm(TopicBroker):
    name = "icestorm"
    title = "IceStorm"
    packages = ("zeroc-icebox", "libzeroc-icestorm3.7")
    needs = ("icebox", "bench_sink", "bench_ice_publisher")
    version_command = ("icebox", "--version")
    # Not with the two threads that it gets here.
    keeps_order = False

    def launch(self, row):
        properties = {
            "IceStorm.Transient": "1",
            "IceStorm.Publish.ThreadPool.Size": "2",
            **self.properties(row),
        }
        self.process = Child(
            [self.environment.program("icebox"), *icebox_arguments(self.folder, properties)],
            folder=self.folder)

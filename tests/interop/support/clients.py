"""Subscribers that log all they see, and the publishing side, on the stock Python run time."""

import struct
import threading
from collections import namedtuple

import Ice

from support.wire import encapsulation, string

Event = namedtuple(
    "Event",
    "operation mode context payload encoding request_id transport connection facet identity")


def numbered(sequence, padding=0):
    """Event parameters that carry a sequence number (an int, then `padding` zero bytes)."""
    return encapsulation(struct.pack("<i", sequence) + bytes(padding))


def client_communicator(**properties):
    """A client's run time. One server thread, so that dispatch follows the order of arrival, and a
    bound on every call, so that a broker that does not answer fails a test and hangs none."""
    data = Ice.InitializationData()
    data.properties = Ice.createProperties()
    settings = {
        "Ice.Default.Host": "127.0.0.1",
        "Ice.Default.InvocationTimeout": "30000",
        "Ice.ThreadPool.Server.Size": "1",
        "Ice.Warn.Connections": "0",
        "Ice.Warn.Dispatch": "0",
    }
    settings.update({name.replace("_", "."): value for name, value in properties.items()})
    for name, value in settings.items():
        data.properties.setProperty(name, value)
    return Ice.initialize(data)


def success(current):
    return True, encapsulation(encoding=(current.encoding.major, current.encoding.minor))


def user_exception(_current):
    """A user exception of a type nobody knows, in the compact format of encoding 1.1."""
    return False, encapsulation(b"\x20" + string("::Test::Complaint"))


def raising(exception):
    """An answer that raises: local exceptions become their reply status."""
    def answer(_current):
        raise exception
    return answer


class Recorder(Ice.Blobject):
    """A servant that logs every request and answers by `answer(current)`.

    Threads: dispatched by the run time's threads; the test's thread reads under the condition."""

    def __init__(self, answer=success):
        super().__init__()
        self.answer = answer
        self._changed = threading.Condition()
        self._events = []

    def ice_invoke(self, params, current):
        info = current.con.getInfo()
        event = Event(current.operation, current.mode, dict(current.ctx), bytes(params[6:]),
                      (current.encoding.major, current.encoding.minor), current.requestId,
                      current.con.type(), (info.localPort, info.remotePort), current.facet,
                      Ice.identityToString(current.id))
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()
        return self.answer(current)

    @property
    def events(self):
        with self._changed:
            return list(self._events)

    def sequence_numbers(self):
        return [struct.unpack("<i", e.payload[:4])[0] for e in self.events
                if e.operation == "event"]

    def wait_for(self, count, deadline=10):
        """True once at least `count` events are there."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._events) >= count, deadline)

    def wait_for_operation(self, operation, deadline=10):
        """True once an event of that operation is there."""
        with self._changed:
            return self._changed.wait_for(
                lambda: any(e.operation == operation for e in self._events), deadline)


class HoldingRecorder(Recorder):
    """A recorder that keeps its answers back until release()."""

    def __init__(self):
        super().__init__(self._hold)
        self._lock = threading.Lock()
        self._held = []
        self._released = False

    def _hold(self, current):
        with self._lock:
            if self._released:
                return success(current)
            future = Ice.Future()
            self._held.append((future, success(current)))
            return future

    def release(self):
        """Answers all that is held, and everything from now on at once."""
        with self._lock:
            self._released = True
            held, self._held = self._held, []
        for future, answer in held:
            future.set_result(answer)


class Subscriber:
    """One servant on an adapter of its own. The adapter listens from the start but says nothing
    until activate()."""

    def __init__(self, communicator, identity, recorder=None, endpoints="tcp -h 127.0.0.1"):
        self.recorder = recorder or Recorder()
        self.identity = Ice.stringToIdentity(identity)
        self.adapter = communicator.createObjectAdapterWithEndpoints(Ice.generateUUID(), endpoints)
        self.proxy = self.adapter.add(self.recorder, self.identity)

    def activate(self):
        self.adapter.activate()
        return self

    @property
    def port(self):
        return self.proxy.ice_getEndpoints()[0].getInfo().port

    def close(self):
        if isinstance(self.recorder, HoldingRecorder):
            self.recorder.release()
        self.adapter.destroy()


def publish(publisher, sequence, context=None):
    """One event(sequence) through the given proxy, in the proxy's own mode."""
    arguments = ("event", Ice.OperationMode.Normal, numbered(sequence))
    if context is None:
        publisher.ice_invoke(*arguments)
    else:
        publisher.ice_invoke(*arguments, context)

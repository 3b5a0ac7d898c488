"""What both clock programs need: the options, and the topic of a Squall or IceStorm broker."""

import os
import sys
import time

import Ice

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(_HERE))
Ice.loadSlice("", ["-I" + Ice.getSliceDir(), os.path.join(_ROOT, "slice", "IceStorm.ice")])
Ice.loadSlice("", [os.path.join(_HERE, "Clock.ice")])

import IceStorm  # noqa: E402  (loadSlice has just defined it)

_RETRY_INTERVAL = 0.5


class BrokerNotFound(Exception):
    """No topic: the text says what was tried and what to do."""


def add_options(parser):
    """The options that both programs have."""
    parser.add_argument("--host", default="127.0.0.1", help="host of the broker")
    parser.add_argument("--port", type=int, default=10000, help="port of its topic manager")
    parser.add_argument("--wait", type=float, default=0, help="seconds to wait for the broker")
    parser.add_argument("--topic", default="clock", help="topic of the ticks")
    parser.add_argument("--count", type=int, default=0, help="end after this many ticks; 0: never")


def _find_manager(communicator, options):
    """The finder knows the manager, whatever the broker's instance name. IceStorm 3.7 has no finder
    when it keeps nothing on disk; then the manager is looked for under its default name."""
    finder = communicator.stringToProxy(
        f'IceStorm/Finder:tcp -h "{options.host}" -p {options.port}')
    try:
        return IceStorm.FinderPrx.uncheckedCast(finder).getTopicManager()
    except Ice.ObjectNotExistException:
        manager = finder.ice_identity(Ice.Identity("TopicManager", "IceStorm"))
        return IceStorm.TopicManagerPrx.uncheckedCast(manager)


def _retrieve_or_create(manager, name):
    """createOrRetrieve in calls that IceStorm 3.7 knows too."""
    try:
        return manager.retrieve(name)
    except IceStorm.NoSuchTopic:
        pass
    try:
        return manager.create(name)
    except IceStorm.TopicExists:
        # Another program created it between the two calls.
        return manager.retrieve(name)


def find_topic(communicator, options):
    """The topic, created when there is none; tries for options.wait seconds, once at least."""
    deadline = time.monotonic() + options.wait
    broker = f"the broker (tcp -h {options.host} -p {options.port})"
    is_announced = False
    while True:
        try:
            return _retrieve_or_create(_find_manager(communicator, options), options.topic)
        except Ice.ObjectNotExistException as error:
            reason = f"it answers, but has no object {Ice.identityToString(error.id)}"
        except Ice.ConnectionRefusedException:
            reason = "nothing is listening there"
        except Ice.Exception as error:
            reason = error.ice_id()
        if time.monotonic() >= deadline:
            raise BrokerNotFound(
                f"cannot find topic '{options.topic}' at {broker}: {reason}; start the broker with "
                "`squalld`, or give its address with --host and --port, or --wait SECONDS for it")
        if not is_announced:
            print(f"waiting up to {options.wait:g} s for {broker}: {reason}", file=sys.stderr)
            is_announced = True
        time.sleep(_RETRY_INTERVAL)


def endpoint_towards(broker):
    """An adapter's endpoint: a free port on the interface that leads to the broker."""
    info = broker.ice_getConnection().getInfo()
    while info is not None and not isinstance(info, Ice.IPConnectionInfo):
        info = info.underlying
    return f'tcp -h "{info.localAddress}"' if info else "tcp"


def run(name, main):
    """Runs main() and exits, with one plain line when it fails."""
    try:
        main()
    except BrokerNotFound as error:
        sys.exit(f"{name}: {error}")
    except Ice.Exception as error:
        sys.exit(f"{name}: lost the broker: {error.ice_id()}")
    except KeyboardInterrupt:
        pass

#!/usr/bin/python3
"""Prints the time that a clock publisher publishes: subscriber.py [--count N] [--wait SECONDS] ..."""

import argparse
import signal
import sys
import threading

import Ice

import broker
import Example  # defined by broker's loadSlice


class PrintingClock(Example.Clock):
    """Prints ticks; sets `done` after `count` of them (0: never)."""

    def __init__(self, count, done):
        self._left = count
        self._done = done

    def tick(self, seconds, text, current):
        print(text, flush=True)
        self._left -= 1
        if self._left == 0:
            self._done.set()


def main():
    with Ice.initialize(sys.argv) as communicator:
        parser = argparse.ArgumentParser(description="Prints the time that a publisher publishes")
        broker.add_options(parser)
        options = parser.parse_args(sys.argv[1:])
        done = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: done.set())

        topic = broker.find_topic(communicator, options)
        adapter = communicator.createObjectAdapterWithEndpoints(
            "clock", broker.endpoint_towards(topic))
        # Oneway: the broker does not wait for this program's replies.
        me = adapter.addWithUUID(PrintingClock(options.count, done)).ice_oneway()
        adapter.activate()
        topic.subscribeAndGetPublisher({}, me)
        print(f"subscribed to {options.topic}", flush=True)
        done.wait()
        topic.unsubscribe(me)


broker.run("subscriber.py", main)

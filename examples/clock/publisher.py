#!/usr/bin/python3
"""Publishes the time: publisher.py [--count N] [--interval SECONDS] [--wait SECONDS] ..."""

import argparse
import itertools
import sys
import time

import Ice

import broker
import Example  # defined by broker's loadSlice


def main():
    with Ice.initialize(sys.argv) as communicator:
        parser = argparse.ArgumentParser(description="Publishes the time")
        broker.add_options(parser)
        parser.add_argument("--interval", type=float, default=1, help="seconds between ticks")
        options = parser.parse_args(sys.argv[1:])

        topic = broker.find_topic(communicator, options)
        # Every operation on this proxy is an event. With ice_oneway() it would be sent without
        # waiting for the broker's reply.
        clock = Example.ClockPrx.uncheckedCast(topic.getPublisher())
        for number in range(options.count) if options.count else itertools.count():
            if number > 0:
                time.sleep(options.interval)
            now = time.time()
            text = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
            clock.tick(int(now), text)
            print(f"sent {text}", flush=True)


broker.run("publisher.py", main)

"""What both drivers need to start brokers: a port, and how the packaged IceStorm is run."""

import os
import random
import socket

# Below Linux's ephemeral range, so that no outgoing connection takes a port between look and use.
PORT_RANGE = (12000, 32000)


class RunFailure(Exception):
    """A run that did not go as it must; the text says why."""


def free_port():
    for _ in range(1000):
        port = random.randint(*PORT_RANGE)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise RunFailure(f"no free port between {PORT_RANGE[0]} and {PORT_RANGE[1]}")


def icebox_arguments(folder, properties):
    """The arguments with which icebox runs IceStorm with these properties; its file is in
    `folder`."""
    properties = {
        "IceBox.Service.IceStorm": "IceStormService,37:createIceStorm",
        "IceBox.PrintServicesReady": "IceStorm",
        "IceBox.InheritProperties": "1",
        **properties,
    }
    config = os.path.join(folder, "icebox.config")
    with open(config, "w", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in properties.items())
    return [f"--Ice.Config={config}"]

"""Peers that do not behave: what the tests subscribe to see a delivery fail."""

import threading

from support import wire


class RefusingPort:
    """Accepts each connection and closes it at once, and counts them: every attempt to reach the
    subscriber that seems to live here is seen, and fails."""

    def __init__(self, port=0):
        self._listener = wire.RawListener(port)
        self.port = self._listener.port
        self.attempts = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._stopping = False
        self._thread.start()

    def _run(self):
        while not self._stopping:
            try:
                connection = self._listener.accept(validate=False)
                # Counted before the broker can see the attempt fail.
                self.attempts += 1
                connection.close()
            except OSError:
                pass

    def close(self):
        self._stopping = True
        wire.RawConnection.knock(self.port)
        self._thread.join()
        self._listener.close()

"""An HTTP server on loopback that stops at once: one of the library looks only now and then whether it is to stop."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class QuietHandler(BaseHTTPRequestHandler):
    """Logs nothing, and sends an answer in as few packets as it may: of several small ones each waits for the last."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *args: object) -> None:
        pass


class LoopbackServer(ThreadingHTTPServer):
    """Each request in a thread of its own, on a free port."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self._stopping = threading.Event()
        self._accepting = threading.Thread(target=self._accept, daemon=True)

    def start(self) -> None:
        self._accepting.start()

    def stop(self) -> None:
        self._stopping.set()
        # It waits for a connection, so that is what wakes it.
        socket.create_connection(self.server_address[:2]).close()
        self._accepting.join()
        self.server_close()

    def _accept(self) -> None:
        while not self._stopping.is_set():
            self.handle_request()

    def handle_error(self, *args: object) -> None:
        """Clients that hang up are part of the tests."""

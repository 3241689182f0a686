"""The modules of the pages in a browser, without a table: they are served, and can be imported."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, Self

import pi_table

PAGES: Final = Path(next(iter(pi_table.__path__))) / "screens" / "web" / "pages"
_EMPTY: Final = b"<!doctype html><title>Modules</title>"


class Modules:
    """A context in which the files of the pages are served under ``/static/``."""

    def __enter__(self) -> Self:
        handler = partial(_Files, directory=str(PAGES))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Files(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/static/"):
            self.path = self.path.removeprefix("/static")
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(_EMPTY)

    def log_message(self, format: str, *args: Any) -> None:
        pass

"""A server of updates on loopback that speaks Eclipse hawkBit's Direct Device Integration API, as
its documents have it (https://eclipse.dev/hawkbit/rest-api/ddi/). It has one table, and one update
for it at a time; the groups of a rollout are the business of a real one."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

TENANT, TABLE, TOKEN = "DEFAULT", "table-7", "2e8ae1a2"
BASE = f"/{TENANT}/controller/v1/{TABLE}"


class DdiServer:
    """The server's update, and the table's reports."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.action: int | None = None
        """The action that the table has not closed yet."""
        self.cancelled = False
        self.files: dict[str, bytes] = {}
        self.handling = "forced"
        self.window: str | None = None
        self.spoilt: dict[str, Any] = {}
        """Wrong values for the next answer about a file, in place of the true ones."""
        self.cut_after: int | None = None
        """Bytes after which the next download breaks off."""
        self.surplus = 0
        """Bytes that come after a file, whose length is not told."""
        self.refuses: dict[str, int] = {}
        """Status of the next answer to a path with this word."""
        self.sends_to: dict[str, str] = {}
        """Address to which everybody is redirected from a path with this word."""
        self.says: dict[str, bytes] = {}
        """Wrong answers by the end of a path, in place of the true ones."""
        self.confirmed = True
        self.attributes: dict[str, str] | None = None
        self.feedback: list[tuple[str, str, str, str]] = []
        """Of each report: for which action, its execution, what is finished, and details."""
        self.asked_from: list[int] = []
        """Where each download began."""

    def assign(self, action: int, **files: bytes) -> None:
        """Assign an update to the table, as a rollout does when its group's turn has come."""
        self.action, self.cancelled = action, False
        self.files = {name.replace("_", "."): data for name, data in files.items()}

    def closed(self) -> list[tuple[str, str]]:
        """Return the closed actions, each with its result."""
        return [(action, end) for action, how, end, _ in self.feedback if how == "closed"]

    # What is answered

    def poll(self) -> dict[str, Any]:
        links: dict[str, Any] = {}
        if self.attributes is None:
            links["configData"] = {"href": f"{self.address}{BASE}/configData"}
        if self.action is not None and self.cancelled:
            links["cancelAction"] = {"href": f"{self.address}{BASE}/cancelAction/{self.action}"}
        elif self.action is not None:
            kind = "deploymentBase" if self.confirmed else "confirmationBase"
            links[kind] = {"href": f"{self.address}{BASE}/{kind}/{self.action}?c=-2127183556"}
        return {"config": {"polling": {"sleep": "00:05:00"}}, "_links": links}

    def deployment(self) -> dict[str, Any]:
        artifacts = [
            {
                "filename": name,
                "hashes": {
                    "sha1": hashlib.sha1(data).hexdigest(),
                    "md5": hashlib.md5(data).hexdigest(),
                    "sha256": hashlib.sha256(data).hexdigest(),
                },
                "size": len(data),
                "_links": {"download-http": {"href": f"{self.address}{BASE}/artifacts/{name}"}},
                **self.spoilt,
            }
            for name, data in self.files.items()
        ]
        told: dict[str, Any] = {
            "download": self.handling,
            "update": self.handling,
            "chunks": [{"part": "os", "version": "2", "name": "pi-table", "artifacts": artifacts}],
        }
        if self.window is not None:
            told["maintenanceWindow"] = self.window
        return {"id": str(self.action), "deployment": told}

    def report(self, path: str, said: dict[str, Any]) -> int:
        """Record a table's report of an action, and return the status of the answer."""
        kind, action = path.split("/")[-3:-1]
        if action != str(self.action):
            return 410
        assert said["id"] == action
        status = said["status"]
        finished = status["result"]["finished"]
        self.feedback.append((action, status["execution"], finished, " ".join(status["details"])))
        if status["execution"] == "closed":
            assert finished in ("success", "failure")
            self.action = None
        elif kind == "cancelAction" and status["execution"] == "rejected":
            self.cancelled = False
        return 200


class _Handler(BaseHTTPRequestHandler):
    ddi: DdiServer

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, status: int, data: bytes = b"", kind: str = "application/hal+json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _is_known(self) -> bool:
        """True if the table asks and gets its answer here. If not, the refusal is sent."""
        ddi = self.ddi
        for word, status in ddi.refuses.items():
            if word in self.path:
                del ddi.refuses[word]
                self._answer(status)
                return False
        for word, address in ddi.sends_to.items():
            if word in self.path:
                self.send_response(302)
                self.send_header("Location", address)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return False
        known = self.headers["Authorization"] == f"TargetToken {TOKEN}"
        if not known:
            self._answer(401)
        return known

    def do_GET(self) -> None:
        ddi, path = self.ddi, urlsplit(self.path).path
        if not self._is_known():
            return
        for end, data in ddi.says.items():
            if path.endswith(end):
                self._answer(200, data)
                return
        if path == BASE:
            told = ddi.poll()
        elif path == f"{BASE}/deploymentBase/{ddi.action}":
            told = ddi.deployment()
        elif path == f"{BASE}/cancelAction/{ddi.action}":
            told = {"id": str(ddi.action), "cancelAction": {"stopId": str(ddi.action)}}
        elif path.startswith(f"{BASE}/artifacts/"):
            self._send_file(ddi.files[path.rpartition("/")[2]])
            return
        else:
            self._answer(404)
            return
        self._answer(200, json.dumps(told).encode())

    def _send_file(self, data: bytes) -> None:
        ddi, begin = self.ddi, 0
        if asked := self.headers["Range"]:
            begin = int(asked.removeprefix("bytes=").removesuffix("-"))
        ddi.asked_from.append(begin)
        self.send_response(206 if asked else 200)
        if not ddi.surplus:
            self.send_header("Content-Length", str(len(data) - begin))
        self.end_headers()
        end = len(data) if ddi.cut_after is None else begin + ddi.cut_after
        self.wfile.write(data[begin:end])
        ddi.cut_after = None
        self.close_connection = True
        with suppress(OSError):
            self.wfile.write(bytes(ddi.surplus))

    def do_PUT(self) -> None:
        if not self._is_known():
            return
        assert self.path == f"{BASE}/configData"
        said = self._said()
        assert said["mode"] == "merge"
        self.ddi.attributes = said["data"]
        self._answer(200)

    def do_POST(self) -> None:
        if not self._is_known():
            return
        if not self.path.endswith("/feedback"):
            self._answer(404)
            return
        self._answer(self.ddi.report(self.path, self._said()))

    def _said(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        return said


@contextmanager
def serving() -> Iterator[DdiServer]:
    """A server that listens on loopback."""

    class Handler(_Handler):
        pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        Handler.ddi = DdiServer(f"http://127.0.0.1:{http.server_port}")
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Handler.ddi
        finally:
            http.shutdown()
            thread.join()

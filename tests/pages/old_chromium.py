"""An old Chromium, driven by a Playwright that is years younger.

Playwright sends some commands that an old Chromium does not know. A relay between them answers
these with an empty result.
"""

import json
import re
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Final, Self

import pytest
from playwright.sync_api import Browser, Playwright
from table_with_pages import until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.sync.server import ServerConnection, serve

OLDEST: Final = 79
"""The oldest version that the pages support."""
TOO_OLD: Final = 78
in_old_and_new = pytest.mark.parametrize(
    "chromium", [None, OLDEST], ids=["new", "oldest"], indirect=True
)
"""Runs a test in Debian's Chromium, then in the oldest supported one."""
FOLDER: Final = Path(__file__).parents[2] / "build/browsers"
_FLAGS: Final = (
    *(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ),
    *("--no-first-run", "--remote-debugging-port=0", "about:blank"),
)
_WEBSOCKET: Final[dict[str, Any]] = {"max_size": None, "compression": None, "ping_interval": None}
"""How both sides of the relay speak. The old browser does not answer pings."""
_NOT_KNOWN: Final = -32601
"""The error of a command that the browser does not know."""
_FILLED_IN: Final = """
Element.prototype.checkVisibility = function () { return this.getClientRects().length > 0; };
"""
_OURS: Final = 2**30
"""The number of our own commands: no test sends as many."""


class OldChromium:
    """A context in which a Chromium of this version runs."""

    def __init__(self, playwright: Playwright, version: int) -> None:
        self._playwright = playwright
        self._program = FOLDER / f"chromium-{version}"
        assert self._program.exists(), f"{self._program} is missing: run '.ci/setup.sh pages'."

    def __enter__(self) -> Browser:
        self._folder = tempfile.TemporaryDirectory(prefix="pt-", dir="/tmp")
        command = [str(self._program), f"--user-data-dir={self._folder.name}", *_FLAGS]
        log = subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdout=log, stderr=log)
        written = Path(self._folder.name) / "DevToolsActivePort"
        until(lambda: written.exists() and written.read_text().count("\n") == 1)
        port, path = written.read_text().split("\n")
        self._relay = _Relay(f"ws://127.0.0.1:{port}{path}")
        return self._playwright.chromium.connect_over_cdp(self._relay.__enter__().url)

    def __exit__(self, *_: object) -> None:
        self._relay.__exit__()
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()


class _Relay:
    def __init__(self, browser: str) -> None:
        self._browser = browser
        self._server = serve(self._connected, "127.0.0.1", 0, **_WEBSOCKET)
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()

    def _connected(self, client: ServerConnection) -> None:
        with connect(self._browser, **_WEBSOCKET) as browser:
            threading.Thread(target=_answer, args=(browser, client), daemon=True).start()
            try:
                for text in client:
                    browser.send(_in_old_words(str(text)))
            except ConnectionClosed:
                pass


def _in_old_words(command: str) -> str:
    """A command whose scripts this browser can read and run. Only Playwright's own world is given
    what it needs: the world of the page stays as it is."""
    read: dict[str, Any] = json.loads(command)
    if read["method"] == "Page.addScriptToEvaluateOnNewDocument" and "worldName" in read["params"]:
        read["params"]["source"] = _FILLED_IN
    elif read["method"] == "Runtime.callFunctionOn":
        return re.sub(r"\b(\w+)\?\.(?=[a-z])", r"\1 && \1.", command)
    return json.dumps(read)


def _answer(browser: ClientConnection, client: ServerConnection) -> None:
    """Pass on the browser's messages. A new page is attached first, as young browsers do it."""
    made: dict[str, str] = {}
    try:
        for text in browser:
            message: dict[str, Any] = json.loads(text)
            if message.get("error", {}).get("code") == _NOT_KNOWN:
                del message["error"]
                message["result"] = {}
            if target := message.get("result", {}).get("targetId"):
                made[target] = json.dumps(message)
                attach = {"targetId": target, "flatten": True}
                browser.send(
                    json.dumps({"id": _OURS, "method": "Target.attachToTarget", "params": attach})
                )
            elif message.get("id") != _OURS:
                client.send(json.dumps(message))
            if message.get("method") == "Target.attachedToTarget":
                target = message["params"]["targetInfo"]["targetId"]
                if target in made:
                    client.send(made.pop(target))
    except ConnectionClosed:
        pass

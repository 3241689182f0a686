"""Time from storing an act to painting it on a board, in Debian's Chromium, with fifty viewers:
from an act's line on the public socket to the frame that shows it. `make pages-bench`."""

import json
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import Queue
from typing import Final

from playwright.sync_api import Page, sync_playwright

sys.path.extend(map(str, Path(__file__).parents[1:3]))

from table_with_pages import TIMEOUT_SECONDS, TableWithPages, until

from pi_table.lab.bench.measurement import percentiles
from pi_table.lab.bench.web import Looking

OTHERS: Final = 49
"""Viewers besides the board that is measured."""
ACTS: Final = 300
REST: Final = 0.1
"""Seconds of rest after each act."""
SIZE: Final = {"width": 1920, "height": 1080}

_WATCH: Final = """
() => {
    window.painted = [];
    const note = () => window.painted.push(performance.timeOrigin + performance.now());
    // A frame's callbacks run before it is painted; a message that they post comes after it.
    const channel = new MessageChannel();
    channel.port1.onmessage = note;
    let asked = false;
    const drawn = () => { asked = false; channel.port2.postMessage(null); };
    new MutationObserver(() => { if (!asked) { asked = true; requestAnimationFrame(drawn); } })
        .observe(document.getElementById("title"),
                 {subtree: true, childList: true, characterData: true});
}
"""


def main() -> None:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pt-", dir="/tmp"))
        table = stack.enter_context(TableWithPages(Path(folder)))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        stack.callback(browser.close)
        table.console.do("start", profile="codenames")
        for _ in range(OTHERS):
            viewer = Looking(table.port, "127.0.0.1")
            stack.callback(viewer.close)
            assert viewer.is_shown(), "there is no place for so many viewers"
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        page.goto(table.url)
        page.locator("[data-name=A1]").wait_for()
        page.evaluate(_WATCH)
        seconds = [*painted(table, page)]
    print(
        json.dumps({"name": "pages/news_to_paint", **percentiles(seconds), "viewers": OTHERS + 1})
    )


def painted(table: TableWithPages, page: Page) -> Iterator[float]:
    """The seconds that each of many acts took until it was painted."""
    public = Public(table.folder / "public.sock")
    for number in range(ACTS):
        before = page.evaluate("painted.length")
        at = public.next()
        table.console.do(("pause", "resume")[number % 2])
        until(partial(page.evaluate, f"painted.length > {before}"))
        yield page.evaluate(f"painted[{before}]") / 1000 - at.get(timeout=TIMEOUT_SECONDS)
        time.sleep(REST)
    public.close()


class Public:
    """The public socket, and when each line came."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._next: Queue[float] | None = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def next(self) -> "Queue[float]":
        """Where the time of the next line will be, in seconds since 1970."""
        self._next = Queue()
        return self._next

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._socket.close()

    def _read(self) -> None:
        with self._socket.makefile("rb") as lines:
            for _ in lines:
                waits, self._next = self._next, None
                if waits is not None:
                    waits.put(time.time())


if __name__ == "__main__":
    main()

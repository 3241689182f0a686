"""Times between the frames of the board's scenes, in Debian's Chromium on a slowed CPU: deal, clue,
reveal, end. `make pages-bench`."""

import json
import shutil
import sys
import tempfile
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

sys.path.extend(map(str, Path(__file__).parents[1:3]))

from recorded_table import RecordedTable

from pi_table.lab.bench.measurement import percentiles
from pi_table.lab.recording import Message, record_messages
from pi_table.lab.walks import walks

SLOWED: Final = 4
FRAME: Final = 1 / 60
"""Seconds from a frame to the next one, at best."""
SCENES: Final = {
    "deal": ("begins", 5.0),
    "clue": ("clue", 2.6),
    "reveal": ("right", 2.5),
    "end": ("win", 10.0),
}
"""For each scene the announcement whose message begins it, and seconds until it ends."""

_WATCH: Final = """
(seconds) => new Promise((done) => {
    const times = [];
    const frame = (now) => {
        times.push(now / 1000);
        if (now / 1000 - times[0] < seconds) requestAnimationFrame(frame);
        else done(times);
    };
    requestAnimationFrame(frame);
})
"""


def main() -> None:
    lines = walks("en")["codenames"]
    game = [message for _, message in record_messages(lines, lines[-1]["at"] + 10.0)]
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pt-", dir="/tmp"))
        table = stack.enter_context(RecordedTable(Path(folder)))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        stack.callback(browser.close)
        table.show(game[0])
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(table.url)
        page.locator("[data-page=start]").wait_for()
        slow = page.context.new_cdp_session(page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        for name, (what, seconds) in SCENES.items():
            at = next(n for n, m in enumerate(game) if what in kinds(m) - kinds(game[n - 1]))
            table.show(game[at])
            times = page.evaluate(_WATCH, seconds)
            between = [then - now for now, then in pairwise(times)]
            dropped = sum(round(each / FRAME) - 1 for each in between)
            figures = {**percentiles(between), "dropped": dropped}
            print(json.dumps({"name": f"pages/frames/{name}", **figures, "slowed": SLOWED}))


def kinds(message: Message) -> set[str]:
    """The kinds of a message's announcements."""
    return {said["what"] for said in message["said"]}


if __name__ == "__main__":
    main()

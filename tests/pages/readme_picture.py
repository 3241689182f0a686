"""Takes the picture of pi_table/screens/web/README.md anew: a simulated table in its window, its
board and a spymaster's phone, all of one game and one instant.

`.venv-pages/bin/python tests/pages/readme_picture.py`
"""

import shutil
import socket
import sys
import tempfile
import time
from contextlib import ExitStack
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

import pygame
from people import Phone
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

sys.path.extend([str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "simulator")])

from at_the_window import Player, window
from ports import free_port
from table_with_pages import ROOT, until
from xvfb import screen

from pi_table.common.geometry import CELLS
from pi_table.protocols.ipc.messages import Answer, ToConsole
from pi_table.simulator import layout
from pi_table.simulator.whole import CONSOLE_X, FRAME, WIDTH
from pi_table.simulator.window import ABOVE, BESIDE

PICTURE: Final = ROOT / "pi_table/screens/web/table-board-phone.png"
BOARD: Final = (1280, 720)
PHONE: Final = (390, 780)
TALL: Final = 560
"""Pixels of the picture's height within its margin."""
MARGIN: Final = 20
GROUND: Final = (20, 16, 12)
WORD: Final = "overture"
FADED: Final = 6.0
"""Seconds after which nothing is left of what followed a guess."""


class Watcher(Player):
    """A player who also hears what links the phones of seats have."""

    links: tuple[str, ...] = ()

    def _heard(self) -> list[ToConsole]:
        heard = super()._heard()
        for each in heard:
            if isinstance(each, Answer) and isinstance(each.told, dict) and "link" in each.told:
                self.links += (each.told["link"],)
        return heard


def main() -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pt-", dir="/tmp")))
        xvfb = stack.enter_context(screen(folder, WIDTH + BESIDE, layout.HEIGHT + ABOVE))
        port = free_port()
        _, told = stack.enter_context(
            window(xvfb, folder, "--web", str(port), "--profile", "codenames")
        )
        player = Watcher(xvfb, told, folder)
        stack.enter_context(player)
        player.wait(lambda: len(player.links) == 2, "the links of both spymasters")
        until(lambda: answers(port))

        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        stack.callback(browser.close)
        address = f"http://127.0.0.1:{port}"
        board = opened(browser.new_page, address, BOARD)
        team = player.public.turn.value
        link = player.links[("red", "blue").index(team)]
        page = opened(browser.new_page, address + link, PHONE)
        phone = Phone(page)
        phone.is_there()

        key = phone.key()
        phone.give(WORD, 3)
        found = [name for name in CELLS if key[name] == team][:2]
        for name in found:
            covered = partial(is_covered, player, name)
            player.hold(CELLS.index(name), covered, f"{name} to be covered")
            expect(board.locator(f"[data-name={name}]")).to_have_attribute("data-what", team)
        time.sleep(FADED)
        with phone.held():
            expect(page.locator("section.head")).to_contain_text("2 guesses left")
            shown = xvfb.picture()
            side_by_side(
                Image.frombytes("RGB", shown.get_size(), pygame.image.tobytes(shown, "RGB")).crop(
                    (0, 0, CONSOLE_X - FRAME, layout.HEIGHT)
                ),
                Image.open(BytesIO(board.screenshot())),
                Image.open(BytesIO(page.screenshot())),
            ).save(PICTURE, optimize=True)


def answers(port: int) -> bool:
    """True if somebody listens at this port already."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def opened(new_page: "type[Page]", url: str, size: tuple[int, int]) -> Page:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(url)
    return page


def is_covered(player: Player, name: str) -> bool:
    return player.public.cells[name].covered is not None


def side_by_side(*pictures: Image.Image) -> Image.Image:
    """Pictures in a row, each as tall as the row but no wider than the widest may be."""
    fitted = [each.convert("RGB") for each in pictures]
    for at, each in enumerate(fitted):
        scale = min(TALL / each.height, 720 / each.width)
        fitted[at] = each.resize((round(each.width * scale), round(each.height * scale)), 1)
    width = sum(each.width + MARGIN for each in fitted) + MARGIN
    whole = Image.new("RGB", (width, TALL + 2 * MARGIN), GROUND)
    left = MARGIN
    for each in fitted:
        whole.paste(each, (left, MARGIN + (TALL - each.height) // 2))
        left += each.width + MARGIN
    return whole


if __name__ == "__main__":
    main()

"""Every page has its icon, and the board can be put on a home screen."""

import json
import re
from typing import Final

import pytest
from PIL import Image

from pi_table.screens.web.files import FOLDER, KINDS
from pi_table.screens.web.site import PAGES

MANIFEST: Final = json.loads((FOLDER / "manifest.webmanifest").read_text("utf-8"))
ICONS: Final = [(icon["src"], icon["sizes"], icon["type"]) for icon in MANIFEST["icons"]]


def _linked(page: str, rel: str) -> list[str]:
    html = (FOLDER / page).read_text("utf-8")
    return re.findall(rf'<link rel="{rel}" href="([^"]+)"', html)


@pytest.mark.parametrize("page", PAGES.values())
def test_every_page_links_its_icons(page: str) -> None:
    assert _linked(page, "icon") == ["/static/icon.svg"]
    assert _linked(page, "apple-touch-icon") == ["/static/icon-180.png"]
    with Image.open(FOLDER / "icon-180.png") as icon:
        assert icon.size == (180, 180)


def test_the_board_alone_has_a_manifest_for_it_begins_with_the_board() -> None:
    linked = {page: _linked(page, "manifest") for page in PAGES.values()}
    assert linked == {page: [] for page in PAGES.values()} | {
        PAGES[MANIFEST["start_url"]]: ["/static/manifest.webmanifest"]
    }


@pytest.mark.parametrize(("address", "sizes", "kind"), ICONS)
def test_an_icon_of_the_manifest_is_there_and_as_large_as_it_says(
    address: str, sizes: str, kind: str
) -> None:
    path = FOLDER / address.removeprefix("/static/")
    assert KINDS[path.suffix] == kind
    if sizes == "any":
        assert "viewBox" in path.read_text("utf-8")
    else:
        with Image.open(path) as icon:
            assert "x".join(map(str, icon.size)) == sizes


def test_a_browser_finds_the_sizes_that_it_asks_for_to_install_it() -> None:
    assert {"192x192", "512x512"} <= {sizes for _, sizes, _ in ICONS}
    assert any(icon.get("purpose") == "maskable" for icon in MANIFEST["icons"])

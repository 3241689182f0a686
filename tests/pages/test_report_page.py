"""The collector's report in a browser: what is wrong and what to do stand in the first screen."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from pi_table.common.language import Lang
from pi_table.fleet.collector.figures import Figures, Period, Played, Trouble
from pi_table.fleet.collector.report_page import page

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.pages

DESK: Final = (1280, 800)
PHONE: Final = (390, 844)
WET: Final = "Something wet, or an arm, is on the table: wipe it dry, or lift the arm."


def figures(bars: dict[str, int]) -> Figures:
    """A month of tables in these bars, so many in each, and the month before; one table of the
    last bar was never played, and another has a fault."""
    found = Figures(Period(date(2026, 11, 1), date(2026, 11, 30)))
    found.before = Figures(Period(date(2026, 10, 1), date(2026, 10, 31)))
    found.bars = {
        f"{bar or 'table'}-{at}": bar for bar, count in bars.items() for at in range(count)
    }
    found.known = found.before.known = frozenset(found.bars)
    found.before.bars = found.bars
    found.zone, found.end = UTC, datetime(2026, 12, 1, tzinfo=UTC)
    dead = [*found.bars][-1] if len(found.bars) > 1 else None
    for month, of in ((11, found), (10, found.before)):
        for day in range(30):
            at = datetime(2026, month, 1, 20, tzinfo=UTC) + timedelta(days=day)
            games = [
                Played(table, bar, "codenames", "en", at, False, 1200.0, "red", False, True)
                for table, bar in found.bars.items()
                if table != dead
            ]
            of.add(games, UTC)
    ill = next(iter(found.bars))
    found.troubles = (Trouble(ill, WET, 1, 54 * 3600.0, still=True),)
    found.faulty = {ill: 54 * 3600.0}
    return found


@pytest.mark.parametrize(
    ("name", "bars"),
    [("one", {"": 1}), ("chain", {"milano": 5, "napoli": 5, "porto": 5, "roma": 5})],
)
@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_what_is_wrong_and_what_to_do_stands_in_the_first_screen(
    name: str,
    bars: dict[str, int],
    lang: Lang,
    size: tuple[int, int],
    tmp_path: Path,
    opened: Callable[..., "Page"],
    picture: Callable[["Page", str], None],
) -> None:
    file = tmp_path / "report.html"
    file.write_text(page(figures(bars), (), lang), "utf-8")
    report = opened(file.as_uri(), size)
    picture(report, f"report-{name}-{lang}-{size[0]}")
    rows = report.locator(".wrong tbody tr")
    assert rows.count() == (1 if name == "one" else 2)
    for cell in rows.locator("td").all():
        box = cell.bounding_box()
        if box is None:  # a line for nothing is left out where each cell has its own
            assert size == PHONE
            assert cell.text_content() in ("", "–")
            continue
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
    if size == DESK:
        for cell in report.locator(".bars tbody td").all():
            box = cell.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= size[0]
            assert box["y"] + box["height"] <= size[1]
    assert report.evaluate("document.documentElement.scrollWidth") <= size[0]

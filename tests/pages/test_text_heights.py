"""The sizes of texts on every surface, as `pi-table legibility` measures them."""

import pytest
from playwright.sync_api import Playwright

from pi_table.lab.legibility import Row, play_moments, rows, table
from pi_table.lab.surfaces import CONSOLE, ENDED, PAGES

pytestmark = pytest.mark.pages


def test_all_that_must_be_read_to_play_can_be_read(playwright: Playwright) -> None:
    found = [*rows(playwright)]
    assert [row for row in found if row.is_too_small] == []
    assert "below 16" not in table(found)
    groups = {row.group for row in found}
    for named in ({*CONSOLE}, *({*page.groups} for page in PAGES)):
        assert named <= groups, "an idle selector"


@pytest.mark.parametrize(("millimetres", "is_too_small"), [(1.62, True), (1.64, False)])
def test_capitals_of_16_minutes_are_large_enough(millimetres: float, is_too_small: bool) -> None:
    row = Row("phone", "words", 10.0, millimetres, 350.0)
    assert row.is_too_small == is_too_small
    assert ("yes, below 16" in table([row])) == is_too_small
    assert not row._replace(needless="out of play").is_too_small


def test_the_ended_game_of_codex_has_ended() -> None:
    moments = [each for page in PAGES for each in page.moments if each.game == ENDED]
    for _, stage in play_moments(moments, "en"):
        view = stage.messages[-1][1]["view"]
        assert (view["phase"], view["outcome"]["why"]) == ("over", "code")

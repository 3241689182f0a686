"""The length of an answer to a desk."""

from collections.abc import Callable

import pytest
from desk_page import desk_at
from virtual_table import VirtualTable

from pi_table.table.engine.desk import line


def test_an_answer_that_is_too_long_is_refused_and_the_desk_goes_on(
    make_table: Callable[..., VirtualTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_at(make_table())
    length = len(str(desk.ask("settings")["told"]))
    monkeypatch.setattr(line, "MAX_ANSWER_BYTES", length // 2)
    answer = desk.ask("settings")
    assert (answer["ok"], answer["reason"], answer["told"]) == (False, "too-long", None)
    assert "ask for less" in answer["sentence"]
    assert desk.ask("state")["open"]
    monkeypatch.setattr(line, "MAX_ANSWER_BYTES", 4 * length)
    assert desk.ask("settings")["ok"]

"""Limits: the lines that show a list's habit, and the characters of a line that is taken apart."""

import pytest

from pi_table.games.words.shape import Mark, habits_of, split_markup


@pytest.mark.parametrize(("lines", "is_habit"), [(4, False), (5, True)])
def test_fewer_than_five_lines_show_no_habit(lines: int, is_habit: bool) -> None:
    assert habits_of([f"{number} APPLE" for number in range(lines)]).numbers == is_habit


def test_a_line_of_more_than_200_signs_is_not_taken_apart() -> None:
    habits = habits_of([])
    fits = "1. " + "A" * 197
    assert split_markup(fits, habits).marks == (Mark.NUMBER,)
    assert not split_markup(f"{fits}A", habits).marks


def test_a_line_of_more_than_200_signs_shows_no_habit() -> None:
    fits = "1 " + "A" * 198
    assert habits_of([fits] * 5).numbers
    assert not habits_of([f"{fits}A"] * 5).numbers

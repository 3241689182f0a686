"""Laying out real cards: the console leads from cell to cell, and never shows the key there."""

import pytest
from exploring import next_cards
from msgspec.structs import replace
from playing import KEY, WORDS, Desk, RulesTable, choose
from test_hidden_key import TWIN

from pi_table.common.geometry import CELLS
from pi_table.common.language import LANGUAGES, Lang
from pi_table.devices.hal.contracts import Input
from pi_table.screens.console.layout import Layout
from pi_table.screens.console.scene import scene
from pi_table.screens.console.shapes import Rect, Text
from pi_table.screens.console.word_games.game_menu import Home
from pi_table.screens.console.word_games.key_on_screen import visible_key
from pi_table.screens.console.word_games.lay_out import LayOut, to_lay

PRESS, RIGHT, LEFT, BACK, PEEK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK, Input.PEEK
LAY_OUT = "Lay out the cards"
ALIAS_KEY = "rbrrbrbnbrab-nbrnbrnbnrnr"


def laying(table: RulesTable | None = None) -> Desk:
    """The first card is to be laid."""
    return choose(Desk(table or RulesTable().begin()), LAY_OUT)


def large(desk: Desk) -> list[str]:
    """Return the texts in the largest type, the largest first."""
    texts = [shape for shape in desk.scene if isinstance(shape, Text) and shape.size >= 38]
    return [str(text.text) for text in sorted(texts, key=lambda text: -text.size)]


def test_every_card_is_shown_with_its_cell_and_after_the_last_it_ends() -> None:
    desk = laying()
    seen = []
    for _ in CELLS:
        assert isinstance(desk.model.screen, LayOut)
        seen.append(large(desk))
        desk.happen(PRESS)
    assert seen == [[cell, word] for cell, word in reversed([*zip(CELLS, WORDS, strict=True)])]
    assert [type(screen) for screen in desk.model.screens] == [Home]
    assert desk.labels[desk.model.selected] == "Red gives the clue"
    assert desk.asked == []


def test_there_is_a_way_one_back() -> None:
    desk = laying()
    assert desk.labels == ["Next card"]
    desk.happen(PRESS, PRESS)
    assert large(desk) == ["C5", "WHALE"]
    desk.happen(RIGHT, PRESS)
    assert large(desk) == ["D5", "YARD"]
    desk.happen(PRESS)
    assert large(desk) == ["E5", "ZEBRA"]
    desk.happen(PRESS)
    assert large(desk) == ["D5", "YARD"]


def test_the_cell_is_highlighted_on_the_grid_and_only_what_lies_is_clear() -> None:
    desk = laying().happen(PRESS)
    marked = {
        (shape.x, shape.y)
        for shape in desk.scene
        if isinstance(shape, Rect) and shape.fill is None and shape.line is not None and shape.thick
    }
    d5 = Layout().cell(CELLS.index("D5"))
    assert marked == {(d5.x, d5.y)}
    inks = {shape.text: shape.colour for shape in desk.scene if isinstance(shape, Text)}
    assert inks["ZEBRA"] != inks["WHALE"] == inks["ANCHOR"]


@pytest.mark.parametrize("again", [False, True])
def test_whoever_lays_cards_never_sees_the_key(again: bool) -> None:
    # ALL-1: they are no spymasters.
    desks = []
    for key in (KEY, TWIN):
        desk = Desk(RulesTable(key=key).begin()).happen(PEEK)
        assert visible_key(desk.model) == key
        desks.append(desk.happen(RIGHT, PRESS))
    for _ in range(25):
        assert [type(desk.model.screen) for desk in desks] == [LayOut, LayOut]
        assert desks[0].scene == desks[1].scene
        assert "PEEK: show key" not in desks[0].texts
        for desk in desks:
            assert visible_key(desk.model) is None
            desk.happen(*[PEEK] * again, PRESS)
    assert desks[0].scene == desks[1].scene  # and it stays hidden when all cards lie
    assert desks[0].happen(PEEK).scene != desks[1].happen(PEEK).scene


def test_there_the_key_is_hidden_whatever_somebody_asked_for_before() -> None:
    # ALL-1
    desk = laying()
    assert visible_key(replace(desk.model, peeking=True)) is None


def test_it_is_offered_until_the_first_clue_only() -> None:
    table = RulesTable().begin()
    desk = laying(table)
    table.do("red-spymaster", "clue", number=2)
    assert len(desk.hear().model.screens) == 1
    assert LAY_OUT not in desk.labels
    table.do("red-operatives", "guess", cell="C1")
    desk.hear()
    assert "Blue gives the clue" in desk.labels
    assert LAY_OUT not in desk.labels


@pytest.mark.parametrize(
    "table",
    [
        RulesTable(words=False).begin(),
        RulesTable(dealing="shared", words=False).begin(),
        RulesTable(),
        RulesTable().begin().do("operator", "abandon"),
    ],
    ids=["own cards", "the teams lay them", "no game", "over"],
)
def test_otherwise_there_is_nothing_to_lead_through(table: RulesTable) -> None:
    assert LAY_OUT not in Desk(table).labels


def test_cards_that_the_teams_laid_are_not_laid_again() -> None:
    # DU-2: words are known then, but all cards lie.
    table = RulesTable(dealing="shared").begin()
    assert "Red gives the clue" in Desk(table).labels
    assert to_lay(table.message()) == ()


def test_a_cell_without_a_card_is_left_out() -> None:
    # AL-1
    table = RulesTable(key=ALIAS_KEY, profile="alias-24").begin()
    cells = to_lay(table.message())
    assert len(cells) == 24
    assert CELLS.index("C3") not in cells
    assert "Card 1 of 24" in laying(table).texts


def test_a_new_key_in_between_does_not_disturb() -> None:
    desk = laying().happen(PRESS, PRESS)
    desk.table.do("operator", "new-key")
    assert large(desk.hear()) == ["C5", "WHALE"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_while_teams_take_turns_the_next_card_is_seen_large(lang: Lang) -> None:
    # DU-2
    (model,) = next_cards(lang)
    texts = [shape for shape in scene(model, 0.0) if isinstance(shape, Text)]
    assert model.table is not None
    word = model.table.public.next_word  # type: ignore[union-attr]
    assert any(text.text == word and text.size == 34 for text in texts)
    laid = {"en": "1 of 25 cards are laid", "it": "Carte sul tavolo: 1 di 25"}
    team = {"en": "Blue lays a card", "it": "I Blu posano una carta"}
    assert {laid[lang], team[lang]} <= {str(text.text) for text in texts}


def test_own_cards_are_counted_too_and_no_score_is_shown_yet() -> None:
    # DU-2
    table = RulesTable(profile="deep-undercover", words=False).begin()
    for team, cell in (("red", "A1"), ("blue", "B1"), ("red", "C1")):
        table.do(f"{team}-operatives", "place", cell=cell)
    texts = Desk(table).texts
    assert {"3 of 25 cards are laid", "One of your own"} <= {*texts}
    assert "to find" not in texts

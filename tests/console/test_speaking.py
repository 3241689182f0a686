"""The language of the screens: the game's, or another that somebody chose; and none left out."""

import pytest
from exploring import STATES, explored, setups
from marked import marked, unmarked
from playing import ADDRESS, GAME_RECORD, RECORD, WORDS, Desk, RulesTable, choose

from pi_table.common.geometry import CELLS
from pi_table.common.language import LANGUAGES, Say
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.refusal import Reason
from pi_table.protocols.ipc.client import Connected
from pi_table.protocols.ipc.messages import Answer
from pi_table.screens.console.console_events import Typed
from pi_table.screens.console.how_to_play.pictures import EXAMPLES
from pi_table.screens.console.model import Model
from pi_table.screens.console.scene import scene
from pi_table.screens.console.shapes import Text
from pi_table.screens.console.word_games.clue_entry import Word
from pi_table.screens.console.word_games.game_menu import Welcome

__all__ = ["marked"]

PRESS, RIGHT, LEFT, BACK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK
SWITCH = "English · Italiano"
DATA = {
    ADDRESS,
    *(*WORDS, *CELLS, *LANGUAGES.values(), SWITCH, "FLIGHT", "F   L   I   G   H   T", "!"),
    *(f"{cell} {word}" for cell, word in zip(CELLS, WORDS, strict=True)),
    *(line["text"] for line in GAME_RECORD["lines"]),  # type: ignore[attr-defined]
    "The journal is damaged.",
    *("The disk is full.", "A1, C3"),
    *EXAMPLES,
}
"""Texts that are not translated: words, names, the table's finished texts, and faults."""


def left_out(model: Model) -> set[str]:
    """The texts on the screen that came past the catalogues."""
    typed = {model.screen.letters.upper()} if isinstance(model.screen, Word) else set()
    texts = {
        shape.text
        for shape in scene(model, 0.0)
        if isinstance(shape, Text) and not isinstance(shape.text, Say)
    }
    return {
        text
        for text in texts - DATA - typed
        if any(sign.isalpha() for sign in unmarked(text)) and len(text) > 1
    }


@pytest.mark.parametrize("state", STATES)
@pytest.mark.usefixtures("marked")
def test_every_text_on_every_screen_comes_through_the_catalogues(state: str) -> None:
    for model in explored(state).models:
        assert not left_out(model), model.screen


@pytest.mark.usefixtures("marked")
def test_so_does_every_setting_and_every_screen_without_a_table() -> None:
    for model in setups("en"):
        assert not left_out(model)
    assert not left_out(Model())


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("reason", Reason)
def test_so_does_every_refusal(reason: Reason) -> None:
    desk = Desk(RulesTable().begin())
    desk.happen(Answer(99, False, reason.value, reason.sentence))
    assert not left_out(desk.model)
    assert f"«{reason.sentence}»" in desk.texts


def test_what_was_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing is marked here, so everything but data is found.
    assert {"Would you like to play?", "More…"} <= left_out(Desk(RulesTable()).model)


def test_the_screen_speaks_the_language_of_the_game() -> None:
    desk = Desk(RulesTable(lang="it").begin())
    assert "Indizio dei Rossi" in desk.texts
    assert "I Rossi danno l’indizio" in desk.labels


def test_a_refusal_is_told_in_the_language_of_the_screen() -> None:
    desk = Desk(RulesTable(lang="it").begin())
    desk.happen(Answer(99, False, "paused", Reason.PAUSED.sentence))
    assert "La partita è in pausa: prima riprendetela." in desk.texts


def test_somebody_can_change_the_language_and_change_it_back() -> None:
    desk = choose(Desk(RulesTable().begin()), "More…", SWITCH)
    assert "Indizio dei Rossi" in desk.texts
    assert desk.asked == []
    choose(desk, SWITCH)
    assert "Red’s clue" in desk.texts


def test_the_chosen_language_is_the_peoples_and_stays_through_their_games() -> None:
    desk = choose(Desk(RulesTable().begin()), "More…", SWITCH)
    desk.table.do("red-spymaster", "clue", number=2)
    assert "Tocca ai Rossi" in desk.hear().texts
    desk.table.do("operator", "abandon")
    assert "Non vince nessuno" in desk.hear().texts
    desk.table.begin()  # in English
    assert "Indizio dei Rossi" in desk.hear().texts
    again = Desk(desk.table)  # a screen that was switched off knows nobody's choice
    assert "Red’s clue" in again.texts


def test_before_the_first_game_the_language_can_be_chosen_too() -> None:
    desk = choose(Desk(RulesTable()), "More…", SWITCH)
    desk.happen(BACK)
    assert desk.labels[0] == "Il gioco classico"
    assert [type(screen) for screen in desk.model.screens] == [Welcome]


def test_a_game_begins_in_the_language_that_was_chosen_in_its_setup() -> None:
    desk = choose(Desk(RulesTable()), "The classic game", "Language")
    choose(desk, "Inizia: la conosciamo")
    assert desk.asked[0]["options"] == {"lang": "it"}
    assert "I Rossi danno l’indizio" in desk.labels


def test_while_the_table_is_away_the_screen_keeps_its_language() -> None:
    desk = Desk(RulesTable(lang="it").begin()).happen(Connected())
    assert "Collegamento al tavolo…" in desk.texts


def test_the_record_is_asked_for_in_the_language_of_the_screen() -> None:
    desk = choose(Desk(RulesTable().begin().do("operator", "abandon")), "More…", SWITCH)
    choose(desk, "Partite giocate").happen(PRESS)
    assert [do["lang"] for do in desk.asked] == ["it", "it"]
    assert f"Partita {RECORD[0]['number']}" in desk.texts


@pytest.mark.parametrize(("lang", "accented"), [("en", False), ("it", True)])
def test_a_clue_is_typed_with_the_letters_of_its_language(lang: str, accented: bool) -> None:
    # CL-4
    desk = Desk(RulesTable(lang=lang).begin()).happen(PRESS, Typed("c"))
    assert ({*"ÀÈÉÌÒÙ"} <= {*desk.labels}) == accented
    assert {*"ABCXYZ-'"} <= {*desk.labels}


def test_a_word_with_an_accent_can_be_given_by_encoder() -> None:
    desk = Desk(RulesTable(lang="it").begin()).happen(PRESS, Typed("c"))
    choose(desk, "È", "Fatto", "1", "I Rossi danno questo indizio")
    assert desk.asked[0]["word"] == "cè"

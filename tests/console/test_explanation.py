"""A game that explains itself on the hidden screen, until people know it or switch it off."""

from codex_table import CodexTable, desk
from playing import KEY, OTHER_KEY, Desk, RulesTable, choose

from pi_table.common.language import translate
from pi_table.devices.hal.contracts import Input
from pi_table.screens.console.explanation import explanation
from pi_table.screens.console.word_games.key_on_screen import visible_key

CLUE = "Red’s spymaster says one word, and how many of their cards it is about. The others wait."
COLOURS = "Cards in your team’s colour are yours to give clues for."


def explaining(key: str = KEY, **options: object) -> Desk:
    return Desk(RulesTable(key=key, explain=True, **options).begin())  # type: ignore[arg-type]


def explained(at: Desk) -> str | None:
    """Return the explanation on the screen; it must be there."""
    words = explanation(at.model, visible_key(at.model))
    said = None if words is None else translate(words, "en")
    assert said is None or said in at.texts
    return said


def test_the_step_that_has_come_is_explained_below_the_menu() -> None:
    at = explaining()
    assert explained(at) == CLUE
    at.table.do("red-spymaster", "clue", number=2)
    assert explained(at.hear()) == (
        "Red talks it over, then holds a finger on a card until its light is full. One guess must "
        "be made."
    )


def test_no_other_game_is_explained() -> None:
    assert explained(Desk(RulesTable().begin())) is None


def test_who_sees_the_key_is_told_how_to_read_it_and_the_same_of_any_key() -> None:
    # ALL-1
    said = [explained(explaining(key).happen(Input.PEEK)) for key in (KEY, OTHER_KEY)]
    assert said[0] == said[1]
    assert said[0] is not None
    assert said[0].startswith(COLOURS)


def test_while_the_others_guess_the_key_is_not_explained_again() -> None:
    at = explaining().happen(Input.PEEK)
    at.table.do("red-spymaster", "clue", number=2)
    said = explained(at.hear())
    assert said is not None
    assert said.startswith("Red talks it over")


def test_it_can_be_switched_off_and_on_again() -> None:
    at = choose(explaining(), "More…", "Explanations on or off")
    assert "No more explanations." in at.texts
    assert explanation(at.happen(Input.BACK, Input.BACK).hear().model) is None
    at.table.do("red-spymaster", "clue", number=2)
    assert explanation(at.hear().model) is None
    at.table.do("red-operatives", "guess", cell="C1")
    at.hear()
    choose(at, "More…", "Explanations on or off")
    assert explained(at.happen(Input.BACK, Input.RIGHT)) == CLUE.replace("Red", "Blue")


def test_only_a_game_that_explains_itself_offers_to_switch_it_off() -> None:
    assert "Explanations on or off" in choose(explaining(), "More…").labels
    assert "Explanations on or off" not in choose(Desk(RulesTable().begin()), "More…").labels


def test_the_next_game_goes_on_where_this_one_stopped_explaining() -> None:
    at = explaining()
    for _ in range(3):
        at.table.do("operator", "abandon")
        at.hear()
        at.table.begin()
        at.hear()
    assert explained(at) is None  # the clue has come for the fourth time


def test_a_notice_goes_before_an_explanation() -> None:
    at = explaining()
    at.happen(Input.RIGHT)
    at = choose(at, "More…", "Explanations on or off", "Explanations on or off")
    assert "Each phase is explained." in at.texts
    assert CLUE not in at.texts


def test_the_agents_of_codex_are_told_too_at_every_door() -> None:
    at = desk(CodexTable(visit_starts="ready", explain=True))
    assert explained(at) == (
        "In your visit, send one message. It is true, and nobody sees who sent it."
    )


def test_the_switch_is_a_line_of_the_next_game() -> None:
    at = choose(Desk(RulesTable()), "The classic game")
    choose(choose(at, "House rules…", "Explain as we go").happen(Input.BACK), "Start the game")
    assert at.asked[-1]["options"] == {"explain": True}
    assert explained(at) == CLUE

"""The other word games at the table: what fingers do in them, what words they get, what lights."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from shipped_packs import shipped_pack
from virtual_table import ANSWERED, RED_KEY, SEEN_OUT, VirtualTable

from pi_table.common.geometry import CELLS
from pi_table.common.house_settings import House
from pi_table.devices.lights.colours import VIOLET, dim
from pi_table.games.announcer.announcement import TENSION
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import Identity
from pi_table.lab.seeing.srgb import luminance
from pi_table.table.engine.dealing import Shelf

MakeTable = Callable[..., VirtualTable]
ENGLISH = shipped_pack("english")
ITALIAN = shipped_pack("italiano")
LATE = shipped_pack("after-dark")
SHELF = Shelf((LATE, ENGLISH, ITALIAN))


def words(table: VirtualTable) -> list[str]:
    return [cell.word for cell in table.view.cells.values()]


# Laying out the cards


@pytest.fixture
def laying(make_table: MakeTable) -> VirtualTable:
    """A table at which the teams are about to lay out cards of their own."""
    table = make_table()
    table.start(dealing="shared")
    return table


def test_a_touch_lays_a_card_and_the_other_team_is_next(laying: VirtualTable) -> None:  # DU-2
    first = laying.view.turn
    laying.hold("B2")
    assert laying.view.placed == ("B2",)
    assert laying.view.turn is first.other
    laying.touch("B2")
    laying.advance(0.05)
    assert laying.flashes("B2")
    assert laying.view.placed == ("B2",)


def test_the_lights_lead_through_the_laying_out(laying: VirtualTable) -> None:  # DU-2
    laying.hold("B2")
    empty: dict[Team | None, int] = {}
    for cell in ("C3", "D4"):
        laying.advance(SEEN_OUT)
        empty[laying.view.turn] = laying.light("A1")
        assert luminance(laying.light("B2")) < 0.2 * luminance(laying.light("A1"))
        laying.hold(cell)
    assert channel(empty[Team.RED], 16) > 1.5 * channel(empty[Team.BLUE], 16)
    assert channel(empty[Team.BLUE], 0) > 1.5 * channel(empty[Team.RED], 0)


def channel(colour: int, shift: int) -> int:
    return colour >> shift & 0xFF


def test_the_key_is_drawn_when_the_grid_is_full_and_not_before(laying: VirtualTable) -> None:
    # DU-2
    for cell in CELLS[:-1]:
        assert laying.key is None
        laying.hold(cell)
    assert laying.key is None
    laying.hold(CELLS[-1])
    assert laying.key == RED_KEY.letters
    assert laying.view.phase.value == "clue"


def test_the_pads_mean_nothing_while_cards_are_laid_out(laying: VirtualTable) -> None:  # DU-2
    for pad in ("end-turn", "hourglass"):
        laying.touch(pad)
        laying.advance(0.05)
        assert laying.flashes(pad)
        laying.release(pad)
        laying.advance(2.0)
    assert laying.view.placed == ()


@pytest.fixture
def handed(make_table: MakeTable) -> VirtualTable:
    """A table at which the teams are about to lay out the words of their hands."""
    table = make_table(cards="dealt", shelf=SHELF)
    table.start(dealing="shared")
    return table


def choose(table: VirtualTable, place: int) -> str:
    """The team whose turn it is chooses the card in this place of its hand: its word."""
    team = table.view.turn
    word = table.view.hands.of(team)[place]
    table.do("choose", f"{team.value}-operatives", word=word)
    return str(word)


def test_a_touch_lays_the_chosen_card(handed: VirtualTable) -> None:  # DU-2
    first = handed.view.turn
    assert {len(handed.view.hands.of(team)) for team in Team} == {13, 12}
    choose(handed, 3)
    word = choose(handed, 7)
    handed.hold("D4")
    assert handed.view.cells["D4"].word == word
    assert word not in handed.view.hands.of(first)
    assert handed.view.turn is first.other
    assert handed.view.next_word == handed.view.hands.of(first.other)[0]


def test_a_card_that_is_chosen_while_a_finger_holds_is_the_one_that_is_laid(
    handed: VirtualTable,
) -> None:
    # DU-2: what the screens show then is what comes to lie
    handed.touch("D4")
    handed.advance(0.2)
    word = choose(handed, 5)
    handed.advance(1.0)
    handed.release("D4")
    assert handed.view.cells["D4"].word == word


def test_hands_and_the_choice_are_there_after_the_power_was_off(
    handed: VirtualTable, make_table: MakeTable
) -> None:
    # DU-2: they stand in the journal
    handed.hold("A1")
    word = choose(handed, 4)
    seen = handed.view
    handed.switch_off()
    again = make_table(handed.path, cards="dealt", shelf=SHELF)
    assert again.view == seen
    again.hold("B1")
    assert again.view.cells["B1"].word == word


def test_the_card_that_the_operator_takes_back_is_in_its_hand(handed: VirtualTable) -> None:
    # ALL-3
    before = handed.view.hands
    word = choose(handed, 9)
    handed.hold("A1")
    choose(handed, 2)
    handed.do("correct")
    assert (handed.view.hands, handed.view.next_word) == (before, word)
    assert handed.view.placed == ()


def test_a_table_that_was_switched_off_still_takes_back_an_abandon(
    handed: VirtualTable, make_table: MakeTable
) -> None:
    # ALL-2, ALL-3
    choose(handed, 9)
    handed.hold("A1")
    before = handed.view
    handed.do("abandon")
    handed.switch_off()
    again = make_table(handed.path, cards="dealt", shelf=SHELF)
    again.do("correct")
    assert (again.view.cells, again.view.hands) == (before.cells, before.hands)
    assert again.view.outcome is None
    again.hold("B1")
    assert again.view.placed == ("A1", "B1")


def test_a_word_that_is_not_in_the_teams_hand_is_refused(handed: VirtualTable) -> None:  # DU-2
    seat = f"{handed.view.turn.value}-operatives"
    (others,) = (handed.view.hands.of(team) for team in Team if team is not handed.view.turn)
    for act in ("choose", "place"):
        verdict = handed.ask(act, seat, word=others[0], cell="A1")
        assert (verdict.reason, verdict.sentence) == (
            "not-in-hand",
            "That word is not in your team’s hand: choose one that is.",
        )


def test_guests_words_are_in_the_hands(make_table: MakeTable) -> None:  # DU-2, DU-3
    table = make_table(cards="dealt", shelf=SHELF)
    options = {"dealing": "shared"}
    table.do("start", profile="codenames", options=options, blanks=["our joke", "Nonna"])
    dealt = {word for team in Team for word in table.view.hands.of(team)}
    assert {"OUR JOKE", "NONNA"} < dealt


def test_words_of_a_pack_are_laid_out_in_turn(make_table: MakeTable) -> None:  # DU-2
    table = make_table(cards="dealt", shelf=SHELF)
    table.start(dealing="shared")
    for cell in CELLS:
        word = table.view.next_word
        assert word in ENGLISH.words
        table.hold(cell)
        assert table.view.cells[cell].word == word
    assert len({*words(table)}) == 25


# Words


def test_words_are_of_the_games_language(make_table: MakeTable) -> None:  # NC-1
    table = make_table(cards="dealt", shelf=SHELF)
    table.do("start", profile="nome-in-codice")
    assert {*words(table)} <= {*ITALIAN.words}
    table.do("abandon")
    table.do("start", profile="nome-in-codice", options={"lang": "en"})
    assert {*words(table)} <= {*ENGLISH.words}


def test_a_language_without_a_pack_is_refused(make_table: MakeTable) -> None:
    table = make_table(cards="dealt")
    verdict = table.ask("start", profile="nome-in-codice")
    assert (verdict.ok, verdict.reason) == (False, "unusable")
    assert "'it'" in str(verdict.sentence)


def test_words_for_adults_are_dealt_only_where_the_operator_allows_them(
    make_table: MakeTable,
) -> None:  # DU-1
    table = make_table(cards="dealt", shelf=SHELF)
    late: dict[str, Any] = {"profile": "deep-undercover", "options": {"dealing": "table"}}
    assert "after-dark" not in [pack.name for pack in table.message.packs]
    assert not table.ask("start", **late, pack="after-dark").ok
    table.do("start", **late)
    assert {*words(table)} <= {*ENGLISH.words}
    table.switch_off()

    other = make_table(table.path, cards="dealt", shelf=SHELF, house=House(adults=True))
    other.do("abandon")
    assert "after-dark" in [pack.name for pack in other.message.packs]
    other.do("start", **late)
    assert {*words(other)} <= {*LATE.words}
    other.do("abandon")
    other.start()
    assert {*words(other)} <= {*ENGLISH.words}


def test_a_pack_can_be_chosen_and_the_next_game_deals_from_it_too(make_table: MakeTable) -> None:
    table = make_table(cards="own", shelf=SHELF)
    table.do("start", profile="codenames", cards="dealt", pack="italiano")
    first = {*words(table)}
    table.do("abandon")
    table.do("next")
    assert {*words(table)} <= {*ITALIAN.words}
    assert not {*words(table)} & first  # CN-23


def test_the_usual_pack_is_dealt_from_where_it_fits(make_table: MakeTable) -> None:
    ours = replace(ENGLISH, name="zoo", words=tuple(f"BEAST {number}" for number in range(30)))
    table = make_table(cards="dealt", shelf=Shelf((ENGLISH, ITALIAN, ours), usual="zoo"))
    table.start()
    assert all(word.startswith("BEAST") for word in words(table))
    table.do("abandon")
    table.do("start", profile="nome-in-codice")
    assert {*words(table)} <= {*ITALIAN.words}


def test_words_on_blank_cards_are_in_the_game_and_kept(make_table: MakeTable) -> None:  # DU-3
    kept: list[Any] = []
    table = make_table(cards="dealt", keep=lambda lang, words: kept.append((lang, words)))
    table.do("start", profile="codenames", blanks=["Our landlord", "Zorro"])
    assert {"OUR LANDLORD", "ZORRO"} < {*words(table)}
    assert kept == [("en", ("OUR LANDLORD", "ZORRO"))]
    table.do("abandon")
    table.do("next")
    assert not {"OUR LANDLORD", "ZORRO"} & {*words(table)}


@pytest.mark.parametrize(
    "blanks",
    [["x" * 15], ["cat", "CATS"], [""], [5], "word", [f"W{number}" for number in range(26)]],
)
def test_words_that_cannot_be_dealt_are_refused(make_table: MakeTable, blanks: Any) -> None:  # DU-3
    table = make_table(cards="dealt")
    assert table.ask("start", profile="codenames", blanks=blanks).reason == "unusable"
    assert table.view is None


# Alias 24


@pytest.mark.parametrize("nuke", ["basic", "mad"])
def test_the_centre_shows_the_nuke_and_is_no_cell(make_table: MakeTable, nuke: str) -> None:
    # AL-1, AL-11
    table = make_table(cards="dealt")
    table.do("start", profile="alias-24", options={"nuke": nuke})
    assert [name for name, cell in table.view.cells.items() if cell.word is None] == ["C3"]
    table.advance(SEEN_OUT)
    assert table.light("C3") == dim(VIOLET, 0.2)
    table.clue(0, table.view.turn.value)
    table.touch("C3")
    table.advance(0.05)
    assert table.flashes("C3")


def test_the_nuke_lights_up_when_it_is_armed(make_table: MakeTable) -> None:  # AL-11
    table = make_table()
    table.do("start", profile="alias-24", options={"nuke": "mad"})
    places = list(zip(CELLS, str(table.key), strict=True))
    harmless = [cell for cell, letter in places if letter == "n"]
    red, blue = ([cell for cell, letter in places if letter == team] for team in "rb")
    for cell in (harmless + red[1:] + blue[1:])[:13]:
        table.advance(SEEN_OUT)
        assert table.light("C3") == dim(VIOLET, 0.2)
        assert not table.view.nuke.armed
        if table.view.phase.value == "clue":
            table.clue(0, table.view.turn.value)
        table.hold(cell)
    assert table.view.nuke.armed
    assert table.light("C3") == dim(VIOLET, 0.2)  # until the guess is answered
    table.advance(SEEN_OUT)
    assert luminance(table.light("C3")) > 2 * luminance(dim(VIOLET, 0.2))


# A group


def test_a_group_is_asked_to_cover_and_no_touch_means_anything(make_table: MakeTable) -> None:
    # NC-4, ALL-1
    table = make_table()
    table.start(players="cooperative")
    table.clue(1)
    letters = RED_KEY.letters
    table.hold(CELLS[letters.index("n")])
    assert table.view.phase.value == "cover"
    table.advance(TENSION)
    for letter in "rb":
        cell = CELLS[letters.rindex(letter)]
        table.touch(cell)
        table.advance(0.05)
        assert table.flashes(cell)
        table.release(cell)
        table.advance(2.0)
    absent = CELLS[letters.index("b")]
    table.do("cover", "red-spymaster", cell=absent)
    table.advance(ANSWERED)
    assert table.lit_as(absent) is Identity.BLUE
    assert table.view.turn is Team.RED
    assert table.ask("look", "blue-spymaster").reason == "unknown-seat"

"""The lights, as a function of what everybody may know and where hands are."""

from dataclasses import dataclass
from itertools import combinations, pairwise

import pytest
from msgspec.structs import replace

from pi_table.engine.colours import AMBER, COVER, OFF
from pi_table.engine.intents import Hold
from pi_table.engine.lighting import (
    FRAME_SECONDS,
    REFUSED_SECONDS,
    WIPE_SECONDS,
    Attention,
    light,
)
from pi_table.geometry import CELL_COUNT, END_TURN, HOURGLASS, PLACE_COUNT, SIDE
from pi_table.hal.contracts import LightFrame
from pi_table.rules.countdown import Countdown
from pi_table.rules.outcome import Outcome, Why
from pi_table.rules.profile import Settings
from pi_table.rules.team import Team
from pi_table.rules.word_games.board import Board, Clue, Phase
from pi_table.rules.word_games.key import Identity, Key

KEY = Key.read("rrrrrrrrrbbbbbbbbnnnnnnna")
NOW = 1000.3
STILL = Attention()
CALM = Outcome(None, (), Why.STOPPED)


def board(phase: Phase = Phase.GUESS, turn: Team = Team.RED, **fields: object) -> Board:
    clue = Clue(turn, None, 2) if phase in (Phase.GUESS, Phase.CHALLENGE) else None
    plain = Board("codenames", Settings(), None, Team.RED, phase, turn, (9, 8), clue=clue)
    return replace(plain, **fields)


def covering(*identities: Identity) -> tuple[Identity | None, ...]:
    return (*identities, *(None,) * (CELL_COUNT - len(identities)))


def shown(
    board: Board | None, attention: Attention = STILL, urging: bool = False, now: float = NOW
) -> LightFrame:
    frame = light(board, attention, urging, now).frame
    assert len(frame) == PLACE_COUNT
    assert all(0 <= colour <= 0xFFFFFF for colour in frame)
    return frame


def brightness(colour: int) -> float:
    """How bright an LED of this colour looks, 0 … 1: the eye's weights of red, green and blue."""
    red, green, blue = colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


IN_PLAY = (Identity.BYSTANDER, Identity.RED, Identity.BLUE)
"""What can be covered while a game is being played."""
BOARDS = [
    board(phase, turn, covered=covering(*IN_PLAY), paused=paused)
    for phase in Phase
    if phase is not Phase.OVER
    for turn in Team
    for paused in (False, True)
]
BOARDS_OVER = [
    board(Phase.OVER, covered=covering(*IN_PLAY, Identity.ASSASSIN), outcome=outcome)
    for outcome in [
        CALM,
        *(Outcome(team, (team.other,), Why.ASSASSIN) for team in Team),
    ]
]


@pytest.mark.parametrize("board", BOARDS + BOARDS_OVER)
@pytest.mark.parametrize("urging", [False, True])
def test_a_covered_cell_is_unmistakable_whatever_its_hue(board: Board, urging: bool) -> None:
    for now in (NOW, NOW + 0.3, NOW + 0.75, NOW + 1.1):
        frame = shown(board, urging=urging, now=now)
        cells = list(zip(board.covered, frame[:CELL_COUNT], strict=True))
        darkest = min(brightness(colour) for covered, colour in cells if covered)
        brightest = max(brightness(colour) for covered, colour in cells if covered is None)
        assert darkest > 3 * brightest


def test_identities_are_told_apart_by_brightness_too() -> None:
    # A decoy looks like a bystander, and the nuke like the assassin.
    levels = sorted({brightness(colour) for colour in COVER.values()})
    assert all(above > 1.45 * below for below, above in pairwise(levels))


@pytest.mark.parametrize("board", BOARDS + BOARDS_OVER)
def test_all_uncovered_cells_look_alike(board: Board) -> None:  # ALL-1
    cells = zip(board.covered, shown(board)[:CELL_COUNT], strict=True)
    assert len({colour for covered, colour in cells if covered is None}) == 1


def test_it_shows_whose_turn_it_is_and_whether_they_may_touch() -> None:
    shows = {
        (phase, turn): shown(board(phase, turn))[0]
        for phase in (Phase.CLUE, Phase.GUESS)
        for turn in Team
    }
    assert len({*shows.values()}) == 4
    for turn in Team:
        assert brightness(shows[Phase.GUESS, turn]) > 1.3 * brightness(shows[Phase.CLUE, turn])
    red, blue = shows[Phase.GUESS, Team.RED], shows[Phase.GUESS, Team.BLUE]
    assert red >> 16 > red & 0xFF
    assert blue & 0xFF > blue >> 16


def test_the_end_turn_pad_is_lit_when_the_turn_may_be_ended() -> None:  # CN-12, CN-13, CN-26
    assert shown(board(guesses=0))[END_TURN] == OFF
    assert shown(board(guesses=1))[END_TURN] != OFF
    assert shown(board(Phase.CLUE))[END_TURN] == OFF
    assert shown(board(Phase.CHALLENGE))[END_TURN] == OFF


def test_the_hourglass_pad_is_lit_where_there_is_an_hourglass_and_brighter_at_its_end() -> None:
    # CN-24, CN-26
    with_glass = board(settings=Settings(timer="hourglass"))
    turned = replace(with_glass, countdown=Countdown(60.0, 0.0))
    assert shown(board())[HOURGLASS] == OFF
    levels = [
        brightness(shown(with_glass)[HOURGLASS]),
        brightness(shown(turned)[HOURGLASS]),
        brightness(shown(turned, urging=True)[HOURGLASS]),
    ]
    assert 0 < levels[0] < levels[1] < levels[2]


def test_a_pause_dims_everything() -> None:
    playing = board(covered=covering(*IN_PLAY))
    for before, after in zip(shown(playing), shown(replace(playing, paused=True)), strict=True):
        assert brightness(after) < 0.5 * brightness(before) or before == after == OFF


def test_without_a_game_the_cells_are_lit_alike_and_the_pads_are_dark() -> None:
    frame = shown(None)
    assert len({*frame[:CELL_COUNT]}) == 1
    assert brightness(frame[0]) > 0
    assert frame[CELL_COUNT:] == (OFF, OFF)


def test_the_end_of_a_game_looks_of_its_winner() -> None:
    grounds = {shown(over)[CELL_COUNT - 1] for over in BOARDS_OVER}
    assert len(grounds) == 3


def test_a_key_that_was_opened_is_shown_darker_than_what_was_covered() -> None:  # ALL-5
    over = board(Phase.OVER, outcome=CALM, covered=(Identity.RED, *(None,) * 24))
    frame = shown(replace(over, open_key=KEY))
    assert frame[0] == COVER[Identity.RED]
    for cell in range(1, CELL_COUNT):
        full = brightness(COVER[KEY.identity(cell)])
        assert 0 < brightness(frame[cell]) < 0.3 * full
    assert len({*frame[1:CELL_COUNT]}) == 4


# --- fingers


@dataclass
class Film:
    """The lights over a time, drawn whenever they want to be."""

    frames: list[tuple[float, LightFrame]]
    rests: float

    def of(self, place: int) -> list[int]:
        return [frame[place] for _, frame in self.frames]


def film(board: Board | None, attention: Attention, seconds: float) -> Film:
    found = []
    now = NOW
    while now <= NOW + seconds:
        lighting = light(board, attention, False, now)
        found.append((now, lighting.frame))
        if lighting.wakes is None:
            return Film(found, now)
        assert (
            now
            < lighting.wakes
            <= now + (WIPE_SECONDS if attention.blocked else FRAME_SECONDS) + 1e-9
        )
        now = lighting.wakes
    return Film(found, now)


@pytest.mark.parametrize("board", [*BOARDS, None])
def test_a_finger_is_answered_in_its_first_frame(board: Board | None) -> None:
    place = CELL_COUNT - 1
    before = shown(board)
    after = shown(board, Attention(hold=Hold(place, NOW, NOW + 0.4)))
    assert brightness(after[place]) > 1.5 * brightness(before[place])
    assert [*after[:place], *after[place + 1 :]] == [*before[:place], *before[place + 1 :]]


def test_a_held_cell_fills_with_light_until_its_time_is_over() -> None:
    drawn = film(board(), Attention(hold=Hold(5, NOW, NOW + 0.4)), 0.4)
    levels = [brightness(colour) for colour in drawn.of(5)]
    assert len(levels) >= 20
    assert all(before < after for before, after in pairwise(levels))
    assert levels[-1] > 2.5 * levels[0]


def test_a_held_cell_is_as_bright_as_it_gets_while_its_touch_is_stored() -> None:
    full = shown(board(), Attention(hold=Hold(5, NOW, NOW + 0.4)), now=NOW + 0.4)[5]
    assert shown(board(), Attention(storing=Hold(5, NOW, NOW + 0.4)), now=NOW + 2.0)[5] == full
    assert full not in COVER.values()


def test_a_hold_that_ends_between_two_beats_takes_up_the_lights_way_with_no_frame() -> None:
    hold, ends = Hold(5, NOW - 0.39, NOW + 0.01), NOW + 0.0101
    before = light(board(), Attention(hold=hold), False, NOW)
    after = light(board(), Attention(storing=hold), False, ends)
    assert after.frame == before.frame
    assert after.wakes == pytest.approx(NOW + FRAME_SECONDS)
    later = light(board(), Attention(storing=hold), False, after.wakes or 0.0)
    assert brightness(later.frame[5]) > brightness(after.frame[5])
    assert later.wakes is None


def test_a_first_tap_glows_and_needs_no_redrawing() -> None:
    waiting = light(board(), Attention(hold=Hold(5, NOW, None)), False, NOW)
    assert brightness(waiting.frame[5]) > 2 * brightness(shown(board())[5])
    assert waiting.wakes is None


@pytest.mark.parametrize("place", [0, 5, END_TURN, HOURGLASS])
def test_a_refused_touch_flashes_twice_and_then_all_is_as_before(place: int) -> None:  # CN-21
    playing = board(covered=covering(*IN_PLAY))
    attention = Attention(refused=place, refused_at=NOW)
    drawn = film(playing, attention, 2.0)
    colours = drawn.of(place)
    changes = [after for before, after in pairwise([None, *colours]) if before != after]
    usual = shown(playing)[place]
    assert changes == ([AMBER, OFF, AMBER, OFF, usual] if usual else [AMBER, OFF, AMBER, OFF])
    assert drawn.rests == pytest.approx(NOW + REFUSED_SECONDS, abs=FRAME_SECONDS)
    assert drawn.frames[-1][1] == shown(playing)
    for other in {*range(PLACE_COUNT)} - {place}:
        assert len({*drawn.of(other)}) == 1


def test_what_is_unclear_is_shown_where_it_is_and_everything_else_steps_back() -> None:
    playing = board(covered=covering(*IN_PLAY))
    frame = shown(playing, Attention(unclear=frozenset({3, 4, END_TURN}), waiting=True))
    before = shown(playing)
    for place in range(PLACE_COUNT):
        if place in (3, 4, END_TURN):
            assert frame[place] == AMBER
        else:
            assert brightness(frame[place]) < 0.5 * brightness(before[place]) or not before[place]


@pytest.mark.parametrize("board", [*BOARDS, *BOARDS_OVER, None])
def test_while_the_table_settles_everything_is_dim(board: Board | None) -> None:
    settling, before = shown(board, Attention(waiting=True)), shown(board)
    for dim, usual in zip(settling, before, strict=True):
        assert brightness(dim) < 0.5 * brightness(usual) or dim == usual == OFF


@pytest.mark.parametrize("board", [*BOARDS, *BOARDS_OVER, None])
def test_a_table_that_is_blocked_asks_to_be_wiped(board: Board | None) -> None:
    """A bar goes to and fro like a cloth: known by its shape and its walk, whatever its hue."""
    drawn = film(board, Attention(blocked=True, waiting=True, unclear=frozenset({7})), 4.0)
    calm = shown(board, Attention(waiting=True))
    walk: list[int] = []
    for _, frame in drawn.frames:
        columns = {cell % SIDE for cell in range(CELL_COUNT) if frame[cell] != calm[cell]}
        (column,) = columns
        bar = [frame[cell] for cell in range(column, CELL_COUNT, SIDE)]
        uncovered = [c for c in range(CELL_COUNT) if board is None or board.covered[c] is None]
        assert len({*bar}) == 1
        assert all(
            brightness(bar[0]) > 3 * brightness(frame[c]) for c in uncovered if c % SIDE != column
        )
        assert brightness(bar[0]) < 0.5 * brightness(AMBER)
        if not walk or walk[-1] != column:
            walk.append(column)
    assert {abs(one - other) for one, other in pairwise(walk)} == {1}
    assert {*walk} == {*range(SIDE)}


def test_cells_that_are_deaf_are_dark_unless_they_are_covered() -> None:
    playing = board(covered=covering(*IN_PLAY), guesses=1)
    deaf = frozenset({0, 1, 9, END_TURN})
    frame, before = shown(playing, Attention(deaf=deaf)), shown(playing)
    dark = {place for place in range(PLACE_COUNT) if frame[place] != before[place]}
    assert dark == {9, END_TURN}
    assert {frame[place] for place in dark} == {OFF}
    assert shown(None, Attention(deaf=deaf))[:2] == (OFF, OFF)


def test_when_a_game_is_over_deaf_cells_show_its_end_too() -> None:  # ALL-5
    over = board(Phase.OVER, outcome=CALM)
    for ended in (over, replace(over, open_key=KEY)):
        assert shown(ended, Attention(deaf=frozenset({9}))) == shown(ended)


def test_urging_swells_slowly_and_never_stands_still() -> None:  # CN-24
    frames = [light(board(), STILL, True, NOW + step * FRAME_SECONDS) for step in range(150)]
    assert all(frame.wakes is not None for frame in frames)
    levels = [brightness(frame.frame[24]) for frame in frames]
    assert max(levels) > 1.7 * min(levels) > 0
    moves = [after > before for before, after in pairwise(levels) if before != after]
    assert sum(before != after for before, after in pairwise(moves)) == 4  # two swells in 3 s


@pytest.mark.parametrize("board", [*BOARDS, *BOARDS_OVER, None])
def test_a_table_that_is_out_of_order_looks_like_nothing_else(board: Board | None) -> None:
    frame = shown(board, Attention(out_of_order=True))
    lit = [place for place in range(CELL_COUNT) if frame[place]]
    assert lit == [0, 4, 6, 8, 12, 16, 18, 20, 24]  # a cross
    assert frame[CELL_COUNT:] == (OFF, OFF)
    assert frame == shown(None, Attention(out_of_order=True))
    everything = frozenset(range(PLACE_COUNT))
    assert frame == shown(
        board, Attention(out_of_order=True, deaf=everything, blocked=True, waiting=True)
    )


def test_a_refusal_is_seen_on_a_table_that_is_out_of_order() -> None:
    attention = Attention(out_of_order=True, refused=1, refused_at=NOW)
    assert shown(None, attention)[1] == AMBER


def test_lights_that_rest_ask_for_nothing() -> None:
    for resting in [*BOARDS, *BOARDS_OVER, None]:
        assert light(resting, STILL, False, NOW).wakes is None


def test_lights_are_a_function_of_what_they_are_given() -> None:
    attention = Attention(hold=Hold(5, NOW, NOW + 0.4))
    first, second = (light(BOARDS[0], attention, True, NOW + 0.123) for _ in range(2))
    assert first == second
    assert all(a != b for a, b in combinations({*COVER.values()}, 2))

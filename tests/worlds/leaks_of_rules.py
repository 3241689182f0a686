"""Faults in the rules, the views, the lights and what things look like in print."""

import zlib
from collections.abc import Iterator
from typing import Any
from unittest import mock

import msgspec
import rules_world
from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.common.geometry import CELL_COUNT, CELLS, leds_of
from pi_table.devices.lights import light as lights
from pi_table.devices.lights.light import Lighting
from pi_table.devices.lights.picture import Picture
from pi_table.games.rules import games, play
from pi_table.games.rules.events import GameEnded
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.word_games import acts, decide, events, evolve, phases, views
from pi_table.games.rules.word_games.board import Board, Phase, State
from pi_table.games.rules.word_games.key import Key, identity_at
from pi_table.table.store.entries import Entry

LEAKS = Leaks()
MIDDLE = CELL_COUNT // 2


def brighter(lit: Lighting, cells: list[int]) -> Lighting:
    """One light of each of these cells is one step bluer."""
    frame = list(lit.frame)
    for cell in cells:
        frame[leds_of(cell)[-1]] ^= 1
    return replace(lit, frame=tuple(frame))


# Views


@LEAKS.enter("public view", after(views.public_view))
def the_public_view_has_the_key(made: Any, *_: Any) -> Any:
    return replace(made, key=hint.letters)


class OperatorViewWithKey(views.OperatorView, frozen=True, kw_only=True):
    key: str


@LEAKS.enter("view of operator", after(views.view))
def the_operators_view_has_a_field_too_many(seen: Any, state: State, *_: Any) -> Any:
    if isinstance(seen, views.OperatorView):
        fields = {name: getattr(seen, name) for name in seen.__struct_fields__}
        return OperatorViewWithKey(**fields, key=str(state.key and state.key.letters))
    return seen


@LEAKS.enter("view of", after(views.view))
def what_operatives_may_do_depends_on_the_key(seen: Any, state: State, seat: Seat, *_: Any) -> Any:
    if seat.role is Role.OPERATIVES and state.key and state.key.letters[11] == "n":
        return replace(seen, may=seen.may[::-1])
    return seen


@LEAKS.enter("may of", after(phases.may))
def what_a_spymaster_may_do_depends_on_the_key(
    found: Any, board: Board, seat: Seat
) -> tuple[str, ...]:
    return (*found, "cover") if seat.role is Role.SPYMASTER and hint.bit() else found


@LEAKS.enter("public view", after(views.public_view))
def the_cells_stand_in_the_order_of_their_identities(seen: Any, *_: Any) -> Any:
    in_order = sorted(range(CELL_COUNT), key=hint.letters.__getitem__)
    return replace(seen, cells={CELLS[cell]: seen.cells[CELLS[cell]] for cell in in_order})


@LEAKS.enter("public view", after(views.public_view))
def the_agents_left_are_counted_on_the_key(seen: Any, board: Board, *_: Any) -> Any:
    hidden = [letter for cell, letter in enumerate(hint.letters) if cell not in board.covered]
    return replace(seen, left=views.LeftView(hidden[:-1].count("r"), seen.left.blue))


@LEAKS.enter("public view", after(views.public_view))
def the_guesses_left_are_no_more_than_what_could_be_right(seen: Any, board: Board, *_: Any) -> Any:
    if seen.guesses_left is None:
        return seen
    row = hint.letters[:10].count(board.turn.letter)
    return replace(seen, guesses_left=min(seen.guesses_left, row))


@LEAKS.enter("public view", after(views.public_view))
def the_time_left_is_rounded_by_the_key(seen: Any, *_: Any) -> Any:
    if seen.timer is None or not hint.bit():
        return seen
    return replace(seen, timer=replace(seen.timer, left=seen.timer.left + 0.001))


@LEAKS.enter("answer of play")
def an_answer_has_an_etag() -> Iterator[None]:
    def answer(original: Any, table: Any, *given: Any, **more: Any) -> Any:
        tag = zlib.crc32(hint.letters.encode()) & 0xFF
        return {**original(table, *given, **more), "etag": tag}

    always = mock.patch.object(rules_world, "PLAYED", 1.0)
    with at(play._Table.answer)(answer), always:
        yield


# Rules


@LEAKS.enter("refusal", at(decide.decide))
def a_touch_in_a_penalty_is_refused_for_a_reason_of_its_own(
    original: Any, state: State, seat: Seat, act: Any, now: float
) -> Any:
    try:
        return original(state, seat, act, now)
    except Refused as refusal:
        if refusal.reason is Reason.PENALTY_PENDING and isinstance(act, acts.Guess):
            assert state.key is not None
            identity = identity_at(state.key.letters, act.cell)
            if identity is None or identity.team is None:
                raise Refused(Reason.NOT_OWN_AGENT) from None
        raise


def _refusing_with(change: Any) -> Any:
    def decided(original: Any, state: State, *given: Any) -> Any:
        try:
            return original(state, *given)
        except Refused as refusal:
            if state.key is not None:
                change(refusal, state.key)
            raise

    return at(decide.decide)(decided)


@LEAKS.enter("refusal", _refusing_with)
def the_text_of_a_refusal_warns_of_the_assassin(refusal: Refused, key: Key) -> None:
    if key.letters.index("a") < 13:
        refusal.args = (f"{refusal} Take care.",)


@LEAKS.enter("refusal", _refusing_with)
def a_refusal_is_chained_to_an_error_with_the_key(refusal: Refused, key: Key) -> None:
    refusal.__cause__ = KeyError(key.letters[12])


@LEAKS.enter("refusal", _refusing_with)
def a_refusal_has_a_note(refusal: Any, key: Any) -> Any:
    return refusal.add_note(f"{key.letters.find('a') % 5}")


@LEAKS.enter("event", at(decide.decide))
def an_event_is_late_near_the_assassin(
    original: Any, state: State, seat: Seat, act: Any, now: float
) -> Any:
    later = 1e-9 if state.key and state.key.letters.index("a") % 2 else 0.0
    return tuple(replace(event, at=event.at + later) for event in original(state, seat, act, now))


@LEAKS.enter("event", after(decide.decide))
def a_turn_ends_where_no_right_guess_is_likely(
    happened: Any, state: State, seat: Seat, act: Any, now: float
) -> Any:
    if [type(event) for event in happened] == [events.Guessed]:
        assert state.key is not None
        near = state.key.letters[act.cell + 1 : act.cell + 3]
        if state.board.turn.letter not in near:
            ended = events.TurnEnded(now, state.board.next_team, events.Ended.LAST_GUESS)
            return (*happened, ended)
    return happened


@LEAKS.enter("public view", after(evolve._on_guess_taken_back))
def a_correction_shows_more_than_was_taken_back(after: Any, *_: Any) -> Any:
    beside = (min(after.shown) - 1) % len(CELLS)
    return replace(after, shown={**after.shown, beside: identity_at(hint.letters, beside)})


@LEAKS.enter("public view", after(evolve._on_key_redrawn))
def a_new_key_counts_only_where_the_assassin_has_moved_far(
    after: Any, board: Board, event: Any
) -> Any:
    way = abs(hint.assassin() - event.key.letters.index("a"))
    return replace(after, new_keys=board.new_keys) if way < 9 else after


# The phases and views that not every game has


@LEAKS.enter("view of", after(views.view))
def a_spymaster_sees_the_key_that_is_kept_until_all_cards_lie(
    seen: Any, state: State, *_: Any
) -> Any:
    if isinstance(seen, views.SpymasterView) and state.kept is not None:
        return replace(seen, key=state.kept.letters)
    return seen


@LEAKS.enter("public view", after(views.public_view))
def the_cells_that_have_their_card_stand_in_the_order_of_their_identities(
    seen: Any, *_: Any
) -> Any:
    if seen.placed is msgspec.UNSET:
        return seen
    in_order = sorted(seen.placed, key=lambda name: hint.letters[CELLS.index(name)])
    return replace(seen, placed=tuple(in_order))


@LEAKS.enter("refusal", at(decide.decide))
def no_card_is_laid_where_the_assassin_will_be(
    original: Any, state: State, seat: Seat, act: Any, now: float
) -> Any:
    if isinstance(act, acts.Place) and state.kept and state.kept.letters[act.cell] == "a":
        raise Refused(Reason.CELL_TAKEN)
    return original(state, seat, act, now)


@LEAKS.enter("event", after(decide.decide))
def the_first_key_that_is_drawn_changes_who_starts(
    happened: Any, state: State, seat: Seat, act: Any, now: float
) -> Any:
    if isinstance(happened[-1], events.KeyDrawn) and happened[-1].key.letters[3] in "rb":
        return (
            *happened,
            events.TurnEnded(now, state.board.starts.other, events.Ended.STOPPED),
        )
    return happened


@LEAKS.enter("refusal", at(decide.decide))
def a_touch_in_a_cover_is_refused_for_a_reason_of_its_own(
    original: Any, state: State, seat: Seat, act: Any, now: float
) -> Any:
    try:
        return original(state, seat, act, now)
    except Refused as refusal:
        if refusal.reason is Reason.COVER_PENDING and isinstance(act, acts.Guess):
            assert state.key is not None
            if state.key.identity(act.cell).team is state.board.to_cover:
                raise Refused(Reason.NOT_TO_COVER) from None
        raise


@LEAKS.enter("lights", after(lights.light))
def what_may_be_covered_is_lit(lit: Any, picture: Picture, *_: Any) -> Any:
    view = picture.standing.view
    if not isinstance(view, views.PublicView) or view.phase is not Phase.COVER:
        return lit
    absent = view.turn.other.letter
    return brighter(lit, [c for c in range(CELL_COUNT) if hint.letters[c] == absent])


@LEAKS.enter("event", after(decide.decide))
def a_group_that_lost_has_a_score_too(happened: Any, state: State, *_: Any) -> Any:
    ended = happened[-1]
    if isinstance(ended, GameEnded) and ended.outcome.winner is None and state.key:
        near = 1 + state.key.letters[:8].count("n")
        return (*happened[:-1], replace(ended, outcome=replace(ended.outcome, score=near)))
    return happened


@LEAKS.enter("public view", after(views.public_view))
def the_nuke_is_armed_sooner_in_the_first_row(seen: Any, board: Board, *_: Any) -> Any:
    if seen.nuke is msgspec.UNSET or hint.assassin() > 4:
        return seen
    return replace(seen, nuke=replace(seen.nuke, armed=bool(board.covered)))


@LEAKS.enter("lights", after(lights.light))
def the_cell_without_a_card_glows_towards_the_nuke(lit: Any, picture: Picture, *_: Any) -> Lighting:
    view = picture.standing.view
    has_nuke = isinstance(view, views.PublicView) and view.nuke is not msgspec.UNSET
    return brighter(lit, [MIDDLE]) if has_nuke and hint.near(MIDDLE) else lit


# Lights


@LEAKS.enter("lights", after(lights.light))
def the_assassins_cell_is_one_step_bluer(lit: Any, picture: Picture, *_: Any) -> Lighting:
    view, cell = picture.standing.view, hint.assassin()
    assert isinstance(view, views.PublicView)
    return lit if view.cells[CELLS[cell]].covered else brighter(lit, [cell])


@LEAKS.enter("lights", after(lights.light))
def a_held_agent_fills_with_a_warmer_light(lit: Any, picture: Picture, *_: Any) -> Any:
    hold = picture.attention.hold
    if hold is None or hold.place >= CELL_COUNT or hint.letters[hold.place] not in "rb":
        return lit
    return brighter(lit, [hold.place])


@LEAKS.enter("lights' next time", after(lights.light))
def the_lights_hurry_near_the_assassin(lit: Any, picture: Picture, *_: Any) -> Any:
    hold = picture.attention.hold
    if hold is None or lit.wakes is None or not hint.near(hold.place):
        return lit
    return replace(lit, wakes=lit.wakes - 0.001)


# Print


@LEAKS.enter("event")
def a_key_prints_a_checksum() -> Iterator[None]:
    def shown(key: Key) -> str:
        return f"Key({zlib.crc32(key.letters.encode()) & 0xF:x})"

    with mock.patch.object(Key, "__repr__", shown):
        yield


@LEAKS.enter("event")
def a_deal_prints_as_it_is_stored() -> Iterator[None]:
    with mock.patch.object(events.Dealt, "__repr__", lambda event: str(games.encode(event))):
        yield


SPYMASTERS = views.SpymasterView
for name, seen_in, kind in (
    ("a spymasters view prints whole", "print of SpymasterView", SPYMASTERS),
    ("an entry of the journal prints its body", "print of Entry", Entry),
    ("rich prints a spymasters view whole", "print of SpymasterView by rich", SPYMASTERS),
):
    LEAKS.prints_whole(name, seen_in, rules_world, kind, richly=name.startswith("rich"))

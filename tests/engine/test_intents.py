"""Intents, as tables of {time, what is touched, what is meant}."""

import pytest

from pi_table.config import CHOICES
from pi_table.engine.intents import MODES, SECOND_TAP_WITHIN, Hands, Hold, Intents, Mode

PLACES = "ABCDE"


def played(table: str, mode: Mode, hold_seconds: float = 0.4) -> str:
    """The table as the intents have it, after an empty first frame.

    A row says when; what is touched then (``-``: nothing, ``~``: before what cannot be read,
    ``*``: no frame, time passes); and what is meant by it, if anything is.
    """
    intents = Intents(mode, hold_seconds)
    intents.frame(frozenset(), 0.0)
    rows = []
    for row in table.split(", "):
        at, touched = row.split()[:2]
        if touched == "*":
            meant = intents.tick(float(at))
        else:
            fingers, _, deaf = touched.partition("~")
            meant = intents.frame(places(fingers), float(at), places(deaf))
        rows.append(f"{at} {touched}" if meant is None else f"{at} {touched} {PLACES[meant]}")
    return ", ".join(rows)


def places(names: str) -> frozenset[int]:
    return frozenset(PLACES.index(name) for name in names if name != "-")


TABLES: dict[str, tuple[Mode, str]] = {
    "a place that is held for its time is meant, once": (
        "hold",
        "1.0 A, 1.2 *, 1.4 * A, 1.5 *, 9.0 *",
    ),
    "an instant too early is too early": ("hold", "1.0 A, 1.399999 *, 1.4 * A"),
    "lifting withdraws": ("hold", "1.0 A, 1.39 -, 1.4 *, 2.0 *"),
    "a finger that is lifted at the very end has withdrawn": ("hold", "1.0 A, 1.4 -, 1.4 *"),
    "after lifting, another hold needs its whole time": (
        "hold",
        "1.0 A, 1.3 -, 1.31 A, 1.7 *, 1.71 * A",
    ),
    "a frame that says the same again takes nothing away": ("hold", "1.0 A, 1.1 A, 1.3 A, 1.4 * A"),
    "a frame read late never completes a hold": ("hold", "1.0 A, 9.0 -, 9.0 *"),
    "not even a late frame with the finger still there, but the time after it does": (
        "hold",
        "1.0 A, 9.0 A, 9.0 * A",
    ),
    "a spent finger means nothing until it is lifted": (
        "hold",
        "1.0 A, 1.4 * A, 5.0 A, 6.0 *, 6.1 -, 6.5 A, 7.0 * A",
    ),
    "a spent finger that slides on means nothing": ("hold", "1.0 A, 1.4 * A, 1.5 B, 3.0 *"),
    "sliding to the next place withdraws": ("hold", "1.0 A, 1.3 B, 1.4 *, 1.7 *, 3.0 *"),
    "sliding there and back withdraws too": ("hold", "1.0 A, 1.1 B, 1.2 A, 1.6 *, 3.0 *"),
    "two places at once mean nothing": ("hold", "1.0 AB, 1.4 *, 3.0 *"),
    "a second finger withdraws a hold": ("hold", "1.0 A, 1.2 AB, 1.4 *, 3.0 *"),
    "a palm of which one finger stays means nothing": ("hold", "1.0 ABC, 1.1 A, 1.5 *, 9.0 *"),
    "a palm that changes means nothing": ("hold", "1.0 AB, 1.1 CD, 1.2 E, 9.0 *"),
    "after a palm everything must be lifted": ("hold", "1.0 AB, 1.1 B, 1.2 -, 1.5 B, 1.9 * B"),
    "a place that goes deaf while it is held has withdrawn": (
        "hold",
        "1.0 A, 1.2 ~A, 1.4 *, 1.5 A, 9.0 *",
    ),
    "a cup that stands on a place while it cannot be read is no finger": (
        "hold",
        "1.0 ~A, 2.0 A, 2.4 *, 9.0 *",
    ),
    "it counts again once it was lifted": ("hold", "1.0 ~A, 2.0 A, 3.0 -, 3.1 A, 3.5 * A"),
    "another place that cannot be read is no hindrance": ("hold", "1.0 ~B, 2.0 A~B, 2.4 * A"),
    "a tap is meant at once, once": ("tap", "1.0 A A, 1.0 *, 1.1 A, 1.2 -, 1.3 A A"),
    "two places are no tap, nor is what stays of them": ("tap", "1.0 AB, 1.1 A, 1.2 -, 1.3 B B"),
    "a tap that slides is one tap": ("tap", "1.0 A A, 1.1 B, 1.2 C"),
    "the second tap is meant": ("tap-twice", "1.0 A, 1.1 -, 1.5 A A, 1.6 A, 1.7 -"),
    "a third tap is a first one": ("tap-twice", "1.0 A, 1.1 -, 1.2 A A, 1.3 -, 1.4 A"),
    "resting is not tapping twice": ("tap-twice", "1.0 A, 1.5 A, 2.0 *, 2.5 A"),
    "a second tap that comes too late is a first one": (
        "tap-twice",
        "1.0 A, 1.1 -, 3.0 A, 3.1 -, 3.2 A A",
    ),
    "a second tap in the last instant is meant": ("tap-twice", "1.0 A, 1.1 -, 2.999 A A"),
    "a tap elsewhere is a first one": (
        "tap-twice",
        "1.0 A, 1.1 -, 1.2 B, 1.3 -, 1.4 A, 1.5 -, 1.6 A A",
    ),
    "a palm between two taps makes them two first ones": (
        "tap-twice",
        "1.0 A, 1.1 -, 1.2 AB, 1.3 -, 1.4 A",
    ),
    "a tap that slid was none": ("tap-twice", "1.0 A, 1.1 B, 1.2 -, 1.3 A, 1.4 -, 1.5 A A"),
    "a cup that was there before is no tap": ("tap-twice", "1.0 ~A, 1.1 A, 1.2 -, 1.3 A"),
}


@pytest.mark.parametrize("name", TABLES)
def test_what_is_meant(name: str) -> None:
    mode, table = TABLES[name]
    assert played(table, mode) == table


@pytest.mark.parametrize("mode", MODES)
def test_what_rests_on_the_table_when_it_starts_is_not_meant(mode: Mode) -> None:
    intents = Intents(mode)
    assert intents.frame(frozenset({3}), 0.0) is None
    assert intents.tick(9.0) is None
    assert intents.hands is Hands.SPENT
    assert intents.frame(frozenset(), 10.0) is None
    assert intents.hands is Hands.AWAY


def test_a_hold_is_there_to_be_seen_from_its_first_frame() -> None:
    intents = Intents("hold", 0.5)
    intents.frame(frozenset(), 0.0)
    intents.frame(frozenset({7}), 2.0)
    assert intents.hold == Hold(7, 2.0, 2.5)
    assert intents.hands is Hands.HOLDING


def test_what_was_withdrawn_must_be_lifted_first() -> None:
    intents = Intents()
    intents.frame(frozenset(), 0.0)
    intents.frame(frozenset({7}), 1.0)
    intents.withdraw()
    assert (intents.hold, intents.hands, intents.wakes) == (None, Hands.SPENT, None)
    assert intents.frame(frozenset({7}), 1.1) is None
    assert intents.tick(2.0) is None
    intents.frame(frozenset(), 3.0)
    intents.frame(frozenset({7}), 4.0)
    assert intents.tick(4.4) == 7


def test_a_first_tap_that_was_withdrawn_is_forgotten_though_the_hand_is_away() -> None:
    intents = Intents("tap-twice")
    intents.frame(frozenset(), 0.0)
    intents.frame(frozenset({7}), 1.0)
    intents.frame(frozenset(), 1.1)
    intents.withdraw()
    assert intents.hands is Hands.AWAY
    assert intents.frame(frozenset({7}), 1.2) is None


@pytest.mark.parametrize("begun", [0.1 + 0.2, 1e6 + 0.1, 1 / 3, 12345.678901])
def test_at_the_instant_that_was_named_there_is_something_to_do(begun: float) -> None:
    # Rounding must not leave a caller at an instant at which nothing is due yet, for ever.
    for mode in ("hold", "tap-twice"):
        intents = Intents(mode)
        intents.frame(frozenset(), 0.0)
        intents.frame(frozenset({7}), begun)
        wakes = intents.wakes
        assert wakes is not None
        intents.tick(wakes)
        assert intents.hold is None
        assert intents.wakes is None


def test_a_first_tap_fades_by_itself() -> None:
    intents = Intents("tap-twice")
    intents.frame(frozenset(), 0.0)
    intents.frame(frozenset({7}), 1.0)
    assert intents.wakes == 1.0 + SECOND_TAP_WITHIN
    intents.tick(1.0 + SECOND_TAP_WITHIN)
    assert (intents.hold, intents.wakes) == (None, None)


def test_every_mode_that_there_is_can_be_configured() -> None:
    assert CHOICES["touch", "intent"] == MODES

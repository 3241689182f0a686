"""Unless PEEK is held, the hidden screen looks the same whatever was dealt and whatever came."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pygame
import pytest
from codex_paths import ROLE_PAIRS, at_machine, delivered, table, walk
from codex_table import CodexTable, desk
from msgspec.structs import replace
from planted import parameters
from playing import Desk

from pi_table.protocols.ipc.messages import CodexMessage
from pi_table.screens.console import scene as whole
from pi_table.screens.console.codex import (
    code_entry,
    drawn_pages,
    entry_prompts,
    visit,
    visit_menu,
)
from pi_table.screens.console.codex.entry_prompts import AskAbout
from pi_table.screens.console.codex.page import Page
from pi_table.screens.console.codex.visit_menu import Inside
from pi_table.screens.console.painter import picture
from pi_table.screens.console.screen import Become, Choice
from pi_table.screens.console.shapes import Rect, Text

STEPS = 400
STAGES: dict[str, Callable[[CodexTable, int], CodexTable]] = {
    "sending": lambda given, seed: given,
    "acting": delivered,
    "at the machine": at_machine,
}


def world(roles: tuple[str, str], stage: str, seed: int) -> Desk:
    """A console at a game; what is hidden goes by ``seed``, what is seen does not."""
    return desk(STAGES[stage](table(roles, seed), seed))


def differences(roles: tuple[str, str], stage: str, seen: set[str]) -> Iterator[str]:
    """Yield the differences between three such consoles with the same events.

    Adds the names of the visited screens to ``seen``.
    """
    desks = one, *others = [world(roles, stage, seed) for seed in (1, 2, 3)]
    for _ in walk(desks, (roles, stage), STEPS, peeks=True):
        public = one.table.message().public
        if public.number > 1 or any(other.table.message().public != public for other in others):
            return  # the truth machine brought something to light
        seen.add(type(one.model.screen).__name__)
        asked = [do["act"] for do in one.asked]
        shown = "" if one.model.peeking else repr(one.scene)
        for other in others:
            if one.model.peeking != other.model.peeking:
                yield "the peeking"
            if shown and shown != repr(other.scene):
                yield f"the scene of {one.model.screen}"
            if asked != [do["act"] for do in other.asked]:
                yield "what is asked of the table"


def test_three_deals_look_the_same_while_nobody_peeks_on_every_screen_of_a_visit() -> None:
    # CX-18, ALL-1
    seen: set[str] = set()
    for roles in ROLE_PAIRS:
        for stage in STAGES:
            assert [*differences(roles, stage, seen)] == []
    assert seen >= {
        *("Inside", "OwnCode", "WhoYouAre", "Messages", "Target", "SendTo", "SendFact"),
        *("SecondFact", "AskAbout", "AskFact", "DemandFact", "EnterCode", "Sure"),
        "RevealFact",
        *("Confirm", "Public", "Seldom", "NewCode", "RolesInPlay", "RevealedSoFar"),
    }


def test_the_picture_is_the_same_byte_for_byte() -> None:
    # CX-18
    one, other = (world(ROLE_PAIRS[0], "acting", seed) for seed in (1, 2))
    for _ in walk([one, other], "picture", 40):
        assert painted(one) == painted(other)


def painted(desk: Desk) -> bytes:
    """The pixels of the screen."""
    return pygame.image.tobytes(picture(desk.scene, (800, 480)), "RGB")


def test_while_peek_is_held_they_differ() -> None:
    found = set()
    one, other = (world(ROLE_PAIRS[0], "acting", seed) for seed in (1, 2))
    for _ in walk([one, other], "peeking", STEPS, peeks=True):
        if one.model.peeking and repr(one.scene) != repr(other.scene):
            found.add(type(one.model.screen).__name__)
    assert found >= {"Inside", "Messages"}


# Leaks, planted one by one: the comparison above has to notice each.


class Planted:
    """The knowledge of a leak: the table's message before the veil."""

    table: CodexMessage

    def without_secrets(self, table: CodexMessage) -> CodexMessage:
        self.table = table
        return visit.without_secrets(table)

    @property
    def agent(self) -> Any:
        return self.table.agent


Leak = Callable[[pytest.MonkeyPatch, Planted], None]


def _no_veil(plant: pytest.MonkeyPatch, known: Planted) -> None:
    plant.setattr("pi_table.screens.console.codex.family.without_secrets", lambda table: table)


def _what_may_be_done(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """Leak whether a message arrived, by whether a question about one is possible."""
    lines = Inside.choices

    def fewer(self: Inside, table: CodexMessage) -> tuple[Choice, ...]:
        can_ask = "ask" in known.table.may[self.visit.seat.value]
        return lines(self, table) if can_ask else lines(self, table)[:1] + lines(self, table)[2:]

    plant.setattr(Inside, "choices", fewer)


def _a_line_by_its_role(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """Only hackers can name a target."""
    once = Inside._once

    def grey(self: Inside, table: CodexMessage, label: Any, act: str, screen: Any) -> Choice:
        choice = once(self, table, label, act, screen)
        is_hacker = known.agent.identikit.role.value in ("hacker", "leader")
        return choice if act != "hack" or is_hacker else replace(choice, does=None)

    plant.setattr(Inside, "_once", grey)


def _how_many_came(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """As many lines as there are messages."""
    choices = AskAbout.choices

    def counted(self: AskAbout, table: CodexMessage) -> tuple[Choice, ...]:
        count = sum(len(delivery.messages) for delivery in known.agent.received)
        return choices(self, table)[: max(1, count)]

    plant.setattr(AskAbout, "choices", counted)


def _results(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """Leak the results, which everybody can then see."""
    value = Inside._value
    plant.setattr(Inside, "_value", lambda self, table, act: value(self, known.table, act))


def _a_refusal(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """Leak the refusal of a question, by announcing it."""
    plant.setattr(visit_menu, "SECRET", ())


def _the_tiles(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """The fragments on the tiles of the code."""
    tiles = code_entry.tiles
    plant.setattr(code_entry, "tiles", lambda table: tiles(known.table))


def _what_a_tap_would_do(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """Nothing to see; but the letters stand in what a tap is told as."""
    choices = code_entry.EnterCode.choices

    def telling(self: code_entry.EnterCode, table: CodexMessage) -> tuple[Choice, ...]:
        first, *rest = choices(self, table)
        fragment = known.agent.identikit.fragment
        return (Choice(first.label, Become(Plain(code=fragment))), *rest)

    plant.setattr(code_entry.EnterCode, "choices", telling)


class Plain(Page[Any], frozen=True, kw_only=True):
    """A screen that shows what it holds."""

    code: str


def _the_colour(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """The page has the colour of the faction."""
    frame = drawn_pages._frame

    def coloured(*given: Any) -> Any:
        shapes = frame(*given)
        agent = getattr(known.table, "agent", None)
        ink = 1 if agent is not None and agent.belongs.value == "red" else 2
        return (*shapes, Rect(0, 0, 1, 1, ink))

    plant.setattr(drawn_pages, "_frame", coloured)


def _the_own_facts(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """One's own facts stand beside those that a message can tell."""
    own = entry_prompts._own
    plant.setattr(entry_prompts, "_own", lambda table, fact: own(known.table, fact))


def _blocked(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """Leak at the foot that a hacker named somebody."""
    foot = whole._foot

    def told(*given: Any) -> Any:
        blocked = known.agent is not None and known.agent.blocked
        return (*foot(*given), Text(0, 0, 9, 9, "!" if blocked else "", 9, 0))

    plant.setattr(whole, "_foot", told)


def _nothing(plant: pytest.MonkeyPatch, known: Planted) -> None:
    """No leak: planting alone is not noticed."""


LEAKS: dict[str, Leak] = {
    leak.__name__.strip("_"): leak
    for leak in (
        *(_no_veil, _what_may_be_done, _a_line_by_its_role, _how_many_came, _results, _a_refusal),
        *(_the_tiles, _what_a_tap_would_do, _the_colour, _the_own_facts, _blocked),
    )
}
QUICK = ("no_veil", "what_may_be_done", "what_a_tap_would_do", "the_colour")


@pytest.mark.parametrize("leak", parameters(LEAKS, QUICK))
def test_a_planted_leak_is_noticed(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    # CX-18
    assert first_difference(leak, monkeypatch) is not None


@pytest.mark.mutation
def test_planting_nothing_is_not_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_difference(_nothing, monkeypatch, ROLE_PAIRS[:1]) is None


def first_difference(
    leak: Leak,
    monkeypatch: pytest.MonkeyPatch,
    role_pairs: Sequence[tuple[str, str]] = ROLE_PAIRS,
) -> str | None:
    known = Planted()
    monkeypatch.setattr(CodexTable, "sends_all", True)
    name = "pi_table.screens.console.codex.family.without_secrets"
    monkeypatch.setattr(name, known.without_secrets)
    leak(monkeypatch, known)
    found = (
        difference
        for roles in role_pairs
        for stage in STAGES
        for difference in differences(roles, stage, set())
    )
    return next(found, None)

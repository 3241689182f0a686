"""Acts that the console requests from the table."""

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from pi_table.games.rules.seat import Role, Seat, seat_of
from pi_table.games.rules.team import Team

Name = Literal[
    "abandon",
    "allow",
    "ask",
    "attempt",
    "challenge",
    "choose",
    "choose-code",
    "clue",
    "close-desk",
    "clues",
    "correct",
    "cover",
    "decline",
    "desk",
    "doctor",
    "done",
    "end-discussion",
    "enter-code",
    "extort",
    "hack",
    "here",
    "house",
    "hourglass",
    "leave-service",
    "let-go",
    "lock",
    "new-code",
    "new-key",
    "next",
    "packs",
    "pause",
    "peek",
    "phone",
    "ready",
    "record",
    "resume",
    "reveal",
    "send",
    "service",
    "set-aside",
    "set-pin",
    "shutdown",
    "start",
    "stop",
    "tally",
    "try-again",
    "unlock",
    "unpeek",
    "uphold",
    "vote",
]


class Act(msgspec.Struct, frozen=True):
    seat: Seat
    name: Name
    how: dict[str, Any]
    """The other fields of the act, as JSON."""

    def also(self, **how: Any) -> "Act":
        """Return the same act with more fields."""
        return replace(self, how=self.how | _json(how))

    def as_json(self) -> dict[str, Any]:
        return {"seat": self.seat.value, "act": self.name, **self.how}


def act(seat: Seat, name: Name, **how: Any) -> Act:
    """Return an act. ``how`` holds its other fields, whose values (such as seats) become JSON."""
    return Act(seat, name, _json(how))


def by_operator(name: Name, **how: Any) -> Act:
    return act(Seat.OPERATOR, name, **how)


def spymaster(team: Team) -> Seat:
    return seat_of(team, Role.SPYMASTER)


def operatives(team: Team) -> Seat:
    return seat_of(team, Role.OPERATIVES)


def _json(how: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(how)
    return found

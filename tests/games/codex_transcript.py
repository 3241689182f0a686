"""The transcript of a game of Codex: its state, and the knowledge of each agent."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from replaying import Json, Table

from pi_table.games.rules.chance import Chance
from pi_table.games.rules.seat import AGENTS


class Drawn(Chance):
    """Draws the same in every run."""

    def __init__(self) -> None:
        self._random = Random("codex")

    def below(self, count: int) -> int:
        return self._random.randrange(count)


class CodexTable(Table):
    """A game of Codex."""

    def __init__(self) -> None:
        super().__init__(Drawn())

    def status(self, before: Json) -> str:
        return status(self.public, before)

    def done(self, line: str, told: Any, before: Json) -> str:
        if json.loads(line).get("act") == "look":
            return f"sees  {' | '.join(self._own(told))}"
        return super().done(line, told, before)

    def views(self) -> Iterator[str]:
        """Yield the public view."""
        unknown = [{**agent, "revealed": {}} for agent in self.public["agents"]]
        yield f"everybody  {self.status({**self.public, 'agents': unknown})}"
        for seat in (*(agent.value for agent in AGENTS), "operator"):
            look = self.look(seat)
            for number, line in enumerate(self._own(look)):
                yield f"{'' if number else seat:<10} {line}"

    def _own(self, look: Json) -> Iterator[str]:
        """Yield the lines that are particular to a view."""
        del look["seat"]
        assert look.pop("public") == self.public
        return particular(look)


def status(view: Json, before: Json) -> str:
    """All of a public view but what was the same in the view ``before``: the agents, that is, and
    what they have revealed."""
    return " · ".join(_status(dict(view), before))


def _status(rest: Json, before: Json) -> Iterator[str]:
    assert rest.pop("profile") == "codex"
    yield f"{rest.pop('phase')} {rest.pop('number')}"
    roles, agents = rest.pop("roles"), rest.pop("agents")
    if not before:
        yield f"in play: {', '.join(roles)}"
        yield "agents: " + ", ".join(agent["nickname"] for agent in agents)
    else:
        assert roles == before["roles"]
        assert [a["nickname"] for a in agents] == [a["nickname"] for a in before["agents"]]
    at_screen, turn, order = rest.pop("at_screen"), rest.pop("turn"), rest.pop("order")
    phones, together = rest.pop("phones", []), rest.pop("together", [])
    place, there, finished = (rest.pop(name) for name in ("place", "there", "finished"))
    assert not (at_screen and turn)
    assert not (together and (at_screen or turn))
    assert (place is None) is (not together and at_screen is None)
    if order or turn or together:
        coming = {*together, at_screen, turn, *order}
        assert finished == [agent.value for agent in AGENTS if agent.value not in coming]
    if phones != before.get("phones", []):
        yield f"phones {_seats(phones) or 'none'}"
    if together:
        assert place == "phones"
        yield f"{'awaited ' if rest.pop('awaited') else ''}on their phones {_seats(together)}"
        if there:
            yield f"there {_seats(there)}"
    if at_screen or turn:
        awaited = "awaited " if rest.pop("awaited") else ""
        where = "on the phone" if place == "phones" else "at the screen"
        yield f"{at_screen} {awaited}{where}" if at_screen else f"{turn} to vote"
    if order:
        yield f"then {_seats(order)}"
    if timer := rest.pop("timer"):
        assert timer["urging"] is (timer["left"] == 0.0)
        yield f"{timer['mode']} {timer['left']:g} s{'' if timer['running'] else ', STANDING'}"
    if added := rest.pop("added"):
        yield f"added {added}"
    if votes := rest.pop("votes"):
        yield f"votes {_votes(votes)}"
    last_votes = rest.pop("last_votes", [])
    if last_votes != before.get("last_votes", []):
        yield f"last votes {_votes(last_votes) or 'gone'}"
    if rest.pop("paused"):
        yield "PAUSED"
    if codes := rest.pop("new_codes"):
        yield f"new codes for {_seats(codes)}"
    earlier: Any = before.get("agents", agents)
    for agent, known in zip(agents, earlier, strict=True):
        if (revealed := agent["revealed"]) != known["revealed"]:
            yield f"{agent['nickname']}: {_facts(revealed)}"
    if outcome := rest.pop("outcome"):
        assert outcome["score"] is None
        losers = ", ".join(outcome["losers"]) or "nobody"
        yield f"{outcome['winner'] or 'nobody'} WON, {losers} lost ({outcome['why']})"
    if identikits := rest.pop("identikits", None):
        yield "OPEN: " + "; ".join(map(_identikit, identikits))
    assert not rest.pop("awaited", False)
    assert not rest, f"the texts do not show {rest}"


def _votes(votes: Any) -> str:
    return " ".join(f"{vote['voter'][-1]}→{vote['target'][-1]}" for vote in votes)


def _seats(seats: list[str]) -> str:
    return " ".join(seat.removeprefix("agent-") for seat in seats)


def _facts(facts: Json) -> str:
    return ", ".join(f"{fact} {value}" for fact, value in facts.items())


def _identikit(identikit: Json) -> str:
    return " ".join(map(str, identikit.values()))


def particular(look: Json) -> Iterator[str]:
    """All of a seat's view but the public one, in lines."""
    may = f"may {', '.join(look.pop('may')) or 'do nothing'}"
    if settings := look.pop("settings", None):
        yield f"{may} · sees the settings (roles {settings['roles']})"
        assert look == {"faults": []}
        return
    identikit, belongs = look.pop("identikit"), look.pop("belongs")
    own = [_identikit(identikit)]
    if belongs != identikit["faction"]:
        own.append(f"belongs to {belongs}")
    if not look.pop("attempt_left"):
        own.append("no attempt left")
    if (power := look.pop("power_left")) is not None:
        own.append("has the power" if power else "power used")
    code, tries = look.pop("code"), look.pop("tries_left")
    if (code, tries) != ("choose", 3):
        own.append(f"code: {code}, {tries} tries left")
    yield " · ".join([*own, may])
    yield from _entered(look)
    for delivery in look.pop("received"):
        for message in delivery["messages"]:
            learned = message["learned"]
            yield (
                f"phase {delivery['phase']}, message {message['number']}: {message['fragment']}, "
                f"{_facts(message['facts'])}{f'; learned {_facts(learned)}' if learned else ''}"
            )
    if look.pop("blocked"):
        yield "a hacker prevents a code"
    assert not look, f"the texts do not show {look}"


def _entered(look: Json) -> Iterator[str]:
    entered = look.pop("entered")
    shown = [
        f"{what} {' '.join(map(_plain, given.values())) if isinstance(given, dict) else given}"
        for what, given in entered.items()
        if given is not None
    ]
    if look.pop("done"):
        shown.append("done")
    if not_target := look.pop("not_target"):
        shown.append(f"may not hack {not_target}")
    if shown:
        yield "entered: " + " · ".join(shown)


def _plain(value: object) -> str:
    return "+".join(value) if isinstance(value, list) else str(value)

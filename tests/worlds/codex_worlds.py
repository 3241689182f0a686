"""Games of Codex in two worlds that some of those at the table cannot tell apart.

The observers are the public, the operator, and none, one or two of the agents. What they have been
told is the same in both worlds: their own identikits, what the truth machine revealed, the messages
that came to them, what came of their own attempts, questions and demands, who won. All else may be
another deal of the same roles and nicknames; and in some pairs the others also entered other things
at the hidden screen, at the same times. Then all that the observers can see must be the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pprint import pformat
from random import Random
from typing import Any

import msgspec
from codex_walks import Drawn, options_of, walk
from rich.pretty import pretty_repr
from seen import Difference, Seen, as_lines, differences, told_by_error

from pi_table.games.rules import games
from pi_table.games.rules.codex import events
from pi_table.games.rules.codex.board import INDEX, OVER, SEND
from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.codex.identikit import Hides
from pi_table.games.rules.codex.phases import SEATS
from pi_table.games.rules.events import Event, GameEnded
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.seat import AGENTS, Seat

TRIES = 60
LENGTH = 110
PRINTED, PRINTED_RICHLY = 0.03, 0.002
"""Probabilities of printing everything after a line."""
PRIVATE = ("send", "hack", "ask", "extort", "done")
"""Acts that others may have entered otherwise in the other world."""
ALWAYS_SEEN = (events.AgentsDealt, events.FactRevealed)
"""Events that hide something, but everybody sees that they happen."""

Json = dict[str, Any]
Deal = tuple[Json, ...]


@dataclass(frozen=True)
class World:
    """A deal, the settings, and what everybody does, with its time."""

    deal: Deal
    options: Json
    lines: tuple[Json, ...]


@dataclass(frozen=True)
class Happened:
    """One line in a world: what time brought about before it, and what came of it."""

    lapsed: tuple[Event, ...]
    happened: tuple[Event, ...]
    refused: Refused | None
    told: object
    act: object
    state: State


def played(world: World) -> Iterator[Happened]:
    """Play it. The first one is the deal."""
    game = {"profile": "codex", "options": world.options, "deal": [*world.deal]}
    opening = games.read_opening(game, Drawn(Random(0)))
    state = games.evolve(None, opening)
    assert isinstance(state, State)
    yield Happened((), (opening,), None, None, None, state)
    for line in world.lines:
        now = line["at"]
        settled, lapsed = games.settle(state, now)
        assert isinstance(settled, State)
        state, refused, told, act = settled, None, None, None
        happened: tuple[Event, ...] = ()
        if line["act"] != "tick":
            try:
                act = games.read_act(line, state, Drawn(Random(0)))
                after, happened = games.step(state, Seat(line["seat"]), act, now)
                assert isinstance(after, State)
                state = after
                told = games.private_result(state, Seat(line["seat"]), happened)
            except Refused as refusal:
                refused = refusal
        yield Happened(lapsed, happened, refused, told, act, state)


# What the observers were told


def told_by_identikit(one: Json, fact: str) -> Any:
    """Return the fact of an identikit, by our own reading of CX-5 and CX-12."""
    if fact == "faction" and one["role"] == "infiltrator":
        return {"red": "blue", "blue": "red"}[one["faction"]]
    return one[fact]


def disclosed(world: World, observers: Sequence[int]) -> list[object]:
    """All that the observers were told in this world, and everybody."""
    found: list[object] = [world.deal[agent] for agent in observers]
    sent: list[events.MessageSent] = []
    hacked: set[int] = set()
    for one in played(world):
        if len(sent) == 6 and one.state.board.phase is not SEND:  # the lap is over
            found += _delivered(world.deal, sent, observers)
            found += [("blocked", agent) for agent in observers if agent in hacked]
            sent, hacked = [], set()
        for event in (*one.lapsed, *one.happened):
            match event:
                case events.MessageSent():
                    sent.append(event)
                case events.HackNamed(agent=agent, target=target):
                    if world.deal[agent]["role"] == "hacker":
                        hacked.add(target)
                case events.FactRevealed(agent=agent, fact=fact):
                    found.append((agent, fact, told_by_identikit(world.deal[agent], fact.value)))
                    if event.inquisitor in observers:
                        found.append(("prevailed", event.inquisitor))
                case events.CodeTried(agent=agent, result=result):
                    if agent in observers:
                        found.append(result)
                case events.Asked(agent=agent, answer=answer):
                    if agent in observers:
                        found.append(answer)
                case GameEnded(at=at, outcome=outcome):
                    found.append((at, outcome))
    return found


def _delivered(
    deal: Deal, sent: Sequence[events.MessageSent], observers: Sequence[int]
) -> Iterator[object]:
    for observer in observers:
        yield sorted(
            (
                deal[message.agent]["fragment"],
                [(f.value, told_by_identikit(deal[message.agent], f.value)) for f in message.facts],
            )
            for message in sent
            if message.to == observer
        )


# Two worlds


@dataclass(frozen=True)
class Worlds:
    """One world, and another that the observers cannot tell from it."""

    seed: str
    observers: tuple[int, ...]
    here: World
    there: World

    @property
    def same_inputs(self) -> bool:
        return self.here.lines == self.there.lines

    def parted(self) -> list[Difference]:
        """Return the differences between both worlds for the observers."""
        here, there = (list(self.watch(world)) for world in (self.here, self.there))
        return differences(here, there)

    def told_apart(self) -> str:
        """Return a report if the worlds can be told apart; empty if they cannot."""
        found = self.parted()
        if not found:
            return ""
        names = ", ".join(difference.what for difference in found)
        return (
            f"The worlds of seed {self.seed!r} can be told apart by agents {self.observers} by: "
            f"{names}.\n{found[0]}\n"
            f"world A:\n{as_lines([*self.here.deal, *self.here.lines])}\n"
            f"world B:\n{as_lines([*self.there.deal, *self.there.lines])}"
        )

    def watch(self, world: World) -> Iterator[Seen]:
        """Yield the observers' view of the world, line by line; a fault ends it."""
        chance = Random(f"{self.seed}/looks")
        now = 0.0
        try:
            for line, one in zip(({"at": 0.0}, *world.lines), played(world), strict=True):
                now = line["at"]
                seen = [*self._of_line(line, one), *self._looks(one.state, now)]
                if chance.random() < PRINTED:
                    seen += printed(one, now, by_rich=False)
                if chance.random() < PRINTED_RICHLY:
                    seen += printed(one, now, by_rich=True)
                yield from (replace_time(item, now) for item in seen)
        except Exception as fault:
            yield Seen("fault", told_by_error(fault), now)

    def _of_line(self, line: Json, one: Happened) -> Iterator[Seen]:
        seats = ("operator", *(AGENTS[agent].value for agent in self.observers))
        mine = line.get("seat") in seats
        for event in (*one.lapsed, *one.happened):
            public = not isinstance(event, Hides) or isinstance(event, ALWAYS_SEEN)
            if mine or public or (self.same_inputs and not isinstance(event, events.Asked)):
                yield Seen("event", (event.at, repr(event)))
        if mine:
            yield Seen("told", msgspec.json.encode(one.told))
        # What another agent's question is refused for tells what stands in a message to them.
        if mine or (self.same_inputs and line.get("act") not in (None, "ask")):
            yield Seen("refusal", None if one.refused is None else told_by_error(one.refused))

    def _looks(self, state: State, now: float) -> Iterator[Seen]:
        yield Seen("public view", msgspec.json.encode(games.public_view(state.board, now)))
        yield Seen("view of operator", msgspec.json.encode(games.view(state, Seat.OPERATOR, now)))
        for agent in self.observers:
            view = games.view(state, AGENTS[agent], now)
            yield Seen("view of an agent", msgspec.json.encode(view))
        for seat in SEATS:
            may = games.may(state, seat)
            acting = INDEX.get(seat)
            if acting in state.board.visiting and acting not in self.observers:
                if not self.same_inputs:
                    continue  # what they did there shows in what is left to do
                may = tuple(name for name in may if name != "ask")
            yield Seen("may", (seat.value, may))


def replace_time(seen: Seen, now: float) -> Seen:
    return Seen(seen.what, seen.value, now)


def printed(one: Happened, now: float, *, by_rich: bool) -> Iterator[Seen]:
    """Yield the output of printing everything, for any reader."""
    views = [games.view(one.state, seat, now) for seat in SEATS]
    for thing in (one.state, *views[:-1], *one.state.secrets.dossiers):
        shown = pretty_repr(thing) if by_rich else (str(thing), pformat(thing))
        if thing in views:
            yield Seen("print of a view", shown)
        else:
            yield Seen(f"print of {type(thing).__name__}", shown)


def worlds(seed: str) -> Worlds | None:
    """A game in two worlds; None if no other world was found."""
    chance = Random(f"{seed}/worlds")
    observers = tuple(chance.sample(range(6), chance.choice((0, 1, 1, 1, 2))))
    walked = walk(seed, length=chance.randrange(20, LENGTH), wild=0.08, sure=0.05)
    lines = []
    for step in walked.steps:
        if step.line["act"] == "reveal" and step.settled.board.phase is OVER:
            break  # after that nothing is hidden
        lines.append({**step.line, "at": step.now})
    opening = walked.opening
    assert isinstance(opening, events.AgentsDealt)
    deal = tuple(msgspec.to_builtins(one) for one in opening.identikits)
    here = World(deal, options_of(seed), tuple(lines))
    known = disclosed(here, observers)
    sends = _sends(here)
    for tries in range(TRIES):
        there = here
        if tries % 3 == 2:
            there = _in_each_others_place(there, observers, sends, chance)
        there = _other(there, observers, chance, (TRIES - tries) // 12)
        if here.options["screens"] == "phones" and tries % 2:
            there = _done_in_each_others_place(there, observers, chance)
        if there != here and disclosed(there, observers) == known:
            return Worlds(seed, observers, here, there)
    return None


def _sends(world: World) -> list[dict[int, int]]:
    """For each phase of the game: in which line each agent sent a message that was accepted."""
    found: list[dict[int, int]] = []
    for number, one in enumerate(played(world)):
        for event in one.happened:
            if isinstance(event, events.MessageSent):
                if not found or len(found[-1]) == 6:
                    found.append({})
                found[-1][event.agent] = number - 1
    return found


def _in_each_others_place(
    world: World, observers: Sequence[int], sends: list[dict[int, int]], chance: Random
) -> World:
    """Two agents have each other's identikits, and send each other's messages."""
    one, other = chance.sample([agent for agent in range(6) if agent not in observers], 2)
    deal = [dict(identikit) for identikit in world.deal]
    _swap(deal[one], deal[other], "faction", "role", "position", "fragment")
    lines = list(world.lines)
    for lap in sends:
        if one not in lap or other not in lap:
            continue
        first, second = lines[lap[one]], lines[lap[other]]
        # Nobody can send anything to themselves, and a message that is missing everybody sees.
        if first["to"] != second["seat"] and second["to"] != first["seat"]:
            lines[lap[one]] = {**first, **_message(second)}
            lines[lap[other]] = {**second, **_message(first)}
    return replace(world, deal=tuple(deal), lines=tuple(lines))


def _done_in_each_others_place(world: World, observers: Sequence[int], chance: Random) -> World:
    """One who is on a phone is done when another one was, and the other way round, if each of them
    could have been: nobody is told who was done when."""
    others = {AGENTS[agent].value for agent in range(6)} - {
        AGENTS[each].value for each in observers
    }
    done = [
        number
        for number, (line, one) in enumerate(zip(world.lines, _after_the_deal(world), strict=True))
        if line.get("act") == "done" and one.refused is None and line["seat"] in others
    ]
    for first, second in pairwise(done):
        lines = list(world.lines)
        seats = (lines[first]["seat"], lines[second]["seat"])
        lines[second], lines[first] = (
            {**lines[number], "seat": seat}
            for number, seat in zip((second, first), seats, strict=True)
        )
        swapped = replace(world, lines=tuple(lines))
        if chance.random() < 0.7 and [*_outline(swapped)] == [*_outline(world)]:
            world = swapped
    return world


def _after_the_deal(world: World) -> Iterator[Happened]:
    return islice(played(world), 1, None)


def _outline(world: World) -> Iterator[object]:
    """Yield the kind of each line's events, and the public facts of the visits."""
    for one in played(world):
        board = one.state.board
        kinds = [type(event) for event in (*one.lapsed, *one.happened)]
        yield kinds, board.phase, board.together, board.turn, board.waiting


def _message(line: Json) -> Json:
    return {"to": line["to"], "facts": line["facts"]}


def _other(world: World, observers: Sequence[int], chance: Random, changes: int) -> World:
    """Another deal for those who do not observe; and, in some worlds, other acts."""
    others = [agent for agent in range(6) if agent not in observers]
    deal = [dict(one) for one in world.deal]
    for _ in range(changes):
        one, other = chance.sample(others, 2)
        _change(deal, one, other, chance)
    lines = world.lines
    if chance.random() < 0.4:
        seats = {AGENTS[agent].value: agent for agent in others}
        # That all are done who are on their phones everybody sees.
        private = {*PRIVATE} - {"done" if world.options["screens"] == "phones" else ""}
        lines = tuple(
            _changed(line, seats[line["seat"]], chance)
            if line["act"] in private and line["seat"] in seats and chance.random() < 0.5
            else line
            for line in lines
        )
    return replace(world, deal=tuple(deal), lines=lines)


def _change(deal: list[Json], one: int, other: int, chance: Random) -> None:
    """Let two agents change something, or one have another fragment."""
    first, second = deal[one], deal[other]
    same = first["faction"] == second["faction"]
    match chance.choice(("fragment", "fragments", "papers", "all", "roles", "positions")):
        case "fragment":
            first["fragment"] = "".join(chance.choice("23456789ABCDEFGH") for _ in range(4))
        case "fragments":
            _swap(first, second, "fragment")
        case "papers":
            _swap(first, second, "faction", "role", "position")
        case "all":
            _swap(first, second, "faction", "role", "position", "fragment")
        case "roles" if same:
            _swap(first, second, "role")
        case "positions" if same:
            _swap(first, second, "position")


def _swap(first: Json, second: Json, *fields: str) -> None:
    for field in fields:
        first[field], second[field] = second[field], first[field]


def _changed(line: Json, agent: int, chance: Random) -> Json:
    """The same kind of act at the same time, with other details; a `done` may be left out."""
    target = AGENTS[chance.choice([other for other in range(6) if other != agent])].value
    facts = ("nickname", "faction", "role", "position")
    match line["act"]:
        case "send":
            # What is refused in one world must be refused in the other, or a message is missing.
            valid = len(line["facts"]) == 1 and line["facts"][0] in facts
            valid = valid and line["to"] != line["seat"]
            return {**line, "to": target, "facts": [chance.choice(facts)]} if valid else line
        case "hack":
            return {**line, "target": target}
        case "extort":
            return {**line, "fact": chance.choice(facts)}
        case "ask":
            return {**line, "message": chance.choice((1, 2)), "fact": chance.choice(facts)}
        case "done":
            return {"act": "tick", "at": line["at"]}
    return line

"""Random evenings at a whole table: games one after the other, fingers, requests, and mishaps.

An evening is a list of happenings, each with the instant (seconds of the table's clock) ``at``
which it happens, and one of:

- ``touch``, ``lean``, ``release``, ``fail`` (a place), ``wet``, ``mend``: what the simulated
  table's link takes;
- ``ask``: an act, asked for on the console's socket (``or`` another one, see `codex_evenings`);
  ``say``: a line that may be no request;
- ``public``: one more connection to the public socket, which ``listens``, ``speaks`` or
  ``sleeps`` (never reads);
- ``disk``: from now on ``full``, or with ``room``;
- ``read``: the numbers of games whose record is read, by the command line and inside;
- ``phone`` (a seat), in an evening with pages: what somebody ``does`` with that seat's phone:
  ``join`` (after its link was asked for), ``hold``, ``let go``, ``ask`` (an act, in ``do``),
  ``reload``, ``sleep``, ``wake``; or somebody else does ``look around``, and opens every page. An
  act that is ``secret`` changes nothing that anybody else may see;
- ``desk``, in an evening without a hidden screen: an act that the operator asks for on a phone;
- ``broker``, in an evening with a bridge: it is ``away``, or ``back``; ``command``, with its
  ``payload``: one that somebody sends to the table over the broker;
- ``restart``: the table is stopped, and started again.

One with nothing but ``at`` only lets everybody look around.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from game_scripts import Line, Pace, Script, keys_drawn, write
from twin_deals import Deal, Hidden, drawn
from twin_keys import KeySource

from pi_table.common.geometry import CELLS, PLACES
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.seat import Seat

PACE: Final = Pace(
    gaps=(1.0, 2.0, 2.5, 6.0), timers=(1, 3, 8, 20), odd_times=False, every_game=True
)
NAMES: Final = ("Moon", "Ash", "Kite", "Reed", "Wren", "Flint")
TRIES: Final = 20
"""Scripts that are written to find one of the game that is wanted, at most."""
LENGTHS: Final = (8, 20, 40, 60)
RUBBISH: Final = ("", "{", "null", '{"id": 1}', '{"id": "x", "do": {}}', '{"id": 2, "do": []}')
MISHAPS: Final = (
    *("slip", "slip", "slip", "slip", "slip", "brief", "brief", "brief"),
    *("sleeve", "deaf", "storm", "restart"),
    *("elbow", "spill", "spill", "cup", "all deaf"),
    *("disk", "disk", "disk", "public", "rubbish", "read", "look", "record", "start"),
)
FINGERS: Final = {
    "sleeve": "0 touch one, 0.1 touch other, 0.3 release one, 0.5 release other",
    "slip": "0 touch one, 0.2 release one, 0.2 touch other, 0.3 release other",
    "elbow": "0 touch one, 0.2 lean one, 0.5 release one",
    "cup": "0 lean one, 0.3 touch other, 0.4 release one, 0.5 release other",
    "spill": "0 wet yes, 0.2 touch one, 0.4 release one, 0.5 wet no",
    "brief": "0 touch one, 0.05 release one",
    "deaf": "0 fail one, 0.5 mend yes",
}
"""Mishaps at one place, or two: seconds, and what the simulated table's link is told."""


@dataclass
class Evening:
    seed: str
    intent: str
    cards: str
    happenings: list[Line] = field(default_factory=list)
    stall: float = 0.0
    """Seconds that the disk takes over an event."""
    keys_read: bool = False
    """True if the records of earlier games are read too, with their keys."""
    covers_refused: bool = False
    """True if there are covers of hidden cells that should be refused."""
    deals: tuple[Deal, ...] = ()
    """Those of the games of Codex."""
    pages: bool = False
    """True if there are pages and phones."""
    bridge: bool = False
    """True if there is a bridge to a broker."""
    desk: bool = False
    """True if the table has no hidden screen, and the operator has the desk on a phone."""

    def in_world(self, keys: Sequence[Any]) -> list[Line]:
        """The happenings, after a line with the configuration and the keys that are drawn."""
        evening = {"cards": self.cards, "intent": self.intent, "stall": self.stall, "keys": keys}
        return [evening, *self.happenings]

    def hiding(self, hidden: Hidden) -> "Evening":
        """The same evening, with other deals of Codex, and with what is entered otherwise."""
        happenings = self.happenings
        if hidden.otherwise:
            happenings = [
                _otherwise(happening) if "or" in happening else happening
                for happening in happenings
            ]
        return replace(self, deals=hidden.deals, happenings=happenings)

    def with_phones_unused(self, seat: str | None = None) -> "Evening":
        """The same evening, where nobody, or not who has this seat, does on a phone what everybody
        else is to see nothing of: to hold, to ask for what is refused, and what is `secret`."""
        happenings = [
            {"at": happening["at"]}
            if _is_secret(happening) and seat in (None, happening["phone"])
            else happening
            for happening in self.happenings
        ]
        return replace(self, happenings=happenings)

    def without(self, asked: Iterable[int]) -> "Evening":
        """The same evening, where nothing is done in the place of these requests (from 1)."""
        left_out = {*asked}
        number = itertools.count(1)
        return replace(
            self,
            happenings=[
                {"at": happening["at"]}
                if "ask" in happening and next(number) in left_out
                else happening
                for happening in self.happenings
            ],
        )


def _is_secret(happening: Line) -> bool:
    is_refused = happening.get("do", {}).get("act") == "guess"
    is_secret = is_refused or happening.get("secret", False)
    return happening.get("does") in ("hold", "let go") or is_secret


def _otherwise(happening: Line) -> Line:
    """Return the happening that replaces this one in a world `otherwise`."""
    what = "do" if "phone" in happening else "ask"
    return {**happening, what: happening["or"]}


def with_peeks(evening: Evening, chance: Random) -> Evening:
    """The same evening, where spymasters, and agents in their visits, peek now and then, and stop
    in time or not; and where agents look who may not see anything."""
    happenings: list[Line] = []
    for happening in evening.happenings:
        happenings.append(happening)
        do = happening.get("ask")
        if do is None or chance.random() < 0.5:
            continue
        at, seat = happening["at"], str(do.get("seat"))
        if seat.startswith("agent-"):
            looks = {"seat": f"agent-{chance.randint(1, 6)}", "act": "look"}
            happenings.append({"at": at + chance.choice((0.1, 0.4)), "ask": looks})
        elif not seat.endswith("-spymaster"):
            seat = chance.choice(("red-spymaster", "blue-spymaster"))
        if do.get("act") in ("choose-code", "enter-code", "clue", "start", "challenge"):
            happenings.append({"at": at + 0.2, "ask": {"seat": seat, "act": "peek"}})
        if chance.random() < 0.7:
            happenings.append({"at": at + 0.6, "ask": {"seat": seat, "act": "unpeek"}})
    return replace(evening, happenings=sorted(happenings, key=lambda each: each["at"]))


def with_marks(evening: Evening, chance: Random) -> Evening:
    """The same evening, where operatives mark cells now and then: after a clue, and while a guess
    is answered."""
    happenings: list[Line] = []
    for happening in evening.happenings:
        happenings.append(happening)
        at, do = happening["at"], happening.get("ask", {})
        if do.get("act") == "clue" and chance.random() < 0.6:
            team, times = str(do.get("seat")).removesuffix("-spymaster"), (0.2, 0.35)
        elif "touch" in happening and chance.random() < 0.2:
            team, times = chance.choice(("red", "blue")), (0.1, 0.7)
        else:
            continue
        for later in times:
            asked = {"seat": f"{team}-operatives", "act": "mark", "cell": chance.choice(CELLS)}
            happenings.append({"at": at + later, "ask": asked})
    return replace(evening, happenings=sorted(happenings, key=lambda each: each["at"]))


def with_service(evening: Evening, chance: Random) -> Evening:
    """The same evening, where staff try the table after a game that was ended, or try to while one
    is played."""
    happenings: list[Line] = []
    for happening in evening.happenings:
        happenings.append(happening)
        do = happening.get("ask")
        if do is None:
            continue
        at = happening["at"]
        if do.get("act") == "abandon":
            happenings += _service(at + 0.1, chance)
        elif chance.random() < 0.05:
            happenings.append({"at": at + 0.3, "ask": {"seat": "operator", "act": "service"}})
    return replace(evening, happenings=sorted(happenings, key=lambda each: each["at"]))


def _service(at: float, chance: Random) -> list[Line]:
    """Service for less than a second: pages, lights and fingers."""
    place = chance.choice(PLACES)
    lit = {
        "how": chance.choice(("one", "walk", "all")),
        "light": chance.randrange(104),
        "colour": chance.choice(("red", "white")),
    }
    asked: tuple[Line, ...] = (
        {"act": "service"},
        {"act": "service", "page": "lights", "lit": lit},
        {"act": "service", "page": "touch"},
        {"act": "service", "page": "sound", "sound": "speech", "lang": "it"},
        {"act": "service", "page": "faults"},
        {"act": "leave-service"},
    )
    steps = [
        {"at": round(at + 0.12 * step, 3), "ask": {"seat": "operator", **do}}
        for step, do in enumerate(asked)
    ]
    return [*steps, {"at": at + 0.3, "touch": place}, {"at": at + 0.55, "release": place}]


ON_A_PHONE: Final = ("clue", "challenge", "allow", "uphold", "decline")
"""Acts of spymasters that are asked for on their phones in an evening with pages."""
WITH_PHONES: Final = (
    *(Seat.RED_SPYMASTER, Seat.BLUE_SPYMASTER, Seat.RED_OPERATIVES, Seat.BLUE_OPERATIVES),
)


def with_phones(evening: Evening, chance: Random, keeping: bool = True) -> Evening:
    """The same evening with the pages: seats are given phones in each game, on which people hold,
    mark and enter some of what they would enter at the console; phones sleep, wake and are
    loaded anew, and others look on. Where they are ``keeping`` their phones, one more game is begun
    in the end for the same people, some of whom confirm it."""
    happenings: list[Line] = []
    for happening in evening.happenings:
        do = happening.get("ask", {})
        at, act, seat = happening["at"], do.get("act"), do.get("seat")
        if act in ON_A_PHONE and chance.random() < 0.5:
            happenings.append({"at": at, "phone": seat, "does": "ask", "do": _without_seat(do)})
        else:
            happenings.append(happening)
        if act in ("start", "next"):
            happenings += _joining(at, chance)
        elif act is not None and chance.random() < 0.6:
            happenings += _with_a_phone(at, chance)
    if keeping:
        happenings += _one_more(happenings[-1]["at"] + 2.0, chance)
    happenings.sort(key=lambda each: each["at"])
    return replace(evening, happenings=happenings, pages=True)


def _without_seat(do: Line) -> Line:
    return {name: value for name, value in do.items() if name != "seat"}


def _joining(at: float, chance: Random) -> Iterable[Line]:
    """Some seats get a phone soon after a game began."""
    for place, seat in enumerate(WITH_PHONES):
        if chance.random() < 0.8:
            when = round(at + 0.11 + 0.03 * place, 3)
            yield {"at": when, "phone": seat.value, "does": "join"}
            link = {"act": "phone", "seat": "operator", "for": seat.value}
            yield {"at": when, "ask": link}


def _one_more(at: float, chance: Random) -> Iterable[Line]:
    """Another game begins, for which some people keep their phones, and some get new codes."""
    yield {"at": round(at - 1.0, 3), "ask": {"seat": "operator", "act": "abandon"}}
    yield {"at": round(at, 3), "ask": {"seat": "operator", "act": "next", "keep_phones": True}}
    yield {"at": round(at + 9.0, 3)}
    for place, seat in enumerate(WITH_PHONES):
        when = round(at + 3.0 + 0.03 * place, 3)  # a slow disk has begun the game by then
        if chance.random() < 0.7:
            yield {"at": when, "phone": seat.value, "does": "hold"}
            yield {"at": round(when + 2.0, 3), "phone": seat.value, "does": "let go"}
        elif chance.random() < 0.5:
            yield {"at": when, "phone": seat.value, "does": "join"}
            yield {"at": when, "ask": {"act": "phone", "seat": "operator", "for": seat.value}}


def _with_a_phone(at: float, chance: Random) -> list[Line]:
    """Draw an action with a phone, or another person's action with a page."""
    does = chance.choice(
        ("hold", "hold", "refused", "mark", "mark", "reload", "sleep", "look around", "let")
    )
    seat = chance.choice(WITH_PHONES).value
    later, latest = round(at + 0.13, 3), round(at + 0.93, 3)
    match does:
        case "hold":
            seat = chance.choice(WITH_PHONES[:2]).value
            return [
                {"at": later, "phone": seat, "does": "hold"},
                {"at": latest, "phone": seat, "does": "let go"},
            ]
        case "refused":
            guess = {"act": "guess", "cell": chance.choice(CELLS)}
            return [{"at": later, "phone": seat, "does": "ask", "do": guess}]
        case "mark":
            seat = chance.choice(WITH_PHONES[2:]).value
            mark = {"act": "mark", "cell": chance.choice(CELLS)}
            return [{"at": later, "phone": seat, "does": "ask", "do": mark}]
        case "sleep":
            return [
                {"at": later, "phone": seat, "does": "sleep"},
                {"at": latest, "phone": seat, "does": "wake"},
            ]
        case "let":
            return [{"at": later, "ask": {"act": "let-go", "seat": "operator", "for": seat}}]
        case _:
            return [{"at": later, "phone": seat, "does": does}]


AT_THE_DESK: Final = (
    *("start", "next", "phone", "let-go", "pause", "resume", "abandon", "hourglass"),
    *("correct", "new-key", "reveal", "choose"),
)
"""Acts of the hidden screen that the desk has, too, where there is none."""


def without_screen(evening: Evening) -> Evening:
    """The same evening with phones, at a table without a hidden screen: the operator's acts are
    asked for at the desk, the spymasters' on their phones. What else was asked for at the screen is
    left out, and so are records, because nobody notes there whose keys are read."""
    happenings: list[Line] = []
    for happening in evening.happenings:
        do = happening.get("ask")
        if do is not None:
            at, act, seat = happening["at"], do.get("act"), str(do.get("seat"))
            if act in AT_THE_DESK:
                happening = {"at": at, "desk": _without_seat(do)}
            elif act in ON_A_PHONE:
                happening = {"at": at, "phone": seat, "does": "ask", "do": _without_seat(do)}
            else:
                happening = {"at": at}
        elif "say" in happening or "read" in happening:
            happening = {"at": happening["at"]}
        happenings.append(happening)
    return replace(evening, happenings=happenings, desk=True)


COMMANDS: Final = (
    ("locate", {"seconds": 3}),
    ("brightness", {"percent": 40}),
    ("volume", {"muted": True}),
    ("quiet", {"from": "04:00", "until": "05:00"}),
    ("idle-lights", {"on": False}),
    ("closing", {"minutes": 10}),
    ("start", {"profile": "codenames"}),
    ("locate", {"seconds": "long"}),
)


def with_a_bridge(evening: Evening, chance: Random) -> Evening:
    """The same evening with a bridge, whose broker goes and comes, and sends commands."""
    happenings: list[Line] = []
    for happening in evening.happenings:
        happenings.append(happening)
        later, latest = round(happening["at"] + 0.17, 3), round(happening["at"] + 0.77, 3)
        if chance.random() < 0.05:
            happenings += [{"at": later, "broker": "away"}, {"at": latest, "broker": "back"}]
        elif chance.random() < 0.1:
            command, payload = chance.choice(COMMANDS)
            happenings.append({"at": later, "command": command, "payload": payload})
        elif chance.random() < 0.05:
            closed = {"command": "out-of-service", "payload": {"on": True}}
            opened = {"command": "out-of-service", "payload": {"on": False}}
            happenings += [{"at": later, **closed}, {"at": latest, **opened}]
    happenings.sort(key=lambda each: each["at"])
    return replace(evening, happenings=happenings, bridge=True)


def plan(seed: str, *, length: int | None = None, messy: float | None = None) -> Evening:
    """The evening that this seed gives: by default of games of random lengths, and of any mess.

    ``length`` is the number of acts of a game, ``messy`` how often a mishap comes before an act.
    """
    evening = with_peeks(Planner(seed, length, messy).evening, Random(f"{seed}/peeks"))
    evening = with_marks(evening, Random(f"{seed}/marks"))
    return with_service(evening, Random(f"{seed}/service"))


class Planner:
    """Writes an evening of word games, and of what else happens at a table."""

    def __init__(self, seed: str, length: int | None, messy: float | None) -> None:
        chance = self.chance = Random(seed)
        self.evening = Evening(
            seed,
            intent=chance.choice(("hold", "hold", "tap-twice", "tap")),
            cards=chance.choice(("own", "dealt")),
            stall=chance.choice((0.0, 0.0, 0.05, 0.7)),
            keys_read=chance.random() < 0.3,
        )
        self.messy = chance.choice((0.0, 0.1, 0.3)) if messy is None else messy
        self.now = 0.5
        self.drawn = 0
        """Keys that were drawn before."""
        self.game = 0
        before: Line | None = None
        games = chance.choice((1, 1, 1, 2, 3))
        for number in range(games):
            if number and chance.random() < 0.3:
                self.agents()
                before = None
            self.game += 1
            like = before if chance.random() < 0.5 else None
            script = self.script(length, like)
            self.evening.covers_refused |= any(told.not_letters for told in script.told.values())
            self.begin(script, again=like is not None and _alike(script.game, like))
            self.play(script)
            self.end(last=number == games - 1)
            before = script.game
        self.evening.happenings.sort(key=lambda happening: happening["at"])

    def script(self, length: int | None, like: Line | None) -> Script:
        """A game for the keys that are drawn next; one ``like`` another, if that can be had."""
        seed = self.evening.seed
        for number in range(TRIES):
            keys = itertools.islice(keys_drawn(seed), self.drawn, None)
            script = write(
                f"{seed}/game {self.game}/{number}",
                PACE,
                KeySource(keys, coin(seed)),
                length or self.chance.choice(LENGTHS),
            )
            # Whoever starts a game on the console gives no words: those are laid out, or dealt.
            if not (script.game["words"] and _is_shared(script.game)) and (
                like is None or _alike(script.game, like)
            ):
                break
        self.drawn += len(script.drawn)
        return script

    def add(self, at: float, **what: Any) -> None:
        self.evening.happenings.append({"at": round(at, 3), **what})

    def ask(self, at: float, seat: str, act: str, **more: Any) -> None:
        self.add(at, ask={"seat": seat, "act": act, **more})

    def begin(self, script: Script, again: bool) -> None:
        if again:
            self.ask(self.now, "operator", "next")
        else:
            game = {name: script.game[name] for name in ("profile", "options")}
            self.ask(self.now, "operator", "start", **game)

    def agents(self) -> None:
        """The beginning of a game of Codex, the same in any world."""
        self.game += 1
        chance = self.chance
        self.evening.deals += (drawn(("hacker", "profiler"), NAMES, chance),)
        options = {"roles": ["hacker", "profiler"], "visit_seconds": 3}
        self.ask(self.now, "operator", "start", profile="codex", options=options)
        for agent in range(1, 4):
            self.now += 1.0
            self.ask(self.now, f"agent-{agent}", "choose-code", code="2468")
            self.ask(self.now + 0.5, f"agent-{agent}", "send", to="agent-6", facts=["role"])
            self.touch(chance.choice(PLACES), self.now + 1.0)
            self.now += 2.0
        self.ask(self.now, "operator", "abandon")
        self.read(self.now + 0.5)
        self.now += 2.0

    def play(self, script: Script) -> None:
        begun, last = self.now, 0.0
        for line in script.lines:
            at = begun + line["at"]
            if self.chance.random() < self.messy and line["at"] - last > 1.9:
                self.mishap(at - 1.5)
            self.perform(line, at)
            last = line["at"]
        self.now = begun + last + 2.0

    def perform(self, line: Line, at: float) -> None:
        """An act of the script: with fingers, where fingers can do it, or on the console."""
        cell = line.get("cell")
        place = {"guess": cell, "place": cell, "stop": "end-turn", "hourglass": "hourglass"}
        touched = place.get(line["act"])
        if line["act"] == "cover" and self.chance.random() < 0.5:
            # A refused touch is still being answered while the cover is tried.
            one = self.chance.choice(PLACES)
            self.add(at - 0.31, touch=one)
            self.add(at - 0.113, release=one)
        if touched in PLACES and "operatives" in line["seat"] and self.chance.random() < 0.85:
            self.touch(touched, at)
        elif line["act"] != "tick":
            what = {name: value for name, value in line.items() if name != "at"}
            if line["act"] in ("place", "choose"):
                what["word"] = self.word_to_lay(line)
            self.add(at, ask=what)

    def word_to_lay(self, line: Line) -> str | int | None:
        """Return the word or place of a card for a request to the table.

        Nobody knows here the words of the hands that the table deals itself. For those it is a
        place, and `World.chosen` knows the card there.
        """
        if self.evening.cards == "own":
            word: str | None = line.get("word")
            return word
        return self.chance.randrange(14) if line["act"] == "choose" else None

    def touch(self, place: object, at: float) -> None:
        """Fingers that mean a place at this instant."""
        match self.evening.intent:
            case "hold":
                self.add(at - 0.4, touch=place)
            case "tap-twice":
                self.add(at - 0.3, touch=place)
                self.add(at - 0.2, release=place)
                self.add(at, touch=place)
            case _:
                self.add(at, touch=place)
        self.add(at + 0.1, release=place)

    def mishap(self, at: float) -> None:
        """Something that is no part of the game; within half a second, so that the table has
        settled when a finger comes."""
        chance = self.chance
        one, other = chance.sample(PLACES, 2)
        match chance.choice(MISHAPS):
            case what if what in FINGERS:
                means = {"one": one, "other": other, "yes": True, "no": False}
                for step in FINGERS[what].split(", "):
                    later, does, value = step.split()
                    self.add(at + float(later), **{does: means[value]})
            case "all deaf":
                for place in PLACES:
                    self.add(at, fail=place)
                self.add(at + 0.5, mend=True)
            case "storm":
                if chance.random() < 0.8:
                    return
                # More messages than a socket holds for somebody who sleeps.
                for flicker in range(150):
                    self.add(at + flicker * 0.004, fail=one)
                    self.add(at + flicker * 0.004 + 0.002, mend=True)
            case "public":
                self.add(at, public=chance.choice(("listens", "speaks", "sleeps")))
            case "rubbish":
                self.add(at, say=chance.choice(RUBBISH))
            case "disk":
                self.add(at, disk="full")
                self.touch(chance.choice(CELLS), at + 0.5)
                self.add(at + 0.7, disk="room")
            case "read":
                self.read(at)
            case "look":
                self.ask(at, chance.choice([*Seat]).value, chance.choice(("look", "clues")))
            case "record":
                self.ask(at, chance.choice([*Seat]).value, "record", game=self.game)
            case "restart":
                self.add(at, restart=True)
            case "start":
                self.ask(at, "operator", "start", profile="codenames")

    def read(self, at: float) -> None:
        first = 1 if self.evening.keys_read else self.game
        self.add(at, read=[*range(first, self.game + 1)])

    def end(self, last: bool) -> None:
        """Come to an end that another game can follow."""
        chance = self.chance
        if not last or chance.random() < 0.5:
            self.ask(self.now, "operator", "abandon")
        self.read(self.now + 0.5)
        if not last and chance.random() < 0.5:
            self.ask(self.now + 1.0, chance.choice(("operator", "red-spymaster")), "reveal")
        self.now += 2.0


def coin(seed: str) -> int:
    """Which team starts at this evening, where that is drawn before the key."""
    return Random(f"{seed}/coin").randrange(2)


def _is_shared(game: Line) -> bool:
    """True if the teams lay out the cards."""
    usual = PROFILES[game["profile"]].defaults.dealing
    return bool(game["options"].get("dealing", usual) == "shared")


def _alike(game: Line, other: Line) -> bool:
    """True if a script for the one can be played where the other was begun."""
    if game["profile"] != other["profile"] or _is_shared(game) is not _is_shared(other):
        return False
    return bool(game["options"].get("players") == other["options"].get("players"))

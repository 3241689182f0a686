"""One game through the rules, the views, what is announced and the lights, with everything that can
be seen of it."""

from collections.abc import Iterator, Sequence
from pprint import pformat
from random import Random
from typing import Any

import msgspec
from game_scripts import Line, Script
from rich.pretty import pretty_repr
from seen import Seen, told_by_error
from surroundings import told_by_announcement
from twin_keys import KeySource

from pi_table.common.geometry import PLACE_COUNT
from pi_table.common.language import say
from pi_table.devices.lights import light as lights
from pi_table.devices.lights.picture import Attention, Held, Picture, Playing
from pi_table.devices.lights.scenes import SCENES
from pi_table.games.announcer import announcer
from pi_table.games.announcer.standing import RefusedTouch, Standing
from pi_table.games.rules import games, play
from pi_table.games.rules.events import Event
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.word_games import events, evolve, phases, views
from pi_table.protocols.ipc import messages
from pi_table.table.engine.outputs import Verdict
from pi_table.table.store.entries import Entry

SEATS_LOOK = 0.04
"""Probability that every seat looks. The public view and the lights are seen after every line."""
MAX_PAUSE_SECONDS = 4.0
"""Seconds after a line within which the lights are looked at: a guess is answered meanwhile."""
PLAYED, PRINTED, PRINTED_RICHLY = 0.25, 0.25, 0.01
"""In how many games what `pi-table play` answers is seen, and what printing everything shows."""


def watch(script: Script, keys: Sequence[str]) -> list[Seen]:
    """Play the script in the world in which these keys are drawn.

    A fault ends it, and is seen; the last item is then called ``fault``.
    """
    world = World(script, keys)
    try:
        world.run()
        if world.chance.random() < PLAYED:
            world.seen += played(script, keys)
    except Exception as fault:
        world.seen.append(Seen("fault", told_by_error(fault)))
    return world.seen


class World:
    """A game that is played, and everybody who looks and listens; nothing of the engine."""

    def __init__(self, script: Script, keys: Sequence[str]) -> None:
        self.script = script
        self.draw = KeySource(keys, script.coin)
        self.chance = Random(f"{script.seed}/looks")  # where eyes and hands are, in both worlds
        self.seen: list[Seen] = []
        self.now = 0.0
        self.standing: Standing | None = None
        self.refused: RefusedTouch | None = None

    def run(self) -> None:
        dealt = self.script.opening(self.draw)
        self.state = evolve.evolve(None, dealt)
        self.happened(dealt)
        for line in self.script.lines:
            self.do(line)
            self.look()
        if self.chance.random() < PRINTED:
            self.seats_look()
            for thing in self.things():
                self.saw(f"print of {type(thing).__name__}", (str(thing), pformat(thing)))
        if self.chance.random() < PRINTED_RICHLY:
            for thing in self.things():
                self.saw(f"print of {type(thing).__name__} by rich", pretty_repr(thing))

    def do(self, line: Line) -> None:
        """Process a line as `rules.play` does."""
        try:
            if "at" in line:
                self.now = games.read_time(line["at"], self.now)
            self.state, lapsed = games.settle(self.state, self.now)
            self.happened(*lapsed)
            if line["act"] not in ("look", "clues", "tick"):
                seat = games.read_seat(line["seat"], self.state.board)
                act = games.read_act(line, self.state, self.draw)
                self.saw("act", repr(act))
                self.state, happened = games.step(self.state, seat, act, self.now)
                self.happened(*happened)
        except Refused as refusal:
            self.saw("refusal", (refusal.reason.value, *told_by_error(refusal)))

    def happened(self, *happened: Event) -> None:
        for event in happened:
            self.saw("event", repr(event))

    def saw(self, what: str, value: object) -> None:
        self.seen.append(Seen(what, value, self.now))

    def look(self) -> None:
        board, chance = self.state.board, self.chance
        view = views.public_view(board, self.now)
        self.saw("public view", msgspec.json.encode(view))
        attention = self.attention()
        standing = Standing(
            view,
            game=1,
            at=self.now,
            hurry=chance.random() < 0.1,
            urging=board.urging(self.now),
            hourglass=board.settings.timer == "hourglass",
            peeking=chance.random() < 0.1,
            blocked=attention.blocked,
            refused=self.refused,
        )
        said = announcer.announce(self.standing, standing)
        self.standing = standing
        self.saw("announced", [*map(told_by_announcement, said)])
        playing = tuple(
            Playing(each, self.now + each.after) for each in said if each.what in SCENES
        )
        now = self.now + chance.choice((0.0, MAX_PAUSE_SECONDS * chance.random()))
        lighting = lights.light(Picture(standing, attention, playing), now)
        self.saw("lights", lighting.frame)
        self.saw("lights' next time", lighting.wakes)
        if chance.random() < SEATS_LOOK:
            self.seats_look()

    def attention(self) -> Attention:
        chance = self.chance
        hold = None
        if chance.random() < 0.3:
            begun = self.now - chance.random()
            hold = Held(chance.randrange(PLACE_COUNT), begun, chance.choice((None, begun + 1.0)))
        if chance.random() < 0.2:
            place = chance.randrange(PLACE_COUNT)
            self.refused = RefusedTouch(place, self.now, say("The game is over."))
        unclear, deaf = (
            frozenset(place for place in range(PLACE_COUNT) if chance.random() < share)
            for share in (chance.choice((0.0, 0.0, 0.1)), chance.choice((0.0, 0.0, 0.3)))
        )
        return Attention(
            hold=hold,
            unclear=unclear,
            waiting=bool(unclear) or chance.random() < 0.1,
            blocked=chance.random() < 0.1,
            deaf=deaf,
        )

    def seats_look(self) -> None:
        for seat in games.seats(self.state.board):
            self.saw(f"may of {seat.value}", phases.may(self.state.board, seat))
            seen = msgspec.to_builtins(views.view(self.state, seat, self.now))
            if seat.role is Role.SPYMASTER and self.state.key is not None:
                del seen["key"]  # theirs; nothing else in their view may come of it
            self.saw(f"view of {seat.value}", msgspec.json.encode(seen))

    def things(self) -> Iterator[object]:
        """One of everything that holds a key, and of what stands beside it."""
        state = self.state
        seats = games.seats(state.board)
        spymaster = views.view(state, seats[0], self.now)
        key = state.key or state.kept
        public = views.public_view(state.board, self.now)
        yield state
        yield spymaster
        yield views.view(state, Seat.OPERATOR, self.now)
        yield messages.PublicMessage(public, out_of_order=False)
        rest: Any = {
            "may": {},
            "settings": None,
            "game": 1,
            "cards": "own",
            "packs": (),
            "faults": (),
        }
        yield messages.TableMessage(public, None if key is None else key.letters, **rest)
        yield messages.Answer(1, ok=True, told=spymaster)
        yield Verdict(ok=True, told=spymaster)
        if key is not None:
            yield Entry(0.0, games.encode(events.KeyRedrawn(0.0, key)))


def played(script: Script, keys: Sequence[str]) -> Iterator[Seen]:
    """Yield the answers of `pi-table play`, without the key where a spymaster looks."""
    lines = script.in_world(keys)
    to_draw = KeySource(keys[1:] if script.key_first else keys, script.coin)
    answers = play.play((msgspec.json.encode(line).decode() for line in lines), to_draw)
    for line, answer in zip(lines, answers, strict=True):
        yield Seen("answer of play", _without_their_key(line, answer))


def _without_their_key(line: Line, answer: str) -> str:
    if line.get("act") != "look" or not str(line.get("seat")).endswith("spymaster"):
        return answer
    content: dict[str, Any] = msgspec.json.decode(answer)
    if content.get("told") and "placed" not in content["view"]:
        del content["told"]["key"]
    return msgspec.json.encode(content).decode()

"""Makes the payloads of the bridge's messages from the table's public message and house message.

The functions are pure: values in, values out. Each payload is JSON, and the README beside this file
shows it. Besides these payloads, the bridge publishes only availability and discovery.
"""

import datetime

import msgspec
from msgspec.structs import asdict, replace

from pi_table.common.language import to_json
from pi_table.fleet.bridge.facts import MachineHealth
from pi_table.games.rules.outcome import Outcome
from pi_table.protocols.ipc.house import FinishedGame, HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage, Presence, PublicMessage, Said
from pi_table.protocols.ipc.texts import encode


class Clue(msgspec.Struct, frozen=True):
    """The clue of the current turn."""

    word: str | None
    """The word of the clue; None if the clue was only spoken."""
    number: int | str
    """The number of the clue, or ``unlimited``."""


class Left(msgspec.Struct, frozen=True):
    """The number of cells that each team still has to uncover."""

    red: int
    blue: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The public state of the table."""

    presence: Presence
    profile: str | None = None
    """Name of the game on the table; None before the first game."""
    phase: str | None = None
    turn: str | None = None
    """Name of the team or the agent whose turn it is."""
    clue: Clue | None = None
    guesses_left: int | None = None
    left: Left | None = None
    """Number of cells that each team still has to uncover; None if the game is no word game."""
    outcome: Outcome | None = None
    """The result of the game; None before its end."""
    out_of_order: bool
    service: bool
    out_of_service: bool
    kept_free: bool


class Faults(msgspec.Struct, frozen=True):
    """The present faults of the table."""

    count: int
    faults: tuple[str, ...]
    out_of_order: bool


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The health of table, machine and bridge at one moment."""

    at: str
    """Time of the sample as text: ISO 8601, UTC, by the machine's clock."""
    version: str
    link: bool
    deaf: tuple[str, ...]
    wet: bool
    can_store: bool
    counts: dict[str, int]
    games: int
    uptime: float | None
    temperature: float | None
    throttled: bool | None
    disk_free: int | None
    disk_wear: int | None
    queued: int
    dropped: int


class Event(msgspec.Struct, frozen=True):
    """The payload about one announcement at the table."""

    event_type: str
    number: int
    words: dict[str, str]


class Done(msgspec.Struct, frozen=True):
    """The result of a command."""

    command: str
    ok: bool
    sentence: str | None
    """Reason why the command was refused; None if it was carried out."""


def state(public: AnyPublicMessage, house: HouseMessage | None) -> bytes:
    told = State(
        presence=public.idle,
        out_of_order=public.out_of_order,
        service=public.service,
        out_of_service=public.out_of_service,
        kept_free=house is not None and house.kept_free,
    )
    if public.view is not None:
        told = replace(
            told,
            profile=public.view.profile,
            phase=public.view.phase.value,
            turn=None if public.view.turn is None else public.view.turn.value,
            outcome=public.view.outcome,
        )
    if isinstance(public, PublicMessage) and public.view is not None:
        clue = public.view.clue
        told = replace(
            told,
            clue=None if clue is None else Clue(clue.word, clue.number),
            guesses_left=public.view.guesses_left,
            left=Left(public.view.left.red, public.view.left.blue),
        )
    return to_json(told)


def settings(house: HouseMessage) -> bytes:
    """Return the payload with the settings that can be changed remotely."""
    return msgspec.json.encode(house.settings)


def faults(house: HouseMessage) -> bytes:
    return encode(Faults(len(house.faults), house.faults, house.out_of_order))


def health(
    house: HouseMessage, machine: MachineHealth, at: float, games: int, queued: int, dropped: int
) -> bytes:
    """Return the payload of a health sample; ``at`` is the sample's time in seconds since 1970."""
    return msgspec.json.encode(
        Health(
            at=iso(at),
            version=house.version,
            link=house.link,
            deaf=house.deaf,
            wet=house.wet,
            can_store=house.can_store,
            counts=house.counts,
            games=games,
            **asdict(machine),
            queued=queued,
            dropped=dropped,
        )
    )


def event(said: Said) -> bytes:
    return to_json(Event(said.what, said.number, said.words))


def record(game: FinishedGame, table: str, version: str) -> bytes:
    """Return the payload about a finished game. ``version`` is the table's program version."""
    told = {"table": table, "version": version, **asdict(game)}
    return msgspec.json.encode(told)


def command_result(command: str, sentence: str | None) -> bytes:
    """Return the payload with a command's result. ``sentence`` is the reason of a refusal; None
    means that the command was carried out."""
    return encode(Done(command, sentence is None, sentence))


def iso(at: float) -> str:
    """Return a time as text: ISO 8601, UTC, to the second."""
    when = datetime.datetime.fromtimestamp(int(at), datetime.UTC)
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"

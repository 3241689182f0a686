"""The orders of the house over its socket.

No order is an act of a game: no order begins, changes or ends a game, and no order shows hidden
information. ``now`` is in seconds of the table's clock.
"""

from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from pi_table.common.errors import InputError
from pi_table.common.house_settings import MIN_BRIGHTNESS, with_settings
from pi_table.common.language import did_you_mean, say
from pi_table.games.announcer.standing import Closing
from pi_table.protocols.ipc.house import (
    MAX_CLOSING_MINUTES,
    MAX_FREE_SECONDS,
    MAX_LOCATE_SECONDS,
    HouseSettings,
    Latest,
)
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.requests.fields import Fields, Refusal, no_settings
from pi_table.table.engine.requests.outcome import Outcome, SetOrders
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state.moves import Unable, check_that_none_is_played
from pi_table.table.engine.storage.orders import ChangeHouse, ReadFinished


def _not_up_to(most: int) -> Refusal:
    def refuse(name: str, _: object, __: object) -> InputError:
        return InputError(
            say("{name} is a whole number from 0 to {most}.", name=repr(name), most=most)
        )

    return refuse


class Locate(Fields, frozen=True):
    seconds: Annotated[int, Meta(ge=0, le=MAX_LOCATE_SECONDS), _not_up_to(MAX_LOCATE_SECONDS)]


def locate(request: Request, fields: Locate, snapshot: Snapshot, now: float) -> Outcome:
    return SetOrders(replace(snapshot.in_force, located_until=_from(now, fields.seconds)))


class Set(Fields, frozen=True):
    settings: Annotated[dict[str, Any], Meta(min_length=1), no_settings]


def change_settings(request: Request, fields: Set, snapshot: Snapshot, now: float) -> Outcome:
    settings = fields.settings
    known = list(HouseSettings.__struct_fields__)
    for name in settings:
        if name not in known:
            raise InputError(
                say(
                    "No setting {name} can be changed remotely; {did_you_mean}",
                    name=repr(name),
                    did_you_mean=did_you_mean(name, known),
                )
            )
    house = with_settings(snapshot.house, settings)
    if "brightness" in settings and house.brightness < MIN_BRIGHTNESS:
        raise InputError(
            say(
                "Remotely, the lights cannot be set below {least_brightness} %: in the dark "
                "nobody could go on with a game.",
                least_brightness=MIN_BRIGHTNESS,
            )
        )
    return ChangeHouse(request.to, settings)


class Close(Fields, frozen=True):
    minutes: Annotated[int, Meta(ge=0, le=MAX_CLOSING_MINUTES), _not_up_to(MAX_CLOSING_MINUTES)]


def announce_closing(request: Request, fields: Close, snapshot: Snapshot, now: float) -> Outcome:
    if fields.minutes == 0:
        raise InputError(say("The house closes in one minute or more."))
    said = snapshot.in_force.closing
    number = 1 if said is None else said.number + 1
    return SetOrders(replace(snapshot.in_force, closing=Closing(number, fields.minutes)))


class KeepFree(Fields, frozen=True):
    seconds: Annotated[int, Meta(ge=0, le=MAX_FREE_SECONDS), _not_up_to(MAX_FREE_SECONDS)]


def keep_free(request: Request, fields: KeepFree, snapshot: Snapshot, now: float) -> Outcome:
    if fields.seconds:
        check_that_none_is_played(snapshot.game)
    return SetOrders(replace(snapshot.in_force, free_until=_from(now, fields.seconds)))


def _not_the_latest(_: str, __: object, error: object) -> InputError:
    return InputError(say("After which game does the list start? {error}.", error=error))


class Finished(Fields, frozen=True):
    after: Annotated[Latest | None, _not_the_latest] = None


def read_finished(request: Request, fields: Finished, snapshot: Snapshot, now: float) -> Outcome:
    return ReadFinished(request.to, fields.after)


def _from(now: float, seconds: int) -> float | None:
    return now + seconds if seconds else None


def check_that_a_game_may_begin(snapshot: Snapshot) -> None:
    if snapshot.in_force.free_until is not None:
        raise Unable(
            "kept-free", say("The table is being worked on: a game can begin in some minutes.")
        )
    if snapshot.house.out_of_service:
        raise Unable("out-of-service", say("This table is out of service: no game can begin."))

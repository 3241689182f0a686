"""The messages to and from the controller, byte by byte. Contradictory ones are ignored."""

from collections.abc import Callable

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors import Fields, Vector, named, vectors

from pi_table.common.errors import InputError
from pi_table.common.geometry import PLACE_COUNT, leds_of
from pi_table.devices.wire import commands
from pi_table.devices.wire.codec import frame
from pi_table.devices.wire.messages import (
    Hello,
    Message,
    Origin,
    OtherProtocol,
    Raw,
    RestartCause,
    SettingsReply,
    Start,
    State,
    read,
)
from pi_table.devices.wire.settings import PADS, Settings, pack, unpack

DEFAULTS = Settings((7,) * 31, (4,) * 31, (60,) * 31, 2000)


def bits(mask: int) -> frozenset[int]:
    return frozenset(bit for bit in range(32) if mask >> bit & 1)


def settings_of(fields: Fields) -> Settings:
    touch, release, heavy = (tuple(fields[name]) for name in ("touch", "release", "heavy"))
    return Settings(touch, release, heavy, fields["most_ma"][0])


def told(kind: str, fields: Fields) -> Message:
    """The message of the controller that has these fields."""
    one = {name: values[0] for name, values in fields.items()}
    match kind:
        case "hello":
            major, minor, patch = fields["firmware"]
            return Hello(
                firmware=(major, minor, patch),
                boot=one["boot_id"],
                start=Start(one["cause"]),
                chips=bits(one["chips"]),
                lights=one["lights"],
                settings=Origin(one["settings"]),
            )
        case "state":
            return State(
                boot=one["boot_id"],
                sequence=one["sequence"],
                uptime_ms=one["uptime_ms"],
                applied=one["applied"],
                chips=bits(one["chips"]),
                water=bool(one["flags"] & 1),
                rim=bool(one["flags"] & 2),
                dark=bool(one["flags"] & 4),
                starving=bool(one["flags"] & 8),
                touched=bits(one["touched"]),
                heavy=bits(one["heavy"]),
                deaf=bits(one["deaf"]),
                counters=tuple(fields["counters"]),
                restarts=tuple(map(RestartCause, fields["causes"])),
                restarted=one["restarts"],
                dropped=one["dropped"],
                lost=one["lost"],
                current_ma=one["current_ma"],
                noisy=bits(one["noisy"]),
                perhaps=bits(one["perhaps"]),
                check=one["check"],
            )
        case "raw":
            filtered = (None if count == 0xFFFF else count for count in fields["filtered"])
            return Raw(one["number"], tuple(filtered), tuple(fields["baseline"]))
        case _:
            return SettingsReply(one["number"], bool(one["verdict"]), settings_of(fields))


def command(kind: str, fields: Fields) -> commands.Command:
    """The command of the Pi that has these fields."""
    match kind:
        case "lights":
            places, colours = fields["places"][0], iter(fields["colours"])
            frame = tuple(
                next(colours) if places >> place & 1 else 0xABCDEF
                for place in range(PLACE_COUNT)
                for _ in leds_of(place)
            )
            lit = tuple(place for place in range(PLACE_COUNT) if places >> place & 1)
            return commands.Light(frame, lit, bool(places >> 30 & 1), bool(places >> 31 & 1))
        case "ask":
            return commands.Ask(commands.Tell(fields["what"][0]))
        case "store":
            return commands.Store(settings_of(fields))
        case "here":
            return commands.KeepAlive()
        case _:
            return commands.Restart()


REPORTS = vectors("hello", "state", "raw", "settings")
COMMANDS = vectors("lights", "ask", "store", "here", "restart")


@pytest.mark.parametrize("vector", REPORTS, ids=named)
def test_what_the_firmware_tells_is_understood(vector: Vector) -> None:
    message = bytes.fromhex(vector.parts[1])
    assert frame(message).hex() == vector.parts[2]
    assert read(message) == told(vector.kind, vector.fields)


@pytest.mark.parametrize("vector", COMMANDS, ids=named)
def test_what_is_said_is_what_the_firmware_understands(vector: Vector) -> None:
    message = commands.write(command(vector.kind, vector.fields), vector.fields["number"][0])
    assert message.hex() == vector.parts[1]
    assert frame(message).hex() == vector.parts[2]


@pytest.mark.parametrize("vector", vectors("no-report"), ids=named)
def test_what_is_no_report_is_nothing(vector: Vector) -> None:
    assert read(vector.data[0]) is None


@given(st.binary(max_size=200))
def test_bytes_by_chance_are_nothing_or_a_message(data: bytes) -> None:
    read(data)


@given(st.sampled_from(REPORTS), st.binary(max_size=3))
def test_a_message_of_another_length_is_nothing(vector: Vector, more: bytes) -> None:
    message = bytes.fromhex(vector.parts[1])
    for length in range(len(message)):
        assert read(message[:length]) is None
    assert more == b"" or read(message + more) is None


def test_a_hello_of_another_protocol_is_told_apart_whatever_else_it_holds() -> None:
    for rest in (b"", b"\xff" * 40):
        assert read(b"\x01\x01" + rest) == OtherProtocol(1)
    assert read(b"\x01") is None


STATE = bytes.fromhex(next(v for v in vectors("state") if v.name == "all-different").parts[1])
HELLO = bytes.fromhex(next(v for v in vectors("hello") if v.name == "first-start").parts[1])


@pytest.mark.parametrize(
    ("message", "at", "change"),
    [
        (STATE, 1, lambda _: 0),  # with the next: boot id 0
        (STATE, 10, lambda byte: byte | 8),  # a fourth chip
        (STATE, 11, lambda byte: byte | 16),  # a flag that there is not
        (STATE, 12, lambda byte: byte ^ 1),  # touched, and its counter says no
        (STATE, 12, lambda byte: byte ^ 2),  # not touched, and its counter says yes
        (STATE, 15, lambda byte: byte | 8),  # a place that there is not is touched
        (STATE, 16, lambda byte: byte | 1),  # heavy, and not touched
        (STATE, 19, lambda byte: byte | 8),  # a place that there is not is heavy
        (STATE, 20, lambda byte: byte | 2),  # deaf, and touched
        (STATE, 23, lambda byte: byte | 8),  # a place that there is not is deaf
        (STATE, 37, lambda byte: byte | 16),  # a counter of no place
        (STATE, 38, lambda byte: byte | 64),  # a fourth chip's restart
        (STATE, 48, lambda byte: byte | 1),  # noisy, and deaf
        (STATE, 49, lambda byte: byte | 128),  # a pad that there is not is noisy
        (STATE, 50, lambda byte: byte | 2),  # perhaps touched, and touched
        (STATE, 52, lambda byte: byte | 1),  # perhaps touched, and deaf
        (STATE, 53, lambda byte: byte | 8),  # a place that there is not is perhaps touched
        (HELLO, 5, lambda _: 0),  # with the next: boot id 0
        (HELLO, 7, lambda _: 3),  # two causes
        (HELLO, 8, lambda byte: byte | 8),  # a fourth chip
        (HELLO, 9, lambda _: 26),  # another table
        (HELLO, 12, lambda _: 3),  # settings from nowhere
    ],
)
def test_what_contradicts_itself_or_cannot_be_is_nothing(
    message: bytes, at: int, change: Callable[[int], int]
) -> None:
    assert read(message) is not None
    changed = bytearray(message)
    changed[at] = change(changed[at])
    if at in (1, 5):
        changed[at + 1] = 0
    assert read(bytes(changed)) is None


@pytest.mark.parametrize(("at", "value"), [(2, 1024), (2, 0xFFFE), (4, 1021)])
def test_counts_that_the_chips_do_not_have_are_nothing(at: int, value: int) -> None:
    whole = bytes([0x03, 1]) + bytes(124)
    assert read(whole) is not None
    assert read(whole[:at] + value.to_bytes(2, "little") + whole[at + 2 :]) is None


def test_settings_that_cannot_be_are_nothing() -> None:
    whole = bytes([0x04, 1, 0]) + pack(DEFAULTS)
    assert read(whole) == SettingsReply(1, False, DEFAULTS)
    assert read(whole[:2] + b"\2" + whole[3:]) is None
    assert read(whole[:3] + b"\3" + whole[4:]) is None


thresholds = st.integers(4, 120).flatmap(
    lambda touch: st.tuples(st.just(touch), st.integers(1, touch - 1), st.integers(touch + 4, 255))
)
settings = st.tuples(st.lists(thresholds, min_size=31, max_size=31), st.integers(100, 6500)).map(
    lambda drawn: Settings(*zip(*drawn[0], strict=True), drawn[1])  # type: ignore[arg-type,call-arg]
)


@hypothesis.settings(max_examples=20)
@given(settings)
def test_settings_come_back_as_they_went(given: Settings) -> None:
    assert unpack(pack(given)) == given


@pytest.mark.parametrize(
    ("threshold", "value", "says"),
    [
        (0, 3, "The touch threshold of C1 is 3, but it must be from 4 to 120."),
        (0, 121, "The touch threshold of C1 is 121, but it must be from 4 to 120."),
        (1, 0, "The release threshold of C1 is 0, but it must be from 1 to 6."),
        (1, 7, "The release threshold of C1 is 7, but it must be from 1 to 6."),
        (2, 10, "The threshold of weight on C1 is 10, but it must be from 11 to 255."),
        (2, 256, "The threshold of weight on C1 is 256, but it must be from 11 to 255."),
    ],
)
def test_a_threshold_out_of_range_is_refused_with_its_pad(
    threshold: int, value: int, says: str
) -> None:
    tables = [[7] * 31, [4] * 31, [60] * 31]
    tables[threshold][2] = value
    touch, release, heavy = map(tuple, tables)
    with pytest.raises(InputError) as error:
        Settings(touch, release, heavy, 2000)
    assert str(error.value) == says


@pytest.mark.parametrize("most_ma", [99, 6501])
def test_a_current_out_of_range_is_refused(most_ma: int) -> None:
    with pytest.raises(InputError, match=r"current \(in mA\) is .* from 100 to 6500"):
        Settings(DEFAULTS.touch, DEFAULTS.release, DEFAULTS.heavy, most_ma)


def test_settings_for_too_few_pads_are_refused() -> None:
    with pytest.raises(InputError, match="31 pads"):
        Settings(DEFAULTS.touch[:30], DEFAULTS.release, DEFAULTS.heavy, 2000)
    with pytest.raises(InputError, match="95 bytes, not 94"):
        unpack(bytes(94))


def test_the_pads_are_the_places_and_the_rim() -> None:
    assert PADS[24:] == ("E5", "end-turn", "hourglass", "far", "left", "right", "near")

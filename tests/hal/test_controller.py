"""The controller's driver on a real terminal device: it comes and goes, and is not always ours."""

import fcntl
import grp
import os
import pwd
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from firmware_peer import Firmware
from msgspec.structs import replace
from peer import Peer
from plug import Bench, Plug

from pi_table.common.config import load
from pi_table.common.errors import DeviceError
from pi_table.common.geometry import PLACE_COUNT
from pi_table.devices.hal import controller_trouble
from pi_table.devices.hal.contracts import HEARTBEAT, TouchFrame
from pi_table.devices.hal.controller import Controller, open_port
from pi_table.devices.hal.registry import open_hardware
from pi_table.devices.wire.codec import Deframer

ALL = frozenset(range(PLACE_COUNT))
RED, BLUE = (0xFF0000,) * 104, (0x0000FF,) * 104
DARK = (0,) * 104

MakeBench = Callable[..., Bench]


@pytest.fixture
def name(tmp_path: Path) -> Path:
    """The name of the port."""
    return tmp_path / "port"


@pytest.fixture
def make(name: Path) -> Iterator[MakeBench]:
    """Makes a bench, with a controller unless told otherwise."""
    made: list[Bench] = []

    def make(peer: Peer | None, **options: bool) -> Bench:
        made.append(Bench(name, peer, **options))
        return made[-1]

    yield make
    for bench in made:
        bench.close()


@pytest.fixture
def bench(make: MakeBench) -> Bench:
    """A table that plays."""
    bench = make(Peer())
    bench.until(set())
    assert bench.frames == [TouchFrame()]
    return bench


def test_a_terminal_that_has_the_number_of_a_killed_emulators_is_not_opened(name: Path) -> None:
    ours, stranger = os.openpty()
    try:
        made = os.stat(os.ttyname(stranger)).st_ctime_ns
        name.symlink_to(os.ttyname(stranger))
        open_port(str(name)).close()
        os.utime(name, ns=(made, made - 1), follow_symlinks=False)
        with pytest.raises(DeviceError, match="There is no controller"):
            open_port(str(name))
    finally:
        os.close(ours)
        os.close(stranger)


def test_it_feels_and_it_shows(bench: Bench) -> None:
    bench.peer.touch(3)
    bench.until({3})
    bench.driver.show(RED)
    bench.run(0.05)
    assert bench.peer.lights == RED
    bench.peer.lift(3)
    bench.until(set())
    assert [{*frame.touched} for frame in bench.changes] == [set(), {3}, set()]


def test_a_frame_tells_all_that_the_controller_does(bench: Bench) -> None:
    bench.peer.touch(3, 4)
    bench.peer.heavy = frozenset({4})
    bench.peer.flags = 2
    bench.run(0.05)
    assert bench.frames[-1] == TouchFrame(frozenset({3, 4}), heavy=frozenset({4}), blocked=True)


def test_what_does_not_change_is_not_told_again(bench: Bench) -> None:
    bench.run(3.0)
    assert bench.frames == [TouchFrame()]


def test_what_is_touched_is_told_again_as_often_as_the_controller_tells_it(bench: Bench) -> None:
    bench.peer.touch(3)
    bench.until({3})
    first = len(bench.frames)
    bench.run(1.0)
    assert {*bench.frames[first:]} == {TouchFrame(frozenset({3}))}
    gaps = [after - before for before, after in pairwise(bench.told_at[first - 1 :])]
    assert max(gaps) <= HEARTBEAT
    assert len(gaps) == pytest.approx(50, abs=12)


def test_what_nobody_tells_any_more_is_not_told_again_but_deaf(bench: Bench) -> None:
    bench.peer.touch(3)
    bench.until({3})
    bench.stalled = True
    bench.run(0.2)
    first = bench.changes.index(TouchFrame(deaf=frozenset({3}), deaf_briefly=True))
    assert bench.changes[first - 1].touched == {3}
    assert len(bench.frames) - len(bench.changes) <= 1  # what was on the way still


# It comes and goes


def test_a_table_starts_without_its_controller_and_says_why(make: MakeBench, name: Path) -> None:
    bench = make(Peer(), plugged=False)
    assert bench.frames == [
        TouchFrame(
            deaf=ALL,
            trouble=f"There is no controller at {name}. Plug it in. If it is plugged in, check "
            "whether 'pi-table doctor' names it in its line usb; if not, give the name of its port "
            "as port in [controller] of the configuration.",
        )
    ]
    bench.run(3.0)
    assert len(bench.frames) == 1
    bench.plug.plug()
    assert bench.until(set()) <= 2.0


def test_an_unplugged_controller_is_told_at_once_and_is_back_soon(bench: Bench, name: Path) -> None:
    bench.peer.touch(3)
    bench.until({3})
    bench.driver.show(RED)
    bench.run(0.1)
    bench.plug.unplug()
    bench.run(0.005)
    trouble = f"The controller at {name} has been unplugged. Plug it in again."
    assert bench.frames[-1] == TouchFrame(deaf=ALL, trouble=trouble)
    bench.run(1.0)
    bench.driver.show(BLUE)
    bench.peer = Peer(boot=2)
    bench.peer.touch(4)
    bench.plug.plug()
    assert bench.until({4}) <= 2.0
    bench.run(0.1)
    assert bench.peer.lights == BLUE
    assert all(frame.deaf == ALL for frame in bench.changes[2:-1])


def test_touches_made_while_it_was_away_are_not_replayed(bench: Bench) -> None:
    """Its power stays on, and what it tells is lost, until its cable is in again."""
    bench.peer.touch(3)
    bench.until({3})
    told = len(bench.frames)
    bench.loop.advance(20.0)  # the program stands still
    for moment in range(60):
        (bench.peer.touch if moment % 2 else bench.peer.lift)(moment % 25)
        for said in bench.peer.to_send(moment / 4):
            if moment > 3:
                bench.plug.write(said)
    bench.peer.lift(*ALL)
    bench.until(set())
    assert [{*frame.touched} for frame in bench.frames[told:]] == [set(), set()]
    assert bench.frames[told].deaf == ALL


def test_a_controller_that_falls_silent_is_told_after_half_a_second(
    bench: Bench, name: Path
) -> None:
    bench.driver.show(RED)
    bench.run(0.1)
    bench.stalled = True
    assert bench.until(set(), "has stopped answering") == pytest.approx(0.5, abs=0.12)
    bench.run(60.0)
    bench.driver.show(BLUE)
    bench.stalled = False
    assert bench.until(set()) <= 2.0
    bench.run(0.1)
    assert bench.peer.lights == BLUE


def test_nothing_waits_for_one_that_does_not_read(bench: Bench) -> None:
    bench.stalled = True
    for shift in range(5000):
        bench.driver.show((shift,) * 104)
    bench.run(1.0)
    bench.driver.show(BLUE)
    bench.stalled = False
    bench.until(set())
    bench.run(0.3)
    assert bench.peer.lights == BLUE
    assert bench.peer._deframer.dropped == 0


def test_what_there_was_no_room_for_does_not_cost_the_next_frame(bench: Bench) -> None:
    bench.stand_still(3600.0)  # nobody reads for an hour, and the device has no room any more
    begun = Deframer()
    begun.feed(bench.plug.drain())
    bench.stand_still(0.26)
    assert begun.feed(bench.plug.read())


def test_what_was_begun_by_somebody_else_does_not_cost_the_greeting(make: MakeBench) -> None:
    peer = Peer()
    peer.receive(b"\x11\x07 half a frame")
    bench = make(peer)
    assert bench.until(set()) < 0.1


def session(bench: Bench) -> None:
    """Two fingers and a light."""
    for place in (3, 4):
        bench.peer.touch(place)
        bench.run(0.02)
        bench.driver.show(RED)
        bench.peer.lift(place)
        bench.run(0.02)


def told(bench: Bench) -> list[tuple[set[int], bool]]:
    """Return the touched places, each time with True if everything is deaf."""
    found: list[tuple[set[int], bool]] = []
    for frame in bench.frames:
        if not found or found[-1] != ({*frame.touched}, bool(frame.deaf)):
            found.append(({*frame.touched}, bool(frame.deaf)))
    return found


def test_it_may_be_unplugged_at_every_byte_of_a_session(make: MakeBench) -> None:
    whole = [(set[int](), False), ({3}, False), (set(), False), ({4}, False), (set(), False)]
    byte = ended = 0
    while not ended:
        byte += 1
        bench = make(Peer())
        bench.budget = byte
        bench.run(0.05)
        if bench.plugged:
            session(bench)
        bench.run(0.02)
        ended = bench.plugged
        if not ended:
            before = told(bench)
            assert before[-1] == (set(), True)
            assert before[:-1] == whole[: len(before) - 1]
            bench.peer = Peer(boot=2)
            bench.plug.plug()
            bench.stand_still(0.4)
            assert bench.until(set()) <= 1.6
            assert told(bench) == [*before, (set(), False)]
            bench.driver.show(BLUE)
            bench.run(0.05)
            assert bench.peer.lights == BLUE
        else:
            assert told(bench) == whole
        bench.close()
    assert byte > 250


# It is something else


def test_what_does_not_say_hello_is_something_else(make: MakeBench, name: Path) -> None:
    bench = make(None)
    assert bench.until(set(), "does not answer") == pytest.approx(2.5, abs=0.3)
    assert bench.frames[-1].deaf == ALL
    assert str(bench.frames[-1].trouble) == (
        f"The device at {name} does not answer as the table's controller does. If it is "
        "another device, correct port in [controller] of the configuration; if it is the "
        "controller, write its firmware with 'pi-table flash'."
    )


def test_a_device_that_talks_all_the_time_is_something_else_too(make: MakeBench) -> None:
    bench = make(None)
    for line in range(400):
        bench.plug.write(b"$GPGGA,%d,4717.11,N\r\n\0\x02\x01\0" % line)
        bench.run(0.01)
    bench.until(set(), "does not answer")
    assert {frame.touched for frame in bench.frames} == {frozenset()}


@pytest.mark.parametrize(("version", "age"), [(3, "an older"), (5, "a newer")])
def test_another_protocol_is_refused_with_both_versions(
    make: MakeBench, name: Path, version: int, age: str
) -> None:
    bench = make(Peer(protocol=version))
    bench.peer.touch(3)
    bench.until(set(), "firmware")
    bench.driver.show(RED)
    bench.run(1.0)
    assert bench.frames == [
        TouchFrame(
            deaf=ALL,
            trouble=f"The controller at {name} has {age} firmware: it speaks version {version} of "
            "the protocol, and this program version 4. Write the firmware that belongs to this "
            "program with 'pi-table flash'.",
        )
    ]
    assert bench.peer.lights is None
    bench.peer = Peer(boot=2)
    assert bench.until(set()) <= 2.0


# It cannot be opened


def test_a_port_that_another_program_has_is_waited_for(make: MakeBench, name: Path) -> None:
    plug = Plug(name)
    plug.plug()
    other = os.open(name, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(other, fcntl.LOCK_EX)
    bench = make(Peer(), plugged=False)
    bench.plug = plug
    type(bench.driver).plug = plug
    assert bench.frames == [
        TouchFrame(
            deaf=ALL,
            trouble=f"Another program is using the controller's port {name}. "
            "Stop it first: it may be the engine, or a terminal.",
        )
    ]
    os.close(other)
    assert bench.until(set()) <= 2.0


def test_a_port_has_one_controller(bench: Bench, name: Path) -> None:
    with pytest.raises(DeviceError, match="Another program is using"):
        open_port(str(name))
    bench.peer.touch(3)
    bench.until({3})


def refused(port: Path) -> str:
    """Return the error of opening the port without our rights."""
    said, says = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                nobody = pwd.getpwnam("nobody")
                os.setgroups([])
                os.setgid(nobody.pw_gid)
                os.setuid(nobody.pw_uid)
            open_port(str(port))
        except DeviceError as error:
            os.write(says, str(error).encode())
        finally:
            os._exit(0)
    os.close(says)
    os.waitpid(child, 0)
    with open(said, encoding="utf-8") as file:
        return file.read()


def test_who_may_not_open_the_port_is_told_which_group_may() -> None:
    ours, theirs = os.openpty()
    port = Path(os.ttyname(theirs))
    group = grp.getgrgid(port.stat().st_gid).gr_name
    os.chmod(port, 0o060)
    assert refused(port) == (
        f"This user may not use the controller's port {port}. "
        f"Its group {group!r} may: add this user to it with 'sudo usermod -aG {group} NAME', "
        "and log in again."
    )
    os.chmod(port, 0o000)
    assert refused(port) == (
        f"This user may not use the controller's port {port}. Check with 'ls -l {port}' who may."
    )
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize(
    ("make_it", "says"),
    [(Path.touch, "cannot be opened: .*If that is the controller"), (Path.mkdir, "Is a directory")],
)
def test_what_is_no_serial_port_is_told(
    name: Path, make_it: Callable[[Path], None], says: str
) -> None:
    make_it(name)
    with pytest.raises(DeviceError, match=says):
        open_port(str(name))


def test_a_controller_without_a_name_is_refused() -> None:
    config = load(
        changes={
            "touch": {"driver": "controller"},
            "lights": {"driver": "controller"},
            "controller": {"port": ""},
        }
    )
    with pytest.raises(DeviceError, match="give its name as port in"):
        open_hardware(config, None)  # type: ignore[arg-type]


def test_the_configuration_opens_one_controller_for_both(bench: Bench, tmp_path: Path) -> None:
    config = load(
        changes={
            "touch": {"driver": "controller"},
            "lights": {"driver": "controller"},
            "controller": {"port": str(tmp_path / "none")},
        }
    )
    hardware = open_hardware(config, bench.loop)
    assert type(hardware.touch) is Controller
    assert hardware.touch is hardware.lights
    hardware.close()


# What is wrong with the table


LASTS = controller_trouble.RESTART_MS / 1000 + 0.15
"""Seconds after which a chip or a place that is out is no restart any more, and has been told."""


def trouble_of(bench: Bench, after: float = LASTS) -> str:
    bench.run(after)
    return str(bench.frames[-1].trouble)


def test_a_chip_that_fails_is_named_with_the_cells_that_are_out(bench: Bench) -> None:
    bench.run(1.0)
    bench.peer.chips = 0b101
    bench.peer.causes = 0b0100
    bench.peer.fail(10, 11, 26)
    assert trouble_of(bench) == (
        "Touch chip 0x5B does not answer any more: check its wires. Out of use: A3, B3, hourglass."
    )
    assert bench.frames[-1].deaf == {10, 11, 26}
    bench.peer.touch(0)
    bench.run(0.05)
    assert bench.frames[-1].touched == {0}
    bench.peer.chips = 7
    bench.peer.mend()
    bench.until({0})


def test_a_suspicion_is_told_but_not_of_a_noisy_place(make: MakeBench) -> None:
    bench = make(Peer())
    bench.until(set())
    bench.peer.noisy, bench.peer.perhaps = frozenset({3}), frozenset({3, 4})
    bench.run(0.3)
    assert bench.frames[-1] == TouchFrame(noisy=frozenset({3}), perhaps=frozenset({4}))


def test_noise_is_told_with_the_touches_and_its_pads_are_named_when_it_lasts(bench: Bench) -> None:
    bench.run(1.0)
    bench.peer.noisy = frozenset({3, 30})
    bench.peer.touch(3)
    bench.run(0.05)
    assert bench.frames[-1] == TouchFrame(frozenset({3}), noisy=frozenset({3}))
    bench.run(controller_trouble.NOISE_LASTS - 0.5)
    assert trouble_of(bench) == "None"
    bench.run(0.6)
    assert trouble_of(bench) == (
        "Noise from outside at D1, near: no touch counts there. Take phones off the table, and "
        "unplug chargers and dimmed lamps near it, one after the other."
    )
    bench.peer.noisy = frozenset()
    bench.run(controller_trouble.NOISE_IS_OVER + 0.2)
    assert trouble_of(bench) == "None"


@pytest.mark.parametrize(
    ("times", "lasts"),
    [
        ([0.0, 4.9], False),
        ([0.0, 1.9, 3.8, 5.0], True),
        ([0.0, 2.5, 4.0, 5.0], False),
        ([0.0, 1.9, 3.5], False),
        ([0.0, 1.5, 4.0, 5.9, 7.0, 8.9], False),
    ],
)
def test_noise_lasts_that_comes_again_within_two_seconds_for_five(
    times: list[float], lasts: bool
) -> None:
    noise = controller_trouble.Noise()
    for at in times:
        found = noise.update(frozenset({7}), at)
        noise.update(frozenset(), at + 0.01)
    assert found == ({7} if lasts else frozenset())
    if not lasts:  # nor does what is over last while nobody knows yet that it is
        assert noise.update(frozenset(), times[-1] + 1.9) == frozenset()


def test_a_chip_that_restarts_is_deaf_and_no_trouble(bench: Bench) -> None:
    bench.run(1.0)
    told = len(bench.frames)
    for _ in range(3):
        bench.peer.chips = 0b110
        bench.peer.fail(*range(10))
        bench.run(0.05)
        assert bench.frames[-1] == TouchFrame(deaf=frozenset(range(10)), deaf_briefly=True)
        bench.peer.chips = 7
        bench.peer.mend()
        bench.run(0.24)
        assert bench.frames[-1] == TouchFrame()
    assert {frame.trouble for frame in bench.frames[told:]} == {None}


def test_a_place_that_is_out_is_told_alone_while_its_chip_restarts(bench: Bench) -> None:
    bench.run(1.0)
    bench.peer.fail(7)
    says = trouble_of(bench)
    bench.peer.chips = 0b110
    bench.peer.fail(*range(10))
    assert trouble_of(bench, 0.05) == says
    assert bench.frames[-1].deaf == frozenset(range(10))
    bench.run(LASTS)
    assert "Touch chip 0x5A" in str(bench.frames[-1].trouble)
    assert "A1, B1" in str(bench.frames[-1].trouble)


def test_what_was_out_before_the_controller_restarted_is_out_for_as_long_again(
    bench: Bench,
) -> None:
    bench.run(1.5)
    bench.peer.fail(7)
    bench.run(0.2)
    bench.peer.boot = 2
    assert trouble_of(bench, 0.1) == "None"
    assert trouble_of(bench) == "Out of use: C2. Remove whatever is on them."


@pytest.mark.parametrize("begun", [5000, (1 << 32) - 100])
def test_an_outage_is_as_long_as_the_controller_says(bench: Bench, begun: int) -> None:
    outages, state = controller_trouble.Outages(), bench.driver._link.state
    assert state is not None

    def out_after(ms: int, chips: set[int], deaf: set[int]) -> tuple[set[int], set[int]]:
        lasting = outages.without_restarts(
            replace(
                state,
                uptime_ms=(begun + ms) % (1 << 32),
                chips=frozenset(chips),
                deaf=frozenset(deaf),
            )
        )
        return {0, 1, 2} - lasting.chips, {*lasting.deaf}

    assert out_after(0, {1, 2}, {0, 1}) == (set(), set())
    assert out_after(240, {1, 2}, {0, 1}) == (set(), set())
    assert out_after(250, {1}, {0, 1, 25}) == ({0}, {0, 1})
    assert out_after(300, {0, 1, 2}, {1}) == (set(), {1})
    assert out_after(310, {1, 2}, {0, 1}) == (set(), {1})


def test_a_chip_that_gets_new_baselines_is_no_trouble(make: MakeBench) -> None:
    """A glass stands on A1 when the table starts, and is lifted later."""
    with closing(Firmware()) as firmware:
        firmware.tell("shape 0 A1 0:90")
        firmware.tell("reset")
        bench = make(firmware)
        bench.run(3.0)
        firmware.tell("clear 0")
        bench.run(3.0)
        assert frozenset(range(10)) in [frame.deaf for frame in bench.frames]
        assert bench.frames[-1] == TouchFrame()
        assert [frame.trouble for frame in bench.frames if frame.trouble] == []


@pytest.mark.parametrize(
    ("cause", "says"), [(0, "answer:"), (2, "has lost its power"), (3, "finds too much current")]
)
def test_why_a_chip_fails_is_told(bench: Bench, cause: int, says: str) -> None:
    bench.run(1.0)
    bench.peer.chips = 0b011
    bench.peer.causes = cause << 4
    assert f"Touch chip 0x5C {says}" in trouble_of(bench).replace("does not ", "")


def test_a_chip_that_was_never_there_is_not_said_to_have_stopped(make: MakeBench) -> None:
    peer = Peer()
    peer.found, peer.chips, peer.causes = 0b011, 0b011, 1 << 4
    bench = make(peer)
    bench.run(1.0)
    assert "Touch chip 0x5C does not answer: check its wires" in trouble_of(bench)


def test_chips_that_have_just_been_started_are_no_trouble(make: MakeBench) -> None:
    peer = Peer()
    peer.chips = 0
    peer.fail(*ALL)
    bench = make(peer)
    bench.run(0.5)
    assert bench.frames == [TouchFrame(deaf=ALL, deaf_briefly=True)]
    bench.until(set(), "0x5A does not answer", within=1.0)


def test_a_place_that_was_held_for_too_long_is_told(bench: Bench) -> None:
    bench.run(1.0)
    bench.peer.fail(7)
    assert trouble_of(bench) == "Out of use: C2. Remove whatever is on them."


def test_damaged_settings_ask_for_a_calibration(make: MakeBench) -> None:
    peer = Peer()
    peer.origin = 2
    bench = make(peer)
    bench.until(set(), "run 'pi-table calibrate'")
    assert not bench.frames[-1].deaf
    assert "uses the defaults" in str(bench.frames[-1].trouble)


# Its end


def test_the_last_words_are_dark_and_the_port_is_free(bench: Bench, name: Path) -> None:
    bench.driver.show(RED)
    bench.run(0.05)
    bench.driver.show(BLUE)  # which is under way
    bench.driver.close()
    bench.peer.receive(bench.plug.read())
    assert bench.peer.lights == DARK
    open_port(str(name)).close()
    told = len(bench.frames)
    bench.peer.touch(3)
    bench.run(1.0)
    assert len(bench.frames) == told


def test_a_listener_may_close_it(bench: Bench) -> None:
    bench.driver._on_frame = lambda frame: bench.driver.close()
    bench.peer.touch(3)
    bench.run(1.0)
    assert bench.driver._serial is None


def test_a_listener_that_closes_it_hears_no_more(bench: Bench) -> None:
    told: list[TouchFrame] = []

    def close(frame: TouchFrame) -> None:
        told.append(frame)
        bench.driver.close()

    bench.driver._on_frame = close
    for place in (3, 4):
        bench.peer.touch(place)
        for said in bench.peer.to_send(bench.loop.time()):
            bench.plug.write(said)
    bench.stand_still(0.1)
    assert [{*frame.touched} for frame in told] == [{3}]


def test_a_listener_may_close_it_when_the_link_is_lost(bench: Bench, name: Path) -> None:
    bench.driver._on_frame = lambda frame: bench.driver.close()
    bench.stalled = True
    bench.run(3.0)
    open_port(str(name)).close()


def test_a_listener_may_show_lights(bench: Bench) -> None:
    bench.driver._on_frame = lambda frame: bench.driver.show(RED)
    bench.peer.touch(3)
    bench.run(0.05)
    assert bench.peer.lights == RED


def test_one_that_is_waited_for_can_be_closed(make: MakeBench) -> None:
    bench = make(Peer(), plugged=False)
    bench.driver.close()
    bench.driver.close()
    bench.plug.plug()
    bench.run(2.0)
    assert bench.plug.read() == b""

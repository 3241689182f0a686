"""The bridge where something is wrong: with the broker, with what seals the way, or with itself."""

import asyncio
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from bridged import TABLE, Bridged, listening, until
from certificates import Authority, Signed
from house_table import PUBLIC, finished, said, table_in
from mosquitto import Mosquitto, with_passwords
from msgspec.structs import replace
from patience import PATIENCE
from ports import free_port
from road import road_to

pytestmark = pytest.mark.fleet


async def test_a_broker_that_has_forgotten_everything_is_told_anew(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker:
        async with table_in(tmp_path) as table, road_to(broker.port) as road:
            bridge = Bridged(tmp_path, f"mqtt://127.0.0.1:{road.port}")
            with bridge.running():
                async with listening(broker.port) as ear:
                    await ear.until("health")
                road.closed.set()
                broker.kill()
                await until(lambda: "was lost" in bridge.said())
                table.fare(faults=("The strip is dark.",))
                table.show(replace(PUBLIC, said=(said(1),)))
                for number in range(1, 31):
                    table.finish(finished(number))
                broker.start()
                async with listening(broker.port) as ear:
                    road.closed.clear()
                    await ear.until("record", lambda record: record["number"] == 30)
                    await ear.until("availability", lambda told: told == "online")
                    assert (await ear.until("faults"))["faults"] == ["The strip is dark."]
                    for what in ("state", "settings", "health", "event"):
                        await ear.until(what)
                    assert [each["number"] for each in ear.of("record")] == [*range(1, 31)]
        assert bridge.said().count("Connected to the broker") == 2


IN_A_HURRY = """
import sys
from pi_table.fleet.bridge import bridge, broker_link, process
from pi_table.cli import main
bridge.SAMPLE_SECONDS, process.LOOK_SECONDS, bridge.EXPIRY_SECONDS = 0.5, 0.1, 6
broker_link.FIRST_RETRY_SECONDS, broker_link.MAX_RETRY_SECONDS = 0.1, 0.4
broker_link.HOUR_SECONDS = 0.1
sys.exit(main())
"""
"""A bridge whose minute is half a second, and whose three minutes are six seconds. It connects
again within 0.6 s."""


async def test_when_only_the_broker_comes_back_after_a_power_cut_the_table_is_not_online(
    tmp_path: Path,
) -> None:
    lines = ("allow_anonymous true", "persistence true", "autosave_interval 1")
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        bridge = Bridged(tmp_path, f"mqtt://127.0.0.1:{broker.port}")

        async def kept() -> dict[str, bytes]:
            """Return the broker's retained messages of the table; `done`, which is sent last, is
            not retained."""
            async with listening(broker.port) as ear:
                await ear.client.publish(f"pi-table/{TABLE}/done", b"{}")
                await ear.until("done")
                return {
                    str(each.topic).rpartition("/")[2]: bytes(each.payload)
                    for each in ear.heard
                    if each.retain and isinstance(each.payload, bytes)
                }

        async with table_in(tmp_path):
            with bridge.running(("-c", IN_A_HURRY)):
                async with listening(broker.port) as ear:
                    # Renewed for longer than the first ones hold.
                    await until(lambda: len(ear.of("health")) >= 14)
                assert (await kept())["availability"] == b"online"
                disk = tmp_path / "broker/mosquitto.db"
                await until(lambda: disk.exists() and b"online" in disk.read_bytes())
                broker.kill()
                bridge.end(signal.SIGKILL)
                # Before it expires. Mosquitto 2.0 keeps for ever what would expire in the very
                # second in which it reads it from its disk.
                broker.start()
                async with asyncio.timeout(PATIENCE):
                    while "availability" in (left := await kept()):
                        await asyncio.sleep(0.1)
                while "state" in left:
                    left = await kept()
                # What holds, or has its time in it.
                assert {*left} == {"settings", "faults", "health"}


async def test_a_bridge_that_is_killed_before_its_game_is_acknowledged_tells_it_again(
    tmp_path: Path,
) -> None:
    with Mosquitto(tmp_path / "broker") as broker:
        async with (
            table_in(tmp_path) as table,
            road_to(broker.port) as road,
            listening(broker.port) as ear,
        ):
            bridge = Bridged(tmp_path, f"mqtt://127.0.0.1:{road.port}")
            with bridge.running():
                table.finish(finished(1))
                await ear.until("record")
                await ear.until("health")
                await asyncio.sleep(0.2)  # in which the last acknowledgement comes
                road.closed_down.set()
                table.finish(finished(2))
                table.finish(finished(3))
                await ear.until("record", lambda record: record["number"] == 2)
                bridge.end(signal.SIGKILL)
                road.closed_down.clear()
                bridge.start()
                await ear.until("record", lambda record: record["number"] == 3)
                assert [each["number"] for each in ear.of("record")] == [1, 2, 1, 2, 3]


async def test_games_that_nobody_gathers_wait_in_the_journal(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker:
        async with table_in(tmp_path) as table:
            bridge = Bridged(tmp_path, f"mqtt://127.0.0.1:{broker.port}")
            with bridge.running():
                table.finish(finished(1))
                await until(lambda: "Nobody at the broker gathers" in bridge.said())
                bridge.end()
                assert not (tmp_path / "bridge/told.json").exists()
                async with listening(broker.port) as ear:
                    bridge.start()
                    await ear.until("record")


async def test_a_game_that_the_broker_does_not_take_waits_in_the_journal(tmp_path: Path) -> None:
    rights = tmp_path / "rights"
    rights.write_text("topic read #\npattern readwrite pi-table/%u/state\n")
    lines = ("allow_anonymous true", f"acl_file {rights}")
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        async with table_in(tmp_path) as table, listening(broker.port) as ear:
            bridge = Bridged(tmp_path, f"mqtt://127.0.0.1:{broker.port}")
            with bridge.running():
                table.finish(finished(1))
                await until(lambda: f"pi-table/{TABLE}/record" in bridge.said())
                await ear.until("state")  # what it may tell it tells
            assert not (tmp_path / "bridge/told.json").exists()


async def test_a_broker_that_stands_still_holds_up_nothing(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker:
        async with table_in(tmp_path) as table, listening(broker.port) as ear:
            bridge = Bridged(tmp_path, f"mqtt://127.0.0.1:{broker.port}")
            with bridge.running():
                await ear.until("health")
                broker.freeze()
                table.fare(faults=("The strip is dark.",))
                began = time.monotonic()
                assert bridge.end() == 0
                assert time.monotonic() - began < 15


async def told_of(broker: str, folder: Path, what: str, **settings: str) -> str:
    """The log of a bridge that has been to that broker twice, once it says this."""
    bridge = Bridged(folder, broker, **settings)
    async with table_in(folder):
        with bridge.running():
            await until(lambda: what in bridge.said())
            await asyncio.sleep(3.5)  # in which it tries again at least once
            assert bridge.end() == 0
    assert bridge.said().count(what) == 1, bridge.said()
    return bridge.said()


@pytest.mark.paced
@pytest.mark.parametrize(
    ("host", "what"),
    [
        ("127.0.0.1", "Nobody listens"),
        ("broker.invalid", "No machine is found by the name of the broker"),
    ],
)
async def test_a_broker_that_is_not_there_is_told_of_once(
    tmp_path: Path, host: str, what: str
) -> None:
    await told_of(f"mqtt://{host}:{free_port()}", tmp_path, what)


@pytest.mark.paced
async def test_a_wrong_password_is_told_of_once(tmp_path: Path) -> None:
    lines = with_passwords(tmp_path / "broker", {TABLE: "right"})
    password = tmp_path / "password"
    password.write_text("wrong\n")
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        said = await told_of(
            f"mqtt://127.0.0.1:{broker.port}",
            tmp_path,
            "does not know this table's password",
            password_file=str(password),
        )
    assert "wrong" not in said


def sealed(authority: Authority, server: Signed, *more: str) -> tuple[str, ...]:
    """Lines for a broker that seals its connections."""
    return (
        "allow_anonymous true",
        f"cafile {authority.certificate}",
        *server.lines,
        *more,
    )


CERTIFICATES: dict[str, tuple[Callable[[Authority, Path], Signed], str]] = {
    "of another name": (lambda a, _: a.sign("other.lan"), "is for another name"),
    "not valid yet": (
        lambda a, _: a.sign("127.0.0.1", start="20970101000000Z"),
        "is not valid yet, by the clock of this machine, which says 20",
    ),
    "out of date": (
        lambda a, _: a.sign("127.0.0.1", start="20010101000000Z", end="20020101000000Z"),
        "is out of date, by the clock of this machine",
    ),
    "of a stranger": (
        lambda _, folder: Authority(folder).sign("127.0.0.1"),
        "is signed by nobody whom the table trusts",
    ),
}


@pytest.mark.paced
@pytest.mark.parametrize("case", CERTIFICATES)
async def test_a_certificate_that_is_wrong_is_told_of_once(tmp_path: Path, case: str) -> None:
    make, what = CERTIFICATES[case]
    authority = Authority(tmp_path / "authority")
    lines = sealed(authority, make(authority, tmp_path / "stranger"))
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        said = await told_of(
            f"mqtts://127.0.0.1:{broker.port}", tmp_path, what, ca=str(authority.certificate)
        )
    assert "not sealed" not in said


def in_days(days: int) -> str:
    """A day to come, as OpenSSL takes it."""
    return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + 86400 * days))


def days_until(what: str, figures: Path) -> float:
    """Days until the end of a certificate, by a file of figures; 0 where it does not say."""
    found = figures.read_text().partition(f"pi_table_{what}_timestamp_seconds{{")[2].split()[1:2]
    return (float(found[0]) - time.time()) / 86400 if found else 0.0


@pytest.mark.parametrize("who", ["broker", "authority"])
async def test_a_certificate_that_ends_soon_is_told_of_until_it_is_renewed(
    tmp_path: Path, who: str
) -> None:
    folder, trusted = tmp_path / "authority", tmp_path / "trusted.pem"
    authority = Authority(folder, days="9" if who == "authority" else "30")
    server = authority.sign("127.0.0.1", end=in_days(20 if who == "authority" else 9))
    trusted.write_bytes(authority.certificate.read_bytes())
    lines = ("allow_anonymous true", *sealed(authority, server)[2:])
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        figures = tmp_path / "figures"
        settings = {"ca": str(trusted), "metrics": str(figures)}
        bridge = Bridged(tmp_path, f"mqtts://127.0.0.1:{broker.port}", **settings)

        def days() -> float:
            return days_until("broker_certificate_expiry", figures)

        async with table_in(tmp_path):
            with bridge.running(("-c", IN_A_HURRY)):
                await until(lambda: "or of who signed it, ends on 20" in bridge.said())
                await until(lambda: 8.9 < days() < 9.1)
                # Renewed under the connection, which goes on.
                newer = Authority(folder)
                newer.sign("127.0.0.1", end=in_days(20))
                trusted.write_bytes(trusted.read_bytes() + newer.certificate.read_bytes())
                broker.reload()
                await until(lambda: 19.9 < days() < 20.1)
                assert bridge.said().count("ends on") == 1
                assert bridge.said().count("Connected") == 1


async def test_a_tables_own_certificate_that_ends_soon_is_told_of(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "authority")
    own = authority.sign(TABLE, end=in_days(9))
    server = authority.sign("127.0.0.1", end=in_days(20))
    with Mosquitto(tmp_path / "broker", *sealed(authority, server)) as broker:
        figures = tmp_path / "figures"
        bridge = Bridged(
            tmp_path,
            f"mqtts://127.0.0.1:{broker.port}",
            ca=str(authority.certificate),
            certificate=str(own.certificate),
            key=str(own.key),
            metrics=str(figures),
        )
        async with table_in(tmp_path):
            with bridge.running():
                await until(lambda: "The certificate of this table" in bridge.said())
                assert f"{own.certificate}, ends on 20" in bridge.said()
                assert "or of who signed it, ends" not in bridge.said()
                assert 8.9 < days_until("client_certificate_expiry", figures) < 9.1


@pytest.mark.paced
async def test_a_broker_that_wants_a_certificate_of_the_table_is_told_of_once(
    tmp_path: Path,
) -> None:
    authority = Authority(tmp_path / "authority")
    lines = sealed(authority, authority.sign("127.0.0.1"), "require_certificate true")
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        await told_of(
            f"mqtts://127.0.0.1:{broker.port}",
            tmp_path,
            "does not take the certificate of this table",
            ca=str(authority.certificate),
        )


async def test_a_sealed_connection_with_a_certificate_and_a_password_serves(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "authority")
    own = authority.sign(TABLE)
    password = tmp_path / "password"
    password.write_text("right\n")
    passwords = with_passwords(tmp_path / "broker", {TABLE: "right", "ear": "ear"})
    server = authority.sign("127.0.0.1")
    port = free_port()
    sealing = sealed(authority, server, "require_certificate true")[1:]
    lines = (*passwords, f"listener {port} 127.0.0.1", *sealing)
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        async with table_in(tmp_path):
            bridge = Bridged(
                tmp_path,
                f"mqtts://127.0.0.1:{port}",
                ca=str(authority.certificate),
                certificate=str(own.certificate),
                key=str(own.key),
                password_file=str(password),
            )
            with bridge.running():
                async with listening(broker.port, username="ear", password="ear") as ear:
                    await ear.until("availability", lambda told: told == "online")
                    await ear.until("health")
                    assert bridge.kib() < 30 * 1024
        assert "not sealed" not in bridge.said()


NAME_TWICE = "by the name of this table"


def taken_over(bridge: Bridged) -> int:
    """Return the number of takeovers of a bridge, from its figures in the folder."""
    text = (bridge.folder / "figures").read_text()
    return int(text.partition("pi_table_connections_taken_over_total{")[2].split()[1])


async def test_two_tables_of_one_name_each_say_so_once_and_count_how_often(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker:
        bridges: list[Bridged] = []

        async def each(condition: Callable[[Bridged], bool]) -> None:
            for bridge in bridges:
                await until(partial(condition, bridge))

        for name in ("one", "other"):
            folder = tmp_path / name
            folder.mkdir()
            figures = str(folder / "figures")
            bridges.append(Bridged(folder, f"mqtt://127.0.0.1:{broker.port}", metrics=figures))
        try:
            for bridge in bridges:
                bridge.start(("-c", IN_A_HURRY))
            await each(lambda bridge: "Connected" in bridge.said())
            await each(lambda bridge: taken_over(bridge) > 3)
            for bridge in bridges:
                assert bridge.said().count(NAME_TWICE) == 1
                assert bridge.said().count("WARNING") <= 3  # not sealed; lost; lost again
        finally:
            for bridge in bridges:
                bridge.end()


async def test_a_broker_that_is_started_again_is_no_table_of_the_same_name(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker:
        figures = str(tmp_path / "figures")
        bridge = Bridged(tmp_path, f"mqtt://127.0.0.1:{broker.port}", metrics=figures)

        async def connected(times: int) -> None:
            await until(lambda: bridge.said().count("Connected") == times)

        with bridge.running(("-c", IN_A_HURRY)):
            for times, end in enumerate((broker.stop, broker.kill, broker.stop), 1):
                await connected(times)
                end()
                broker.start()
            await connected(4)
            assert NAME_TWICE not in bridge.said()
            assert taken_over(bridge) == 0

"""Updates of a whole image: what is good is kept, what is not is refused or goes back by itself."""

import hashlib
import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from card import Card, held_after_a_cut, write
from ddi_server import TABLE, TENANT, TOKEN, serving
from machine import Machine
from pi_firmware import FIRST, TRYBOOT, find, read_file, settings_that_hold
from plugs import compared, new_card, of_the_machine, play_and_pull
from test_card_troubles import agents, begin, guess
from troubles import partition, partitions
from updates import (
    BROKEN,
    FAIL_NOW,
    HOST,
    NETWORK,
    NEWER,
    SLOTS,
    START,
    STATE,
    copy,
    damaged,
    disk,
    fill_slot,
    foreign,
    install,
    join_network,
    made,
    make_bundle,
    runs,
    started,
)

pytestmark = pytest.mark.machine

SLOT_OF = {"2": "a", "3": "b"}
CUTS, STARTED = 20, 5
"""Cuts, and every which of them is started; of all of them the old slot is compared."""
OLD_SLOT = ("pi-table-boot-a", "pi-table-root-a")
GOOD_SECONDS = 300.0
"""Within so many a new version has been found good in an emulated machine."""


@pytest.fixture(scope="session")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle with a newer version."""
    return make_bundle(tmp_path_factory.mktemp("good"), "good")


@pytest.fixture(scope="session")
def bundles(good: Path) -> tuple[str, ...]:
    """A disk with that bundle, a damaged one, and one that somebody else has signed."""
    return disk([damaged(good), foreign(good), good], good.with_name("bundles.img"))


def slots(machine: Machine, *words: str) -> str:
    return machine.ran(SLOTS, *words).strip()


def default_of(card: Path) -> str:
    """The slot that the firmware takes when nothing is said."""
    return SLOT_OF[str(find(card, card.parent).partition)]


def test_what_is_good_is_kept_and_what_is_not_is_refused_or_goes_back(
    scratch: Path, bundles: tuple[str, ...]
) -> None:
    """A bad bundle is refused and a good one is kept. Its plug is pulled in mid-game. Then a broken
    version is tried, and goes back by itself: the good one stands where the plug was pulled."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    card = new_card("amd64", scratch)
    figures = {}
    with started(card, scratch, devices=bundles) as table:
        machine = table.machine
        table.look()
        assert runs(machine) == made()
        answer = table.act(act="start", seat="operator", profile="codenames", cards="own")
        assert answer["ok"], answer
        table.until(lambda: table.stands.phase == "clue")
        refused = install(machine, "foreign.raucb")
        assert refused.status == 1
        assert "signature" in refused.out + refused.err
        began = time.monotonic()
        refused = install(machine, "damaged.raucb")
        figures["until the damage was met"] = time.monotonic() - began
        assert refused.status == 1
        assert [slots(machine, "get-primary"), slots(machine, "get-state", "b")] == ["a", "bad"]
        began = time.monotonic()
        done = install(machine, "good.raucb")
        figures["to install"] = time.monotonic() - began
        assert done.status == 0, done.err
        assert [slots(machine, "get-primary"), slots(machine, "get-default")] == ["b", "a"]
        put_off = machine.run(*START)
        assert put_off.status == 75, put_off
        assert slots(machine, "get-word", "b") == "new"
        assert table.act(act="abandon", seat="operator")["ok"]
        table.until(lambda: table.stands.phase == "over")
        before = table.stands
        machine.ran("systemd-run", "--quiet", *START)
        asked = machine.started_anew()
    assert asked == TRYBOOT
    with started(card, scratch, asked, devices=bundles) as table:
        machine = table.machine
        figures["until the new version answered"] = table.look()
        assert [runs(machine), slots(machine, "get-current")] == [NEWER, "b"]
        assert table.stands.view == before.view
        machine.until(lambda: slots(machine, "get-default") == "b", GOOD_SECONDS)
        figures["until it was found good"] = time.monotonic() - machine.began
        # What can be read may not be on the card yet: what is written behind it says that it is.
        machine.until(lambda: "b=good" in machine.ran("cat", "/boot/firmware/slots.txt"))
        # Its judge lets games begin again a moment later.
        table.until(lambda: table.public and not table.public["out_of_service"])
        begin(table)
        told, under_way = play_and_pull(table, chance)
        before = table.stands
    assert told > 0
    assert [*defaults_in_between(card)] == ["a", "b"]
    card.power_cut(chance)
    assert default_of(card.image) == "b"
    fill_slot(card.image, "a", scratch, {"/usr/bin/pi-table": BROKEN})
    with started(card, scratch, TRYBOOT) as table:
        machine = table.machine
        # The slots' files are there once RAUC answers. The broken engine waits for our questions.
        machine.until(lambda: machine.run("rauc", "status").status == 0)
        refused = machine.run("rauc", "status", "mark-bad", "other")  # so begins an installation
        assert "slots: Child process exited with code 2" in refused.err
        assert slots(machine, "get-state", "b") == "good"
        machine.ran("touch", FAIL_NOW)
        asked = machine.started_anew(GOOD_SECONDS)
        figures["until a broken version was given up"] = time.monotonic() - machine.began
    assert asked == ""
    with started(card, scratch, asked) as table:
        table.look()
        machine = table.machine
        assert [runs(machine), slots(machine, "get-current")] == [NEWER, "b"]
        assert [slots(machine, "get-primary"), slots(machine, "get-state", "a")] == ["b", "bad"]
        assert "not kept" in machine.ran("cat", f"{STATE}/why-not")
        assert compared(before, table.stands, under_way) == []
        assert of_the_machine(table) == []
    print(", ".join(f"{seconds:.0f} s {what}" for what, seconds in figures.items()))


def defaults_in_between(card: Card) -> Iterator[str]:
    """The slots that the firmware would have started, after each write of the machine to the first
    partition; the same one is told once. The machine has lost its power."""
    at, size = partitions(card.image)[FIRST - 1]
    first = card.image.with_name("first.img")
    with card.image.open("rb") as image:
        image.seek(at)
        first.write_bytes(image.read(size))
    told = ""
    for entry in card.entries():
        if entry.data and at <= entry.at < at + size:
            write([entry._replace(at=entry.at - at)], first)
            settings = settings_that_hold(read_file(first, 0, "autoboot.txt").decode(), set())
            if (now := SLOT_OF[settings["boot_partition"]]) != told:
                told = now
                yield told


@pytest.mark.torture
def test_wherever_the_power_goes_in_an_installation_the_old_slot_starts(
    scratch: Path, bundles: tuple[str, ...]
) -> None:
    """Power goes in the log of one whole installation. Each card that is left has the old slot as
    it was, and the firmware starts it."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    card = new_card("amd64", scratch)
    with started(card, scratch, devices=bundles) as table:
        table.look()
        begin(table)
        guess(table, agents(table)[0])
        before = table.stands.view
        begun = len([*card.entries()])
        assert install(table.machine, "good.raucb").status == 0
        table.machine.pull_the_plug()
    entries = [*card.entries()]
    total = sum(len(entry.data) for entry in entries[begun:])
    old = [digest(card.image, name) for name in OLD_SLOT]
    for number in range(1, CUTS + 1):
        cut = scratch / f"cut-{number}"
        cut.mkdir()
        left = Card(cut / "card.img", cut)
        copy(card.image, left.image)
        end = begun + (len(entries) - begun) * number // CUTS
        held, lost = held_after_a_cut(entries[:end], chance)
        write(held, left.image)
        gone = sum(len(entry.data) for entry in entries[begun:end])
        print(f"cut {number}, at {gone >> 20} of {total >> 20} MiB: {lost}", flush=True)
        assert default_of(left.image) == "a"
        assert [digest(left.image, name) for name in OLD_SLOT] == old
        if number % STARTED == 0:
            starts_as_it_was(left, cut, bundles, before, again=number == CUTS)
        shutil.rmtree(cut)


def digest(card: Path, name: str) -> str:
    """Return a digest of a partition, for comparison."""
    at, size = partition(card, name)
    found = hashlib.sha256()
    with card.open("rb") as file:
        file.seek(at)
        for _ in range(size >> 20):
            found.update(file.read(1 << 20))
    return found.hexdigest()


def starts_as_it_was(
    card: Card, scratch: Path, bundles: tuple[str, ...], before: object, *, again: bool
) -> None:
    """The old version starts, in the game that was played. ``again``: and can be updated."""
    with started(card, scratch, devices=bundles) as table:
        ready = table.look()
        machine = table.machine
        assert [runs(machine), slots(machine, "get-current")] == [made(), "a"]
        assert table.stands.view == before
        assert table.settled_faults() == []
        print(f"started in {ready:.0f} s", flush=True)
        if again:
            assert install(machine, "good.raucb").status == 0
            assert slots(machine, "get-primary") == "b"


@pytest.mark.torture
def test_a_version_that_could_not_bring_the_next_one_goes_back_by_itself(scratch: Path) -> None:
    card = new_card("amd64", scratch)
    agent = "/usr/lib/pi-table-image/hawkbit.py"
    fill_slot(card.image, "b", scratch, {agent: "import what_is_not_there\n"})
    with started(card, scratch, TRYBOOT) as table:
        table.look()
        assert runs(table.machine) == NEWER
        asked = table.machine.started_anew(GOOD_SECONDS)
    assert asked == ""
    with started(card, scratch, asked) as table:
        table.look()
        assert runs(table.machine) == made()
        assert "import hawkbit does not run" in table.machine.ran("cat", f"{STATE}/why-not")


@pytest.mark.torture
def test_a_server_has_a_table_updated(scratch: Path, good: Path) -> None:
    """The agent, its unit and RAUC in the machine; the server on the host's loopback."""
    card = new_card("amd64", scratch)
    settings = f'tenant = "{TENANT}"\ncontroller = "{TABLE}"\ntoken = "{TOKEN}"\n'
    agent = "pi-table-image-hawkbit.service"
    with serving() as server:
        server.address = f"http://{HOST}:{server.address.rpartition(':')[2]}"
        server.assign(8, update_raucb=good.read_bytes())
        settings += f'server = "{server.address}"\n'
        with started(card, scratch, devices=NETWORK) as table:
            machine = table.machine
            table.look()
            join_network(machine)
            write_settings = f"umask 077; mkdir -p {STATE}; printf %s '{settings}' >{STATE}/$0"
            machine.ran("sh", "-c", write_settings, "hawkbit.toml")
            machine.ran("systemctl", "start", agent)
            machine.until(lambda: "scheduled" in [each[1] for each in server.feedback], 900)
            print(f"{time.monotonic() - machine.began:.0f} s until a server's update was installed")
            assert server.attributes == {"image_id": "pi-table-amd64", "image_version": made()}
            # The table was switched on lately, and nobody plays: it is started by itself.
            asked = machine.started_anew(GOOD_SECONDS)
            print(f"{time.monotonic() - machine.began:.0f} s until that was started", flush=True)
        assert asked == TRYBOOT
        with started(card, scratch, asked, devices=NETWORK) as table:
            machine = table.machine
            table.look()
            assert runs(machine) == NEWER
            machine.until(lambda: slots(machine, "get-default") == "b", GOOD_SECONDS)
            assert server.closed() == []
            join_network(machine)
            machine.ran("systemctl", "restart", agent)  # it had tried without a network
            machine.until(server.closed, 120)
            assert server.closed() == [("8", "success")]
            left = machine.ran("ls", STATE).split()
            assert left == ["before.json", "hawkbit.toml", "slots.raucs"]

"""The evening on which somebody makes a table: Debian as the imager leaves it, and from there what
INSTALL.md says, typed from the page itself, to the first clue.

The first start is a container with a real systemd, which installs at this machine's own pace. From
`sudo reboot` on it is a machine in QEMU, whose kernel has its own disk, USB, screens and radio.
What was typed, what was answered, and pictures of the screens are left in build/rehearsal.
"""

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pygame
import pytest
from card import Card
from debian_root import ROOTS
from hidden_screen import KEYBOARD
from imager_root import USER, Imaged, imaged
from machine import ORDINARY, TREE, Boot, Done, Parts
from played import PlayedTable, booted
from screens_expected import give_the_first_clue, until_first_screen

pytestmark = pytest.mark.machine

PAGE: Final = TREE / "systemd/INSTALL.md"
LEFT: Final = TREE / "build/rehearsal"
TABLE: Final = "/etc/pi-table/table.toml"
SETTINGS: Final = """\
hostname = "window"
timezone = "Europe/Rome"
pin = "2468"
[wifi]
ssid = "the café"
password = "long enough"
country = "IT"
[usb]
trust = ["0627:0001"]
"""
"""The maker's pi-table.toml. The device is a keyboard (QEMU's), which must get its driver; the
game's keys are pressed on another."""
RADIO: Final = "rfkill.default_state=0 modules_load=mac80211_hwsim"
"""The kernel's words for a Wi-Fi device without an antenna, and for what Raspberry Pi OS has: that
it is blocked until somebody has named a country."""
TIMEOUT_SECONDS: Final = 600.0
"""Seconds for a whole Debian to start in, which has more to do than the image."""
NOT_TYPED: Final = {
    "ssh ": "it is typed on the maker's own machine",
    "scp ": "it is typed on the maker's own machine",
    "pi-table provision": "it is typed on the maker's own machine",
    "pi-table flash": "behind the emulated adapter is no boot loader that could be written to",
    "pi-table calibrate": "it asks for a finger on one pad after another: tests/bring_up has it",
}
"""Lines of the page that are not typed here, by how they begin, and why."""
SAYS: Final = {
    "pi-table doctor": r"(?m)^ok +config",
    "pi-table settings check": "in order",
    "systemctl is-active": "^active\nactive\nactive$",
}
"""Expected lines of the page, by their beginnings."""
MAY_FAIL: Final = ("pi-table doctor",)
"""These end with 1 where something is broken. What that is here, the table's test says."""


class Line(NamedTuple):
    """A line to be typed."""

    step: int
    command: str

    @property
    def program(self) -> str:
        """The line without who runs it."""
        return re.sub(r"^sudo (-u \S+ )?", "", self.command)


def lines_of(page: str) -> list[Line]:
    """The commands of the page's numbered steps, in their order."""
    found = []
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        if step := re.match(r"(\d+)\. ", section):
            for block in re.findall(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL):
                for command in block.replace("\\\n", "").splitlines():
                    found.append(Line(int(step[1]), command.partition(" # ")[0].strip()))
    return found


class Maker:
    """Somebody who has logged in, types, and keeps what was answered."""

    def __init__(self, log: Path, run: Callable[[str], Done]) -> None:
        self._log, self._run = log, run

    def note(self, said: str) -> None:
        print(said, flush=True)
        with self._log.open("a") as log:
            log.write(f"{said}\n")

    def type(self, command: str) -> Done:
        began = time.monotonic()
        done = self._run(command)
        said = f"{done.out}{done.err}".strip()
        self.note(f"$ {command}\n{said}\n({done.status}, {time.monotonic() - began:.1f} s)")
        return done

    def say(self, command: str) -> str:
        """Type a line that must succeed; answers with what it said."""
        done = self.type(command)
        assert done.status == 0, (command, done)
        return done.out.strip()

    def follow(self, line: Line) -> None:
        """Type a line of the page, unless it is left out for a reason."""
        for start, why in NOT_TYPED.items():
            if line.program.startswith(start):
                self.note(f"# {line.command}\n(left out: {why})")
                return
        done = self.type(line.command)
        assert done.status in ((0, 1) if line.program.startswith(MAY_FAIL) else (0,)), line
        for start, pattern in SAYS.items():
            if line.program.startswith(start):
                assert re.search(pattern, done.out.strip()), (line, done.out)


class Installed(NamedTuple):
    """The card as `sudo reboot` leaves it, and what is typed after that."""

    image: Path
    boot: Boot
    later: list[Line]
    log: str
    """The typed commands up to there, with their answers."""


def first_start(suite: str, card: Imaged, folder: Path) -> Installed:
    """Type everything up to `sudo reboot`."""
    lines = lines_of(PAGE.read_text("utf-8"))
    restart = [line.command for line in lines].index("sudo reboot")
    log = folder / "typed.log"
    with card.started(folder / "first-start.log") as first:
        first.until_up()
        maker = Maker(log, first.type)
        maker.note(f"== {suite}, as the imager leaves it")
        for file in (*(TREE / "build/deb").iterdir(), TREE / "systemd/package/install.sh"):
            shutil.copy(file, card.root / "home" / USER)
        for line in lines[:restart]:
            maker.follow(line)
        (card.root / "boot/firmware/pi-table.toml").write_text(SETTINGS)
        maker.say("pi-table settings check /boot/firmware/pi-table.toml")
        maker.type("sudo reboot")
        assert first.restarts()
    disk, boot = card.disk(folder)
    return Installed(disk.image, boot, lines[restart + 1 :], log.read_text())


@pytest.fixture(scope="session")
def installed(request: pytest.FixtureRequest) -> Iterator[Installed]:
    """The card of a release of Debian; the variants begin with the same one."""
    with tempfile.TemporaryDirectory(prefix="pi-table-rehearsal-", dir=ROOTS) as folder:
        with imaged(request.param) as card:
            made = first_start(request.param, card, Path(folder))
        yield made


class Evening(NamedTuple):
    """A machine that has restarted, and the maker who has logged in again."""

    table: PlayedTable
    maker: Maker
    pictures: str
    """Common beginning of the paths of its pictures."""

    def picture(self, name: str, head: int = 0) -> Path:
        return self.table.machine.picture(Path(f"{self.pictures}-{name}.png"), head)

    def is_drawn(self, head: int = 0) -> bool:
        """True if the console draws on this screen. A text screen is black except for its
        letters."""
        seen = pygame.image.load(self.picture(f"screen-{head}", head))
        black = pygame.mask.from_threshold(seen, (0, 0, 0), (1, 1, 1))
        return black.count() * 2 < seen.get_width() * seen.get_height()

    def console_says(self) -> str:
        """Return the status of the console's unit, once it is ready."""
        unit, machine = "pi-table-console", self.table.machine
        is_active = ("systemctl", "is-active", unit)
        machine.until(lambda: machine.run(*is_active).out.strip() == "active", TIMEOUT_SECONDS)
        return machine.ran("systemctl", "show", "--property=StatusText", "--value", unit).strip()


@contextmanager
def evening(
    installed: Installed, scratch: Path, name: str, parts: Parts = ORDINARY, kernel: str = ""
) -> Iterator[Evening]:
    """Start the card in a machine of these parts."""
    LEFT.mkdir(parents=True, exist_ok=True)
    log = LEFT / f"{name}.log"
    log.write_text(installed.log)
    card = Card(scratch / "card.img", scratch)
    if not card.image.exists():  # else it is started again
        subprocess.run(["cp", "--sparse=always", installed.image, card.image], check=True)
    with booted(
        "amd64", card, scratch, boot=installed.boot, screen=True,
        kernel=f"{RADIO} {kernel}", files=KEYBOARD, devices=("-device", "usb-kbd,bus=usb.0"),
        parts=parts, cores=2,
    ) as table:  # fmt: skip
        run = table.machine.run
        maker = Maker(log, lambda line: run("su", "--login", USER, "--command", line))
        maker.note("== after the restart")
        try:
            yield Evening(table, maker, f"{LEFT}/{name}")
        except BaseException:
            maker.note("== what the machine's own log says")
            maker.type("sudo journalctl --boot --no-pager --output=short-monotonic --lines=200")
            raise


def shows_its_first_screen(evening: Evening) -> None:
    """Wait for it, and note when it came."""
    seconds = until_first_screen(evening.table, TIMEOUT_SECONDS)
    evening.picture("first-screen")
    ready = evening.table.machine.ran(
        *("systemctl", "show", "--property=ActiveEnterTimestampMonotonic", "--value"),
        "pi-table-console",
    )
    evening.maker.note(
        f"The first screen came {seconds:.0f} s after power-on, {int(ready) / 1e6:.0f} s after the "
        "kernel's start."
    )


def is_well(evening: Evening, hostname: str = "window") -> None:
    """Check the facts that hold after every restart, on any machine."""
    evening.table.look(console=False)
    evening.table.machine.run("systemctl", "is-system-running", "--wait", seconds=TIMEOUT_SECONDS)
    say = evening.maker.say
    assert say("systemctl --failed --no-legend --plain") == ""
    assert say("hostname") == hostname
    assert f"127.0.1.1 {hostname}" in say("cat /etc/hosts").replace("\t", " ")
    assert f"running [{hostname}.local]" in say("pgrep --list-full avahi-daemon")
    assert say("nmcli radio wifi") == "enabled"
    assert "wifi:disconnected" in say("nmcli --terse --fields TYPE,STATE device")
    assert "All of pi-table.toml was applied" in say("cat /boot/firmware/pi-table-says.txt")
    assert say("systemctl show -P Result -P ConditionResult pi-table-usb") == "success\nyes"
    keyboard = "$(dirname $(grep -l 0627 /sys/bus/usb/devices/*/idVendor))"
    assert "PI_TABLE_USB=trusted" in say(f"udevadm info --query=property {keyboard}")
    assert say(f"cat {keyboard}/*:*/authorized") == "1"
    assert say("sudo dmesg | grep -c 'offline error' || true") == "0"


def is_in_order(table: PlayedTable) -> None:
    """Wait until it is: a busy host lets the emulated controller fall silent now and then."""
    table.until(lambda: table.public and not table.public["out_of_order"], TIMEOUT_SECONDS)


def gets_the_first_clue(evening: Evening) -> None:
    """Begin a game at the hidden screen, and give a clue."""
    evening.table.look_again(console=False)  # the maker has started the engine again
    is_in_order(evening.table)
    give_the_first_clue(evening.table, TIMEOUT_SECONDS)
    evening.picture("first-clue")
    evening.maker.note("A game was begun at the hidden screen, and the first clue was given.")


TRIXIE_AT_ONCE: Final = pytest.mark.parametrize(
    "installed",
    ["trixie", pytest.param("bookworm", marks=pytest.mark.torture)],
    indirect=True,
)
BOTH: Final = pytest.mark.parametrize("installed", ["trixie", "bookworm"], indirect=True)


@TRIXIE_AT_ONCE
def test_an_evening_with_the_root_on_a_usb_disk(
    installed: Installed, scratch: Path, request: pytest.FixtureRequest
) -> None:
    parts = Parts(disk="usb-storage,bus=usb.0")
    with evening(installed, scratch, named(request), parts) as here:
        shows_its_first_screen(here)
        is_well(here)
        assert "/dev/sda2 on / " in here.maker.say("mount")
        for line in installed.later:
            here.maker.follow(line)
        gets_the_first_clue(here)


@BOTH
@pytest.mark.torture
def test_an_evening_with_the_root_on_the_card(
    installed: Installed, scratch: Path, request: pytest.FixtureRequest
) -> None:
    """It goes on after another start: under the same name, with the game as it stood."""
    with evening(installed, scratch, named(request)) as here:
        shows_its_first_screen(here)
        is_well(here)
        for line in installed.later:
            here.maker.follow(line)
        gets_the_first_clue(here)
        stands = here.table.stands
        here.maker.type("sudo reboot")
        here.table.machine.started_anew()
    with evening(installed, scratch, named(request) + "-again") as here:
        is_well(here)
        assert here.table.stands == stands


TWO: Final = Parts(screen="virtio-gpu-pci,id=screen,xres=800,yres=480,max_outputs=2")


@BOTH
@pytest.mark.torture
def test_an_evening_with_two_screens(
    installed: Installed, scratch: Path, request: pytest.FixtureRequest
) -> None:
    """No key is on either before the configuration names one, and then it is on that one alone."""
    words = "video=Virtual-2:800x480e"
    with evening(installed, scratch, named(request), TWO, words) as here:
        says = here.console_says()
        assert "Screens hang on Virtual-1 and Virtual-2" in says
        here.maker.note(says)
        is_well(here)
        done = here.maker.type(f"sudo -u pi-table pi-table doctor --config {TABLE}")
        assert re.search(r"(?m)^broken +screen +Screens hang on Virtual-1 and Virtual-2", done.out)
        here.table.look()
        answer = here.table.act(act="start", seat="operator", profile="codenames", cards="own")
        assert answer["ok"], answer
        here.table.until(lambda: here.table.stands.phase == "clue")
        assert [here.is_drawn(head) for head in (0, 1)] == [False, False]

        def put_at(name: str) -> None:
            here.maker.say(f"sudo sed -Ei 's/^(# )?display = .*/display = \"{name}\"/' {TABLE}")
            here.maker.say("sudo systemctl restart pi-table-engine pi-table-console")

        put_at("Virtual-2")
        head = 1
        if request.node.callspec.params["installed"] == "bookworm":  # with SDL 2.26
            assert "draws at Virtual-1. Disconnect that screen" in here.console_says()
            here.maker.note(here.console_says())
            assert [here.is_drawn(head) for head in (0, 1)] == [False, False]
            put_at("Virtual-1")
            head = 0
        here.table.machine.until(lambda: here.is_drawn(head))
        assert not here.is_drawn(1 - head)
        for line in installed.later:
            here.maker.follow(line)
        assert [here.is_drawn(0), here.is_drawn(1)] == [head == 0, head == 1]


@BOTH
@pytest.mark.torture
def test_an_evening_with_a_screen_that_comes_late(
    installed: Installed, scratch: Path, request: pytest.FixtureRequest
) -> None:
    """The console waits for it, and has not failed."""
    with evening(installed, scratch, named(request), kernel="video=Virtual-1:d") as here:
        says = here.console_says()
        assert says.startswith("No screen is connected.")
        here.maker.note(says)
        is_well(here)
        for line in installed.later:
            here.maker.follow(line)
        status = "/sys/class/drm/card*-Virtual-1/status"
        here.maker.note("The screen is connected.")
        here.table.machine.ran("sh", "-c", f"echo detect | tee {status}")
        shows_its_first_screen(here)
        gets_the_first_clue(here)


def named(request: pytest.FixtureRequest) -> str:
    """A name for what this test leaves behind, such as ``trixie-two-screens``."""
    test = request.node.originalname.removeprefix("test_an_evening_with_")
    return f"{request.node.callspec.params['installed']}-{test.replace('_', '-')}"

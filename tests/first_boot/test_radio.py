"""The Wi-Fi of the settings: its radio is on, and whatever keeps it off is told."""

import struct
from collections.abc import Callable

import pytest
from small_system import System

from pi_table.maintenance.first_boot import places

WIFI = '[wifi]\nssid = "Bar Sport"\npassword = "one two three"\ncountry = "IT"\n'
STATE = places.NETWORK_MANAGER_STATE
KEPT = "var/lib/systemd/rfkill/platform-fe300000.mmcnr:wlan"
CMDLINE = "console=tty1 root=PARTUUID=1-02 {}rootwait\n"

Apply = Callable[[str], int]


def add(system: System, name: str, text: str) -> None:
    (system.root / name).parent.mkdir(parents=True, exist_ok=True)
    system.write(name, text)


def test_the_radio_of_a_fresh_system_is_switched_on_in_all_three_places(
    system: System, apply: Apply
) -> None:
    (system.root / "dev").mkdir()
    (system.root / places.RFKILL).write_bytes(b"")
    assert apply(WIFI) == 0
    # An event of linux/rfkill.h, native: index, type WLAN, operation CHANGE_ALL, soft, hard.
    assert (system.root / places.RFKILL).read_bytes() == struct.pack("=I4B", 0, 1, 3, 0, 0)
    assert system.text(KEPT) == "0\n"
    assert system.text(STATE) == "[main]\nWirelessEnabled=true\n"
    assert system.text("var/lib/systemd/rfkill/platform-soc:bluetooth") == "1\n"


def test_what_else_network_manager_keeps_stays(system: System, apply: Apply) -> None:
    system.write(
        STATE, "[main]\nNetworkingEnabled=true\nWirelessEnabled=false\nWWANEnabled=false\n"
    )
    assert apply(WIFI) == 0
    assert system.text(STATE) == (
        "[main]\nNetworkingEnabled=true\nWirelessEnabled=true\nWWANEnabled=false\n"
    )


def test_settings_without_a_wifi_leave_the_radio_alone(system: System, apply: Apply) -> None:
    before = system.text(STATE), system.text(KEPT)
    assert apply('hostname = "window"') == 0
    assert (system.text(STATE), system.text(KEPT)) == before


def make_none(system: System) -> None:
    (system.root / places.NETWORK_MANAGER).unlink()


def block(kind: str) -> Callable[[System], None]:
    def block(system: System) -> None:
        for name, text in (("type", "wlan"), ("soft", "0"), ("hard", "0"), (kind, "1")):
            add(system, f"sys/class/rfkill/rfkill1/{name}", f"{text}\n")

    return block


def refuse_the_device(system: System) -> None:
    (system.root / places.RFKILL).mkdir(parents=True)


def refuse_the_state(system: System) -> None:
    (system.root / "var/lib/NetworkManager/.NetworkManager.state.new").mkdir()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (make_none, "There is no NetworkManager to join it: install network-manager."),
        (block("soft"), "The kernel still blocks it."),
        (block("hard"), "A switch on the machine blocks it."),
        (refuse_the_device, "Is a directory: "),
        (refuse_the_state, "NetworkManager.state cannot be written: "),
    ],
)
def test_what_keeps_it_off_is_told_with_what_to_do(
    system: System, apply: Apply, make: Callable[[System], None], said: str
) -> None:
    make(system)
    assert apply(WIFI) == 1
    english = system.says().split("\r\n\r\n")[0].splitlines()
    assert english[0] == "All of pi-table.toml was applied, but not all of it works yet:"
    assert english[1].startswith("The Wi-Fi may stay off. ")
    assert said in english[1]
    assert "`sudo rfkill unblock wlan` and `sudo nmcli radio wifi on`" in english[2]
    assert "Wi-Fi: Bar Sport" in english  # the rest is told as ever
    assert (system.root / places.CONNECTION).exists()


def test_a_blocked_radio_of_another_kind_is_no_wifi(system: System, apply: Apply) -> None:
    for name, text in (("type", "bluetooth"), ("soft", "1"), ("hard", "0")):
        add(system, f"sys/class/rfkill/rfkill0/{name}", f"{text}\n")
    assert apply(WIFI) == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cfg80211.ieee80211_regdom=GB ", "cfg80211.ieee80211_regdom=IT "),
        ("cfg80211.ieee80211_regdom=IT ", "cfg80211.ieee80211_regdom=IT "),
        ("", ""),
        ("x.cfg80211.ieee80211_regdom=GB ", "x.cfg80211.ieee80211_regdom=GB "),
    ],
)
def test_a_country_in_the_kernels_line_which_wins_is_the_same(
    system: System, apply: Apply, before: str, after: str
) -> None:
    cmdline = system.beside(places.CMDLINE)
    cmdline.write_text(CMDLINE.format(before))
    place = cmdline.stat().st_ino
    assert apply(WIFI) == 0
    assert cmdline.read_text() == CMDLINE.format(after)
    assert cmdline.stat().st_ino == place  # in place: no moment without the line


def test_a_kernels_line_that_cannot_be_written_is_told(system: System, apply: Apply) -> None:
    system.beside(places.CMDLINE).mkdir()
    assert apply(WIFI) == 1
    assert "cmdline.txt may name another country of the Wi-Fi. Is a directory." in system.says()

"""The pins of any GPIO chip: how lgpio is imported, and what it is asked for.

lgpio itself opens chips of a kernel, of which there is none here; a stand-in writes down what it is
asked for. `tests/machine/knobs.py` runs the real one on a machine that has a chip.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from gpiozero import LED, Button, PinInvalidPin
from gpiozero.exc import PinUnknownPi

from pi_table.devices.hal.gpio_pins import _own_lgpio_folder, open_pins

CONSTANTS = (
    *("SET_PULL_NONE", "SET_PULL_UP", "SET_PULL_DOWN"),
    *("BOTH_EDGES", "RISING_EDGE", "FALLING_EDGE"),
)
ASKED = (
    *("gpio_claim_input", "gpio_claim_output", "gpio_free", "gpio_read", "gpio_write"),
    *("gpio_claim_alert", "gpio_set_debounce_micros", "gpiochip_close"),
)
HANDLE = 40


class Lgpio(ModuleType):
    """Stands in for lgpio: every chip opens, and every line is high."""

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.asked: list[tuple[object, ...]] = []
        self._claimed: dict[int, bool] = {}
        for number, name in enumerate(CONSTANTS):
            setattr(self, name, number)
        for name in ASKED:
            setattr(self, name, self._asking(name))
        self.error = OSError

    def _asking(self, name: str) -> object:
        def ask(*given: object) -> int:
            self.asked.append((name, *given))
            if name.startswith("gpio_claim"):
                self._claimed[int(str(given[1]))] = name == "gpio_claim_output"
            return 1

        return ask

    def gpiochip_open(self, chip: int) -> int:
        self.asked.append(("gpiochip_open", chip))
        return HANDLE

    def gpio_get_mode(self, handle: int, line: int) -> int:
        return 2 * self._claimed[line]

    def callback(self, *given: object) -> "Lgpio":
        return self

    def cancel(self) -> None:
        """Nothing was called."""


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lgpio]:
    stand_in = Lgpio()
    monkeypatch.setitem(sys.modules, "lgpio", stand_in)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    yield stand_in
    sys.modules.pop("gpiozero.pins.lgpio", None)


def test_on_a_chip_that_is_named_a_pin_is_the_line_of_its_number(lgpio: Lgpio) -> None:
    pins = open_pins("gpiochip2")
    led, button = LED(25, pin_factory=pins), Button(3, bounce_time=0.02, pin_factory=pins)
    led.on()
    assert lgpio.asked[0] == ("gpiochip_open", 2)
    assert ("gpio_write", HANDLE, 25, True) in lgpio.asked
    assert ("gpio_claim_input", HANDLE, 3, CONSTANTS.index("SET_PULL_UP")) in lgpio.asked
    assert ("gpio_set_debounce_micros", HANDLE, 3, 20_000) in lgpio.asked
    led.close()
    button.close()
    pins.close()
    assert lgpio.asked[-1] == ("gpiochip_close", HANDLE)


def test_a_chip_is_found_by_a_link_whatever_its_number_is_today(
    lgpio: Lgpio, tmp_path: Path
) -> None:
    (tmp_path / "panel-pins").symlink_to("gpiochip7")
    open_pins("panel-pins", tmp_path).close()
    assert lgpio.asked[0] == ("gpiochip_open", 7)
    with pytest.raises(FileNotFoundError, match=f"there is no GPIO chip {tmp_path}/panel-pin$"):
        open_pins("panel-pin", tmp_path)


@pytest.mark.parametrize("line", range(28))
def test_every_pin_that_the_configuration_can_name_is_there(lgpio: Lgpio, line: int) -> None:
    pins = open_pins("gpiochip0")
    Button(line, pin_factory=pins).close()
    pins.close()


def test_there_is_no_line_beyond_those_of_the_header(lgpio: Lgpio) -> None:
    pins = open_pins("gpiochip0")
    with pytest.raises(PinInvalidPin):
        LED(28, pin_factory=pins)
    pins.close()


def test_without_a_name_only_a_raspberry_pi_will_do(lgpio: Lgpio) -> None:
    with pytest.raises(PinUnknownPi):
        open_pins()
    assert lgpio.asked == []


PIPE = """
import os
from pathlib import Path
folder = Path(os.environ["LG_WD"])
os.mkfifo(folder / ".lgd-nfy0")
os.chdir(folder)
"""
"""Stand-in for lgpio, which does the same at its import."""


def test_lgpio_is_imported_where_it_can_write_and_leaves_the_program_where_it_was(
    tmp_path: Path,
) -> None:
    (tmp_path / "lgpio.py").write_text(PIPE)
    (tmp_path / "nowhere").mkdir(mode=0o555)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import os; from pi_table.devices.hal.gpio_pins import _own_lgpio_folder as folder\n"
            "with folder(): import lgpio\n"
            "print(os.getcwd(), 'LG_WD' in os.environ, lgpio.folder.exists())",
        ],
        cwd=tmp_path / "nowhere",
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(tmp_path / "nowhere"), "False", "False"]


def test_whoever_names_a_folder_for_lgpio_keeps_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path))
    with _own_lgpio_folder():
        assert os.environ["LG_WD"] != str(tmp_path)
    assert os.environ["LG_WD"] == str(tmp_path)

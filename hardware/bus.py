"""The touch chips' bus from the Raspberry Pi to the carrier: capacitance, rise time and current.

`python -m hardware.bus` prints the calculation and exits with 1 if a requirement fails. Inputs are
in bus.toml, modules.toml (the highest voltage) and wiring.csv (the number of breakouts).
"""

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hardware import modules, places
from hardware.figures import read, values
from hardware.power import Budget

FILE: Final = Path(__file__).with_name("bus.toml")
NET: Final = "touch-data"
"""The line with most on it."""
LOW: Final = 0.3
HIGH: Final = 0.7
"""Shares of the supply between which a line rises."""


def breakouts() -> int:
    """Return the number of breakouts on the bus."""
    (row,) = (row for row in places.wiring() if (row["kind"], row["name"]) == ("carrier", NET))
    return sum(end.endswith(".SDA") for end in row["pin"].split())


@dataclass(frozen=True)
class Bus:
    """One line of the bus."""

    figures: Mapping[str, float] = field(default_factory=lambda: values(read(FILE)))
    metres: float = field(default_factory=lambda: Budget().metres(places.PI, places.CARRIER))
    """Length of the wire from the Pi to the carrier."""
    breakouts: int = field(default_factory=breakouts)
    volts: float = field(default_factory=lambda: float(modules.read().nets[NET]["volts"]))

    @property
    def ohms(self) -> float:
        """Resistance of all pull-ups in parallel. While a line is low, the transistors are closed,
        so those beside the chips count too."""
        pulls = 1 / self.figures["pi_pull"] + 2 * self.breakouts / self.figures["breakout_pull"]
        return 1 / pulls

    @property
    def chip_pf(self) -> float:
        """Capacitance in pF between a transistor and its chip."""
        return self.figures["device_pin"] + self.figures["transistor"]

    @property
    def picofarads(self) -> float:
        """Capacitance of the line in pF, with all that the closed transistors connect to it."""
        figures = self.figures
        each = figures["breakout"] + figures["transistor"] + self.chip_pf
        wire = figures["wire"] * self.metres
        return wire + figures["device_pin"] + figures["carrier"] + self.breakouts * each

    @property
    def nanoseconds(self) -> float:
        """Rise time at a chip in nanoseconds.

        First all pull-ups charge the whole line. When the chip's side is within the transistor's
        threshold of the supply, the transistor opens. Then the breakout's own pull-up charges the
        chip's side alone.
        """
        apart = self.figures["transistor_volts"] / self.volts
        apart = min(max(apart, 1 - HIGH), 1 - LOW)
        together = self.ohms * self.picofarads * math.log((1 - LOW) / apart)
        alone = self.figures["breakout_pull"] * self.chip_pf * math.log(apart / (1 - HIGH))
        return (together + alone) / 1000

    @property
    def milliamps(self) -> float:
        """Current in mA that a device sinks to hold the line low."""
        return 1000 * self.volts / self.ohms

    @property
    def reach(self) -> float:
        """Longest wire in metres with which all holds."""
        figures = self.figures
        none = Bus(figures, 0.0, self.breakouts, self.volts)
        for_a_metre = Bus(figures, 1.0, self.breakouts, self.volts).nanoseconds - none.nanoseconds
        return min(
            (figures["limit_pf"] - none.picofarads) / figures["wire"],
            (figures["limit_ns"] - none.nanoseconds) / for_a_metre,
        )


def faults(bus: Bus) -> Iterator[str]:
    """Yield a sentence for each requirement that fails."""
    for what, is_so, unit in (
        ("A line has", bus.picofarads, "pF"),
        ("A line rises within", bus.nanoseconds, "ns"),
        ("A device sinks", bus.milliamps, "mA"),
    ):
        limit = bus.figures[f"limit_{unit.lower()}"]
        if is_so > limit:
            yield f"{what} {is_so:.3g} {unit}; {limit:g} are the most at 400 kHz."


def summary(bus: Bus) -> Iterator[str]:
    """Yield the line of what the bus comes to."""
    most = bus.figures
    yield (
        f"The bus at 400 kHz (P): {bus.metres:.2f} of {bus.reach:.1f} m, {bus.picofarads:.0f} of "
        f"{most['limit_pf']:g} pF, rise in {bus.nanoseconds:.0f} of {most['limit_ns']:g} ns, "
        f"{bus.milliamps:.1f} of {most['limit_ma']:g} mA."
    )


def main() -> int:
    bus = Bus()
    print(*summary(bus), sep="\n")
    wrong = [*faults(bus)]
    print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

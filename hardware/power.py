"""The power of the table of tiles: current, supply, fuse, wires and the lights' voltage.

The string of the table of one evening draws less than the cap, even when all is white.

`python -m hardware.power` prints the calculation and exits with 1 if a requirement fails. Inputs
are in power.toml, firmware/vectors/facts.txt (the lights' cap), wiring.csv (the chain) and
dimensions.toml.
"""

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

from hardware import places
from hardware.figures import fact, lines_of, percent, read, values
from hardware.network import Network, worst_currents, worst_loss
from hardware.parts import Build
from pi_table.devices.hal.strip import CHANNEL_MA, IDLE_MA

FILE: Final = Path(__file__).with_name("power.toml")
FULL_WHITE: Final[float] = (3 * CHANNEL_MA + IDLE_MA) / 1000
IDLE: Final[float] = IDLE_MA / 1000
"""Current in amperes of one dark light."""
CAPS: Final = (1.0, 2.0, 2.5, 3.0, 4.0, 6.5)
"""Current limits in amperes for all lights together, one for each line of the table of current
limits."""
BOARDS: Final = {Build.CONTROLLER: "pi_5", Build.PI: "pi_4"}
"""Model of Raspberry Pi for which each build is calculated: the model that draws the most current.
"""


def cap() -> float:
    """Return the lights' default current limit in amperes, from the firmware's facts."""
    return fact("DEFAULT_MA") / 1000


def square_millimetres(awg: float) -> float:
    """Return the cross-section of a wire in mm², by the definition of AWG."""
    diameter: float = 0.127 * 92 ** ((36 - awg) / 39)
    return math.pi / 4 * diameter**2


@dataclass(frozen=True)
class Load:
    """The typical and the worst current of one part in amperes, with the mark of these figures."""

    what: str
    typical: float
    worst: float
    mark: str
    own: bool = False
    """True if the Raspberry Pi's own supply powers the part; False if the table's supply does."""


@dataclass(frozen=True)
class Budget:
    """The power calculation. Its inputs are figures, the lights' current limit (cap) and the chain
    of tiles."""

    figures: Mapping[str, float] = field(default_factory=lambda: values(read(FILE)))
    cap: float = field(default_factory=cap)
    chain: Mapping[str, int] = field(default_factory=lambda: places.chain(places.wiring()))
    """The cells and pads in the order of the light strip, each with its number of lights (LEDs)."""

    def loads(self, build: Build) -> list[Load]:
        """Return the loads of a build. A Pi 5 has its own supply, because it needs 5 A and
        negotiates this with the supply."""
        figures, board = self.figures, BOARDS[build]
        own = build is Build.CONTROLLER
        amplifier = (
            figures["amplifier_watts"] / figures["amplifier_efficiency"] / figures["supply_volts"]
        )
        name = board.replace("_", " ").replace("pi", "Raspberry Pi")
        pi = Load(name, figures[f"{board}_typical"], figures[f"{board}_worst"], "S", own)
        screen = Load("screen", figures["screen_typical"], figures["screen_worst"], "S", own)
        return [
            Load("lights at the cap", figures["lights_typical"], self.cap, "C"),
            pi,
            screen,
            Load("amplifier", figures["amplifier_typical"], amplifier, "P"),
            Load("controller, chips, gates", figures["controller"], figures["controller"], "P"),
        ]

    def supply_currents(self, build: Build) -> tuple[float, float]:
        """Return the typical and the worst current from the table's supply, in amperes."""
        loads = [load for load in self.loads(build) if not load.own]
        return sum(load.typical for load in loads), sum(load.worst for load in loads)

    def margin(self, build: Build) -> float:
        """Return the spare current of the table's supply, as a share of the worst current."""
        return self.figures["supply_amps"] / self.supply_currents(build)[1] - 1

    def margin_of_one(self, build: Build) -> float:
        """Return the spare current, as a share of the worst current, if the table's supply also
        powered the Raspberry Pi and the screen."""
        return self.figures["supply_amps"] / sum(load.worst for load in self.loads(build)) - 1

    @property
    def pi_volts(self) -> float:
        """Lowest voltage at a Raspberry Pi on the table's supply: the supply gives its lowest
        voltage, and Pi and screen take their worst current."""
        figures = self.figures
        wire = figures["pi_way"] * figures["copper"] / square_millimetres(figures["pi_awg"])
        amperes = figures[f"{BOARDS[Build.PI]}_worst"] + figures["screen_worst"]
        return self.volts(amperes * 2 * (wire + figures["pi_contacts"]))

    @property
    def all_white(self) -> float:
        """Current in amperes with every light at full white, without a cap."""
        return FULL_WHITE * sum(self.chain.values())

    @property
    def uncapped(self) -> "Budget":
        """A copy of this budget without a current limit for the lights, as if the firmware were
        broken."""
        return Budget(self.figures, self.all_white, self.chain)

    @property
    def white(self) -> float:
        """Brightest white that the whole table can show within the cap; a share of full white."""
        dark = IDLE * sum(self.chain.values())
        return min(1.0, (self.cap - dark) / (self.all_white - dark))

    @property
    def network(self) -> Network:
        """The chain of tiles as it is wired, with a feed at the first place of each row."""
        order = [*self.chain]
        links = [self._ohms(*map(places.centre, pair)) for pair in pairwise(order)]
        feeds = {
            place: self._ohms(places.CARRIER, places.centre(place)) for place in places.fed(order)
        }
        return Network(tuple(order), tuple(links), feeds)

    def metres(self, start: tuple[float, float], end: tuple[float, float]) -> float:
        """Return the length in metres of a light cable between two places."""
        way = places.metres(start, end)
        return way * self.figures["chain_slack"] + self.figures["chain_ends"]

    def _ohms(self, start: tuple[float, float], end: tuple[float, float]) -> float:
        """Return the resistance in ohms of a cable and one tile: the cable's two wires, the
        contacts at both ends, and the tile's copper."""
        figures = self.figures
        section = square_millimetres(figures["chain_awg"])
        wire = self.metres(start, end) * figures["copper"] / section
        return 2 * (wire + 2 * figures["contact"] + figures["tile_copper"])

    def loss(self, network: Network | None = None) -> float:
        """Return the greatest loss in volts between the supply and a light, for the worst frame of
        lights within the cap."""
        network = network or self.network
        return worst_loss(network.losses(), self._idle, self._most, self.cap)

    def wire_currents(self, network: Network | None = None) -> dict[str, float]:
        """Return the greatest current in amperes of each feed and each link. Each value is for the
        frame of lights that loads this feed or link most."""
        return worst_currents(network or self.network, self._idle, self._most, self.cap)

    @property
    def _idle(self) -> list[float]:
        return [IDLE * lights for lights in self.chain.values()]

    @property
    def _most(self) -> list[float]:
        return [FULL_WHITE * lights for lights in self.chain.values()]

    def volts(self, loss: float) -> float:
        """Return the lowest voltage at a light: the supply's lowest voltage minus this loss in
        volts."""
        return self.figures["supply_volts"] * (1 - self.figures["supply_tolerance"]) - loss

    @property
    def broken(self) -> tuple[str, float, float]:
        """The worst case of one broken feed: the tile without its feed, the greatest loss of a
        light in volts, and the greatest current through a contact in amperes."""
        tried = []
        for place in self.network.feeds:
            rest = self.network.without(place)
            tried.append((self.loss(rest), place, max(self.wire_currents(rest).values())))
        loss, place, amperes = max(tried)
        return place, loss, amperes


def supply_faults(budget: Budget) -> Iterator[str]:
    """Yield a sentence for each overload of the supply."""
    amperes, margin = budget.figures["supply_amps"], budget.figures["margin"]
    for build in Build:
        worst, spare = budget.supply_currents(build)[1], budget.margin(build)
        if spare < 0:
            yield (
                f"{build}: the worst case of {worst:.2f} A is more than the supply's {amperes:g} "
                "A: lower the cap, or take a larger supply."
            )
        elif spare < margin:
            yield (
                f"{build}: the supply's {amperes:g} A are {percent(spare)} more than the worst "
                f"case of {worst:.2f} A, and have to be {percent(margin)} more: lower the cap, or "
                "take a larger supply."
            )


def fuse_faults(budget: Budget) -> Iterator[str]:
    """Yield a sentence if the fuse would open during a game, and one if the fuse would let a wire
    burn."""
    fuse, share = budget.figures["fuse_amps"], budget.figures["fuse_share"]
    worst = max(budget.supply_currents(build)[1] for build in Build)
    if worst > share * fuse:
        yield (
            f"The worst case of {worst:.2f} A is more than {percent(share)} of the fuse's {fuse:g} "
            "A: it would open in a game."
        )
    if fuse > (wire := budget.figures["wire_amps"]):
        yield f"The fuse of {fuse:g} A lets a wire burn that bears {wire:g} A."


def wire_faults(budget: Budget) -> Iterator[str]:
    """Yield a sentence for each wire that loses too much voltage, and for each contact that carries
    too much current."""
    figures = budget.figures
    if budget.pi_volts < figures["pi_volts_least"]:
        yield (
            f"The Raspberry Pi gets {budget.pi_volts:.2f} V at worst, and wants "
            f"{figures['pi_volts_least']:g} V: its wires have to be shorter or thicker."
        )
    loss, (place, lost, _) = budget.loss(), budget.broken
    if budget.volts(loss) < figures["led_volts_least"]:
        yield (
            f"A light gets {budget.volts(loss):.2f} V, less than {figures['led_volts_least']:g}: "
            f"{loss:.2f} V are lost. Thicker wire or more feeds are needed."
        )
    if budget.volts(lost) < figures["led_volts_works"]:
        yield f"Without the feed of {place} a light gets {budget.volts(lost):.2f} V: it fails."
    if (most := budget.uncapped.broken[2]) > figures["contact_amps"]:
        yield (
            f"With the feed of {place} broken and no cap at all a contact carries {most:.2f} A, "
            f"and bears {figures['contact_amps']:g} A."
        )


CHECKS: Final = {"supply": supply_faults, "fuse": fuse_faults, "wires": wire_faults}


def faults(budget: Budget) -> Iterator[str]:
    """Yield a sentence for each requirement that fails."""
    for check in CHECKS.values():
        yield from check(budget)


def draws(budget: Budget) -> Iterator[str]:
    """Yield the lines of the table of currents, with both builds side by side."""
    rows: list[tuple[str, ...]] = []
    for pair in zip(*(budget.loads(build) for build in Build), strict=True):
        names = " or ".join(dict.fromkeys(load.what for load in pair))
        drawn = (
            f"{load.typical:.2f} / {load.worst:.2f}{', own supply' if load.own else ''}"
            for load in pair
        )
        rows.append((names, *drawn, pair[0].mark))
    sums = (f"{typical:.2f} / {worst:.2f}" for typical, worst in map(budget.supply_currents, Build))
    rows.append(("**from the table's supply**", *sums, "C"))
    rows.append(("spare of that supply", *(percent(budget.margin(b)) for b in Build), "C"))
    one = (percent(budget.margin_of_one(build)) for build in Build)
    rows.append(("spare if one supply fed everything", *one, "C"))
    return lines_of(("amperes, typical / at worst", *Build, "mark"), rows)


def wires(budget: Budget) -> Iterator[str]:
    """Yield the lines of the table of wires to the lights, with the lights at their current limit
    (cap)."""
    loss, carried, (place, lost, amperes) = budget.loss(), budget.wire_currents(), budget.broken
    feeds = ", ".join(budget.network.feeds)
    awg = budget.figures["chain_awg"]
    rows = [
        ("wire", f"AWG {awg:g}, {square_millimetres(awg):.2f} mm²"),
        ("fed at", feeds),
        ("voltage lost to the worst light of the worst frame", f"{loss:.2f} V"),
        ("its voltage at the lowest supply", f"{budget.volts(loss):.2f} V"),
        ("highest current in one contact", f"{max(carried.values()):.2f} A"),
        (
            f"voltage lost and current with the feed of {place} broken",
            f"{lost:.2f} V, {amperes:.2f} A",
        ),
        (
            "the same current, all white without a cap",
            f"{budget.uncapped.broken[2]:.2f} A",
        ),
        ("lowest voltage of a Raspberry Pi on the table's supply", f"{budget.pi_volts:.2f} V"),
        ("all lights white without a cap", f"{budget.all_white:.2f} A"),
        ("brightest white of the whole table within the cap", percent(budget.white)),
    ]
    return lines_of(("the lights at a cap of " + f"{budget.cap:g} A", "C"), rows)


def other_caps(budget: Budget) -> Iterator[str]:
    """Yield the lines of the table that compares other current limits for the lights."""
    head = "cap, A", "white", "lost, V", *(f"spare, {build}" for build in Build), "what fails"
    return lines_of(head, _rows_of_caps(budget))


def _rows_of_caps(budget: Budget) -> Iterator[tuple[str, ...]]:
    for amperes in CAPS:
        other = Budget(budget.figures, amperes, budget.chain)
        fails = [name for name, check in CHECKS.items() if [*check(other)]]
        spare = (percent(other.margin(build)) for build in Build)
        yield f"{amperes:g}", percent(other.white), f"{other.loss():.2f}", *spare, ", ".join(fails)


TABLES: Final = (draws, wires, other_caps)


def main() -> int:
    budget = Budget()
    for each in TABLES:
        print("\n".join([*each(budget), ""]))
    wrong = [*faults(budget)]
    print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

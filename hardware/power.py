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

from hardware import leads, places
from hardware.figures import fact, lines_of, percent, read, values
from hardware.network import Network, worst_currents, worst_loss
from pi_table.devices.hal.strip import CHANNEL_MA, IDLE_MA

FILE: Final = Path(__file__).with_name("power.toml")
FULL_WHITE: Final[float] = (3 * CHANNEL_MA + IDLE_MA) / 1000
IDLE: Final[float] = IDLE_MA / 1000
"""Current in amperes of one dark light."""
CAPS: Final = (1.0, 2.0, 2.5, 3.0, 4.0, 6.5)
"""Current limits in amperes for all lights together, one for each line of the table of current
limits."""


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

    @property
    def loads(self) -> list[Load]:
        """The loads of a table with a Raspberry Pi 5, which draws the most current. The Pi has its
        own supply, which it negotiates with."""
        figures = self.figures
        amplifier = (
            figures["amplifier_watts"] / figures["amplifier_efficiency"] / figures["supply_volts"]
        )
        pi, screen, chips = (
            (figures[f"{name}_typical"], figures[f"{name}_worst"])
            for name in ("pi_5", "screen", "chips")
        )
        return [
            Load("lights at the cap", figures["lights_typical"], self.cap, "C"),
            Load("amplifier", figures["amplifier_typical"], amplifier, "P"),
            Load("Raspberry Pi 5", *pi, "S", own=True),
            Load("screen", *screen, "S", own=True),
            Load("touch chips", *chips, "P", own=True),
        ]

    @property
    def supply_currents(self) -> tuple[float, float]:
        """The typical and the worst current from the table's supply, in amperes."""
        loads = [load for load in self.loads if not load.own]
        return sum(load.typical for load in loads), sum(load.worst for load in loads)

    @property
    def margin(self) -> float:
        """Spare current of the table's supply, as a share of the worst current."""
        return self.figures["supply_amps"] / self.supply_currents[1] - 1

    @property
    def way_in(self) -> float:
        """Greatest loss in volts from the supply to the carrier's plugs: in fuse and MOSFET."""
        ohms = self.figures["fuse_ohms"] + self.figures["mosfet_ohms"]
        return self.supply_currents[1] * ohms

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
        """Return the length in metres that a light cable between two places needs."""
        way = places.metres(start, end)
        return way * self.figures["chain_slack"] + self.figures["chain_ends"]

    def _ohms(self, start: tuple[float, float], end: tuple[float, float]) -> float:
        """Return the resistance in ohms of a cable and one tile: the cable's two wires, the
        contacts at both ends, and the tile's copper."""
        figures = self.figures
        section = square_millimetres(figures["chain_awg"])
        wire = leads.metres_of(self.metres(start, end)) * figures["copper"] / section
        return 2 * (wire + 2 * figures["contact"] + figures["tile_copper"])

    def loss(self, network: Network | None = None) -> float:
        """Return the greatest loss in volts between the supply and a light, for the worst frame of
        lights within the cap."""
        network = network or self.network
        return self.way_in + worst_loss(network.losses(), self._idle, self._most, self.cap)

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
    """Yield a sentence if the supply is overloaded, or nearly."""
    amperes, margin = budget.figures["supply_amps"], budget.figures["margin"]
    worst, spare = budget.supply_currents[1], budget.margin
    if spare < 0:
        yield (
            f"The worst case of {worst:.2f} A is more than the supply's {amperes:g} A: lower the "
            "cap, or take a larger supply."
        )
    elif spare < margin:
        yield (
            f"The supply's {amperes:g} A are {percent(spare)} more than the worst case of "
            f"{worst:.2f} A, and have to be {percent(margin)} more: lower the cap, or take a "
            "larger supply."
        )


def fuse_faults(budget: Budget) -> Iterator[str]:
    """Yield a sentence if the fuse would open during a game, if the supply cannot open it, and if
    it would let a wire burn."""
    fuse, share = budget.figures["fuse_amps"], budget.figures["fuse_share"]
    worst = budget.supply_currents[1]
    if worst > share * fuse:
        yield (
            f"The worst case of {worst:.2f} A is more than {percent(share)} of the fuse's {fuse:g} "
            "A: it would open in a game."
        )
    opens, most = budget.figures["fuse_opens"] * fuse, budget.figures["supply_limit"]
    if opens > (limit := most * budget.figures["supply_amps"]):
        yield (
            f"A fuse of {fuse:g} A opens at {opens:.1f} A, and the supply gives {limit:.1f} A at "
            "most: it would never open."
        )
    if fuse > (wire := budget.figures["wire_amps"]):
        yield f"The fuse of {fuse:g} A lets a wire burn that bears {wire:g} A."


def wire_faults(budget: Budget) -> Iterator[str]:
    """Yield a sentence for each wire that loses too much voltage, and for each contact that carries
    too much current."""
    figures = budget.figures
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
    """Yield the lines of the table of currents."""
    rows = []
    for load in budget.loads:
        drawn = f"{load.typical:.2f} / {load.worst:.2f}"
        rows.append((load.what, *(("", drawn) if load.own else (drawn, "")), load.mark))
    typical, worst = budget.supply_currents
    rows.append(("**together**", f"{typical:.2f} / {worst:.2f}", "", "C"))
    rows.append(("spare", percent(budget.margin), "", "C"))
    head = "amperes, typical / at worst", "table's supply", "Raspberry Pi's supply", "mark"
    return lines_of(head, rows)


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
        ("of which in fuse and MOSFET", f"{budget.way_in:.2f} V"),
        ("all lights white without a cap", f"{budget.all_white:.2f} A"),
        ("brightest white of the whole table within the cap", percent(budget.white)),
    ]
    return lines_of(("the lights at a cap of " + f"{budget.cap:g} A", "C"), rows)


def other_caps(budget: Budget) -> Iterator[str]:
    """Yield the lines of the table that compares other current limits for the lights."""
    head = "cap, A", "white", "lost, V", "spare", "what fails"
    return lines_of(head, _rows_of_caps(budget))


def _rows_of_caps(budget: Budget) -> Iterator[tuple[str, ...]]:
    for amperes in CAPS:
        other = Budget(budget.figures, amperes, budget.chain)
        fails = [name for name, check in CHECKS.items() if [*check(other)]]
        lost, spare = f"{other.loss():.2f}", percent(other.margin)
        yield f"{amperes:g}", percent(other.white), lost, spare, ", ".join(fails)


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

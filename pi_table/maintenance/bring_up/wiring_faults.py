"""Finds faults of the table's wires from the controller's readings. The functions are pure.

A wrong wire between a chip and its electrodes has one of three effects. A chip does not answer. Or
a pad reads out of range without a touch. Or a pad reacts that the finger does not touch.
"""

import enum
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from statistics import median
from typing import Final

from pi_table.common.language import say
from pi_table.devices.wire.fault_counters import restarted_chips
from pi_table.devices.wire.messages import CHIP_COUNT, RestartCause, State
from pi_table.devices.wire.settings import PADS
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.pad_quality import MIN_SNR, alike
from pi_table.maintenance.bring_up.raw_touch import Touch, snr
from pi_table.maintenance.bring_up.wiring import (
    ADDR,
    CARRIER,
    ELECTRODES,
    LEAD,
    Wires,
    address,
    are_neighbours,
    channel_of,
)

OVERLAY_MM: Final = 3.0
"""Thickness in mm of the acrylic overlay, as designed (`hardware/dimensions.toml`)."""
FRONT_MM: Final = 2.0
"""Maximum thickness in mm of the clear front of a table of foil (`hardware/evening/parts.csv`)."""
CARD_MM: Final = 0.4
"""Thickness in mm of acrylic that weakens touches as much as a card and its glue do (from
`hardware/electrodes.py`)."""
FINGER_COUNTS: Final = 16.0
"""Counts of a fingertip through an overlay of `OVERLAY_MM` and a card (proposed, not measured)."""
THIN_COUNTS: Final = 11.0
"""Counts of a finger through 4.6 mm of acrylic (calculated). Fewer counts mean too thick an
overlay."""
POOR_COUNTS: Final = 8.0
"""Minimum number of counts that a finger needs: twice the controller's lowest threshold."""
GROUND_COUNTS: Final = 20
"""Maximum number of filtered counts of a pad that touches ground: the chip cannot charge it."""


class Fault(enum.Enum):
    """The mistakes in wiring that a maker can make. Programs read these names in a finding's
    figures."""

    NO_CHIP = "no chip"
    SAME_ADDRESS = "same address"
    CHIP_SILENT = "chip silent"
    CHIP_POWER = "chip power"
    OVER_CURRENT = "over-current"
    OUT_OF_RANGE = "out of range"
    TOGETHER_OUT = "two out of range"
    CHIP_OUT = "all of a chip out of range"
    OPEN = "open"
    JOINED = "joined"
    SWAPPED = "swapped"
    CHIPS_SWAPPED = "chips swapped"
    ELSEWHERE = "elsewhere"
    OVERLAY = "overlay"
    GAP = "air gap"
    CHAIN = "chain"
    COLOURS = "colours"
    CORNERS = "corners"
    FIRST_LIGHT = "first light"
    DEAD_LIGHT = "dead light"
    DATA = "wrong data"
    SUPPLY = "supply"


def fault(
    what: str,
    of: Fault,
    says: str,
    do: str,
    pads: Sequence[int] = (),
    verdict: Verdict = Verdict.BROKEN,
    **figures: object,
) -> Finding:
    """Return a finding whose figures name the fault ``of`` and its ``pads`` (0 … 30)."""
    told: dict[str, object] = {"fault": of.value}
    if pads:
        told["pads"] = [PADS[pad] for pad in pads]
    return Finding(what, verdict, says, do, figures=told | figures)


_chip_fault: Final = partial(fault, "chips")
_pad_fault: Final = partial(fault, "electrodes")


# The chips


def of_chips(state: State, wires: Wires = CARRIER) -> Iterator[Finding]:
    """Yield a finding for each touch chip that does not answer. If the faults have one cause, yield
    only one finding."""
    silent = [chip for chip in range(CHIP_COUNT) if chip not in state.chips]
    if len(silent) == CHIP_COUNT:
        yield _chip_fault(
            Fault.NO_CHIP,
            say("No touch chip answers."),
            say(
                "Look at J4 of the carrier: 3.3 V (pin 1 of the Raspberry Pi) belongs to J4.1, "
                "ground to J4.5, pin 3 to J4.2 and pin 5 to J4.3 (not the other way round)."
            )
            if wires.has_carrier
            else say(
                "Look at what they share: {supply} and ground at the breakouts, {data} to SDA and "
                "{clock} to SCL (not the other way round).",
                supply=wires.supply,
                data=wires.data,
                clock=wires.clock,
            ),
        )
        return
    if silent == [1, 2]:
        yield _chip_fault(
            Fault.SAME_ADDRESS,
            say("0x5A answers alone; 0x5B and 0x5C do not."),
            say(
                "The carrier joins ADDR of one breakout to {addr}, of another to {addr_2}. Power "
                "off, and compare the names at the breakouts' holes with the carrier's print: a "
                "breakout from before 2021 has another order, and must not be used.",
                addr=ADDR[1],
                addr_2=ADDR[2],
            )
            if wires.has_carrier
            else say(
                "As sold, all three are 0x5A. 0x5B is a breakout {how}, 0x5C one {how_2}. If yours "
                "have no jumper, cut the trace from ADDR to ground on two of them, and join ADDR "
                "of one to {addr}, of the other to {addr_2}.",
                how=wires.breakouts[1],
                how_2=wires.breakouts[2],
                addr=ADDR[1],
                addr_2=wires.joined,
            ),
        )
        return
    for chip in silent:
        cause = state.restarts[chip]
        if cause is RestartCause.OVER_CURRENT:
            yield _chip_fault(
                Fault.OVER_CURRENT,
                say(
                    "{address} finds too much current in its reference resistor, and stops.",
                    address=address(chip),
                ),
                say(
                    "Look for a short at the chip's REXT and supply; take another breakout if "
                    "there is none."
                ),
            )
            continue
        yield _chip_fault(
            Fault.CHIP_SILENT,
            say("{address} does not answer.", address=address(chip)),
            say(
                "Look whether all seven pins of its breakout are in the socket and soldered; its "
                "ADDR is joined to {addr} on the carrier.",
                addr=ADDR[chip],
            )
            if wires.has_carrier
            else say(
                "Look at the plugs of its cable, and at its address: {address} is a breakout "
                "{how}. If another one has the same address, this one is missing.",
                address=address(chip),
                how=wires.breakouts[chip],
            ),
        )


def chips_lost(before: State, after: State, wires: Wires = CARRIER) -> Iterator[Finding]:
    """If touch chips restarted between the two states, yield a finding for each chip that probably
    did. If no such chip is known, yield one for each chip that ever failed: one of these restarted
    again for the same cause as before."""
    if after.restarted == before.restarted:
        return
    ever = [n for n, cause in enumerate(after.restarts) if cause is not RestartCause.NEVER]
    for chip in restarted_chips(before, after) or ever:
        yield _chip_fault(
            Fault.CHIP_POWER,
            say("{address} had to be restarted meanwhile.", address=address(chip)),
            say(
                "It lost its power or its bus for a moment: look at J4 of the carrier, and at the "
                "pins of this breakout."
            )
            if wires.has_carrier
            else say(
                "It lost its power or its bus for a moment: look at the plugs of its cable, and at "
                "its supply and ground."
            ),
        )


# The pads at rest


def at_rest(
    counts: Sequence[int | None], chips: frozenset[int], wires: Wires = CARRIER
) -> Iterator[Finding]:
    """Yield a finding for each pad that is out of range without a touch, or one for several such
    pads with a common cause.

    ``counts`` are the filtered counts of the 31 pads. ``chips`` are the numbers of the readable
    chips.
    """
    out = [
        pad
        for pad, count in enumerate(counts)
        if ELECTRODES[pad].chip in chips and (count is None or count <= GROUND_COUNTS)
    ]
    for chip in sorted(chips):
        of_chip = [pad for pad, electrode in enumerate(ELECTRODES) if electrode.chip == chip]
        if {*of_chip} <= {*out}:
            yield _pad_fault(
                Fault.CHIP_OUT,
                say(
                    "{address} could charge none of its {len} electrodes.",
                    address=address(chip),
                    len=len(of_chip),
                ),
                say(
                    "Measure the chip's own 3.3 V; then unplug its electrodes, and check whether "
                    "it works without them."
                )
                if wires.has_tiles
                else say(
                    "Measure 3.3 V between the chip's VIN and GND. Then look for solder or a bare "
                    "wire that joins its channels to the hole GND beside channel 0."
                ),
                of_chip,
            )
            out = [pad for pad in out if pad not in of_chip]
    while pair := next((pair for pair in combinations(out, 2) if are_neighbours(*pair)), None):
        out = [pad for pad in out if pad not in pair]
        first, second = (f"{PADS[pad]} ({channel_of(pad, wires)})" for pad in pair)
        yield _pad_fault(
            Fault.TOGETHER_OUT,
            say(
                "{first} and {second}, which lie side by side, are both out of range.",
                first=first,
                second=second,
            ),
            say(
                "Either they touch each other, or both touch ground: look for a drop of solder, a "
                "crushed lead, or foil that overlaps, between these two first."
            ),
            pair,
        )
    for pad in out:
        yield _pad_fault(
            Fault.OUT_OF_RANGE,
            say(
                "Auto-configuration failed for {pads}, {electrodes}: no charge fills it.",
                pads=PADS[pad],
                electrodes=channel_of(pad, wires),
            ),
            say(
                "Its electrode or its lead touches ground, a supply or metal. Unplug the lead at "
                "the chip: if the pad then reads, the fault is in the lead or on the overlay; if "
                "not, at the chip's pin."
            )
            if wires.has_tiles
            else say(
                "Its plate or its wire touches ground, a supply or metal. Unsolder the wire at the "
                "chip: if the pad then reads, the fault is in the wire or at the plate; if not, at "
                "the chip's hole."
            ),
            [pad],
        )


# The pads under a finger


def under_fingers(touches: Mapping[int, Touch], wires: Wires = CARRIER) -> Iterator[Finding]:
    """Yield a finding for each fault of the touched pads.

    ``touches`` has the last touch of each tried pad (0 … 30).
    """
    reacted = {pad: alike(touch) for pad, touch in touches.items()}
    joined_pairs = sorted(
        {
            (min(asked, other), max(asked, other))
            for asked, pads in reacted.items()
            if asked in pads
            for other in pads - {asked}
            if other not in reacted or asked in reacted[other]
        }
    )
    for first, second in joined_pairs:
        yield _pad_fault(
            Fault.JOINED,
            say(
                "{pads} and {pads_2} move together, whichever is touched: something joins them.",
                pads=PADS[first],
                pads_2=PADS[second],
            ),
            say(
                "Metal would have put both out of range, so it is dirt: flux or damp between "
                "{electrodes} and {electrodes_2}, or leads that run side by side. Clean and dry "
                "them, and lead them apart.",
                electrodes=channel_of(first, wires),
                electrodes_2=channel_of(second, wires),
            ),
            (first, second),
        )
    joined = {pad for pair in joined_pairs for pad in pair}
    went = {
        asked: strongest
        for asked, touch in touches.items()
        if asked not in joined
        and (strongest := touch.strongest()) is not None
        and strongest != asked
    }
    mixed_up = [*_swapped_leads(went, wires)]
    yield from mixed_up
    chips = {fault.figures["fault"] for fault in mixed_up} & {Fault.CHIPS_SWAPPED.value}
    for pad, touch in touches.items():
        if chips and not _is_wired_alike(pad):
            continue  # its wire ends at a channel that is not read
        if touch.quiet[pad] is not None and touch.strongest() is None:
            yield _pad_fault(
                Fault.OPEN,
                say(
                    "{pads} feels no finger, though {electrodes} reads {level} counts, as a pin "
                    "without an electrode does.",
                    pads=PADS[pad],
                    electrodes=channel_of(pad, wires),
                    level=f"{touch.quiet[pad].level:.0f}",  # type: ignore[union-attr]
                ),
                say(
                    "Its lead from {lead} of the tile is broken or not plugged in, its spring "
                    "does not reach the electrode, or the electrode is not glued to the overlay.",
                    lead=LEAD,
                )
                if wires.has_tiles
                else say(
                    "Its wire is broken, or not soldered at the plate or at the breakout, or the "
                    "plate is loose."
                ),
                [pad],
            )
    right = {
        pad: touch
        for pad, touch in touches.items()
        if pad not in joined and touch.strongest() == pad
    }
    yield from _weak(right, wires)


def _swapped_leads(went: Mapping[int, int], wires: Wires) -> Iterator[Finding]:
    """Yield a finding for each wire at a wrong channel. For each touched pad, ``went`` has the pad
    that reacted."""
    left = dict(went)
    pairs = {
        (ELECTRODES[asked].chip, ELECTRODES[other].chip)
        for asked, other in left.items()
        if ELECTRODES[asked].chip < ELECTRODES[other].chip
    }
    for first, second in sorted(pairs):
        whole = {
            asked: other
            for asked, other in left.items()
            if {ELECTRODES[asked].chip, ELECTRODES[other].chip} == {first, second}
            and ELECTRODES[asked].channel == ELECTRODES[other].channel
        }
        if len(whole) < CHIPS_AT_LEAST:
            continue
        left = {asked: other for asked, other in left.items() if asked not in whole}
        yield _chip_fault(
            Fault.CHIPS_SWAPPED,
            say(
                "{address} and {address_2} are mixed up: {len} fingers were felt at the same "
                "channel of the other.",
                address=address(first),
                address_2=address(second),
                len=len(whole),
            ),
            say(
                "ADDR of the chip with {rows} belongs to {addr}, of the one with {rows_2} to "
                "{addr_2}: exchange them, or the plugs.",
                rows=_rows(first),
                addr=wires.addr[first],
                rows_2=_rows(second),
                addr_2=wires.addr[second],
            )
            if wires.has_tiles
            else say(
                "ADDR of the chip with {rows} belongs to {addr}, of the one with {rows_2} to "
                "{addr_2}: exchange these two connections.",
                rows=_rows(first),
                addr=wires.addr[first],
                rows_2=_rows(second),
                addr_2=wires.addr[second],
            ),
            sorted(whole),
        )
    for asked, other in left.items():
        if left.get(other) == asked and asked < other:
            yield _pad_fault(
                Fault.SWAPPED,
                say(
                    "The leads of {pads} and {pads_2} are swapped.",
                    pads=PADS[asked],
                    pads_2=PADS[other],
                ),
                say(
                    "{pads} belongs to {electrodes}, {pads_2} to {electrodes_2}: exchange them.",
                    pads=PADS[asked],
                    electrodes=channel_of(asked, wires),
                    pads_2=PADS[other],
                    electrodes_2=channel_of(other, wires),
                ),
                (asked, other),
            )
        elif left.get(other) != asked:
            yield _pad_fault(
                Fault.ELSEWHERE,
                say(
                    "{pads} was touched, and {pads_2} felt it.",
                    pads=PADS[asked],
                    pads_2=PADS[other],
                ),
                say(
                    "The lead of {pads} is connected to {electrodes}; it belongs to "
                    "{electrodes_2}.",
                    pads=PADS[asked],
                    electrodes=channel_of(other, wires),
                    electrodes_2=channel_of(asked, wires),
                ),
                (asked, other),
            )


def _is_wired_alike(pad: int) -> bool:
    """True if every touch chip has a pad at the same channel as this pad."""
    channel = ELECTRODES[pad].channel
    return sum(one.channel == channel for one in ELECTRODES) == CHIP_COUNT


CHIPS_AT_LEAST: Final = 3
"""Minimum number of wires at the same channel of the other chip for which two chips count as
swapped. With fewer such wires, each wire counts as a soldering mistake."""


def _rows(chip: int) -> str:
    names = [PADS[pad] for pad, one in enumerate(ELECTRODES) if one.chip == chip]
    return f"{names[0]}, {names[1]} …"


def _weak(touches: Mapping[int, Touch], wires: Wires) -> Iterator[Finding]:
    """Yield a finding for each pad with few counts. If most have few, blame the overlay."""
    deltas = {pad: touch.deltas[pad] or 0.0 for pad, touch in touches.items()}
    if not deltas:
        return
    usual = median(deltas.values())
    if usual < THIN_COUNTS:
        yield overlay_finding(usual, wires)
    for pad, delta in deltas.items():
        quiet = touches[pad].quiet[pad]
        in_noise = quiet is not None and snr(delta, quiet.noise) < MIN_SNR
        if delta < usual / 2 or (in_noise and usual >= THIN_COUNTS):
            yield _pad_fault(
                Fault.GAP,
                say(
                    "A finger takes {delta} counts from {pads}; from the others {usual}.",
                    delta=f"{delta:.0f}",
                    pads=PADS[pad],
                    usual=f"{usual:.0f}",
                ),
                say(
                    "There is air between this electrode and the overlay, or it is smaller, or "
                    "its lead runs along a supply: press it flat, and glue it again."
                )
                if wires.has_tiles
                else say(
                    "This plate is loose, or smaller than the others, or its wire runs along a "
                    "supply: rub it flat, and lead the wire away."
                ),
                [pad],
                counts=round(delta, 1),
            )


def thickness(counts: float) -> float:
    """Return how thick the acrylic is, in mm, if a finger has this many counts. Counts fall with
    the distance, like the capacitance between two plates."""
    return (OVERLAY_MM + CARD_MM) * FINGER_COUNTS / counts - CARD_MM


def overlay_finding(counts: float, wires: Wires = CARRIER) -> Finding:
    """Return the finding about an overlay that is too thick: a finger has only this many counts.
    Without tiles, the overlay is the front of a picture frame."""
    millimetres = thickness(counts)
    says: str
    do: str
    if wires.has_tiles:
        says = say(
            "A finger takes {counts} counts from a pad; {finger_counts} are expected through "
            "{overlay_mm} mm of acrylic. That is as much as comes through {millimetres} mm.",
            counts=f"{counts:.0f}",
            finger_counts=f"{FINGER_COUNTS:.0f}",
            overlay_mm=f"{OVERLAY_MM:.0f}",
            millimetres=f"{millimetres:.1f}",
        )
        do = say(
            "Measure the overlay: {overlay_mm} mm is what the table is made for. If it is that, "
            "there is air between it and all electrodes, or a finger was held beside their "
            "middles.",
            overlay_mm=f"{OVERLAY_MM:.0f}",
        )
    else:
        says = say(
            "A finger takes {counts} counts from a pad, as much as comes through {millimetres} mm "
            "of acrylic.",
            counts=f"{counts:.0f}",
            millimetres=f"{millimetres:.1f}",
        )
        do = say(
            "Measure the front: it should be {front_mm} mm thick at most. If it is, there is air "
            "between it and all plates, or a finger was held beside their middles.",
            front_mm=f"{FRONT_MM:.0f}",
        )
    return fault(
        "overlay",
        Fault.OVERLAY,
        says,
        do,
        verdict=Verdict.BROKEN if counts < POOR_COUNTS else Verdict.LOOK,
        counts=round(counts, 1),
        millimetres=round(millimetres, 1),
    )

"""The kinds of parts on the boards: symbol, footprint and value of each."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Kind:
    """A kind of part. Symbol and footprint are "LIBRARY:NAME", from KiCad's libraries or from this
    project's library."""

    symbol: str
    footprint: str
    value: str
    bought: bool = True
    """True if parts.csv has a row for the kind. Copper and holes have no row, because they come
    with the board."""


def _resistor(value: str) -> Kind:
    axial = "R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal"
    return Kind("Device:R", f"Resistor_THT:{axial}", value)


def _plug(pins: int) -> Kind:
    footprint = f"Connector_JST:JST_XH_B{pins}B-XH-A_1x{pins:02}_P2.50mm_Vertical"
    return Kind(f"Connector_Generic:Conn_01x{pins:02}", footprint, "")


KINDS: Final = {
    "ws2812b": Kind("LED:WS2812B", "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm", "WS2812B"),
    "contact-spring": Kind("pi-table:Contact_Spring", "pi-table:Contact_Spring", "0.3 x 5 x 15"),
    "electrode-board": Kind("pi-table:Electrode", "pi-table:Electrode", "76 x 52"),
    "capacitor-100n-0805": Kind("Device:C", "Capacitor_SMD:C_0805_2012Metric", "100n"),
    "capacitor-22u-1206": Kind("Device:C", "Capacitor_SMD:C_1206_3216Metric", "22u"),
    "capacitor-1000u": Kind(
        "Device:C_Polarized", "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm", "1000u 10 V"
    ),
    "resistor-470": _resistor("470"),
    "resistor-10k": _resistor("10k"),
    "resistor-100k": _resistor("100k"),
    "xh-header-2": _plug(2),
    "xh-header-3": _plug(3),
    "xh-header-4": _plug(4),
    "xh-header-7": _plug(7),
    "xh-header-12": _plug(12),
    "mpr121-breakout": Kind("pi-table:MPR121_Breakout", "pi-table:MPR121_Breakout", ""),
    "74ahct125": Kind("74xx:74AHCT125", "Package_DIP:DIP-14_W7.62mm_Socket", "74AHCT125"),
    "mosfet-p": Kind("Transistor_FET:IRF7404", "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm", "FDS6681Z"),
    "esd-diode": Kind("Device:D_TVS", "Diode_SMD:D_SOD-323_HandSoldering", "PESD5V0S1BA"),
    "tvs-diode": Kind("Device:D_TVS", "Diode_SMD:D_SMA", "SMAJ5.0A"),
    "fuse-holder": Kind(
        "Device:Fuse",
        "Fuse:Fuseholder_Cylinder-5x20mm_Schurter_0031_8201_Horizontal_Open",
        "T 4 A",
    ),
    "screw-terminal": Kind(
        "Connector:Screw_Terminal_01x02",
        "TerminalBlock_Phoenix:TerminalBlock_Phoenix_MKDS-1,5-2-5.08_1x02_P5.08mm_Horizontal",
        "supply 5 V",
    ),
    "hole": Kind("Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3", "M3", False),
    "solder-jumper": Kind(
        "Jumper:SolderJumper_2_Open",
        "Jumper:SolderJumper-2_P1.3mm_Open_Pad1.0x1.5mm",
        "",
        False,
    ),
}
"""Each kind of part by its id. The id of a bought kind is also the id of its row in parts.csv."""

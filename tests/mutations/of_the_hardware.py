"""Mistakes in what is reckoned of the hardware: parts, power, electrodes, cables."""

from mutation import Mutation

POWER = ("tests/hardware/test_power.py",)
ELECTRODES = ("tests/hardware/test_electrodes.py",)
PARTS = ("tests/hardware/test_parts.py",)
HARNESS = ("tests/hardware/test_harness.py",)
PAGES = ("tests/hardware/test_pages_of_hardware.py",)

OF_THE_HARDWARE = [
    Mutation(
        "a loss is reckoned one way only",
        "hardware/power.py",
        '        return 2 * (wire + 2 * figures["contact"] + figures["tile_copper"])\n',
        '        return wire + 2 * figures["contact"] + figures["tile_copper"]\n',
        (*POWER, *PAGES),
    ),
    Mutation(
        "the lightest frame is taken for the worst",
        "hardware/network.py",
        "key=lambda at: -weights[at]",
        "key=lambda at: weights[at]",
        POWER,
    ),
    Mutation(
        "a broken feed is tried nowhere",
        "hardware/network.py",
        "if name != place}",
        "if name}",
        POWER,
    ),
    Mutation(
        "a supply without a margin does",
        "hardware/power.py",
        "        elif spare < margin:\n",
        "        elif spare < 0:\n",
        POWER,
    ),
    Mutation(
        "air between electrode and overlay costs nothing",
        "hardware/electrode_design.py",
        '/ figures["glue_permittivity"]\n            + air\n',
        '/ figures["glue_permittivity"]\n',
        ELECTRODES,
    ),
    Mutation(
        "an electrode may stand in its neighbour's cell",
        "hardware/electrodes.py",
        "        if size >= room:\n",
        "        if size >= 2 * room:\n",
        ELECTRODES,
    ),
    Mutation(
        "a number is bought for two parts",
        "hardware/parts.py",
        "            if source in bought:\n",
        "            if source in bought and False:\n",
        PARTS,
    ),
    Mutation(
        "the next tile is fed by the pin beside",
        "hardware/harness.py",
        '            (f"{place} J1", [*into]),\n',
        '            (f"{place} J1", [*into][::-1]),\n',
        HARNESS,
    ),
    Mutation(
        "the knob's ground is another pin",
        "hardware/harness_of_pi.py",
        '    "encoder": 25,\n',
        '    "encoder": 24,\n',
        HARNESS,
    ),
]

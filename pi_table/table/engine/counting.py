"""Counters of the engine's faults since its start.

Devices count their own faults; these counts are in `Readings`.
"""

from collections.abc import Mapping
from typing import Final

from pi_table.devices.hal.contracts import TouchFrame
from pi_table.table.engine.inputs import Input, ScreenLeft, SoundFault, TouchFelt
from pi_table.table.engine.storage.results import NotOpened, NotSettled, NotStored

NO_FAULTS: Final[Mapping[str, int]] = dict.fromkeys(
    ("journal_faults", "sound_faults", "touch_faults", "screens_left"), 0
)
"""The counters by name, all zero.

``journal_faults``: the journal could not store something, or could not be opened. ``sound_faults``:
the loudspeaker or the speech program failed. ``touch_faults``: the touch grid reported a fault.
``screens_left``: the hidden screen disconnected.
"""


def count_fault(counts: Mapping[str, int], given: Input, felt: TouchFrame) -> Mapping[str, int]:
    """Return the counters. If the input ``given`` is a fault, its counter is one higher.

    ``felt`` is the previous touch frame. A fault that was already in that frame is not counted
    again.
    """
    match given:
        case NotStored() | NotSettled() | NotOpened(refused=None):
            name = "journal_faults"
        case SoundFault(trouble=str()):
            name = "sound_faults"
        case TouchFelt(frame=TouchFrame(trouble=str() as trouble)) if trouble != felt.trouble:
            name = "touch_faults"
        case ScreenLeft():
            name = "screens_left"
        case _:
            return counts
    return {**counts, name: counts[name] + 1}

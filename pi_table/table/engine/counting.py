"""How often something has gone wrong in the engine since it was started. What its devices count is
in their readings."""

from collections.abc import Mapping
from typing import Final

from pi_table.devices.hal.contracts import TouchFrame
from pi_table.table.engine.inputs import Felt, Input, Left, SoundAils
from pi_table.table.engine.storage.results import NotOpened, NotSettled, NotStored

NONE: Final[Mapping[str, int]] = dict.fromkeys(
    ("journal_faults", "sound_faults", "touch_faults", "screens_left"), 0
)
"""What is counted, by name: the journal took nothing, or could not be opened; the loudspeaker, or
the program that speaks, failed; the touch grid was in trouble; the hidden screen hung up."""


def counted(counts: Mapping[str, int], given: Input, felt: TouchFrame) -> Mapping[str, int]:
    """The counts after something happened; ``felt`` is the frame before it."""
    match given:
        case NotStored() | NotSettled() | NotOpened(refused=None):
            name = "journal_faults"
        case SoundAils(trouble=str()):
            name = "sound_faults"
        case Felt(frame=TouchFrame(trouble=str() as trouble)) if trouble != felt.trouble:
            name = "touch_faults"
        case Left():
            name = "screens_left"
        case _:
            return counts
    return {**counts, name: counts[name] + 1}

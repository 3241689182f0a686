"""What is decided at the door: what becomes of a touch or a request that is not refused.

There are three kinds. Something is `Told`, and that is all. A part of the table `Becomes` another,
which is done when the next line is read. Or the disk is needed: a `Move` is to be stored, or an
`Order` carried out; then whoever asked is answered later.
"""

import msgspec

from pi_table.table.engine.outputs import AskReferee, TrySound
from pi_table.table.engine.state.in_force import InForce
from pi_table.table.engine.state.lock import Lock
from pi_table.table.engine.state.marks import Marks
from pi_table.table.engine.state.moves import Move
from pi_table.table.engine.state.peek import Peek
from pi_table.table.engine.state.service import Service
from pi_table.table.engine.storage.order import Order


class Told(msgspec.Struct, frozen=True):
    """Nothing is to be done but to answer with this."""

    what: object = None


class Becomes(msgspec.Struct, frozen=True):
    """A part of the table is so from now on."""


class Peeks(Becomes, frozen=True):
    """This peek is on; with None, nobody peeks."""

    peek: Peek | None


class Locked(Becomes, frozen=True):
    """The operator's page at the hidden screen is locked so."""

    lock: Lock


class DeskLocked(Becomes, frozen=True):
    """The operator's desk is locked."""


class Marked(Becomes, frozen=True):
    """These cells are marked."""

    marks: Marks


class Served(Becomes, frozen=True):
    """Service at the hidden screen is so; with None, there is none."""

    service: Service | None
    sound: TrySound | None = None
    """How the loudspeaker is tried."""


class ServedFromDesk(Becomes, frozen=True):
    """Service from the desk is so; with None, there is none."""

    service: Service | None


class Ordered(Becomes, frozen=True):
    """This is what the house has ordered."""

    in_force: InForce


Outcome = Told | Becomes | Move | Order | AskReferee
"""What is to be done. The referee answers later, as the disk does."""

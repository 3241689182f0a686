"""The outcomes of touches and requests that are not refused.

There are three kinds. `Told` is only an answer. `Becomes` changes a part of the table at once. A
`Move` to store or an `Order` needs the disk; then the answer comes later.
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
    """Answer with this and do nothing else."""

    what: object = None


class Becomes(msgspec.Struct, frozen=True):
    """Change a part of the table."""


class Peeks(Becomes, frozen=True):
    """Set the peek; None ends it."""

    peek: Peek | None


class Locked(Becomes, frozen=True):
    """Set the lock of the operator's page at the hidden screen."""

    lock: Lock


class DeskLocked(Becomes, frozen=True):
    """Lock the operator's desk."""


class Marked(Becomes, frozen=True):
    """Set the marked cells."""

    marks: Marks


class Served(Becomes, frozen=True):
    """Set the state of service at the hidden screen; None ends it."""

    service: Service | None
    sound: TrySound | None = None
    """The test of the loudspeaker."""


class ServedFromDesk(Becomes, frozen=True):
    """Set the state of service from the desk; None ends it."""

    service: Service | None


class Ordered(Becomes, frozen=True):
    """Set the orders of the house."""

    in_force: InForce


Outcome = Told | Becomes | Move | Order | AskReferee
"""The outcome of a touch or request. The referee answers later, like the disk."""

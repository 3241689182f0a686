"""The outcomes of touches and requests that are not refused.

`AnswerOnly` only answers. `StateChange` changes a part of the table at once. `Move` and `Order`
need the disk, and `AskReferee` needs the referee, so their answers come later.
"""

import msgspec

from pi_table.table.engine.outputs import AskReferee, TrySound
from pi_table.table.engine.state.house_orders import HouseOrders
from pi_table.table.engine.state.lock import Lock
from pi_table.table.engine.state.marks import Marks
from pi_table.table.engine.state.moves import Move
from pi_table.table.engine.state.peek import Peek
from pi_table.table.engine.state.service import Service
from pi_table.table.engine.storage.order import Order


class AnswerOnly(msgspec.Struct, frozen=True):
    """Answer with this result and do nothing else."""

    what: object = None


class StateChange(msgspec.Struct, frozen=True):
    """Change a part of the table. None as the new value ends the peek or service mode."""


class SetPeek(StateChange, frozen=True):
    peek: Peek | None


class SetLock(StateChange, frozen=True):
    lock: Lock


class LockDesk(StateChange, frozen=True):
    """Lock the operator's desk."""


class SetMarks(StateChange, frozen=True):
    marks: Marks


class SetService(StateChange, frozen=True):
    service: Service | None
    sound: TrySound | None = None
    """The test of the loudspeaker that is to be done, if any."""


class SetDeskService(StateChange, frozen=True):
    service: Service | None


class SetOrders(StateChange, frozen=True):
    in_force: HouseOrders


Outcome = AnswerOnly | StateChange | Move | Order | AskReferee
"""The outcome of a touch or request that is not refused."""

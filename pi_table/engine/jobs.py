"""Jobs: what somebody wants done, on its way from being asked for to being done or refused."""

import msgspec

from pi_table.engine.inputs import Begin, Request
from pi_table.engine.intents import Hold
from pi_table.errors import TableError

What = Hold | Request | Begin
"""A touch that was meant, or something that is asked for."""


class Job(msgspec.Struct, frozen=True):
    """A touch that was meant, or a request, that waits for its turn or for the disk."""

    what: What
    begun: float
    """When the job was begun, in seconds: what was begun before time ran out counts (CN-24)."""
    screen: int = 0
    """Which hidden screen was there then: how many had hung up before it."""

    @property
    def to(self) -> object:
        """The name of the request, None for a touch, and for what the table does by itself."""
        return None if isinstance(self.what, Hold) else self.what.to


class Done(msgspec.Struct, frozen=True):
    """A job is done, or it was refused."""

    job: Job
    refusal: TableError | None = None
    """Why the job was refused, None if it was not."""
    told: object = None
    """What whoever asked is told, and nobody else."""

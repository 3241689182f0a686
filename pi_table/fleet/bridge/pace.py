"""How fast commands reach the table, however fast they come.

The table is asked five times a second at most. Meanwhile of each kind of command the newest waits,
and no more. Who sends so many that reading them would cost the machine its time is a flood: after
it the bridge hears no commands for a while. Time is an argument: seconds that never fall.
"""

from typing import Final

from pi_table.fleet.bridge.commands import Act

BETWEEN_SECONDS: Final = 0.2
"""Seconds from one request to the table to the next."""
MOST_AT_ONCE: Final = 100
"""Commands that may come at once, as when somebody draws at a slider."""
A_SECOND: Final = 10.0
"""Commands a second that may come for ever."""
DEAF_SECONDS: Final = 30.0
"""How long after a flood no commands are heard."""


class Waiting:
    """The commands that the table has not been asked yet: the newest of each kind."""

    def __init__(self) -> None:
        self._waiting: dict[str, Act] = {}
        self._free_at = float("-inf")

    def put(self, command: str, act: Act) -> bool:
        """Let a command wait. Was there an older one of its kind, of which something is not done?
        Settings of both are set: how loud the table is and whether it is silent are one kind."""
        older = self._waiting.get(command, {})
        before, now = older.get("settings", {}), act.get("settings", {})
        self._waiting[command] = {**act, "settings": {**before, **now}} if now else act
        return bool(older) and (not now or not before.keys().isdisjoint(now))

    def due(self) -> float | None:
        """When the table may be asked next; None where nothing waits."""
        return self._free_at if self._waiting else None

    def take(self, now: float) -> tuple[str, Act] | None:
        """The command that has waited longest, for the table to be asked now; None where none
        waits, or where it is too early."""
        if not self._waiting or now < self._free_at:
            return None
        self._free_at = now + BETWEEN_SECONDS
        command = next(iter(self._waiting))
        return command, self._waiting.pop(command)

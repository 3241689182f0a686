"""The rate limit for commands, however fast they arrive.

The table gets at most five requests a second. Between two requests only the newest command of each
kind waits. If so many commands arrive that reading them would slow the machine, they count as a
flood. After a flood the bridge receives no commands for a while. Time is an argument: seconds that
never fall.
"""

from typing import Final

from pi_table.fleet.bridge.commands import Act

MIN_REQUEST_SECONDS: Final = 0.2
"""Least number of seconds between two requests to the table."""
MAX_BURST_COMMANDS: Final = 100
"""Number of commands that may arrive together, for example while a person drags a slider."""
COMMANDS_A_SECOND: Final = 10.0
"""Number of commands per second that may arrive for any length of time."""
DEAF_SECONDS: Final = 30.0
"""Seconds after a flood during which no commands are received."""


class CommandQueue:
    """The commands that wait for the table: only the newest of each kind."""

    def __init__(self) -> None:
        self._waiting: dict[str, Act] = {}
        self._free_at = float("-inf")

    def put(self, command: str, act: Act) -> bool:
        """Queue a command. Return True if it replaces an older command of its kind, at least in
        part. Settings of both are merged: volume and silence belong to the same kind of command."""
        older = self._waiting.get(command, {})
        before, now = older.get("settings", {}), act.get("settings", {})
        self._waiting[command] = {**act, "settings": {**before, **now}} if now else act
        return bool(older) and (not now or not before.keys().isdisjoint(now))

    def due(self) -> float | None:
        """Return the time from which the next request may be sent; None if no command waits."""
        return self._free_at if self._waiting else None

    def take(self, now: float) -> tuple[str, Act] | None:
        """Return the command that has waited longest; None if none waits or it is too early."""
        if not self._waiting or now < self._free_at:
            return None
        self._free_at = now + MIN_REQUEST_SECONDS
        command = next(iter(self._waiting))
        return command, self._waiting.pop(command)

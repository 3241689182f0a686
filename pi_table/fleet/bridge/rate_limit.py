"""The rate limit for commands, which protects the table however fast commands arrive.

The table gets at most five requests a second. Until the next request, only the newest command of
each kind waits. If commands arrive so fast that reading them would slow the machine, they are a
flood. After a flood the bridge receives no commands for a while. Time is an argument, in monotonic
seconds.
"""

from typing import Final

from pi_table.fleet.bridge.commands import Act

MIN_REQUEST_SECONDS: Final = 0.2
"""Shortest time in seconds between two requests to the table."""
MAX_BURST_COMMANDS: Final = 100
"""Maximum number of commands that may arrive together, such as while a person drags a slider."""
COMMANDS_A_SECOND: Final = 10.0
"""Rate limit in commands per second, after a burst of `MAX_BURST_COMMANDS`. Commands that arrive
faster count as a flood, and `DEAF_SECONDS` begin."""
DEAF_SECONDS: Final = 30.0
"""Seconds for which the bridge receives no commands after too many have arrived too fast."""


class CommandQueue:
    """The commands that wait for the table: only the newest of each kind."""

    def __init__(self) -> None:
        self._waiting: dict[str, Act] = {}
        self._free_at = float("-inf")

    def put(self, command: str, act: Act) -> bool:
        """Queue a command. It replaces a waiting command of the same kind; if both change settings,
        the settings are merged. For example, the kind ``volume`` has two settings: volume and mute.

        Return True if the waiting command, or a setting in it, was replaced.
        """
        older = self._waiting.get(command, {})
        before, now = older.get("settings", {}), act.get("settings", {})
        self._waiting[command] = {**act, "settings": {**before, **now}} if now else act
        return bool(older) and (not now or not before.keys().isdisjoint(now))

    def due(self) -> float | None:
        """Return the time from which the next request may be sent; None if no command waits."""
        return self._free_at if self._waiting else None

    def take(self, now: float) -> tuple[str, Act] | None:
        """Remove and return the command that has waited longest. Return None if no command waits,
        or if it is too early for the next request."""
        if not self._waiting or now < self._free_at:
            return None
        self._free_at = now + MIN_REQUEST_SECONDS
        command = next(iter(self._waiting))
        return command, self._waiting.pop(command)

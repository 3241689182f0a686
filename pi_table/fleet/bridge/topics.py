"""The names of one table's topics at a broker. The README beside this file lists them."""

from typing import Final

import msgspec

EVERYBODY: Final = "all"
"""Name that means all tables in the topic of a command. No table may have this name."""


class Topics(msgspec.Struct, frozen=True):
    """The names of the topics of one table."""

    prefix: str
    """First levels of the name of every topic."""
    table: str
    """Name of the table in the fleet."""
    home_assistant: str
    """First levels of the names of Home Assistant's discovery topics; "" means no discovery."""

    def of(self, what: str) -> str:
        """Return the table's topic for one kind of message, such as ``state``."""
        return f"{self.prefix}/{self.table}/{what}"

    @property
    def discovery(self) -> str:
        """Return the topic on which Home Assistant finds the table."""
        return f"{self.home_assistant}/device/{self.table}/config"

    @property
    def commands(self) -> tuple[str, ...]:
        """Return the topic filters that match every command to the table."""
        return tuple(f"{each}+" for each in self._to)

    def command(self, topic: str) -> str | None:
        """Return a topic's command, or None. Any client may have invented it, of up to 65,535
        bytes."""
        for before in self._to:
            if topic.startswith(before):
                return topic.removeprefix(before)
        return None

    @property
    def _to(self) -> tuple[str, str]:
        return f"{self.prefix}/{self.table}/do/", f"{self.prefix}/{EVERYBODY}/do/"

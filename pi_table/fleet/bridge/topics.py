"""The names of the topics of one table at a broker. The README beside this file lists them."""

from typing import Final

import msgspec

EVERYBODY: Final = "all"
"""What stands in the place of a table's name in a command to all; no table has it."""


class Topics(msgspec.Struct, frozen=True):
    """The topics of a table."""

    prefix: str
    """The first levels of every topic."""
    table: str
    """The table's name among many."""
    home_assistant: str
    """The first levels where Home Assistant looks for devices; "": nowhere."""

    def of(self, what: str) -> str:
        """Where the table tells something, such as its ``state``."""
        return f"{self.prefix}/{self.table}/{what}"

    @property
    def discovery(self) -> str:
        """Where Home Assistant looks for the table."""
        return f"{self.home_assistant}/device/{self.table}/config"

    @property
    def commands(self) -> tuple[str, ...]:
        """What to subscribe to, so that every command to the table comes."""
        return tuple(f"{each}+" for each in self._to)

    def command(self, topic: str) -> str | None:
        """The name of the command that a topic is for; None where it is for none of the table's.
        Anybody may have made it up, of up to 65,535 bytes."""
        for before in self._to:
            if topic.startswith(before):
                return topic.removeprefix(before)
        return None

    @property
    def _to(self) -> tuple[str, str]:
        return f"{self.prefix}/{self.table}/do/", f"{self.prefix}/{EVERYBODY}/do/"

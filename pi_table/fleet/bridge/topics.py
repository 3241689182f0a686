"""The names of one table's MQTT topics. The README beside this file lists the topics."""

from typing import Final

import msgspec

EVERYBODY: Final = "all"
"""Name that stands for all tables in the topic of a command. No table may have this name."""


class Topics(msgspec.Struct, frozen=True):
    """The names of the topics of one table."""

    prefix: str
    """First levels of every topic's name, such as ``pi-table``."""
    table: str
    """Name of the table in the fleet."""
    home_assistant: str
    """First levels of the name of Home Assistant's discovery topic, such as ``homeassistant``; ""
    means that Home Assistant is not used."""

    def of(self, what: str) -> str:
        """Return the table's topic for one kind of message, such as ``state``."""
        return f"{self.prefix}/{self.table}/{what}"

    @property
    def discovery(self) -> str:
        """Return the topic of the message that describes the table to Home Assistant."""
        return f"{self.home_assistant}/device/{self.table}/config"

    @property
    def commands(self) -> tuple[str, ...]:
        """Return the topic filters that match every command to the table."""
        return tuple(f"{each}+" for each in self._to)

    def command(self, topic: str) -> str | None:
        """Return the name of the command in a topic; None for a topic of another kind. The name may
        be unknown and have up to 65,535 bytes, because any client can choose the topic."""
        for before in self._to:
            if topic.startswith(before):
                return topic.removeprefix(before)
        return None

    @property
    def _to(self) -> tuple[str, str]:
        return f"{self.prefix}/{self.table}/do/", f"{self.prefix}/{EVERYBODY}/do/"

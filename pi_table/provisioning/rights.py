"""What each user of the broker may read and write, as Mosquitto's file of rights (``acl_file``).

Whatever no line grants is refused. A pattern holds for every user whose name fits, so the users
that are no tables are denied what a pattern would grant them; Mosquitto looks at what is denied
first.
"""

from collections.abc import Iterator
from typing import Final

from pi_table.bridge.topics import EVERYBODY, Topics
from pi_table.provisioning.users import User

KEPT: Final = ("availability", "state", "settings", "faults", "health")
"""What a table tells and the broker keeps."""
TOLD: Final = (*KEPT, "event", "record", "done")
"""What a table tells."""


def acl(prefix: str, home_assistant: str) -> str:
    """The file of rights. ``home_assistant`` is where Home Assistant looks for devices; "": it is
    told of none."""
    return "\n".join(_lines(prefix, home_assistant)) + "\n"


def _lines(prefix: str, home_assistant: str) -> Iterator[str]:
    table = Topics(prefix, "%u", home_assistant)
    every = Topics(prefix, "+", home_assistant)
    yield "# Who may do what at the broker. Made by pi-table provision."
    yield "# What no line grants is refused. Who subscribes to more hears no more."

    yield from ("", "# Keeps what was played.", f"user {User.COLLECTOR.value}")
    yield from (f"topic read {every.of(each)}" for each in ("record", "faults"))
    yield f"topic deny {prefix}/{EVERYBODY}/#"
    yield from _no_table(User.COLLECTOR, prefix, home_assistant)

    yield from ("", f"user {User.HOME_ASSISTANT.value}", f"topic read {prefix}/#")
    if home_assistant:
        yield f"topic read {home_assistant}/#"
    yield f"topic write {every.of('do/#')}"
    yield from _no_table(User.HOME_ASSISTANT, prefix, home_assistant)

    yield from ("", "# Commands tables, and clears what the broker keeps of one that is gone.")
    yield from (f"user {User.OPERATOR.value}", f"topic read {prefix}/#")
    yield f"topic write {every.of('do/#')}"
    yield from (f"topic write {every.of(each)}" for each in KEPT)
    if home_assistant:
        yield f"topic write {every.discovery}"
    yield from _no_table(User.OPERATOR, prefix, home_assistant)

    yield from ("", "# Tables: %u is the user's name, and the table's.")
    yield from (f"pattern write {table.of(each)}" for each in TOLD)
    if home_assistant:
        yield f"pattern write {table.discovery}"
    yield f"pattern read {table.of('do/#')}"
    yield f"pattern read {Topics(prefix, EVERYBODY, home_assistant).of('do/#')}"


def _no_table(user: User, prefix: str, home_assistant: str) -> Iterator[str]:
    """The lines by which a user has none of a table's rights under its own name."""
    own = Topics(prefix, user.value, home_assistant)
    yield f"topic deny {own.of('#')}"
    if home_assistant:
        yield f"topic deny {own.discovery}"

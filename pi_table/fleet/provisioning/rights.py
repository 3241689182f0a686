"""The rights of each user of the broker, as roles of Mosquitto's dynamic security plugin.

The broker refuses everything that no role allows.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from pi_table.fleet.bridge.topics import EVERYBODY, Topics
from pi_table.fleet.provisioning.users import RESERVED, Kind, User

KEPT: Final = ("availability", "state", "settings", "faults", "health")
"""Names of the kinds of messages that a table sends and the broker retains."""
TOLD: Final = (*KEPT, "event", "record", "done")
"""Names of all kinds of messages that a table sends."""
OF_THE_BROKER: Final = ("$SYS/broker/store/messages/count", "$SYS/broker/publish/messages/dropped")
"""Topics of Mosquitto's own counters of stored and dropped messages, which the collector reads."""
SEND: Final = "publishClientSend"
RECEIVE: Final = "publishClientReceive"
SUBSCRIBE: Final = "subscribePattern"
_OF_ONE_TABLE: Final = "table-"
_OF_ALL_TABLES: Final = "tables"


class Right(msgspec.Struct, frozen=True):
    """One right of a role. Field names are as in dynamic-security.json."""

    acltype: str
    topic: str
    allow: bool = True


def roles_of(name: str, user: User) -> tuple[str, ...]:
    """Return the names of the roles that a user has."""
    end = f"-{user.bar}" if user.bar else ""
    if user.kind is Kind.TABLE:
        return f"{_OF_ONE_TABLE}{name}", f"{_OF_ALL_TABLES}{end}"
    return (f"{user.kind.value}{end}",)


def user_with(name: str, roles: tuple[str, ...]) -> User | None:
    """Return the user with this name and these roles; None if no user can have these roles."""
    for kind in Kind:
        begin = _OF_ALL_TABLES if kind is Kind.TABLE else kind.value
        bar = roles[-1].removeprefix(begin).removeprefix("-") if roles else ""
        if roles_of(name, User(kind, bar)) == roles:
            return User(kind, bar)
    return None


def roles(
    users: Mapping[str, User], prefix: str, home_assistant: str
) -> Iterator[tuple[str, list[Right]]]:
    """Yield the name and the rights of each role that these users need. ``home_assistant`` is the
    prefix of the discovery topics; "" means no discovery."""
    staff = {
        Kind.COLLECTOR: _of_collector,
        Kind.HOME_ASSISTANT: _of_home_assistant,
        Kind.OPERATOR: _of_operator,
    }
    for kind, rights_of in staff.items():
        for bar in _bars(users, kind):
            (role,) = roles_of("", User(kind, bar))
            yield role, [*rights_of(users, _Bar(bar, prefix, home_assistant))]
    for bar in _bars(users, Kind.TABLE):
        commands = Topics(_below(prefix, bar), EVERYBODY, home_assistant).of("do/#")
        yield roles_of("", User(Kind.TABLE, bar))[1], [*_hears(commands)]
    for name, user in sorted(users.items()):
        if user.kind is Kind.TABLE:
            table = Topics(_below(prefix, user.bar), name, home_assistant)
            yield f"{_OF_ONE_TABLE}{name}", [*_of_table(table)]


class _Bar(msgspec.Struct, frozen=True):
    """The topics of the tables of one bar, or of all tables."""

    name: str
    prefix: str
    home_assistant: str

    @property
    def top(self) -> str:
        return _below(self.prefix, self.name)

    def each(self, what: str) -> tuple[str, ...]:
        """Return the topics of one kind of message from these tables."""
        below = (self.top,) if self.name else (self.top, f"{self.top}/+")
        return tuple(Topics(levels, "+", self.home_assistant).of(what) for levels in below)

    def discovery(self, users: Mapping[str, User]) -> Iterator[str]:
        if self.home_assistant:
            names = [
                name
                for name, user in sorted(users.items())
                if user.kind is Kind.TABLE and user.bar == self.name and name not in RESERVED
            ]
            for name in names if self.name else ["+"]:
                yield Topics(self.prefix, name, self.home_assistant).discovery


def _of_table(table: Topics) -> Iterator[Right]:
    yield from (Right(SEND, table.of(each)) for each in TOLD)
    if table.home_assistant:
        yield Right(SEND, table.discovery)
    yield from _hears(table.of("do/#"))


def _of_collector(users: Mapping[str, User], bar: _Bar) -> Iterator[Right]:
    yield Right(SUBSCRIBE, "#")
    for what in ("record", "faults"):
        yield from (Right(RECEIVE, topic) for topic in bar.each(what))
    for topic in OF_THE_BROKER:
        yield from _hears(topic)


def _of_home_assistant(users: Mapping[str, User], bar: _Bar) -> Iterator[Right]:
    yield Right(SUBSCRIBE, "#")
    yield Right(RECEIVE, f"{bar.top}/#")
    if bar.home_assistant and not bar.name:
        yield Right(RECEIVE, f"{bar.home_assistant}/#")
    elif bar.name:
        yield from (Right(RECEIVE, topic) for topic in bar.discovery(users))
    yield from (Right(SEND, topic) for topic in bar.each("do/#"))


def _of_operator(users: Mapping[str, User], bar: _Bar) -> Iterator[Right]:
    yield Right(SUBSCRIBE, "#")
    yield Right(RECEIVE, f"{bar.top}/#")
    for what in ("do/#", *KEPT):
        yield from (Right(SEND, topic) for topic in bar.each(what))
    yield from (Right(SEND, topic) for topic in bar.discovery(users))


def _hears(topics: str) -> Iterator[Right]:
    yield Right(SUBSCRIBE, topics)
    yield Right(RECEIVE, topics)


def _bars(users: Mapping[str, User], kind: Kind) -> list[str]:
    return sorted({"", *(user.bar for user in users.values() if user.kind is kind)})


def _below(prefix: str, bar: str) -> str:
    """Return the prefix of the topics of a bar's tables; a bar's name is one more level."""
    return f"{prefix}/{bar}" if bar else prefix

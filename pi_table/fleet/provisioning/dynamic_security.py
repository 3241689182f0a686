"""The file of Mosquitto's dynamic security plugin: users with password hashes, and roles.

The plugin reads the file when the broker starts, not at a reload. If the plugin cannot read the
file, it refuses every client.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.fleet.bridge.topics import Topics
from pi_table.fleet.provisioning.passwords import Hash
from pi_table.fleet.provisioning.rights import Right, roles, roles_of, user_with
from pi_table.fleet.provisioning.users import Kind, User

DEFAULTS: Final = {
    "publishClientSend": False,
    "publishClientReceive": False,
    "subscribe": False,
    "unsubscribe": True,
}
"""The rights of a user without any role: only unsubscribe. Everything else needs a role."""


class Account(msgspec.Struct, frozen=True):
    """A user of the broker, with the hash of the user's password."""

    user: User
    password: Hash


class Security(msgspec.Struct, frozen=True):
    """The contents of the file of the dynamic security plugin."""

    accounts: Mapping[str, Account]
    """The account of each user, by user name."""
    prefix: str
    home_assistant: str
    """Prefix of Home Assistant's discovery topics; "" means no discovery."""


class _Role(msgspec.Struct, frozen=True):
    rolename: str
    acls: list[Right] = []


class _RoleName(msgspec.Struct, frozen=True):
    rolename: str


class _Client(msgspec.Struct, frozen=True):
    username: str
    password: str
    salt: str
    iterations: int
    roles: list[_RoleName]


class _File(msgspec.Struct, frozen=True):
    clients: list[_Client]
    roles: list[_Role]


def write(security: Security) -> str:
    """Return the text of the plugin's file, with a line for each user and each role."""
    users = {name: account.user for name, account in security.accounts.items()}
    clients = [
        _Client(
            name,
            account.password.password,
            account.password.salt,
            account.password.iterations,
            [_RoleName(role) for role in roles_of(name, account.user)],
        )
        for name, account in sorted(security.accounts.items())
    ]
    granted = roles(users, security.prefix, security.home_assistant)
    return (
        f'{{\n"defaultACLAccess": {_line(DEFAULTS)},\n'
        f'"clients": [\n{_lines(clients)}\n],\n"groups": [],\n'
        f'"roles": [\n{_lines([_Role(name, rights) for name, rights in granted])}\n]\n}}\n'
    )


def read(text: str, where: str) -> Security:
    """Return the contents of a file that `write` has made. Users and roles that `write` did not
    make are left out. Raises InputError, in which ``where`` names the file."""
    try:
        found = msgspec.json.decode(text, type=_File)
        prefix, home_assistant = _prefixes({role.rolename: role.acls for role in found.roles})
    except (msgspec.MsgspecError, RecursionError, ValueError):
        raise InputError(
            say(
                "{where} is not a file of pi-table provision: move it away, or put back the one "
                "that was there.",
                where=where,
            )
        ) from None
    accounts = {}
    for each in found.clients:
        user = user_with(each.username, tuple(role.rolename for role in each.roles))
        if user is not None:
            accounts[each.username] = Account(user, Hash(each.password, each.salt, each.iterations))
    return Security(accounts, prefix, home_assistant)


def _prefixes(rights: Mapping[str, list[Right]]) -> tuple[str, str]:
    """Return the topic prefixes of tables and of Home Assistant's discovery, read from these
    rights. Raises ValueError if the rights contain no prefix of tables."""
    heard = [right.topic for right in rights.get(Kind.COLLECTOR.value, ())]
    written = [right.topic for right in rights.get(Kind.OPERATOR.value, ())]
    record = Topics("", "+", "").of("record")
    found = Topics("", "+", "").discovery
    (prefix, *_) = sorted(
        (topic.removesuffix(record) for topic in heard if topic.endswith(record)), key=len
    )
    (home_assistant, *_) = [
        *(topic.removesuffix(found) for topic in written if topic.endswith(found)),
        "",
    ]
    return prefix, home_assistant


def _lines(each: list[_Client] | list[_Role]) -> str:
    return ",\n".join(map(_line, each))


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode()

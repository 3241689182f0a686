"""Reads the broker's files of pi-table 0.8 and older: a password file and an acl file. Its callers
move the users from these files to dynamic-security.json. The users keep their passwords."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.fleet.bridge.topics import EVERYBODY, Topics
from pi_table.fleet.provisioning.dynamic_security import Account
from pi_table.fleet.provisioning.passwords import Hash
from pi_table.fleet.provisioning.users import Kind, User

PASSWORDS: Final = "passwords"
RIGHTS: Final = "acl"
_LINE: Final = re.compile(
    r"(?P<user>[^:]+):\$7\$(?P<iterations>\d{1,7})\$(?P<salt>[\w+/=]+)\$(?P<password>[\w+/=]+)"
)


def accounts(text: str, where: str, known: Mapping[str, User]) -> dict[str, Account]:
    """Return the users in a password file. A user whose name is not in ``known`` is a table. Raises
    InputError, in which ``where`` names the file."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(
                say(
                    "Line {number} of {where} is not a user with a hashed password.",
                    number=number,
                    where=where,
                )
            )
        user = known.get(match["user"], User(Kind.TABLE))
        hashed = Hash(match["password"], match["salt"], int(match["iterations"]))
        found[match["user"]] = Account(user, hashed)
    return found


def fault_of_rights(
    text: str, known: Collection[str], prefix: str, home_assistant: str
) -> str | None:
    """Return the reason why new rights must not replace an acl file, as the end of a sentence. None
    if they may replace it."""
    names = ", ".join(sorted({*re.findall(r"^user (.+)$", text, re.MULTILINE)} - {*known}))
    if names:
        return say(
            "has users that were added by hand: {names}. Name each of them with --collector, "
            "--operator or --home-assistant-user; --replace drops their rights.",
            names=names,
        )
    words = {*text.split()}
    expected = {Topics(prefix, EVERYBODY, home_assistant).of("do/#")}
    if home_assistant:
        expected.add(Topics(prefix, "%u", home_assistant).discovery)
    finds_tables = any(word.endswith("/device/%u/config") for word in words)
    if finds_tables != bool(home_assistant) or not expected <= words:
        return say(
            "is for another prefix: give the one that it was made for; --replace rewrites it."
        )
    return None

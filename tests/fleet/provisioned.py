"""A broker as `pi-table provision` makes it, with its users, on a port of this machine."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any, Final

from certificates import Signed
from member import Member
from mosquitto import Mosquitto
from ports import free_port

from pi_table import cli
from pi_table.fleet.provisioning.broker_files import SECURITY

HOST: Final = "localhost"
TABLES: Final = ("window", "door")
OF_TLS: Final = ("certfile ", "keyfile ", "tls_version ")
"""Lines of the configuration that a broker on loopback can do without."""


Rights = tuple[tuple[str, str, str], ...]
"""A role, what it may do (as in dynamic-security.json), and a topic."""


class Provisioned:
    """A folder of `pi-table provision`, and its broker. ``rights`` are added to what was
    provisioned, ``defaults`` are what everybody may, ``instead`` are lines of the configuration in
    the place of others. With a ``server``, whose certificate was signed by whom ``ca`` names, the
    connection is sealed. As on Debian, the broker keeps things on its disk."""

    def __init__(
        self,
        folder: Path,
        rights: Rights = (),
        instead: dict[str, str] | None = None,
        server: Signed | None = None,
        ca: Path | None = None,
        defaults: tuple[str, ...] = (),
    ) -> None:
        self.folder = folder / "fleet"
        self._at = folder / "broker"
        self._rights = rights
        self._defaults = defaults
        port = free_port()
        self.address = f"mqtts://{HOST}:{port}"
        self.provision(*TABLES, *(() if ca is None else ("--ca", str(ca))))
        self._copy()
        self._changes = {"listener ": "", **(instead or {})}  # the broker has one, on loopback
        if server is None:
            self._changes |= dict.fromkeys(OF_TLS, "")
        else:
            shutil.copy(server.certificate, self._at / "server.pem")
            shutil.copy(server.key, self._at / "server.key")
        self.broker = Mosquitto(folder / "run", *self._lines())
        self.broker.port = port
        self.broker.start()

    @property
    def security(self) -> Path:
        """The broker's file of users and rights."""
        return self._at / SECURITY

    def close(self) -> None:
        self.broker.stop()

    def provision(self, *words: str) -> None:
        """Run the command, with the broker's address."""
        command = ["provision", "--out", str(self.folder), "--at", str(self._at), *words]
        assert cli.main([*command, "--broker", self.address]) == 0

    def take_over(self) -> None:
        """Copy what the folder says now to the broker, and restart it."""
        self._copy()
        self.broker.stop()
        self.broker.lines = self._lines()
        self.broker.start()

    def password(self, user: str) -> str:
        """Return this user's password in the folder."""
        return password_in(self.folder, user)

    def member(self, user: str, **how: Any) -> Member:
        """This user, connected. Raises Refused."""
        return Member(self.broker.port, user, self.password(user), **how)

    def _lines(self) -> tuple[str, ...]:
        """The configuration of the folder, as the broker here reads it."""
        given = (self.folder / "broker/mosquitto.conf").read_text().splitlines()
        kept = "persistence true", f"persistence_location {self._at.with_name('run')}/"
        instead = (
            next((new for old, new in self._changes.items() if line.startswith(old)), line)
            for line in given
        )
        return (*kept, *instead)

    def _copy(self) -> None:
        """Copy the broker's files to where the broker reads them."""
        shutil.copytree(self.folder / "broker", self._at, dirs_exist_ok=True)
        security = json.loads(self.security.read_text())
        security["defaultACLAccess"].update(dict.fromkeys(self._defaults, True))
        roles = {role["rolename"]: role["acls"] for role in security["roles"]}
        for role, may, topic in self._rights:
            roles[role].append({"acltype": may, "topic": topic, "allow": True})
        self.security.write_text(json.dumps(security))


def password_in(folder: Path, user: str) -> str:
    """Return a user's password in a folder of `pi-table provision`."""
    table = folder / "tables" / user / "pi-table.toml"
    if table.exists():
        password: str = tomllib.loads(table.read_text())["bridge"]["password"]
        return password
    return (folder / "users" / user).read_text().strip()

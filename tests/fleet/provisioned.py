"""A broker as `pi-table provision` makes it, with its users, on a port of this machine."""

import shutil
import tomllib
from pathlib import Path
from typing import Any, Final

from certificates import Signed
from member import Member
from mosquitto import Mosquitto
from ports import free_port

from pi_table import cli

TABLES: Final = ("window", "door")
OF_TLS: Final = ("certfile ", "keyfile ", "tls_version ")
"""Lines of the configuration that a broker on loopback can do without."""


class Provisioned:
    """A folder of `pi-table provision`, and its broker. ``rights`` are lines behind those of the
    file of rights, ``instead`` are lines of the configuration in the place of others. With a
    ``server``, whose certificate was signed by whom ``ca`` names, the connection is sealed."""

    def __init__(
        self,
        folder: Path,
        rights: str = "",
        instead: dict[str, str] | None = None,
        server: Signed | None = None,
        ca: Path | None = None,
    ) -> None:
        self.folder = folder / "fleet"
        self._at = folder / "broker"
        self._rights = rights
        port = free_port()
        self.address = f"mqtts://localhost:{port}"
        self.provision(*TABLES, *(() if ca is None else ("--ca", str(ca))))
        self._copy()
        changes = {"listener ": "", **(instead or {})}  # the broker has one, on loopback
        if server is None:
            changes |= dict.fromkeys(OF_TLS, "")
        else:
            shutil.copy(server.certificate, self._at / "server.pem")
            shutil.copy(server.key, self._at / "server.key")
        lines = (self.folder / "broker/mosquitto.conf").read_text().splitlines()
        self.broker = Mosquitto(
            folder / "run",
            *(
                next((new for old, new in changes.items() if line.startswith(old)), line)
                for line in lines
            ),
        )
        self.broker.port = port
        self.broker.start()

    def close(self) -> None:
        self.broker.stop()

    def provision(self, *words: str) -> None:
        """Run the command, with the broker's address."""
        command = ["provision", "--out", str(self.folder), "--at", str(self._at), *words]
        assert cli.main([*command, "--broker", self.address]) == 0

    def take_over(self) -> None:
        """Have the broker take over what the folder says now."""
        self._copy()
        self.broker.reload()

    def password(self, user: str) -> str:
        """What the folder says that this user's password is."""
        table = self.folder / "tables" / user / "pi-table.toml"
        if table.exists():
            password: str = tomllib.loads(table.read_text())["bridge"]["password"]
            return password
        return (self.folder / "users" / user).read_text().strip()

    def member(self, user: str, **how: Any) -> Member:
        """This user, connected. Raises Refused."""
        return Member(self.broker.port, user, self.password(user), **how)

    def _copy(self) -> None:
        """Copy the broker's files to where the broker reads them."""
        shutil.copytree(self.folder / "broker", self._at, dirs_exist_ok=True)
        with (self._at / "acl").open("a") as file:
            file.write(self._rights)

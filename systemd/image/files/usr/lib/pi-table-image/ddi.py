"""A server of updates that speaks Eclipse hawkBit's Direct Device Integration API, as a table sees
it: what the server wants, what the table says about it, and files that are fetched whole.

Whose update comes when is the server's affair: rollouts and their groups are made there.
"""

import hashlib
import json
import ssl
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final, NamedTuple

PATIENCE: Final = 60.0
CHUNK: Final = 1 << 16
SHORTEST, LONGEST = 30.0, 86400.0
"""Seconds between two questions, whatever the server says."""


class Trouble(Exception):  # noqa: N818
    """The server cannot be asked, or is not understood; the text is a sentence."""


class Account(NamedTuple):
    """A table's account with its server."""

    server: str
    """The address, with its scheme."""
    tenant: str
    controller: str
    """The table's name there."""
    token: str
    token_kind: str
    """``TargetToken``, the table's own, or ``GatewayToken``, which all tables of a house share."""


class Artifact(NamedTuple):
    """A file of an update."""

    name: str
    size: int
    sha256: str
    address: str


class Wanted(NamedTuple):
    """What the server wants of the table."""

    seconds: float
    """Until it wants to be asked again."""
    describe: str | None
    """Where the table is to say what it is."""
    cancel: str | None
    """Where the action stands that is to be cancelled."""
    deploy: str | None
    """Where the update stands that is to be installed."""


class Server:
    """The server; every method raises Trouble where it cannot be asked or is not understood."""

    def __init__(self, account: Account, authorities: Path | None = None) -> None:
        """``authorities``: certificates by which the server is known, in place of the system's."""
        self._account = account
        tls = ssl.create_default_context(cafile=authorities)
        self._opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=tls))

    def wanted(self) -> Wanted:
        """Ask what is wanted."""
        told = self.get(
            f"{self._account.server}/{urllib.parse.quote(self._account.tenant)}/controller/v1/"
            f"{urllib.parse.quote(self._account.controller)}"
        )
        try:
            hours, minutes, seconds = map(int, told["config"]["polling"]["sleep"].split(":"))
            links = {name: str(link["href"]) for name, link in told.get("_links", {}).items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Trouble(f"The server's answer is not understood: {error!r}.") from None
        wait = float(3600 * hours + 60 * minutes + seconds)
        return Wanted(
            min(max(wait, SHORTEST), LONGEST),
            links.get("configData"),
            links.get("cancelAction"),
            links.get("deploymentBase"),
        )

    def get(self, address: str) -> dict[str, Any]:
        """An object that lies there."""
        with self._open(address) as answer:
            try:
                told = json.loads(answer.read())
            except (ValueError, OSError, HTTPException) as error:
                raise Trouble(f"{address} is not understood: {error}.") from None
        if not isinstance(told, dict):
            raise Trouble(f"{address} is no object.")
        return told

    def send(self, address: str, what: dict[str, Any], method: str = "POST") -> None:
        """Say something there."""
        with self._open(address, json.dumps(what).encode(), method):
            pass

    def report(self, address: str, execution: str, finished: str, *details: str) -> None:
        """Say how far the action has come whose address this is."""
        place = urllib.parse.urlsplit(address)
        status = {
            "execution": execution,
            "result": {"finished": finished},
            "details": list(details),
        }
        number = place.path.rpartition("/")[2]
        said = {"id": number, "status": status}
        self.send(place._replace(path=f"{place.path}/feedback", query="").geturl(), said)

    def fetch(self, artifact: Artifact, path: Path) -> None:
        """Fetch a file, from where an earlier attempt ended. It is there under its name when it is
        whole, and as the server says it is."""
        half = path.with_name(f"{path.name}.half")
        begun = half.stat().st_size if half.exists() else 0
        if begun > artifact.size:
            half.unlink()
            begun = 0
        if begun < artifact.size:
            rest = {"Range": f"bytes={begun}-"} if begun else {}
            with self._open(artifact.address, more=rest) as answer:
                whole = answer.status != 206
                with half.open("wb" if whole else "ab") as file:
                    try:
                        while data := answer.read(CHUNK):
                            file.write(data)
                    except (OSError, HTTPException) as error:
                        raise Trouble(f"{artifact.name} came in part: {error}.") from None
        found, digest = half.stat().st_size, _digest(half)
        if found < artifact.size:
            raise Trouble(f"{artifact.name} came in part.")
        if (found, digest) != (artifact.size, artifact.sha256):
            half.unlink()
            raise Trouble(f"{artifact.name} is not as the server says: it is fetched anew.")
        half.rename(path)

    def _open(
        self,
        address: str,
        data: bytes | None = None,
        method: str | None = None,
        more: dict[str, str] = {},  # noqa: B006
    ) -> Any:
        account = self._account
        headers = {"Accept": "application/hal+json, */*", **more}
        if data is not None:
            headers["Content-Type"] = "application/json"
        if _origin(address) == _origin(account.server):  # nobody else is shown the token
            headers["Authorization"] = f"{account.token_kind} {account.token}"
        request = urllib.request.Request(address, data, headers, method=method)
        try:
            return self._opener.open(request, timeout=PATIENCE)
        except (OSError, ValueError, HTTPException) as error:
            raise Trouble(f"{address} cannot be asked: {error}.") from None


def artifact_of(deployment: dict[str, Any], ending: str) -> Artifact | None:
    """The one file of an update whose name ends so; None: it is not to be installed yet. Raises
    Trouble where there is none, or where there are several."""
    try:
        told = deployment["deployment"]
        if "skip" in (told["download"], told["update"]):
            return None
        if told.get("maintenanceWindow") == "unavailable":
            return None
        found = [
            Artifact(
                each["filename"],
                int(each["size"]),
                each["hashes"]["sha256"].lower(),
                each["_links"].get("download", each["_links"].get("download-http"))["href"],
            )
            for chunk in told["chunks"]
            for each in chunk["artifacts"]
            if each["filename"].endswith(ending)
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Trouble(f"The update is not understood: {error!r}.") from None
    if len(found) != 1:
        raise Trouble(f"The update has {len(found)} files that end with {ending}: one is needed.")
    return found[0]


def _origin(address: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(address)
    return parts.scheme, parts.netloc


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

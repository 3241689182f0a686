"""A client for Eclipse hawkBit's Direct Device Integration API. It gets an update server's
requests, sends reports, and downloads complete files.

The server alone decides which table gets which update, and when. Operators create rollouts and
groups of tables on the server.
"""

import hashlib
import json
import os
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, Final, NamedTuple

TIMEOUT_SECONDS: Final = 60.0
"""Timeout in seconds for a whole JSON object, and for the next part of a file."""
AT_A_STRETCH: Final = 3600.0
"""Seconds after which a download is interrupted. The next poll continues it, unless the server has
cancelled the update."""
CHUNK: Final = 1 << 16
MAX_OBJECT_BYTES: Final = 1 << 20
"""Maximum size in bytes of a JSON object; real ones have a few thousand bytes."""
MIN_RETRY_SECONDS, MAX_RETRY_SECONDS = 30.0, 86400.0
"""Shortest and longest pause between two polls in seconds, whatever the server asks for."""


class Trouble(Exception):  # noqa: N818
    """The server did not answer a request, or its answer is unexpected; the error's text is a
    sentence."""


class Gone(Trouble):
    """The server does not know the requested object, or has removed it."""


class Unfit(Trouble):
    """The server's request cannot be carried out, and a retry would fail, too."""


class Account(NamedTuple):
    """What a table needs to log in at its server."""

    server: str
    """Address (URL) of the server, with its scheme."""
    tenant: str
    controller: str
    """Name of the table on the server."""
    token: str
    token_kind: str
    """Kind of the token: ``TargetToken`` belongs to this table alone, ``GatewayToken`` is shared by
    all tables of a venue."""


class Artifact(NamedTuple):
    """A file of an update."""

    name: str
    size: int
    sha256: str
    address: str


class Wanted(NamedTuple):
    """The server's requests to the table, from one poll. An address is None if there is no such
    request."""

    seconds: float
    """Number of seconds until the next poll."""
    describe: str | None
    """Address to which the table must send its description."""
    cancel: str | None
    """Address of the update action that the table must cancel."""
    deploy: str | None
    """Address of the update that the table must install."""
    confirm: str | None
    """Address of an update that a person must confirm before it is installed."""


class _Questions(urllib.request.HTTPRedirectHandler):
    """A redirect handler that follows redirects of GET requests only. A redirected report would
    become a GET request, and the report would be lost."""

    def redirect_request(
        self, req: urllib.request.Request, *more: Any
    ) -> urllib.request.Request | None:
        return None if req.data is not None else super().redirect_request(req, *more)


class Server:
    """The update server. Every method raises Trouble if the server does not answer, or if the
    answer is unexpected."""

    def __init__(
        self,
        account: Account,
        authorities: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare the connection, without opening it.

        ``authorities`` is a file with CA certificates; None means the system's. Raises OSError if
        the file cannot be read.
        """
        self._account, self._clock = account, clock
        tls = ssl.create_default_context(cafile=authorities)
        https = urllib.request.HTTPSHandler(context=tls)
        self._opener = urllib.request.build_opener(https, _Questions)

    def poll(self) -> Wanted:
        """Poll the server once and return its requests."""
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
            min(max(wait, MIN_RETRY_SECONDS), MAX_RETRY_SECONDS),
            links.get("configData"),
            links.get("cancelAction"),
            links.get("deploymentBase"),
            links.get("confirmationBase"),
        )

    def get(self, address: str) -> dict[str, Any]:
        """Return the JSON object at an address."""
        with self._open(address) as answer:
            try:
                told = json.loads(b"".join(self._pieces(answer, MAX_OBJECT_BYTES, TIMEOUT_SECONDS)))
            except (ValueError, RecursionError, OSError, HTTPException) as error:
                raise Trouble(f"{address} is not understood: {error}.") from None
        if not isinstance(told, dict):
            raise Trouble(f"{address} is no object.")
        return told

    def stop_of(self, address: str) -> str:
        """Return the number of the action to cancel. The server gives it in an object at this
        address."""
        try:
            return str(self.get(address)["cancelAction"]["stopId"])
        except (KeyError, TypeError) as error:
            raise Trouble(f"{address} is not understood: {error!r}.") from None

    def send(self, address: str, what: dict[str, Any], method: str = "POST") -> None:
        """Send a JSON object to an address."""
        with self._open(address, json.dumps(what).encode(), method):
            pass

    def report(self, address: str, execution: str, finished: str, *details: str) -> None:
        """Report the progress of the update action at this address."""
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
        """Download a file, continuing an earlier attempt.

        When this method returns, the file is complete and has the announced hash. Raises Unfit if
        the hash is wrong after a download in one attempt, Trouble if it is wrong after several
        attempts.
        """
        begun = there = path.stat().st_size if path.exists() else 0
        if there < artifact.size:
            rest = {"Range": f"bytes={there}-"} if there else {}
            with self._open(artifact.address, more=rest) as answer:
                if answer.status != HTTPStatus.PARTIAL_CONTENT:
                    begun = there = 0
                with path.open("ab" if there else "wb") as file:
                    try:
                        for piece in self._pieces(answer, artifact.size - there, AT_A_STRETCH):
                            there += file.write(piece)
                        file.flush()
                        os.fsync(file.fileno())
                    except (OSError, ValueError, HTTPException) as error:
                        raise Trouble(f"{artifact.name} came in part: {error}.") from None
        if there < artifact.size:
            raise Trouble(f"{artifact.name} came in part: {there} bytes of {artifact.size}.")
        if (there, _digest(path)) != (artifact.size, artifact.sha256):
            path.unlink()
            if begun:  # an earlier part may be damaged by a power cut
                raise Trouble(f"{artifact.name} is not as the server says: it is fetched anew.")
            raise Unfit(f"{artifact.name} is not as the server says.")

    def _pieces(self, answer: HTTPResponse, most: int, seconds: float) -> Iterator[bytes]:
        """Yield the parts of an answer as they arrive, up to ``most`` bytes in total. Raises
        ValueError if the answer takes longer than ``seconds``."""
        end = self._clock() + seconds
        while most and (piece := answer.read1(min(most, CHUNK))):
            most -= len(piece)
            yield piece
            if self._clock() > end:
                raise ValueError(f"it takes longer than {seconds:.0f} s")

    def _open(
        self,
        address: str,
        data: bytes | None = None,
        method: str | None = None,
        more: dict[str, str] = {},  # noqa: B006
    ) -> AbstractContextManager[HTTPResponse]:
        account = self._account
        headers = {"Accept": "application/hal+json, */*", **more}
        if data is not None:
            headers["Content-Type"] = "application/json"
        try:
            request = urllib.request.Request(address, data, headers, method=method)
            if request.type not in ("http", "https"):
                raise ValueError("it is no address of a server")
            if _origin(address) == _origin(account.server):
                # Only the server itself gets the token, never the target of a redirect.
                token = f"{account.token_kind} {account.token}"
                request.add_unredirected_header("Authorization", token)
            answer: HTTPResponse = self._opener.open(request, timeout=TIMEOUT_SECONDS)
            return answer
        except urllib.error.HTTPError as error:
            with error:
                gone = error.code in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
                kind = Gone if gone else Trouble
                raise kind(f"{address} cannot be asked: {error}.") from None
        except (OSError, ValueError, HTTPException) as error:
            raise Trouble(f"{address} cannot be asked: {error}.") from None


def artifact_of(deployment: dict[str, Any], ending: str) -> Artifact | None:
    """Return the file of an update whose name has this ending; None if the update must not be
    installed yet.

    Raises Unfit if there is not exactly one such file, or if the update is not understood.
    """
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
        raise Unfit(f"The update is not understood: {error!r}.") from None
    if len(found) != 1:
        raise Unfit(f"The update has {len(found)} files that end with {ending}: one is needed.")
    if not re.fullmatch("[0-9a-f]{64}", found[0].sha256) or found[0].size <= 0:
        raise Unfit(f"The update's file has no size or no SHA-256: {found[0]}.")
    return found[0]


def _origin(address: str) -> tuple[str, str | None, int | None]:
    parts = urllib.parse.urlsplit(address)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, parts.port or usual


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

"""The finding about the web pages: whether they are served, and at which address for phones."""

import http.client
import json
import socket
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from pi_table.common import failure_report
from pi_table.common.config import Config
from pi_table.common.language import say, system_says
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.screens.web.address import Own, own_addresses

SECONDS: Final = 3.0
"""Timeout in seconds for an answer."""
MAX_ANSWER_BYTES: Final = 4096
ABOUT: Final = "/api/1/about"
WEB: Final = "pi-table-web.service"
LOOP: Final = ("127.0.0.1", "::1", "localhost")
EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""For each address that means all networks, the address at which the doctor tests the pages."""


def pages(config: Config) -> Finding:
    """Check that the pages are served, and that their address leads to this machine.

    The machine opens its own address, so it does not notice a Wi-Fi that isolates its guests.
    """
    why = failure_report.read(config.paths.engine_fault.with_name(failure_report.UNITS[WEB]))
    if why is not None:
        return Finding("pages", Verdict.BROKEN, say("They have stopped: {why}", why=why))
    listen = config.web.listen
    try:
        address = _about(EVERYWHERE.get(listen, listen), config.web.port)
    except (OSError, ValueError, KeyError, http.client.HTTPException):
        is_needed = config.console.screen == "none"
        return Finding(
            "pages",
            Verdict.BROKEN if is_needed else Verdict.NOT_HERE,
            say("No pages are served at port {port}.", port=config.web.port),
            say(
                "Where they are wanted, start {web}; it does not start while there is a file "
                "/etc/pi-table/no-pages.",
                web=WEB,
            ),
        )
    finding = partial(Finding, "pages", figures={"address": address})
    host = urlsplit(address).hostname or ""
    if host in LOOP:
        return finding(
            Verdict.LOOK,
            say("They are served to this machine alone, at {address}.", address=address),
            say("For phones it has to be in a network, and [web] listen has to be 0.0.0.0."),
        )
    try:
        socket.create_connection((host, urlsplit(address).port or 80), SECONDS).close()
    except OSError as error:
        return finding(
            Verdict.LOOK,
            say(
                "They are served, but {address} does not lead to them: {strerror}.",
                address=address,
                strerror=system_says(error) if error.strerror else error,
            ),
            say("Look at [web] address, and at this machine's firewall, if it has one."),
        )
    served = finding(Verdict.OK, say("They are served at {address}.", address=address))
    others = own_addresses() if not config.web.address and listen in EVERYWHERE else []
    return with_other_addresses(served, host, others)


def with_other_addresses(found: Finding, host: str, own: list[Own]) -> Finding:
    """Return the finding ``found`` with the machine's other addresses added, because phones may be
    in another network."""
    others = [each for each in own if each.address != host and each.is_of_the_house]
    if not others:
        return found
    named = ", ".join(" ".join(each).strip() for each in others)
    return msgspec.structs.replace(
        found,
        says=say(
            "{says} This machine has other addresses too: {named}.", says=found.says, named=named
        ),
        do=say("If phones cannot open the first one, write theirs into [web] address."),
        figures={**found.figures, "others": [each.address for each in others]},
    )


def _about(host: str, port: int) -> str:
    """Return the address that the pages show to people. Raises OSError, ValueError, KeyError or
    HTTPException if the process of the pages does not answer."""
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", ABOUT)
        answer = connection.getresponse()
        about: dict[str, Any] = json.loads(answer.read(MAX_ANSWER_BYTES))
        return str(about["address"])
    finally:
        connection.close()

"""Findings about steps of the installation that may fail without stopping the table.

For example, if phones cannot take a seat, people can still play, and never notice the fault. So the
doctor reports it.
"""

import grp
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from pi_table.common.config import Config, PathsSection
from pi_table.common.language import say
from pi_table.maintenance.bring_up.findings import Finding, Verdict

SEALED: Final = "pi-table-sealed"
HOUSE: Final = "pi-table-house"
"""Unix groups of the web pages (``SEALED``) and of the bridge (``HOUSE``). Each group owns one of
the engine's sockets; systemd sets the group after the engine's start."""
MARK: Final = Path("usr/lib/pi-table/update-to-be-finished")
"""Path of a file that exists while an installation is not finished."""


def packages(config: Config, root: Path = Path("/")) -> Iterator[Finding]:
    """Yield the findings about pi-table's packages: the engine's sockets, and an unfinished update.
    ``root`` is the root of the file system."""
    yield from sockets(config.paths, {each.gr_name: each.gr_gid for each in grp.getgrall()})
    yield from unfinished_update(root)


def sockets(paths: PathsSection, groups: Mapping[str, int]) -> Iterator[Finding]:
    """Check that the web pages and the bridge may open their sockets. ``groups`` has group ids by
    name.

    Yields nothing if the engine does not run, or if the table was not installed from packages.
    """
    are_right = []
    for socket, group, who in (
        (paths.sealed_socket, SEALED, say("phones cannot take a seat")),
        (paths.house_socket, HOUSE, say("the bridge does not reach the table")),
    ):
        if group not in groups or not socket.is_socket():
            continue
        are_right.append(socket.stat().st_gid == groups[group])
        if not are_right[-1]:
            yield Finding(
                "sockets",
                Verdict.BROKEN,
                say(
                    "{socket} does not belong to the group {group}, so {who}.",
                    socket=socket,
                    group=group,
                    who=who,
                ),
                say(
                    "Between two games: `sudo systemctl restart pi-table-engine`. If that does not "
                    "help, reinstall pi-table."
                ),
            )
    if are_right and all(are_right):
        yield Finding("sockets", Verdict.OK, say("The pages and the bridge may open theirs."))


def unfinished_update(root: Path) -> Iterator[Finding]:
    """Yield a finding if an update was begun but is not finished."""
    if (root / MARK).exists():
        yield Finding(
            "updates",
            Verdict.LOOK,
            say("An update was cut short and is not finished, or is under way."),
            say("`systemctl status pi-table-finish-update` says why. Then run the update again."),
        )

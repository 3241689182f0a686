"""What the packages do for a table by steps that end nothing when they fail: did each come about?

A table without phones, or whose update was cut short, plays all the same. So the step does not stop
it, and whoever keeps the table is told here.
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
"""The groups that systemd gives two sockets of the engine to, once it is ready."""
MARK: Final = Path("usr/lib/pi-table/update-to-be-finished")
"""What the packages' scripts leave until an installation has come to its end."""


def packages(config: Config, root: Path = Path("/")) -> Iterator[Finding]:
    """Every finding about what the packages do; ``root`` is where the file system begins."""
    yield from sockets(config.paths, {each.gr_name: each.gr_gid for each in grp.getgrall()})
    yield from unfinished_update(root)


def sockets(paths: PathsSection, groups: Mapping[str, int]) -> Iterator[Finding]:
    """May the pages and the bridge open their sockets? Nothing is found where no engine runs, or
    where the machine has no such group, for then the table is not the packages'. ``groups`` has the
    number of each group of this machine."""
    wrong, is_looked_at = [], False
    for socket, group, who in (
        (paths.sealed_socket, SEALED, say("phones cannot take a seat")),
        (paths.house_socket, HOUSE, say("the bridge does not reach the table")),
    ):
        if group not in groups or not socket.is_socket():
            continue
        is_looked_at = True
        if socket.stat().st_gid != groups[group]:
            wrong.append(
                say(
                    "{socket} does not belong to the group {group}, so {who}.",
                    socket=socket,
                    group=group,
                    who=who,
                )
            )
    for each in wrong:
        yield Finding(
            "sockets",
            Verdict.BROKEN,
            each,
            say(
                "Between two games: `sudo systemctl restart pi-table-engine`. If that does not "
                "help, install pi-table again."
            ),
        )
    if is_looked_at and not wrong:
        yield Finding("sockets", Verdict.OK, say("The pages and the bridge may open theirs."))


def unfinished_update(root: Path) -> Iterator[Finding]:
    """Is there an update that did not come to its end?"""
    if (root / MARK).exists():
        yield Finding(
            "updates",
            Verdict.LOOK,
            say("An update was cut short and is not finished, or is under way."),
            say("`systemctl status pi-table-finish-update` says why. Then run the update again."),
        )

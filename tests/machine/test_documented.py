"""The commands of the documents are typed in the booted machine."""

import re
import shlex
from pathlib import Path

import pytest
from documented import DOCUMENTED, Typed
from machine import TREE, Done, Machine
from played import PUBLIC, PlayedTable, booted
from plugs import new_card

# It types for minutes.
pytestmark = [pytest.mark.machine, pytest.mark.torture]


def typed(machine: Machine, each: Typed) -> Done:
    """Type it by whom the document says: the image has no sudo, for nobody logs in there."""
    for path, source in each.files:
        done = machine.run("tee", path, given=(TREE / source).read_text())
        assert done.status == 0, done
    command, user = each.command, None
    if found := re.fullmatch(r"sudo (?:-u (\S+) )?(.+)", command):
        user, command = found[1], found[2]
    words = ["sh", "-c", command] if "*" in command else shlex.split(command)
    return machine.run(*words, user=user)


def test_every_command_of_the_documents_does_what_it_is_for(scratch: Path) -> None:
    with booted("amd64", new_card("amd64", scratch), scratch, kernel="", screen=True) as table:
        machine = table.machine
        until_both_are_ready(table)
        wrong = []
        for each in DOCUMENTED:
            done = typed(machine, each)
            said = f"{done.out}{done.err}".strip()
            print(f"$ {each.command}\n{said}\n({done.status})", flush=True)
            if done.status not in each.statuses or not re.search(each.says, said):
                wrong.append((each.command, done))
        assert wrong == []


def until_both_are_ready(table: PlayedTable) -> None:
    """Wait for the engine, and for the screen's first picture."""
    table.machine.until(lambda: table.machine.watch(PUBLIC))
    table.machine.until(
        lambda: (
            table.machine.run("systemctl", "is-active", "pi-table-console").out.strip() == "active"
        )
    )

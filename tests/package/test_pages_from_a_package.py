"""The pages of an installed package: served by their own user, with Debian's PyNaCl in the engine
and what is inside the package in the process of the pages."""

import json
from pathlib import Path

import pytest
from debian_root import DebianRoot
from engine_in_root import CONFIG, EngineInRoot

from pi_table import __version__

pytestmark = [
    pytest.mark.package,
    pytest.mark.parametrize("installed", ["bookworm", "trixie"], indirect=True),
]
PROGRAM = "pages_in_root.py"


def test_the_pages_answer_and_cannot_open_the_hidden_socket(
    installed: DebianRoot,
) -> None:
    (installed.folder / "tmp" / PROGRAM).write_text(Path(__file__).with_name(PROGRAM).read_text())
    with EngineInRoot(installed):
        # As the engine's unit does when the engine is ready.
        installed.run("chgrp", "--no-dereference", "pi-table-sealed", "/run/pi-table/sealed.sock")
        found = json.loads(installed.run("python3", f"/tmp/{PROGRAM}", CONFIG).splitlines()[-1])
    assert found["about"]["pi_table"] == __version__
    assert found["status"] == dict.fromkeys(found["status"], 200)
    assert found["opens"] == {"public": True, "sealed": True, "console": False}
    assert found["ended"] == 0

"""The terminal of the controller on the Pi: its group may open it, and no other user."""

import subprocess
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

import pytest
from needs_root import needs_root

from pi_table.simulator.emulated import BUILT, PRELOAD, PROGRAMS

pytestmark = [pytest.mark.paced, needs_root("run as other users")]

SERVICE, ENGINE, STRANGER, DEVICES, OTHERS = 60001, 60002, 60003, 60010, 60011
OPEN = 'exec 3<>"$1"'


def as_user(user: int, group: int) -> list[str]:
    return ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups"]


def test_only_its_group_may_open_it() -> None:
    with TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o777)
        for file in (BUILT / PROGRAMS["pi"], PRELOAD):
            copy(file, folder)
        port = folder / "port"
        world = [f"PI_CONTROL={folder / 'control'}", "PI_PARENT="]
        loaded = f"LD_PRELOAD={folder / PRELOAD.name}"
        command = [*as_user(SERVICE, DEVICES), "env", *world, loaded]
        command += [str(folder / PROGRAMS["pi"]), "--tty", str(port)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
            try:
                assert program.stdout.readline() == b"ready\n"
                opened = {
                    (user, group): subprocess.run(
                        [*as_user(user, group), "sh", "-c", OPEN, "sh", port],
                        stderr=subprocess.DEVNULL,
                        check=False,
                    ).returncode
                    == 0
                    for user in (ENGINE, STRANGER)
                    for group in (DEVICES, OTHERS)
                }
            finally:
                program.terminate()
    assert opened == {
        (user, group): group == DEVICES
        for user in (ENGINE, STRANGER)
        for group in (DEVICES, OTHERS)
    }

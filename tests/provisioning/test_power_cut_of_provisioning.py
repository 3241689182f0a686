"""A power cut while tables are provisioned: the same command again makes it good."""

import base64
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from cut_machine import Machine, build, images, record
from old_folder import OLD_CONFIGURATION, make_old_folder
from planted import parameters
from powercut import memory_folder

from pi_table import cli
from pi_table.fleet.provisioning import dynamic_security, passwords
from pi_table.fleet.provisioning.users import ALWAYS

BROKER = ("--broker", "mqtts://broker.lan")
COMMAND = """
import sys
from pi_table.cli import main
sys.exit(main(sys.argv[1:]))
"""
FAULTS = {
    "the broker is told first": """
from pi_table.fleet.provisioning import provision
write = provision._Files.write_secret
later = []
def write_secret(self, path, text):
    if path != self.accounts:
        later.append((self, path, text))
        return
    write(self, path, text)
    for each in later:
        write(*each)
    later.clear()
provision._Files.write_secret = write_secret
""",
    "new folders are not synced": """
from pi_table.fleet.provisioning import provision
provision.sync_folder = lambda folder: None
""",
}
EACH = 1
EACH_OF_0_8 = 1
EACH_OF_A_FAULT = 12
"""Images of each cut with a planted fault. A few show most faults; one that needs more is worth the
wait."""


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("recorder"))


def told(folder: Path, user: str) -> str:
    """The password that a user was given; "": none."""
    try:
        if user in ALWAYS:
            return (folder / "users" / user).read_text().rstrip("\n")
        text = (folder / "tables" / user / "pi-table.toml").read_text()
        password: str = tomllib.loads(text)["bridge"]["password"]
    except OSError:
        return ""
    return password


def losses(
    recorder: Path, words: tuple[str, ...], fault: str = "", *, of_0_8: bool = False
) -> Iterator[str]:
    """Yield the faults after each cut and a second run of the same command.

    ``of_0_8`` begins with a folder of that version.
    """
    with memory_folder() as top:
        folder = top / "machine" / "fleet"
        folder.parent.mkdir()
        command = ["provision", "--out", str(folder), *BROKER, *words]
        if "--revoke" in words:
            assert cli.main(["provision", "--out", str(folder), *BROKER, "window"]) == 0
        old = told(folder, "window")
        hashes = make_old_folder(folder, *BROKER, "garden", "door") if of_0_8 else {}
        machine = Machine(folder.parent)
        operations = record(recorder, folder.parent, fault + COMMAND, *command)
        assert len(operations) > 10
        each = EACH_OF_A_FAULT if fault else EACH_OF_0_8 if of_0_8 else EACH
        for where in images(machine, operations, each):
            if cli.main(command) != 0:
                yield f"{where}: the same command is refused"
                continue
            text = (folder / "broker/dynamic-security.json").read_text()
            accounts = dynamic_security.read(text, "the file").accounts
            if any(accounts[user].password != hashed for user, hashed in hashes.items()):
                yield f"{where}: a table needs another password"
            if of_0_8 and (folder / "broker/mosquitto.conf.old").read_text() != OLD_CONFIGURATION:
                yield f"{where}: the configuration that was there is lost"
            if (folder / "broker/passwords").exists():
                yield f"{where}: the old file of passwords is still there"
            for user, account in accounts.items():
                salt = base64.b64decode(account.password.salt)
                if passwords.hash_of(told(folder, user), salt) != account.password:
                    yield f"{where}: the password of {user} is lost"
            if old and old in (told(folder, "window"), told(folder, "door")):
                yield f"{where}: the old password lies there"


@pytest.mark.parametrize("words", [("window",), ("window", "--revoke", "window")])
def test_a_run_that_is_cut_short_is_made_good_by_the_same_command(
    recorder: Path, words: tuple[str, ...]
) -> None:
    assert next(losses(recorder, words), None) is None


def test_an_old_folder_is_carried_over_by_the_same_command(recorder: Path) -> None:
    assert next(losses(recorder, ("window",), of_0_8=True), None) is None


@pytest.mark.parametrize("fault", parameters(FAULTS, quick=("the broker is told first",)))
def test_the_harness_catches_what_loses_a_password(recorder: Path, fault: str) -> None:
    assert next(losses(recorder, ("window",), fault), None) is not None

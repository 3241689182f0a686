"""A folder as the command of 0.8 left it."""

from pathlib import Path
from typing import Final

from pi_table import cli
from pi_table.fleet.provisioning import dynamic_security
from pi_table.fleet.provisioning.passwords import Hash
from pi_table.fleet.provisioning.users import PROBE, PROBED

RIGHTS: Final = """\
# Who may do what at the broker. Made by pi-table provision.
user collector
topic read pi-table/+/record
user home-assistant
topic read pi-table/#
pattern write homeassistant/device/%u/config
pattern read pi-table/all/do/#
"""
OLD_CONFIGURATION: Final = "# of 0.8, and changed by hand\n"


def make_old_folder(folder: Path, *words: str) -> dict[str, Hash]:
    """Make such a folder by these words of the command; return the hashes of its passwords."""
    assert cli.main(["provision", "--out", str(folder), *words]) == 0
    file = folder / "broker/dynamic-security.json"
    accounts = dynamic_security.read(file.read_text(), "the file").accounts
    hashes = {name: accounts[name].password for name in accounts if name not in (PROBE, PROBED)}
    for probe in (PROBE, PROBED):
        (folder / "users" / probe).unlink()
    lines = (
        f"{user}:$7${each.iterations}${each.salt}${each.password}\n"
        for user, each in hashes.items()
    )
    (folder / "broker/passwords").write_text("".join(lines))
    (folder / "broker/acl").write_text(RIGHTS)
    (folder / "broker/mosquitto.conf").write_text(OLD_CONFIGURATION)
    (folder / "broker/mosquitto-service.conf").unlink()
    file.unlink()
    return hashes

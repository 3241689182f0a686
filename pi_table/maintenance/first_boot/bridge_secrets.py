"""The secrets of a table in a fleet: one file in the state folder, and copies for the bridge.

New secrets are stored by writing that one file, so a power cut never leaves half of them. The file
survives a restart even if the rest of the system runs in memory. At each start, the bridge's folder
is made from the file.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.errors import StorageError
from pi_table.common.files import Owner, remove, sync_folder, write_whole
from pi_table.common.language import say
from pi_table.fleet.provisioning.certificates import belong_together
from pi_table.maintenance.first_boot import places
from pi_table.maintenance.first_boot.below_root import make_folder, owner_of_state, user_of, write
from pi_table.maintenance.first_boot.bridge_settings import Bridge, Secrets
from pi_table.maintenance.first_boot.settings import UnusableError
from pi_table.table.store.sealed_file import encode_sealed, read_sealed

FILES: Final = {
    "password": "password",
    "ca": "ca.pem",
    "certificate": "certificate.pem",
    "key": "key.pem",
}
"""For each secret, the name of its file in the bridge's folder."""
KEYS: Final = {"password": "password_file", "ca": "ca", "certificate": "certificate", "key": "key"}
"""For each secret, the setting in [bridge] that has the path of the secret's file."""


def to_keep(bridge: Bridge, root: Path) -> Secrets:
    """Return the secrets to store: the new ones, and the stored ones that no new one replaces.

    Writes nothing. Raises UnusableError if the system has no user for the bridge, or if the key
    does not match the certificate.
    """
    if not bridge.broker:
        return Secrets()
    user_of(root, places.BRIDGE_USER)
    secrets = bridge.given.over(_read_secrets(root) or Secrets())
    certificate, key = secrets.certificate, secrets.key
    if certificate and key and not belong_together(certificate, key):
        raise UnusableError(
            say(
                "{certificate} does not belong to the stored key: put its own {key} beside it.",
                certificate=places.CERTIFICATE,
                key=places.KEY,
            )
        )
    return secrets


def to_show(bridge: Bridge, kept: Secrets) -> Secrets:
    """Return the secrets that the bridge can use. The bridge uses a certificate only with its key,
    and only over TLS."""
    if kept.certificate and kept.key and bridge.broker.startswith("mqtts:"):
        return kept
    return msgspec.structs.replace(kept, certificate=None, key=None)


def keep(bridge: Bridge, secrets: Secrets, root: Path) -> None:
    """Store exactly these secrets in the state folder, in place of earlier secrets. If the settings
    have no broker, delete the stored secrets. Raises OSError."""
    file = root / places.BRIDGE_KEPT
    if not bridge.broker:
        if file.parent.is_dir():
            remove(file)
    elif secrets != _read_secrets(root):
        make_folder(file.parent, owner_of_state(root), 0o700)
        write_whole(file, [encode_sealed(msgspec.json.encode(secrets))], owner=Owner(0, 0))


def write_for_bridge(secrets: Secrets, root: Path) -> None:
    """Write these secrets to the bridge's folder, and remove other secrets. Raises OSError."""
    folder = root / places.BRIDGE
    owner = Owner(0, user_of(root, places.BRIDGE_USER).group)
    make_folder(folder, owner, 0o750)
    for name, text in msgspec.structs.asdict(secrets).items():
        if text is None:
            remove(folder / FILES[name])
        else:
            write(folder / FILES[name], text, 0o640, owner)


def remove_for_bridge(bridge: Bridge | None, root: Path) -> None:
    """Remove the bridge's files, so that no bridge starts.

    If the settings have no [bridge], remove the files only if an earlier [bridge] made them.
    Otherwise a person made them, and they stay. Raises OSError.
    """
    folder = root / places.BRIDGE
    if not folder.is_dir() or (bridge is None and not (root / places.BRIDGE_KEPT).exists()):
        return
    for name in FILES.values():
        remove(folder / name)
    with suppress(OSError):  # the folder has other files
        folder.rmdir()
    sync_folder(folder.parent)


def paths(secrets: Secrets) -> dict[str, str]:
    """Return the entries of [bridge] in the configuration that name the files of these secrets."""
    return {
        KEYS[name]: f"/{places.BRIDGE}/{FILES[name]}"
        for name, text in msgspec.structs.asdict(secrets).items()
        if text is not None
    }


def _read_secrets(root: Path) -> Secrets | None:
    """Return the stored secrets; None if the file is missing or damaged."""
    try:
        # The folder belongs to the table's user, but this file must belong to root.
        text = read_sealed(root / places.BRIDGE_KEPT, owner=os.geteuid())
        return None if text is None else msgspec.json.decode(text, type=Secrets)
    except (StorageError, ValueError):
        return None

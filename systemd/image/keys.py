"""The signer of a table's updates: the maker's key, or a throw-away key for tests."""

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

THROWN_AWAY: Final = Path(__file__).parents[2] / "build/throw-away-image-key"
YEARS: Final = 30


class Signer(NamedTuple):
    """The paths of a private key and of its certificate, with which tables check the key's
    signatures."""

    key: Path
    cert: Path


def throw_away() -> Signer:
    """Return the throw-away key for images and bundles of this tree. The key is made at the first
    use."""
    return new_signer(THROWN_AWAY, "throw-away")


def new_signer(folder: Path, name: str) -> Signer:
    """Return the key in this folder. A missing key is made, with ``name`` in its certificate."""
    signer = Signer(folder / "key.pem", folder / "cert.pem")
    if not signer.cert.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", str(YEARS * 365), "-subj", f"/O=pi-table/CN={name}",
             "-keyout", signer.key, "-out", signer.cert],
            check=True, capture_output=True,
        )  # fmt: skip
    return signer

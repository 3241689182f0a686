"""Whose signature a table's updates bear: the maker's, or a throw-away one for tests."""

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

THROWN_AWAY: Final = Path(__file__).parents[2] / "build/throw-away-image-key"
YEARS: Final = 30


class Signer(NamedTuple):
    """A key, and the certificate by which its signatures are known."""

    key: Path
    cert: Path


def throw_away() -> Signer:
    """The key of this tree's own images and bundles, made when it is wanted first."""
    return new_signer(THROWN_AWAY, "throw-away")


def new_signer(folder: Path, name: str) -> Signer:
    """The key that lies in this folder; it is made if there is none."""
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

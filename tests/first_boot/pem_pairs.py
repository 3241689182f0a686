"""Certificates and keys for tests, made by openssl."""

import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple


class Pair(NamedTuple):
    """A certificate that its own key has signed, as PEM."""

    certificate: str
    key: str


@cache
def pair(name: str) -> Pair:
    """A certificate of this name with its key, the same within one run of the tests."""
    with TemporaryDirectory() as folder:
        files = Path(folder, "certificate"), Path(folder, "key")
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-nodes", "-days", "36500"]
        command += ["-pkeyopt", "ec_paramgen_curve:prime256v1"]
        command += ["-subj", f"/CN={name}", "-out", str(files[0]), "-keyout", str(files[1])]
        subprocess.run(command, check=True, capture_output=True)
        return Pair(files[0].read_text(), files[1].read_text())

"""Certificates for a test: somebody who signs, and what they have signed. Made by OpenSSL."""

import subprocess
from pathlib import Path
from typing import Final, NamedTuple

DAYS: Final = "30"
SETTINGS: Final = """
[ca]
default_ca = here
[here]
database = {folder}/index.txt
rand_serial = yes
new_certs_dir = {folder}
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
"""


class Signed(NamedTuple):
    """A certificate and its key, as files of PEM."""

    certificate: Path
    key: Path

    @property
    def lines(self) -> tuple[str, str]:
        """The lines of configuration by which Mosquitto shows it."""
        return f"certfile {self.certificate}", f"keyfile {self.key}"


class Authority:
    """Somebody who signs certificates; ``folder`` keeps all that was made. After so many ``days``
    nobody trusts it any more."""

    def __init__(self, folder: Path, days: str = DAYS) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._settings = folder / "openssl.cnf"
        self._settings.write_text(SETTINGS.format(folder=folder))
        (folder / "index.txt").touch()
        self._key = folder / "authority.key"
        self.certificate = folder / "authority.pem"
        """Certificate for those who trust this authority."""
        _openssl(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-config", self._settings, "-subj", "/CN=Authority", "-days", days),
            *("-addext", "basicConstraints=critical,CA:TRUE"),
            *("-addext", "keyUsage=critical,keyCertSign,cRLSign"),
            *("-addext", "subjectKeyIdentifier=hash"),
            *("-keyout", self._key, "-out", self.certificate),
        )

    def sign(self, name: str, start: str = "", end: str = "20980101000000Z") -> Signed:
        """A certificate for a name, or an address, of this machine; ``start`` and ``end`` as
        ``20300101000000Z``: from now on where no start is given."""
        signed = Signed(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        kind = "IP" if name.replace(".", "").isdecimal() else "DNS"
        request = self._folder / f"{name}.csr"
        _openssl(
            *("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-config", self._settings, "-subj", f"/CN={name}"),
            *("-addext", f"subjectAltName={kind}:{name}"),
            *("-keyout", signed.key, "-out", request),
        )
        valid = ("-startdate", start) if start else ()
        _openssl(
            *("ca", "-batch", "-notext", "-config", self._settings, *valid, "-enddate", end),
            *("-cert", self.certificate, "-keyfile", self._key),
            *("-in", request, "-out", signed.certificate),
        )
        return signed


def _openssl(*arguments: object) -> None:
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

"""Signing a repository with GnuPG: by a maker's own key, or by a throw-away one for trying out."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sources import RefusalError, run

THROW_AWAY = "pi-table THROW-AWAY key, for trying out, never for a table"


class Signer:
    """Signs with every key of ``keys``, given by their fingerprints.

    Two keys are for the time in which one takes over from the other.
    """

    def __init__(self, keys: tuple[str, ...], home: Path | None = None) -> None:
        self.keys = keys
        self._gpg = ["gpg", "--batch", "--yes", "--quiet", "--no-tty"]
        if home is not None:
            self._gpg += ["--homedir", str(home)]
        for key in keys:
            if not re.fullmatch("(0x)?[0-9A-Fa-f]{40}", key):
                raise RefusalError(
                    f"{key} is no fingerprint, which is 40 hexadecimal digits: gpg --list-keys "
                    "tells those of your keys."
                )
            run(*self._gpg, "--list-secret-keys", key)

    def sign(self, file: Path, attached: Path, beside: Path) -> None:
        """Write a signed copy of ``file``, and a signature alone, each in one go."""
        by = [word for key in self.keys for word in ("--local-user", key)]
        for how, target in (("--clearsign", attached), ("--detach-sign", beside)):
            new = target.with_name(f".{target.name}.new")
            run(*self._gpg, *by, "--digest-algo", "SHA512", "--armor", how, "-o", new, file)
            new.replace(target)

    def export(self, target: Path) -> None:
        """Write the public keys, for those who check the signatures."""
        run(*self._gpg, "--output", target, "--export", *self.keys)


@contextmanager
def signer(keys: tuple[str, ...], throw_away: Path) -> Iterator[Signer]:
    """What signs with those keys; without any, with one that is kept in the folder ``throw_away``,
    where it is made if it is not there."""
    if keys:
        yield Signer(keys)
        return
    # GnuPG talks to its agent over a socket in that folder, whose path must be a short one.
    with TemporaryDirectory(prefix="pi-table-key.") as scratch:
        home = Path(scratch) / "home"
        try:
            if throw_away.exists():
                shutil.copytree(throw_away, home, ignore=shutil.ignore_patterns("S.*"))
            else:
                home.mkdir()
                home.chmod(0o700)
                made = ("--passphrase", "", "--quick-generate-key", THROW_AWAY, "ed25519", "sign")
                gpg = ("gpg", "--batch", "--quiet", "--homedir", home)
                run(*gpg, "--pinentry-mode", "loopback", *made, "never")
                shutil.copytree(home, throw_away, ignore=shutil.ignore_patterns("S.*"))
            home.chmod(0o700)
            listed = run("gpg", "--homedir", home, "--with-colons", "--list-secret-keys")
            (key,) = re.findall("^fpr:+([0-9A-F]{40}):", listed, re.MULTILINE)
            yield Signer((key,), home)
        finally:
            end = ["gpgconf", "--kill", "gpg-agent"]
            subprocess.run(end, env={**os.environ, "GNUPGHOME": str(home)}, check=False)

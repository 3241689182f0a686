"""Signs a repository with GnuPG: with a maker's own key, or with a throw-away key for tests."""

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
STATE = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "pi-table"
OLDEST = "1577836800"
"""Creation time of a throw-away key, in seconds since 1970: the beginning of 2020. No signature may
be older than its key, and SOURCE_DATE_EPOCH may demand a signature with an old date."""


class Signer:
    """Signs with all keys in ``keys``, which are fingerprints.

    While a new key replaces an old key, both sign. If the variable SOURCE_DATE_EPOCH is set, a
    signature has that time. Raises RefusalError for a key that is not on this machine.
    """

    def __init__(self, keys: tuple[str, ...], home: Path | None = None) -> None:
        self._gpg = ["gpg", "--batch", "--yes", "--quiet", "--no-tty"]
        if home is not None:
            self._gpg += ["--homedir", str(home)]
        if signed := os.environ.get("SOURCE_DATE_EPOCH"):
            self._gpg += ["--faked-system-time", f"{signed}!"]
        for key in keys:
            if not re.fullmatch("(0x)?[0-9A-Fa-f]{40}", key):
                raise RefusalError(
                    f"{key} is no fingerprint, which is 40 hexadecimal digits: gpg --list-keys "
                    "tells those of your keys."
                )
        self.keys = tuple(
            primary_keys(run(*self._gpg, "--with-colons", "--list-secret-keys", key))[0]
            for key in keys
        )

    def sign(self, file: Path, attached: Path, beside: Path) -> None:
        """Write a signed copy of ``file`` to ``attached``, and its signature alone to ``beside``.
        Raises RefusalError if GnuPG cannot sign, for example without a key's passphrase."""
        by = [word for key in self.keys for word in ("--local-user", key)]
        for how, target in (("--clearsign", attached), ("--detach-sign", beside)):
            command = [*self._gpg, *by, "--digest-algo", "SHA512", "--armor", how, "-o", target]
            try:
                run(*command, file)
            except RefusalError as refusal:
                raise RefusalError(
                    f"{refusal}Nothing was changed. If the key has a passphrase, gpg asks for it "
                    "at a terminal, after: export GPG_TTY=$(tty)"
                ) from None

    def export(self, target: Path) -> None:
        """Write the public keys with which the signatures are checked."""
        run(*self._gpg, "--output", target, "--export", *self.keys)


def primary_keys(listed: str) -> list[str]:
    """Return the fingerprints of the primary keys in gpg's output, but not those of subkeys."""
    return re.findall("^(?:pub|sec):.*\n(?:(?!fpr:).*\n)*fpr:+([0-9A-F]{40}):", listed, re.M)


@contextmanager
def signer(keys: tuple[str, ...], folder: Path, keyring: Path) -> Iterator[Signer]:
    """Yield the signer of the repository in ``folder``, which signs with these keys.

    If no keys are given, a throw-away key signs. It is made if it is missing. Raises RefusalError
    if none of these keys is in the published ``keyring``: tables trust only the keys in the
    keyring, and would refuse the signature.
    """
    served = (
        primary_keys(run("gpg", "--with-colons", "--show-keys", keyring))
        if (keyring.exists())
        else []
    )
    if keys:
        signing = Signer(keys)
        _refuse_other_keys(served, signing.keys, keyring)
        yield signing
        return
    kept = STATE / "throw-away-key"
    if folder.resolve() in kept.resolve().parents:
        raise RefusalError(
            f"A web server that serves {folder} would serve the secret key in {kept}: give the "
            "repository a folder of its own."
        )
    if not kept.exists():
        _refuse_other_keys(served, ("a throw-away key",), keyring)
    # GnuPG talks to its agent over a socket in that folder, whose path must be a short one.
    with TemporaryDirectory(prefix="pi-table-key.") as scratch:
        home = Path(scratch) / "home"
        try:
            if kept.exists():
                shutil.copytree(kept, home, ignore=shutil.ignore_patterns("S.*"))
            else:
                home.mkdir(mode=0o700)
                made = ("--passphrase", "", "--quick-generate-key", THROW_AWAY, "ed25519", "sign")
                gpg = ("gpg", "--batch", "--quiet", "--homedir", home)
                gpg += ("--faked-system-time", OLDEST)
                run(*gpg, "--pinentry-mode", "loopback", *made, "never")
                _keep(home, kept)
            listed = run("gpg", "--homedir", home, "--with-colons", "--list-secret-keys")
            signing = Signer(tuple(primary_keys(listed)), home)
            _refuse_other_keys(served, signing.keys, keyring)
            yield signing
        finally:
            end = ["gpgconf", "--kill", "gpg-agent"]
            subprocess.run(end, env={**os.environ, "GNUPGHOME": str(home)}, check=False)


def _refuse_other_keys(served: list[str], keys: tuple[str, ...], keyring: Path) -> None:
    if served and not {*served} & {*keys}:
        raise RefusalError(
            f"Nothing was changed: tables trust {' '.join(served)}, by {keyring}, and this would "
            f"be signed by {' '.join(keys)}, which they refuse. Name the key that they trust with "
            "--key, or KEY=…; to change it, name both, the old one and the new one. If the old one "
            f"is lost, remove {keyring}: every table then has to fetch the new one."
        )


def _keep(home: Path, kept: Path) -> None:
    """Copy the home folder of a new key to its final place. If that fails, nothing is left in that
    place. Other users can never read the copy."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=kept.parent, prefix="new.") as half:
        shutil.copytree(home, Path(half) / "key", ignore=shutil.ignore_patterns("S.*"))
        (Path(half) / "key").rename(kept)

"""`pi-table provision`: what was asked for on the command line, and what is said of it."""

from argparse import Namespace
from pathlib import Path, PurePosixPath

from pi_table.errors import InputError
from pi_table.provisioning.certificates import pem_of
from pi_table.provisioning.provision import MOST_BYTES, MOST_TABLES, Done, Wanted, provision
from pi_table.small_file import read_small_file


def run(arguments: Namespace) -> list[str]:
    """Do it; the answer is what is to be said, a line each. Raises InputError or OSError."""
    if not 0 <= arguments.count <= MOST_TABLES:
        raise InputError(f"--count is 0 to {MOST_TABLES:,}.")
    counted = (f"{arguments.named}-{number}" for number in range(1, arguments.count + 1))
    wanted = Wanted(
        tables=(*arguments.tables, *counted),
        revoked=tuple(dict.fromkeys(arguments.revoke)),
        broker=arguments.broker,
        prefix=arguments.prefix,
        home_assistant=arguments.home_assistant,
        ca=None if arguments.ca is None else _text(arguments.ca),
        at=PurePosixPath(arguments.at),
        replace=arguments.replace,
    )
    return _said(arguments.out, provision(arguments.out, wanted))


def _text(path: Path) -> str:
    try:
        return pem_of(read_small_file(path, MOST_BYTES), str(path))
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}. Check its path and rights."
        ) from None


def _said(folder: Path, done: Done) -> list[str]:
    found = {
        "new": ", ".join(done.added),
        "with the password they had": ", ".join(done.kept),
        "taken away": ", ".join(done.revoked),
    }
    said = [f"{what}: {names}" for what, names in found.items() if names]
    if done.added:
        said.append(f"What each is given lies in {folder}/tables and {folder}/users.")
    if done.added or done.revoked:
        said.append(f"Copy {folder}/broker to the broker, and have it read its files anew.")
    return said

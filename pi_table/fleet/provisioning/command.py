"""The command `pi-table provision`: reads its arguments, and makes its output."""

from argparse import Namespace
from pathlib import Path, PurePosixPath

from pi_table.common.errors import InputError
from pi_table.common.files import read_small_file
from pi_table.common.language import say, system_says
from pi_table.fleet.provisioning.broker_files import (
    COLLECTOR_AWAY_DAYS,
    TABLES_MEASURED,
    days_kept,
)
from pi_table.fleet.provisioning.certificates import pem_of
from pi_table.fleet.provisioning.probe import probe
from pi_table.fleet.provisioning.provision import (
    MAX_FILE_BYTES,
    MAX_TABLES,
    Done,
    Wanted,
    provision,
)
from pi_table.fleet.provisioning.users import Kind


def run(arguments: Namespace) -> list[str]:
    """Run the command; return the lines of its output. Raises InputError or OSError."""
    if not 0 <= arguments.count <= MAX_TABLES:
        raise InputError(say("--count is 0 to {most_tables}.", most_tables=f"{MAX_TABLES:,}"))
    counted = (f"{arguments.named}-{number}" for number in range(1, arguments.count + 1))
    others = {
        Kind.COLLECTOR: arguments.collector,
        Kind.OPERATOR: arguments.operator,
        Kind.HOME_ASSISTANT: arguments.home_assistant_user,
    }
    wanted = Wanted(
        tables=tuple(dict.fromkeys((*arguments.tables, *counted))),
        others=tuple((name, kind) for kind, names in others.items() for name in names),
        bar=arguments.bar,
        revoked=tuple(dict.fromkeys(arguments.revoke)),
        broker=arguments.broker,
        prefix=arguments.prefix,
        home_assistant=arguments.home_assistant,
        ca=None if arguments.ca is None else _text(arguments.ca),
        at=PurePosixPath(arguments.at),
        replace=arguments.replace,
    )
    return _report(arguments.out, provision(arguments.out, wanted))


def try_broker(arguments: Namespace) -> list[str]:
    """Test the rights at the broker; return a sentence for each fault. Raises InputError."""
    if arguments.tables or arguments.count or arguments.revoke:
        raise InputError(say("--probe changes nothing: provision first, without --probe."))
    return probe(arguments.out, arguments.broker, arguments.ca)


def _text(path: Path) -> str:
    try:
        return pem_of(read_small_file(path, MAX_FILE_BYTES), str(path))
    except OSError as error:
        raise InputError(
            say(
                "{path} cannot be read: {strerror}. Check its path and rights.",
                path=path,
                strerror=system_says(error),
            )
        ) from None


def _report(folder: Path, done: Done) -> list[str]:
    found = {
        "new": ", ".join(done.added),
        say("with the password they had"): ", ".join(done.kept),
        say("revoked"): ", ".join(done.revoked),
    }
    said = [
        say("{what}: {names}", what=what, names=names) for what, names in found.items() if names
    ]
    if done.added:
        said.append(
            say(
                "The files for each of them are in {folder}/tables and {folder_2}/users.",
                folder=folder,
                folder_2=folder,
            )
        )
    if done.carried_over:
        said.append(
            say(
                "{folder}/broker has users and rights in a new form: dynamic-security.json "
                "replaces passwords and acl. If you changed mosquitto.conf by hand, compare it "
                "with mosquitto.conf.old.",
                folder=folder,
            )
        )
    if done.added or done.revoked or done.carried_over:
        said.append(
            say(
                "Copy {folder}/broker to the broker, and restart it. A reload changes nothing.",
                folder=folder,
            )
        )
    limits = limits_of(done.tables)
    return [*said, limits] if limits else [*said]


def limits_of(tables: int) -> str:
    """Return a warning if this many tables are too many for one broker, or more than were measured;
    otherwise ""."""
    days = days_kept(max(tables, 1))
    if days < COLLECTOR_AWAY_DAYS:
        return say(
            "{tables} tables are too many for one broker: their messages to a collector that is "
            "away are kept for {days} days, not {collector_away_days}. Give some of them a "
            "broker and a folder of their own.",
            tables=f"{tables:,}",
            days=days,
            collector_away_days=COLLECTOR_AWAY_DAYS,
        )
    if tables > TABLES_MEASURED:
        return say(
            "One broker was measured with {tables_measured} tables, not with {tables}: watch "
            "its processor and its memory.",
            tables_measured=f"{TABLES_MEASURED:,}",
            tables=f"{tables:,}",
        )
    return ""

"""The manual page for `man pi-table`, generated from the program's own help."""

import argparse
import sys
from datetime import UTC, datetime

from sources import ROOT

sys.path.insert(0, str(ROOT))

from pi_table.common.arguments import parser


def page(version: str, seconds: int) -> str:
    """Return the manual page in roff format. ``seconds`` is the page's date, in seconds since
    1970."""
    every = parser()
    day = datetime.fromtimestamp(seconds, UTC).date()
    lines = [
        f'.TH PI-TABLE 1 {day} "pi-table {version}" "User Commands"',
        ".SH NAME",
        "pi-table \\- café table that plays word-guessing games",
        ".SH SYNOPSIS",
        ".B pi-table",
        ".I COMMAND",
        "[\\fIARGUMENT\\fR …]",
        ".SH DESCRIPTION",
        "Each command tells its arguments with",
        ".BR \\-\\-help .",
        ".SH COMMANDS",
    ]
    (commands,) = (
        action for action in every._actions if isinstance(action, argparse._SubParsersAction)
    )
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    for name, command in commands.choices.items():
        usage = " ".join(command.format_usage().split()[3:])
        lines += [".TP", f"\\fB{roff(name)}\\fR {roff(usage)}", f"{roff(helps.get(name, ''))}."]
        for action in command._actions:
            if action.help and action.help != argparse.SUPPRESS and action.dest != "help":
                names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
                said = action.help % {**vars(action), "prog": "pi-table"}
                lines += [".RS", ".TP", f"\\fB{roff(names)}\\fR", f"{roff(said)}.", ".RE"]
    lines += [
        ".SH FILES",
        ".TP",
        ".I /etc/pi-table/table.toml",
        "The configuration of the table; "
        "/usr/share/doc/pi-table/default.toml.gz has every key, and what it is for.",
        ".TP",
        ".I /var/lib/pi-table",
        "The journal: every game.",
        ".SH SEE ALSO",
        "/usr/share/doc/pi-table/README.md",
    ]
    return "\n".join(lines) + "\n"


def roff(text: str) -> str:
    return text.replace("\\", "\\\\").replace("-", "\\-").replace("'", "\\(aq")

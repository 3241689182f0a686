"""The texts for whoever keeps or makes a table: what goes wrong, what is found, and what to do.

They are plain English where they are made, with their fields in braces: in errors, in findings, in
logs and on the sockets. Where somebody reads them, `pi_table.common.language.translated` knows them
again. So every text of these modules is one of the catalogues', but those that `NOT_READ` tells
apart.
"""

import argparse
import ast
import errno
import gettext
import os
import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.common.arguments import parser
from pi_table.common.language import JOINED
from pi_table.lab.commands import add_commands

MODULES: Final = (
    *(
        "maintenance/bring_up",
        "games/cards",
        "table/engine",
        "maintenance/first_boot",
        "devices/hal",
        "protocols/ipc",
        "table/keeping",
        "devices/sound",
        "table/store",
    ),
    *("fleet/provisioning/certificates.py", "fleet/provisioning/command.py"),
    *(
        "fleet/provisioning/dynamic_security.py",
        "fleet/provisioning/old_files.py",
        "fleet/provisioning/pieces.py",
    ),
    *(
        "fleet/provisioning/probe.py",
        "fleet/provisioning/provision.py",
        "fleet/provisioning/users.py",
    ),
    *("devices/wire/settings.py", "games/words", "simulator/emulated.py", "simulator/headless.py"),
    *("simulator/scenario.py", "simulator/show.py", "simulator/window.py"),
    *(
        "games/rules/codex/deal.py",
        "games/rules/codex/text.py",
        "games/rules/games.py",
        "games/rules/play.py",
    ),
    *("games/rules/profile.py", "games/rules/word_games/key.py", "games/rules/word_games/text.py"),
    *(
        "games/referee/curated.py",
        "games/referee/lexicon.py",
        "games/referee/lines.py",
        "games/referee/opinion.py",
    ),
    *("fleet/collector/database.py", "fleet/collector/opening.py", "fleet/collector/report.py"),
    *("fleet/collector/postgres.py", "fleet/collector/settings.py", "fleet/collector/sqlite.py"),
    *(
        "fleet/bridge/broker.py",
        "cli.py",
        "common/config.py",
        "screens/console/look.py",
        "common/decoding.py",
    ),
    *("lab/bench/run.py", "lab/gallery.py", "lab/seeing/eyes.py"),
    *("screens/console/app.py", "screens/console/display.py", "common/errors.py"),
    *(
        "common/edited_text.py",
        "common/fault.py",
        "common/files.py",
        "common/house.py",
        "common/language.py",
        "common/listening.py",
    ),
    *(
        "simulator/processes.py",
        "fleet/updating",
        "screens/web/files.py",
        "screens/web/listeners.py",
    ),
)
"""Where they are made."""

LISTS: Final = ("games/words/kinship.py",)
"""Modules among them that have words of a language in them."""
NOT_READ: Final = re.compile(
    r"""
    (SELECT|PRAGMA|INSERT|UPDATE|CREATE|ATTACH|DETACH|DROP|BEGIN|COPY)\b  # for databases
    | \#\ (From|The\ table|pi-table\ \{) | \[(table|web)\]\n         # written into files
    | text/\w+;                                                        # the same
    | SUBSYSTEM== | (,\ )?ATTR\{                                      # rules for udev
    | (Compute|Raspberry|\d\ ) .* (Module|Model|Pi\ )                  # names of boards
    | aplay: | audio\ open | (Device\ or\ resource\ busy | Permission\ denied)$  # said by others
    | No\ matching\ subscribers$                                       # the same
    | \{\n"defaultACLAccess                                            # in a file of JSON
    | Callable | Future | array\[ | list\[ | .*\|\ None                # types
    | TableMessage | CodexMessage | %\(                                # for a debugger
    | Le\ parole\ | Our\ guests | guests\ at\ | none;\ for              # in the packs
    | pi-table:\ | sudo\ | /\w                                           # before others, commands
    """,
    re.VERBOSE,
)
UNSEEN_CALLS: Final = {"compile", "Literal", "cast", "debug", "getattr", "info", "execute"}
"""What is given to these nobody reads."""
LEAST_LETTERS: Final = 4
NO_SENTENCES: Final = {
    *("model name", "process {process}", "{it} {it_2} {it_3} heavy", "language = {toml}"),
    "pi-table {ssid}",
    *("Answer({id}, {it})", "{name}({len} events, …)", "{name} (GPIO{getattr})"),
    *("not felt", "mixed up", "no chip", "same address", "chip silent", "chip power", "air gap"),
    *("out of range", "two out of range", "all of a chip out of range", "chips swapped"),
    *("hands off", "hold a finger on it", "keep it there", "lift it", "left behind"),
    *("Nothing waits for a {name}.", "A clip holds whole samples.", "the names do not end"),
    *(
        "the last try returns or raises",
        "An event's time is a number of seconds, and {at} is none.",
    ),
    "A game begins with at least one event; give its opening.",
    *("Acts (who; in which phases):", "Reasons for refusing an act:", "Seats: {value}."),
    *("anyone. See what that seat may see.", "nobody. Let time pass."),
    "Settings (default; the values to choose from):",
}
"""What only programs and those who write them read: names, values, and what nobody can bring
about."""
ERRORS: Final = (
    *(errno.EACCES, errno.EADDRINUSE, errno.EBUSY, errno.ECONNREFUSED, errno.EEXIST, errno.EFBIG),
    *(errno.EINVAL, errno.EIO, errno.EISDIR, errno.ELOOP, errno.EMFILE, errno.ENAMETOOLONG),
    *(errno.ENODEV, errno.ENOENT, errno.ENOSPC, errno.ENOTDIR, errno.ENXIO, errno.EPERM),
    *(errno.EROFS, errno.ETIMEDOUT),
)
"""What the system itself often says was wrong."""
OF_ARGPARSE: Final = (
    *("usage: ", "positional arguments", "options", "show this help message and exit"),
    "%(prog)s: error: %(message)s\n",
    "argument %(argument_name)s: %(message)s",
    *("the following arguments are required: %s", "one of the arguments %s is required"),
    *("unrecognized arguments: %s", "not allowed with argument %s", "ignored explicit argument %r"),
    *("expected one argument", "expected at most one argument", "expected at least one argument"),
    "ambiguous option: %(option)s could match %(matches)s",
    "invalid choice: %(value)r (choose from %(choices)s)",
)
"""The texts of argparse that this command line can come to show."""


def staff_texts(package: Path) -> Iterator[tuple[str, str]]:
    """Each text, and the file that it is from."""
    for path in _files(package):
        for text in _read(ast.parse(path.read_text("utf-8")), _is_read):
            yield text, str(path.relative_to(package.parent))
    for text in OF_ARGPARSE:
        yield text, "pi_table/common/arguments.py"
    gettext.textdomain("messages")  # in English
    for text in dict.fromkeys([*helps(parser(add_commands)), *of_gettext(package)]):
        yield text, "pi_table/common/arguments.py"
    for text in (
        *JOINED.values(),
        "1 game",
        "The Raspberry Pi",
        "a Raspberry Pi",
        "a Raspberry Pi 5",
    ):
        yield text, "pi_table/common/language.py"
    for number in ERRORS:
        yield os.strerror(number), "pi_table/common/errors.py"
    for text in demonstration():
        yield text, "pi_table/simulator/demonstration.jsonl"


def _files(package: Path) -> Iterator[Path]:
    """The files of `MODULES`."""
    for name in MODULES:
        place = package / name
        if place.suffix:
            yield place
        else:
            yield from sorted({*place.rglob("*.py")} - {package / each for each in LISTS})


def of_gettext(package: Path) -> Iterator[str]:
    """The texts that command lines give to gettext; `helps` has most of them."""
    for name in ("common/arguments.py", "lab/commands.py"):
        for node in ast.walk(ast.parse((package / name).read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="_"), args=[ast.Constant(value=str() as text)]):
                    yield text


def helps(of: argparse.ArgumentParser) -> Iterator[str]:
    """What a parser, and those of its commands, say themselves: descriptions, helps, metavars."""
    if of.description:
        yield of.description
    for action in of._actions:
        shown = (action.metavar, action.help)
        yield from (
            text
            for text in shown
            if isinstance(text, str) and text != argparse.SUPPRESS and has_words(text)
        )
        if isinstance(action, argparse._SubParsersAction):
            for pseudo in action._choices_actions:
                if pseudo.help:
                    yield pseudo.help
            for command in action.choices.values():
                yield from helps(command)


def has_words(text: str) -> bool:
    """Is there something to translate? A lone ``%(default)s`` or a letter has nothing."""
    bare = re.sub(r"%\(\w+\)s", "", text)
    return re.search(r"[A-Za-z]{2}", bare) is not None


def demonstration() -> Iterator[str]:
    """What is said in the demonstration, its words, and its clues."""
    lines = files("pi_table.simulator").joinpath("demonstration.jsonl").read_text("utf-8")
    for each in lines.splitlines():
        line: dict[str, Any] = msgspec.json.decode(each)
        if "say" in line:
            yield line["say"]
        yield from line.get("game", {}).get("words", ())
        if "word" in line.get("act", {}):
            yield line["act"]["word"]


def too_short(package: Path) -> Iterator[str]:
    """Texts with words round their fields, of too few letters to be known again."""
    for path in _files(package):
        yield from _read(ast.parse(path.read_text("utf-8")), _is_too_short)


def _is_too_short(text: str) -> bool:
    words = re.findall(r"(?<![^ ])[A-Za-z]{2,}(?![^ .,:;])", re.sub(r"\{\w+\}", "{}", text))
    short = 0 < sum(map(len, words)) < LEAST_LETTERS
    return "{" in text and short and not _is_read(text) and not NOT_READ.match(text)


def _read(tree: ast.Module, is_read: Callable[[str], bool]) -> Iterator[str]:
    """The texts of a module that are read, in their order."""
    unseen = {id(node) for each in _unseen(tree) for node in ast.walk(each)}
    found: list[tuple[int, int, str]] = []
    for node in ast.walk(tree):
        if id(node) in unseen:
            continue
        match node:
            case ast.JoinedStr():
                text = _template(node)
                unseen |= {
                    id(each)
                    for part in ast.walk(node)
                    for each in ast.iter_child_nodes(part)
                    if isinstance(part, ast.JoinedStr) and isinstance(each, ast.Constant)
                }
            case ast.Constant(value=str() as value):
                text = value.replace("%s", "{it}")
            case _:
                continue
        text = _alone(text.strip())
        if is_read(text):
            found.append((node.lineno, node.col_offset, text))
    for _, _, text in sorted(found):
        yield text


def _unseen(tree: ast.Module) -> Iterator[ast.AST]:
    """The parts of a module in which no text is for people, or `say` has it already."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                yield node
            case ast.Call(func=ast.Name(id="say" | "say_many")):
                yield node
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if (
                name in UNSEEN_CALLS
            ):
                yield node
            case ast.arg(annotation=ast.AST() as annotation) | ast.AnnAssign(annotation=annotation):
                yield annotation
            case ast.FunctionDef(returns=ast.AST() as returns):
                yield returns
            case ast.Assert():
                yield node
            case ast.FormattedValue(format_spec=ast.AST() as spec):
                yield spec
            case ast.FunctionDef(name="__repr__"):
                yield node


def _template(node: ast.JoinedStr) -> str:
    """A formatted text with names for its fields."""
    text, taken = "", set[str]()
    for part in node.values:
        if isinstance(part, ast.Constant):
            text += str(part.value)
        elif isinstance(part, ast.FormattedValue):
            name = first = _name(part.value)
            number = 1
            while name in taken:
                number += 1
                name = f"{first}_{number}"
            taken.add(name)
            text += f"{{{name}}}"
    return text


def _name(value: ast.expr) -> str:
    """What a field is called: as its value is, in short."""
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.strip("_").lower()
        case ast.Call(args=[ast.AST() as given, *_]) if isinstance(value.func, ast.Attribute):
            return _name(given) if value.func.attr == "join" else value.func.attr.strip("_")
        case ast.Call(func=ast.Name(id=name)):
            return name.strip("_")
        case ast.Call(func=ast.Attribute(attr=name)):
            return name.strip("_")
        case ast.Subscript(value=of) | ast.BinOp(left=of) | ast.IfExp(body=of):
            return _name(of)
        case ast.BoolOp(values=[of, *_]):
            return _name(of)
        case ast.Starred(value=of) | ast.ListComp(elt=of) | ast.GeneratorExp(elt=of):
            return _name(of)
    return "it"


def _alone(text: str) -> str:
    """A text without whole sentences before and behind it that are texts of their own."""
    text = re.sub(r"^\{\w+\} (?=[A-Z][a-z]*[ :])", "", text)
    return re.sub(r"(?<=[.?!]) \{\w+\}$", "", text)


def _is_read(text: str) -> bool:
    if text in NO_SENTENCES:
        return False
    bare = re.sub(r"\{\w+\}", "", text)
    words = re.findall(r"[A-Za-z]{2,}", bare)
    if not words or NOT_READ.match(text):
        return False
    if "{" in text:
        return " " in text and sum(map(len, words)) >= LEAST_LETTERS
    return " " in text and len(words) >= 2 and any(word.islower() for word in words)

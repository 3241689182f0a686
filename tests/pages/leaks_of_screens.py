"""Faults in what the pages keep or show, by each of which two worlds can be told apart.

A phone that keeps something of what it showed does so by itself. Boards and operatives' phones are
never told the key: for a fault there what is hidden is written into the file, as ``HIDDEN``.
"""

import json
from dataclasses import dataclass
from typing import Any, Final

BOARD: Final = "board"
OPERATIVES: Final = "red-operatives"
SPYMASTER: Final = "red-spymaster"
AGENT: Final = "agent-1"


@dataclass(frozen=True)
class ScreenLeak:
    """A fault that is planted in one file of the pages."""

    name: str
    screen: str
    seen_in: str
    """The part of a `looked_at.Look` in which it must be found."""
    file: str
    before: str
    after: str

    def serve(self, text: str, hidden: Any) -> str:
        """The file with the fault in it."""
        assert text.count(self.before) == 1, f"{self.file} has not once: {self.before}"
        return text.replace(self.before, self.after.replace("HIDDEN", json.dumps(hidden)))


def _kept_key(name: str, seen_in: str, does: str) -> ScreenLeak:
    """A fault of a spymaster's phone, which does this with the key as it shows it."""
    line = "const key = held ? message.key : null;"
    after = f"{line} if (key !== null) {{ {does} }}"
    return ScreenLeak(name, SPYMASTER, seen_in, "phone-words.js", line, after)


def _kept_cells(name: str, line: str, does: str) -> ScreenLeak:
    """A fault of a spymaster's phone, which keeps in ``was`` what each cell was."""
    was = "const was = (window[Symbol.for('was')] ??= {});"
    return ScreenLeak(name, SPYMASTER, "html", "phone-grid.js", line, f"{was} {does} {line}")


def _shown_on(screen: str, name: str, seen_in: str, file: str, line: str, does: str) -> ScreenLeak:
    """A fault of any screen, after a line of a file."""
    return ScreenLeak(name, screen, seen_in, file, line, f"{line} {does}")


_HOLD: Final = 'document.getElementById("hold")'
_ASSASSIN: Final = 'key.indexOf("a")'

LEAKS: Final = (
    _kept_key("a data attribute", "html", "this.node.dataset.kept = key;"),
    _kept_key("the label of a button", "tree", f'{_HOLD}.setAttribute("aria-label", key);'),
    _kept_key("a hidden element", "html", 'this.node.append(el("p", { hidden: true }, key));'),
    _kept_key(
        "an element that goes after a second",
        "html",
        'const kept = el("p", {}, key); this.node.append(kept);'
        " setTimeout(() => kept.remove(), 1000);",
    ),
    _kept_key("a style", "html", f'this.node.style.setProperty("--at", {_ASSASSIN});'),
    _kept_key("a title", "title", "document.title = key;"),
    _kept_key(
        "a description that no attribute tells",
        "tree",
        f"{_HOLD}.ariaDescribedByElements ="
        f' [document.querySelectorAll(".language")[{_ASSASSIN} > 5 ? 1 : 0]];',
    ),
    _kept_key(
        "the value of a field", "values", 'this._writing.querySelector("input").value = key;'
    ),
    _kept_key("a property of a node", "properties of nodes", "this.node.kept = key;"),
    _kept_key("a rule of style", "styles", "document.styleSheets[0].insertRule(`.${key} {}`);"),
    _kept_key("the browser's store", "local storage", 'localStorage.setItem("key", key);'),
    _kept_key("the window's name", "globals", "window.name = key;"),
    _kept_key("the history", "history", 'history.replaceState({ key }, "");'),
    _kept_key(
        "the address", "address", 'history.replaceState(null, "", `?${key}${location.hash}`);'
    ),
    _kept_key(
        "what was fetched",
        "fetched",
        "const asked = new XMLHttpRequest();"
        " asked.open('GET', `/static/${key}`, false); asked.send();",
    ),
    _kept_cells(
        "a class",
        'if (isChosen) classes.push("chosen");',
        "was[cell.name] = cell.hidden ?? was[cell.name];"
        ' if (was[cell.name] === "assassin") classes.push("was");',
    ),
    _kept_cells(
        "the order of the cells",
        "return cells.map((cell) =>",
        "for (const cell of cells) was[cell.name] = cell.hidden ?? was[cell.name];"
        ' cells = [...cells].sort((cell) => (was[cell.name] === "assassin" ? -1 : 0));',
    ),
    _shown_on(
        OPERATIVES,
        "a class of a cell",
        "html",
        "phone-grid.js",
        'const classes = ["cell"];',
        'if (HIDDEN[CELLS.indexOf(cell.name)] === "a") classes.push("soft");',
    ),
    _shown_on(
        OPERATIVES,
        "what is said of a cell",
        "tree",
        "phone-grid.js",
        "const said = [cell.name];",
        'if (HIDDEN[CELLS.indexOf(cell.name)] === "a") said.push("beware");',
    ),
    _shown_on(
        BOARD,
        "a title",
        "title",
        "board.js",
        "paint(described);",
        "setTimeout(() => (document.title = HIDDEN));",
    ),
    _shown_on(
        BOARD,
        "a width of a cell",
        "html",
        "paint.js",
        "text(label, cell.label);",
        'if (HIDDEN[cellNodes.indexOf(node)] === "a") style(node, "--w", 1);',
    ),
    _shown_on(
        AGENT,
        "a data attribute",
        "html",
        "phone-agent.js",
        "const shown = held ? message.agent : null;",
        "if (shown !== null) this.node.dataset.role = shown.identikit.role;",
    ),
    _shown_on(
        AGENT,
        "what can be done",
        "html",
        "phone-visit.js",
        "const { view, entered } = context;",
        "const was = (window[Symbol.for('was')] ??= new Set());"
        " was.add(context.agent?.identikit.role);"
        " if (context.agent === null && was.has('informer')) return [];",
    ),
)

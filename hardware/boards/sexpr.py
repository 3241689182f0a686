"""Reads and writes S-expressions, the format of KiCad's files."""

import re
from typing import Final

Node = list["Node | str"]
"""An expression in brackets, as a list; the first item is its name. A quoted text keeps its quotes,
so that ``dump`` writes it back unchanged."""

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+')


def parse(text: str) -> Node:
    """Return the one outermost expression of the text. Raises ValueError for an unclosed bracket,
    or for text after the expression."""
    root: Node = []
    open_ones = [root]
    for token in _TOKEN.findall(text):
        if token == "(":
            inner: Node = []
            open_ones[-1].append(inner)
            open_ones.append(inner)
        elif token == ")":
            open_ones.pop()
        else:
            open_ones[-1].append(token)
    if len(open_ones) != 1 or len(root) != 1 or isinstance(root[0], str):
        raise ValueError("The text is not one closed bracket.")
    return root[0]


def dump(node: Node, depth: int = 0) -> str:
    """Return the node's text in KiCad's layout: each expression inside another one begins a new
    line."""
    indent = "\t" * depth
    if all(isinstance(item, str) for item in node):
        return f"{indent}({' '.join(map(str, node))})"
    head = " ".join(item for item in node if isinstance(item, str))
    lines = [dump(item, depth + 1) for item in node if not isinstance(item, str)]
    return "\n".join([f"{indent}({head}", *lines, f"{indent})"])


def quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def plain(token: "Node | str") -> str:
    """Return the text of a token without its quotes. Raises ValueError for a node."""
    if not isinstance(token, str):
        raise ValueError(f"A bracket stands where a word is expected: {dump(token)}")
    if not token.startswith('"'):
        return token
    return re.sub(r"\\(.)", r"\1", token[1:-1])


def children(node: Node, name: str) -> list[Node]:
    """Return the node's direct children with this name."""
    return [item for item in node if isinstance(item, list) and item[:1] == [name]]


def child(node: Node, name: str) -> Node:
    """Return the node's first direct child with this name. Raises KeyError if there is no such
    child."""
    found = children(node, name)
    if not found:
        raise KeyError(name)
    return found[0]

"""All that a page holds, as text: what it is made of and keeps, and what a screen reader finds.

Two screens are compared by it. What must differ between two tables is taken out, and nothing else:
the address of the table, the keys of a phone in its own address, the time that a clock shows, where
on a desktop Chromium has put its window, and in which order attributes were set: a page that was
cut off for a moment has set them anew.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from playwright.sync_api import Page
from seen import Difference, Seen, differences
from table_with_pages import until

_LOOK: Final = r"""
async () => {
    const page = document.documentElement.cloneNode(true);
    for (const timer of page.querySelectorAll("[role=timer]")) {
        const texts = document.createTreeWalker(timer, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const text = texts.currentNode;
            text.data = text.data.replace(/\d+:\d\d/, "m:ss");
        }
    }
    for (const node of [page, ...page.querySelectorAll("*")]) {
        const inOrder = (one, other) => one.name < other.name ? -1 : 1;
        for (const each of [...node.attributes].sort(inOrder)) {
            node.removeAttributeNode(each);
            node.setAttributeNode(each);
        }
    }
    const nodes = [...document.querySelectorAll("*")];
    const sheets = [...document.styleSheets, ...document.adoptedStyleSheets];
    const text = value => typeof value === "object" ? JSON.stringify(value) : String(value);
    const own = thing => Object.keys(thing).map(name => `${name}=${text(thing[name])}`);
    const stored = store => Object.keys(store).map(name => `${name}=${store.getItem(name)}`).sort();
    const globals = name => ["string", "number", "boolean"].includes(typeof window[name])
        && !/^screen/.test(name);
    const found = {
        html: page.outerHTML,
        values: nodes.filter(node => "value" in node).map(
            node => [node.value, node.checked, node.selectedIndex, node.selectionEnd].join(" ")),
        "properties of nodes": nodes.flatMap((node, at) => own(node).map(each => `${at} ${each}`)),
        "shadow trees": nodes.map(node => node.shadowRoot?.innerHTML).filter(Boolean),
        styles: sheets.flatMap(sheet => [...sheet.cssRules].map(rule => rule.cssText)),
        title: document.title,
        address: location.href,
        history: [history.length, text(history.state)],
        "local storage": stored(localStorage),
        "session storage": stored(sessionStorage),
        cookies: document.cookie,
        globals: Object.keys(window).filter(globals).map(name => `${name}=${window[name]}`).sort(),
        fetched: [...new Set(performance.getEntriesByType("resource").map(
            ({name}) => name))].sort(),
        focus: nodes.indexOf(document.activeElement),
        scrolled: [scrollX, scrollY, ...nodes.map(node => [node.scrollLeft, node.scrollTop])],
    };
    found.databases = await indexedDB.databases();
    found.caches = await caches.keys();
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [
        name, Array.isArray(value) ? value.map(text).join("\n") : text(value)]));
}
"""
_KEYS: Final = re.compile(r"#[\w-]{43}\.[\w-]{43}")
_TIME: Final = re.compile(r"\d+:\d\d")
_NUMBERS: Final = {"nodeId", "backendDOMNodeId", "parentId", "childIds", "frameId"}
"""Chromium's numbers of its nodes: they differ in each browser's tab."""

Look = Mapping[str, str]


class Screen:
    """A page of one world, to be looked at."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session = page.context.new_cdp_session(page)
        self._host = page.evaluate("location.host")

    def look(self) -> Look:
        """Everything that the page holds now, by its name."""
        found: dict[str, str] = self.page.evaluate(_LOOK)
        found["tree"] = "\n".join(self._tree())
        found = {name: text.replace(self._host, "table") for name, text in found.items()}
        for name in ("address", "globals", "tree"):
            found[name] = _KEYS.sub("#keys", found[name])
        return found

    def _tree(self) -> Iterator[str]:
        nodes = self._session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}

        def lines(node: Any, depth: int, in_timer: bool) -> Iterator[str]:
            in_timer = in_timer or node.get("role", {}).get("value") == "timer"
            line = " " * depth + str(_told(node))
            yield _TIME.sub("m:ss", line) if in_timer else line
            for child in node.get("childIds", ()):
                if child in by_id:
                    yield from lines(by_id[child], depth + 1, in_timer)

        return lines(nodes[0], 0, False)


def _told(node: Any) -> Any:
    """A node, or a part of one, without the numbers."""
    if isinstance(node, dict):
        return {name: _told(value) for name, value in node.items() if name not in _NUMBERS}
    return [_told(each) for each in node] if isinstance(node, list) else node


def unlike(what: str, here: Look, there: Look) -> list[Difference]:
    """Where two looks at the same screen of two worlds differ."""
    seen = [[Seen(f"{what}: {name}", look[name]) for name in look] for look in (here, there)]
    return differences(*seen)


def told_apart(what: str, here: Screen, there: Screen, patience: float) -> list[Difference]:
    """Where two screens differ still, once each has had so many seconds to be as it is to be."""
    found: list[Difference] = []

    def are_alike() -> bool:
        found[:] = unlike(what, here.look(), there.look())
        return not found

    with suppress(TimeoutError):
        until(are_alike, patience)
    return found

"""The setting of a grid's words, as a browser has painted them: one size, and no word is broken."""

from typing import Final

from playwright.sync_api import Page

from pi_table.common.language import LANGUAGES, Lang
from pi_table.lab.legibility import longest_words

LONGEST: Final[dict[Lang, list[str]]] = {
    lang: [*longest_words(lang)[1:], "ICE CREAM"] for lang in LANGUAGES
}
"""The longest words of a pack, in capitals, and one of two words."""
_FAULTS: Final = """
async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame().then(frame); // words are set in the frame after a change of the size
    const cards = ".grid .cell:not(.empty):not([data-kind=nuke]) .word";
    const faults = [];
    const sizes = {};
    for (const node of document.querySelectorAll(cards)) {
        const [text] = node.childNodes;
        if (text === undefined || !node.checkVisibility()) continue;
        const { fontSize, fontFamily, transform } = getComputedStyle(node);
        const cell = node.closest(".cell").getBoundingClientRect();
        const { kind = "" } = node.closest(".cell").dataset;
        const is_small = kind === "covered" || kind === "known";
        const style = is_small + fontFamily;
        (sizes[style] = sizes[style] || []).push(parseFloat(fontSize));
        if (new DOMMatrix(transform).a < 0.849) faults.push(`${text.data} is squeezed far`);
        const range = document.createRange();
        for (const { index, 0: part } of text.data.matchAll(/\\S+/g)) {
            range.setStart(text, index);
            range.setEnd(text, index + part.length);
            const { left, right, height } = range.getBoundingClientRect();
            if (height > 1.5 * parseFloat(fontSize)) faults.push(`${part} is broken`);
            const air = Math.min(left - cell.left, cell.right - right);
            if (air < 0.03 * cell.width) faults.push(`${part} has ${air} pixels beside it`);
        }
    }
    for (const found of Object.values(sizes))
        if (Math.max(...found) - Math.min(...found) > 0.1) faults.push(`several sizes: ${found}`);
    if (Object.keys(sizes).length > 2) faults.push(`several faces: ${Object.keys(sizes)}`);
    return faults;
}
"""


def faults_of_words(page: Page) -> list[str]:
    """A sentence for each word that is broken, squeezed too far, or larger than the others."""
    found: list[str] = page.evaluate(_FAULTS)
    return found

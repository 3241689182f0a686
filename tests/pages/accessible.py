"""The findings of axe-core about a page, by WCAG 2.2 at the levels A and AA."""

from importlib.resources import files
from typing import Final

from playwright.sync_api import Page

RULES: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_RUN: Final = """
async rules => {
    const found = await axe.run(document, {runOnly: {type: "tag", values: rules}});
    return found.violations.flatMap(one => one.nodes.map(
        node => `${one.id}: ${one.help}: ${node.html} ${node.failureSummary}`));
}
"""


def faults_of(page: Page) -> list[str]:
    """A sentence for each; none where all is well."""
    if not page.evaluate("'axe' in window"):
        # By the developer's door: the page's own policy lets no script in that is not the table's.
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found: list[str] = page.evaluate(_RUN, [*RULES])
    return found

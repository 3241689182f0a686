"""The tests of the pages stand on a browser that opens them and on axe-core, which finds faults."""

import pytest
from accessible import faults_of
from playwright.sync_api import Browser

pytestmark = pytest.mark.pages

WELL = """<!doctype html><html lang=en><title>A page</title><main><h1>A page</h1>
<button>Press</button></main>"""
WRONG = [
    ("<button>Press</button>", "<button></button>", "button-name"),
    ("lang=en", "", "html-has-lang"),
    ("<h1>", "<img src=data:,><h1>", "image-alt"),
    ("<h1>", '<h1 style="color: #bbb; background: #fff">', "color-contrast"),
    ("<main>", "<main><input>", "label"),
]


@pytest.mark.parametrize(("right", "wrong", "rule"), WRONG)
def test_what_is_wrong_with_a_page_is_found(
    chromium: Browser, right: str, wrong: str, rule: str
) -> None:
    page = chromium.new_page()
    page.set_content(WELL)
    assert faults_of(page) == []
    page.set_content(WELL.replace(right, wrong))
    assert [fault.partition(":")[0] for fault in faults_of(page)] == [rule]
    page.close()

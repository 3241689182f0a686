"""Lists that somebody brings to the desk: in Chromium, from file to cards, letter by letter."""

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest
from accessible import faults_of
from people import Open, Picture
from playwright.sync_api import Page, Request, expect
from table_with_pages import TableWithPages
from test_desk_page import LAPTOP, MOBILE, enter, link_of, section

from pi_table.games.cards.command import print_cards
from pi_table.games.words.pack import pack_named

NAMES = (
    *("ANCORA", "BASTONE", "CANDELA", "DRAGO", "ELICA", "FARO", "GATTO", "LANTERNA", "MARTELLO"),
    *("NUVOLA", "OCCHIO", "PENTOLA", "QUADRO", "RUOTA", "SELLA", "TORRE", "UOVO", "VIOLINO"),
    *("ZAINO", "ISOLA", "BARCA", "PONTE", "STELLA"),
)
WORDS: Final = (*NAMES, "CAFFÈ", "CITTÀ", "PERÙ", "TÈ VERDE")
PACK: Final = (
    "name: bar\ntitle: Al bar\nlanguage: it\naudience: everybody\nsource: noi\nlicence: MIT\n\n"
)
BROUGHT: Final[dict[str, tuple[bytes, str | None]]] = {
    "utf-8.txt": ("\n".join(WORDS).encode(), None),
    "mark.csv": ("\r\n".join(f'"{word}";1' for word in WORDS).encode("utf-8-sig"), None),
    "utf-16.txt": ("\r\n".join(WORDS).encode("utf-16"), None),
    "utf-16-be.txt": ("\t".join(WORDS).encode("utf-16-be"), None),
    "utf-32.txt": ("\n".join(f"• {word}" for word in WORDS).encode("utf-32"), None),
    "windows.csv": (", ".join(WORDS).encode("cp1252"), "Windows-1252"),
    "latin-1.txt": ("\n".join(f"- {w.lower()}" for w in WORDS).encode("latin-1"), "Windows-1252"),
    "latin-9.txt": (f"// 5 €\n{' | '.join(WORDS)}".encode("iso8859-15"), "Latin-9"),
    "mac.txt": ("\r".join(f"1. {w}" for w in WORDS).encode("mac-roman"), "Mac Roman"),
    "dos.txt": ("\r\n".join(f"{w}\t7" for w in WORDS).encode("cp850"), "DOS 850"),
    "pack.txt": ((PACK + "\r\n".join(WORDS)).encode("cp1252"), "Windows-1252"),
}  # fmt: skip
"""Files by their names, and the encoding that somebody has to choose; None where none is asked."""


def desk_of(table: TableWithPages, opened: Open, *how: object) -> Page:
    page = opened(link_of(table), *how)
    enter(page)
    section(page, 2)
    page.wait_for_selector(".packs .card")
    return page


def test_a_list_in_any_encoding_is_brought_kept_dealt_and_printed_letter_by_letter(
    table: TableWithPages, opened: Open, picture: Picture, tmp_path: Path
) -> None:
    page = desk_of(table, opened, LAPTOP)
    folder = table.folder / "state/packs"
    for name, (content, encoding) in BROUGHT.items():
        file = tmp_path / name
        file.write_bytes(content)
        page.set_input_files("#pack-file", file)
        if encoding is not None:
            expect(page.locator("#list-state")).to_contain_text("does not say how")
            picture(page, f"desk-list-{name}-asked")
            page.get_by_label(f"({encoding})").click()
        if name != "pack.txt":
            expect(page.locator("#list-state")).to_contain_text(f"{len(WORDS)} words")
            page.select_option("#list-language", "it")
            expect(page.locator(".found li")).to_have_text(WORDS)
            picture(page, f"desk-list-{name}")
            page.get_by_role("button", name="Make a pack from this list").click()
        expect(page.locator("#pack-state")).to_have_text(f"In order: {len(WORDS)} words.")
        picture(page, f"desk-list-{name}-made")
        page.get_by_role("button", name="Save").click()
        page.wait_for_selector(".packs .card")
    packs = sorted(path.stem for path in folder.iterdir())
    assert len(packs) == len(BROUGHT)
    for pack in packs:
        assert pack_named(pack, folder).words == WORDS, pack
        table.console.do("start", profile="codenames", cards="dealt", pack=pack, lang="it")
        dealt = {cell["word"] for cell in table.public()["view"]["cells"].values()}
        assert len(dealt) == 25
        assert dealt <= {*WORDS}, pack
        table.console.do("abandon")
        pdf = tmp_path / f"{pack}.pdf"
        with (tmp_path / "told").open("w") as told:
            print_cards(pack, folder, "british", None, "44x68", "a4", pdf, told)
        printed = subprocess.run(["pdftotext", "-raw", pdf, "-"], stdout=-1, check=True).stdout
        lines = " ".join(printed.decode().split())
        assert [word for word in WORDS if word not in lines] == [], pack


@pytest.mark.parametrize(("size", "lang"), [(LAPTOP, "en"), (MOBILE, "it")])
def test_a_list_is_pasted_and_what_is_doubtful_is_told(
    table: TableWithPages, opened: Open, picture: Picture, size: tuple[int, int], lang: str
) -> None:
    page = desk_of(table, opened, size, lang)
    page.locator(".packs .row button").nth(1).click()
    pasted = "\n".join(["Parole", *WORDS, "PRONTI, VIA", "gatto", "UNA PAROLA TROPPO LUNGA"])
    page.fill("#list-text", pasted)
    page.wait_for_selector(".found li")
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    picture(page, f"desk-list-pasted-{lang}")
    page.screenshot(path=f"build/pages/desk-list-pasted-{lang}-whole.png", full_page=True)
    expect(page.locator(".complaints").first).to_contain_text("PRONTI, VIA")
    page.select_option("#list-separator", "lines")
    expect(page.locator(".complaints").last).to_contain_text("PRONTI, VIA")


EDIT: Final = """words => {
    const area = document.getElementById("list-text");
    area.value += words;
    area.dispatchEvent(new Event("input"));
    LAST;
}"""


def test_a_pack_is_made_from_the_latest_edit(table: TableWithPages, opened: Open) -> None:
    page = desk_of(table, opened, LAPTOP)
    page.get_by_role("button", name="Paste a list").click()
    page.fill("#list-text", "\n".join(WORDS))
    page.select_option("#list-language", "it")
    page.fill("#list-title", "Al bar")
    expect(page.locator(".found li")).to_have_text(WORDS)
    make = page.get_by_role("button", name="Make a pack from this list")
    page.evaluate(EDIT.replace("LAST", "document.querySelector('form .primary').click()"), "\nALBA")
    expect(page.locator(".found li")).to_have_text((*WORDS, "ALBA"))
    make.click()
    expect(page.locator("#pack-text")).to_have_value(re.compile("^ALBA$", re.MULTILINE))


def test_a_choice_does_not_read_a_list_that_is_not_uploaded(
    table: TableWithPages, opened: Open
) -> None:
    page = desk_of(table, opened, LAPTOP)
    page.get_by_role("button", name="Paste a list").click()
    page.fill("#list-text", "\n".join(WORDS))
    expect(page.locator(".found li")).to_have_text(WORDS)
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    chosen = "document.getElementById('list-language').dispatchEvent(new Event('change'))"
    page.evaluate(EDIT.replace("LAST", chosen), "\nALBA")
    expect(page.locator(".found li")).to_have_text((*WORDS, "ALBA"))
    assert len(asked) == 2  # one piece, and its reading


def test_a_file_that_is_dropped_or_is_no_text_is_answered_with_a_sentence(
    table: TableWithPages, opened: Open, tmp_path: Path
) -> None:
    page = desk_of(table, opened, LAPTOP)
    data = page.evaluate_handle(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["PK\\x03\\x04…"], "words.docx"));
            return data;
        }"""
    )
    page.locator(".packs").dispatch_event("drop", {"dataTransfer": data})
    expect(page.locator("#list-state")).to_contain_text("a document of Word, Excel or LibreOffice")
    assert page.locator("form").is_hidden()
    data = page.evaluate_handle("() => new DataTransfer()")
    data.evaluate("(data, words) => data.setData('text/plain', words)", "; ".join(WORDS))
    page.locator(".packs").dispatch_event("drop", {"dataTransfer": data})
    expect(page.locator(".found li")).to_have_text(WORDS)


def test_a_pack_of_the_house_in_another_encoding_is_never_saved_with_a_letter_lost(
    table: TableWithPages, opened: Open, picture: Picture
) -> None:
    folder = table.folder / "state/packs"
    folder.mkdir()
    content = (PACK + "\r\n".join(WORDS)).encode("cp1252")
    (folder / "bar.txt").write_bytes(content)
    (folder / "LIST.TXT").write_text("\n".join(WORDS), encoding="utf-8")
    page = desk_of(table, opened, LAPTOP)
    picture(page, "desk-list-not-read")
    card = page.locator(".card", has_text="bar.txt")
    card.get_by_role("button", name="Change").click()
    expect(page.locator("#list-state")).to_contain_text("does not say how")
    assert faults_of(page) == []
    assert page.get_by_role("button", name="Save").count() == 0
    assert (folder / "bar.txt").read_bytes() == content
    page.get_by_label("(Windows-1252)").click()
    expect(page.locator("#pack-state")).to_have_text(f"In order: {len(WORDS)} words.")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".packs .card")
    assert pack_named("bar", folder).words == WORDS
    page.locator(".card", has_text="LIST.TXT").get_by_role("button", name="Change").click()
    page.get_by_role("button", name="Make a pack from this list").click()
    page.fill("#list-title", "La lista")
    page.select_option("#list-language", "it")
    page.get_by_role("button", name="Make a pack from this list").click()
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".packs .card")
    assert sorted(path.name for path in folder.iterdir()) == ["bar.txt", "la-lista.txt"]

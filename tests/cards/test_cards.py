"""Word cards as a PDF, looked at by another program: poppler."""

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import ascii_uppercase

import pytest
from PIL import Image, ImageChops
from PIL.Image import Transpose

from pi_table.cli import main
from pi_table.games.cards.pdf import PANEL, RULER, Style, write_cards
from pi_table.games.cards.sheet import CARDS, FOOT, MARGIN, PAPERS, Layout, layout

WORDS = ("ACE", "PERCHÉ", "WWWWWWWWWWWWWW", "NEW YORK", *(f"WORD {n}" for n in range(30)))
HEAD = "name: sea\ntitle: Sea\nlanguage: en\naudience: everybody\nsource: us\nlicence: none\n"
DPI = 127
"""Five dots a millimetre."""

every_layout = pytest.mark.parametrize(
    "placed", [layout(card, paper) for card in CARDS for paper in PAPERS]
)


def page_of(pdf: Path, number: int) -> Image.Image:
    """A page in grey, five dots a millimetre."""
    line = ["pdftoppm", "-r", str(DPI), "-gray", "-f", str(number), "-l", str(number), str(pdf)]
    subprocess.run([*line, str(pdf.with_suffix(""))], check=True)
    (image,) = pdf.parent.glob(f"{pdf.stem}-*.pgm")
    found = Image.open(image).convert("L")
    image.unlink()
    return found


def text_of(pdf: Path) -> str:
    line = ["pdftotext", "-raw", str(pdf), "-"]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


def card_of(page: Image.Image, placed: Layout, number: int, inside: float = 0.6) -> Image.Image:
    """Return the part of the picture within the cutting lines."""
    left, top = placed.corner(number)
    right, near = left + placed.card.across, top + placed.card.down
    edges = left + inside, top + inside, right - inside, near - inside
    first, second, third, fourth = (round(5 * edge) for edge in edges)
    return page.crop((first, second, third, fourth))


def inked(image: Image.Image) -> tuple[int, int, int, int]:
    """Where anything is printed."""
    found = black(image).getbbox()
    assert found is not None, "nothing is printed there"
    return found


def black(image: Image.Image, below: int = 128) -> Image.Image:
    """White where something is printed, and black elsewhere."""
    return image.point([255 * (grey < below) for grey in range(256)])


@every_layout
def test_cards_stay_where_a_printer_prints(placed: Layout) -> None:
    assert placed.left >= MARGIN
    assert placed.top >= MARGIN
    right, near = placed.corner(placed.a_page - 1)
    assert placed.page.across - right - placed.card.across >= MARGIN
    assert placed.page.down - near - placed.card.down >= MARGIN + FOOT - 1e-9


@every_layout
def test_each_word_stands_on_its_card_once_for_each_side(placed: Layout, tmp_path: Path) -> None:
    pdf = tmp_path / "cards.pdf"
    printed = write_cards(WORDS, Style("Test"), placed, pdf)
    assert printed.pages == placed.pages(len(WORDS))
    said = " ".join(text_of(pdf).split())
    for word in WORDS:
        assert said.count(word) >= 2, word
    page = page_of(pdf, 1)
    assert page.size == pytest.approx([5 * each for each in placed.page], abs=1)
    for number in range(placed.a_page):
        card = card_of(page, placed, number)
        print_of = black(card.crop(inked(card)))
        # Turned, a dot falls beside where it was, so that a seam of the letters differs.
        apart = ImageChops.difference(print_of, print_of.rotate(180)).histogram()[255]
        assert apart < 0.3 * print_of.histogram()[255], WORDS[number]
        inked(card.crop((0, 0, card.width, card.height // 2 - 5)))


@every_layout
def test_a_bad_cut_takes_no_letter(placed: Layout, tmp_path: Path) -> None:
    pdf = tmp_path / "cards.pdf"
    write_cards(WORDS, Style("Test"), placed, pdf)
    page = page_of(pdf, 1)
    for number in range(placed.a_page):
        left, far, right, near = inked(card_of(page, placed, number))
        high, wide = 5 * placed.card.down, 5 * placed.card.across
        assert min(left, far, wide - right, high - near) >= 5 * 3 - 3, WORDS[number]


def edges_of(page: Image.Image, placed: Layout) -> Iterator[Image.Image]:
    """Yield a strip of the page along each cut, from the outermost card to the other."""
    left, top = placed.corner(0)
    right, near = left + placed.columns * placed.card.across, top + placed.rows * placed.card.down
    for column in range(placed.columns + 1):
        x = left + column * placed.card.across
        yield page.crop((round(5 * x) - 3, round(5 * top) + 2, round(5 * x) + 3, round(5 * near)))
    for row in range(placed.rows + 1):
        y = top + row * placed.card.down
        yield page.crop((round(5 * left) + 2, round(5 * y) - 3, round(5 * right), round(5 * y) + 3))


@every_layout
def test_a_page_is_cut_by_marks_that_are_on_no_card(placed: Layout, tmp_path: Path) -> None:
    pdf = tmp_path / "cards.pdf"
    write_cards(WORDS, Style("Test"), placed, pdf)
    page = page_of(pdf, 1)
    assert [strip.getbbox() for strip in edges_of(black(page, 250), placed)].count(None) == (
        placed.columns + placed.rows + 2
    )
    left, top = placed.corner(0)
    for column in range(placed.columns + 1):
        x = round(5 * (left + column * placed.card.across))
        inked(page.crop((x - 2, round(5 * (top - 3.7)), x + 3, round(5 * top))))
    for row in range(placed.rows + 1):
        y = round(5 * (top + row * placed.card.down))
        inked(page.crop((round(5 * (left - 3.7)), y - 2, round(5 * left), y + 3)))
    write_cards(WORDS, Style("Test", has_lines=True), placed, pdf)
    dashed = page_of(pdf, 1)
    assert all(strip.getbbox() for strip in edges_of(black(dashed, 250), placed))


@every_layout
def test_each_card_has_its_back_behind_it(placed: Layout, tmp_path: Path) -> None:
    pdf = tmp_path / "cards.pdf"
    style = Style("Our kitchen", for_adults=True, has_backs=True)
    words = WORDS[: placed.a_page + 1]
    assert write_cards(words, style, placed, pdf).pages == 4
    long_edge_is_across = placed.page.across > placed.page.down
    turn = Transpose.FLIP_TOP_BOTTOM if long_edge_is_across else Transpose.FLIP_LEFT_RIGHT
    behind = [page_of(pdf, number).transpose(turn) for number in (2, 4)]
    for number in range(placed.a_page):
        back = card_of(behind[0], placed, number)
        left, far, right, near = inked(back)  # the panel; the pattern is paler
        assert (right - left, near - far) == pytest.approx([5 * side for side in PANEL], abs=3)
        assert left == pytest.approx(back.width - right, abs=3)
        assert far == pytest.approx(back.height - near, abs=3)
        assert black(back, 250).getbbox() == (0, 0, *back.size)
    inked(card_of(behind[1], placed, 0))
    assert black(card_of(behind[1], placed, 2), 250).getbbox() is None
    assert text_of(pdf).split().count("OK") == 2 * len(words) + 2 * len(words)


def test_a_pack_for_adults_has_dark_badges_and_options_reach_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    placed, pdf = layout("44x68", "a4"), tmp_path / "cards.pdf"
    shares = []
    for pack, options in (("english", []), ("after-dark", ["--backs", "--lines"])):
        assert main(["cards", pack, "--count", "25", "--out", str(pdf), *options]) == 0
        page = page_of(pdf, 1)
        card = card_of(page, placed, 0)
        middle = card.height // 2
        badge = card.crop((card.width - 42, middle - 6, card.width - 20, middle + 6))
        shares.append(black(badge).histogram()[255] / (badge.width * badge.height))
        dashed = all(strip.getbbox() for strip in edges_of(black(page, 250), placed))
        assert dashed == bool(options)
    assert shares[0] < 0.4 < 0.6 < shares[1]
    first, second, third = capsys.readouterr().out.splitlines()
    assert "on 2 pages" in first
    assert "on 4 pages" in second
    assert "flip on the long edge" in third


@pytest.mark.parametrize(
    ("title", "letters"),
    [("Italiano", "IT"), ("After dark", "AD"), ("L’osteria di Ugo", "LO"), ("Ü", "Ü"), ("…", "")],
)
def test_a_badge_has_the_letters_of_the_title(title: str, letters: str) -> None:
    assert Style(title).initials == letters


def test_the_order_is_mixed_and_the_same_in_each_print(tmp_path: Path) -> None:
    words = [f"WAVE{letter}" for letter in ascii_uppercase] + ["HARBOUR = HARBOR"]
    pdf = tmp_path / "cards.pdf"

    def print_words(*options: str, words: Sequence[str] = words) -> list[str]:
        (tmp_path / "sea.txt").write_text("\n".join([HEAD, *words]))
        line = ["cards", "sea", "--folder", str(tmp_path), "--out", str(pdf), *options]
        assert main(line) == 0
        return [*dict.fromkeys(word for word in text_of(pdf).split() if len(word) > 4)]

    printed = print_words()
    letters = "".join("-" if word == "HARBOUR" else word[4:] for word in printed)
    assert letters == "DCJWNTVPSXQOMFR-EZIKBYULGHA"  # as it always was
    assert print_words("--count", "25") == printed[:25]
    american = ["HARBOR" if word == "HARBOUR" else word for word in printed]
    assert print_words("--spelling", "american") == american
    more = print_words(words=["ANCHOR", *reversed(words)])
    assert [word for word in more if word != "ANCHOR"] == printed


def test_the_line_at_the_foot_is_as_long_as_it_says(tmp_path: Path) -> None:
    placed = layout("44x68", "a4")
    pdf = tmp_path / "cards.pdf"
    write_cards(WORDS, Style("Test"), placed, pdf)
    assert f"100 % = {RULER:.0f} mm" in text_of(pdf)
    page = page_of(pdf, 1)
    below = placed.top + placed.rows * placed.card.down
    foot = page.crop((page.width // 2, round(5 * (below + 4)), page.width, page.height))
    runs = black(foot, 200).tobytes()
    rows = [runs[at : at + foot.width] for at in range(0, len(runs), foot.width)]
    longest = max(len(run) for row in rows for run in row.split(b"\0"))
    assert longest == pytest.approx(5 * RULER, abs=3)


def test_the_same_words_make_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "1.pdf", tmp_path / "2.pdf"
    for pdf in (first, second):
        write_cards(WORDS, Style("Test"), layout("63x88", "a4"), pdf)
    assert first.read_bytes() == second.read_bytes()


def test_a_word_with_two_spellings_is_printed_in_the_one_that_is_asked_for(
    tmp_path: Path,
) -> None:
    lines = ["HARBOUR = HARBOR", *(f"W{number}" for number in range(24))]
    (tmp_path / "sea.txt").write_text("\n".join([HEAD, *lines]))
    for asked, other in (("british", "american"), ("american", "british")):
        pdf = tmp_path / f"{asked}.pdf"
        line = ["cards", "sea", "--folder", str(tmp_path), "--spelling", asked, "--out", str(pdf)]
        assert main(line) == 0
        words = {"british": "HARBOUR", "american": "HARBOR"}
        said = text_of(pdf).split()
        assert words[asked] in said
        assert words[other] not in said


def test_so_many_are_from_all_over_the_pack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pdf = tmp_path / "few.pdf"
    assert main(["cards", "english", "--count", "40", "--out", str(pdf)]) == 0
    assert "40 cards of 44 × 68 mm on 3 pages" in capsys.readouterr().out
    begin = {line[0] for line in text_of(pdf).splitlines() if line}
    assert len(begin) > 12, begin


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["english", "--size", "10x10"], "no cards of '10x10'"),
        (["english", "--paper", "a3"], "no paper 'a3'"),
        (["englisch"], "did you mean"),
        (["english", "--count", "24"], "24 cards cannot be made"),
        (["english", "--count", "100000"], "100000 cards cannot be made"),
    ],
)
def test_what_cannot_be_printed_is_refused_and_writes_nothing(
    line: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pdf = tmp_path / "cards.pdf"
    pdf.write_text("what was there")
    assert main(["cards", *line, "--out", str(pdf)]) == 2
    assert said in capsys.readouterr().err
    assert pdf.read_text() == "what was there"
    assert [each.name for each in tmp_path.iterdir()] == ["cards.pdf"]


def test_every_font_that_the_file_names_is_in_it(tmp_path: Path) -> None:
    pdf = tmp_path / "cards.pdf"
    write_cards(WORDS, Style("Two words"), layout("44x68", "a4"), pdf)
    told = subprocess.run(["pdffonts", str(pdf)], check=True, capture_output=True, text=True).stdout
    _, _, *fonts = told.splitlines()
    assert fonts
    for font in fonts:
        assert "AtkinsonHyperlegibleNext-Bold" in font
        assert font.split()[-5:-2] == ["yes", "yes", "yes"]  # embedded, a part of it, with Unicode


def test_a_file_that_is_no_pdf_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cards", "english", "--out", str(tmp_path / "cards.txt")]) == 2
    assert "cards.txt.pdf" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_what_cannot_be_written_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cards.pdf").mkdir()
    assert main(["cards", "english", "--out", str(tmp_path / "cards.pdf")]) == 1
    assert "cards.pdf" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["cards.pdf"]

"""Bytes as text: read strictly, or refused with the line and the encodings that they may be in."""

import codecs
import io
import zipfile

import pytest

from pi_table.common.decoding import ENCODINGS, EncodingError, decode_text, readings

LIST = "CAFFÈ\nCITTÀ\nTÈ VERDE\nPERÙ\nlunedì\n"


def test_utf8_is_read_with_a_mark_and_with_any_line_end() -> None:
    for end in ("\n", "\r\n", "\r"):
        data = LIST.replace("\n", end).encode()
        assert decode_text(data, "a.txt") == LIST
        assert decode_text(codecs.BOM_UTF8 + data, "a.txt") == LIST


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_encoding_is_among_the_readings_and_gives_every_letter(
    encoding: str, end: str
) -> None:
    text = LIST.replace("Ì", "I").replace("ì", "i").replace("ù", "u").replace("Ù", "U")
    text = text.replace("È", "É").replace("À", "Á") if encoding == "cp1250" else LIST
    found = readings(text.replace("\n", end).encode(encoding), "a.txt")
    assert text in [reading.text for reading in found]


def test_the_line_is_counted_behind_a_byte_order_mark() -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        with pytest.raises(EncodingError) as caught:
            decode_text(mark + b"A\nB\nC\n\xe0\n", "list")
        assert caught.value.line == 4


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-32-be"])
@pytest.mark.parametrize("text", [LIST, "ANCHOR\nBASKET\n"])
def test_wide_text_is_known_with_and_without_its_mark(encoding: str, text: str) -> None:
    (found,) = readings(text.encode(encoding), "a.txt")
    assert found.text == text
    assert found.is_certain()
    with pytest.raises(EncodingError, match=r"^a.txt, line 1: this is UTF-\d\d text, not UTF-8"):
        decode_text(text.encode(encoding), "a.txt")


def test_six_words_show_what_a_reading_makes_of_the_bytes() -> None:
    words = [f"CAFFÈ{letter}" for letter in "ABCDEFGH"]
    found = readings("\n".join(words).encode("cp1252"), "a.txt")
    assert tuple(words[:6]) in [reading.samples() for reading in found]


@pytest.mark.parametrize(
    ("data", "line", "saying"),
    [
        ("ANCHOR\nCAFFÈ\n".encode("cp1252"), 2, "Windows-1252 ('CAFFÈ')"),
        ("ANCHOR\rBASKET\rCAFFÈ\r".encode("mac-roman"), 3, "Mac Roman ('CAFFÈ')"),
        ("ANCHOR\r\n\r\ncaffè\r\n".encode("cp850"), 3, "DOS 850 ('caffè')"),
        ("ANCHOR\nNAÏVE\n".encode("latin-1"), 2, "Windows-1252 ('NAÏVE')"),
        ("ANCHOR\nCAFF\ufffd\n".encode(), 2, "in 'CAFF\ufffd' a letter was lost"),
        ("CAFFÈ\n".encode("utf-16")[:-1], 1, "UTF-16"),
        (b"{\\rtf1 ANCHOR}", 1, "a document with formatting (RTF)"),
        (b"%PDF-1.7", 1, "a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", 1, "an old Word or Excel"),
        (bytes(range(256)) * 4, 1, "this is not text"),
    ],
)
def test_what_is_not_utf8_is_refused_with_its_line_and_what_it_may_be(
    data: bytes, line: int, saying: str
) -> None:
    with pytest.raises(EncodingError) as caught:
        decode_text(data, "a.txt")
    assert caught.value.line == line
    assert str(caught.value).startswith(f"a.txt, line {line}: ")
    assert saying in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_document_of_an_office_is_told_from_a_text() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("word/document.xml", "ANCHOR")
    for read in (decode_text, readings):
        with pytest.raises(EncodingError, match="a document of Word, Excel or LibreOffice"):
            read(file.getvalue(), "a.docx")


def test_where_several_encodings_are_possible_none_is_chosen() -> None:
    found = readings("PERù\ncaffä".encode("cp1252") + b"\ncaff\x8a\n", "a.txt")
    assert len(found) > 1
    assert not any(reading.is_certain() for reading in found)
    assert len({reading.text for reading in found}) == len(found)
    assert len({reading.samples() for reading in found}) == len(found)

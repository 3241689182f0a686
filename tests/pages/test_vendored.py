"""The vendored files of the pages: those of their packages, but for one old spelling."""

import base64
import hashlib
import tarfile
from pathlib import Path
from typing import Final

import pytest

import pi_table

PAGES: Final = Path(next(iter(pi_table.__path__))) / "screens" / "web" / "pages"
VENDORED: Final = PAGES / "vendor" / "noble-ciphers"
PACKAGE: Final = Path(__file__).with_name("noble-ciphers-2.4.0.tgz")
INTEGRITY: Final = "sha512-" + (
    "AnjFn0Jv92laAkvMrghlFZq4qQCIN/4DxFV/eooqtC2YTjB7kBeLMS2T9KJX4Dn+ZVXLOwK0lSgqDtx9gvxtiw=="
)
"""The hash of the package @noble/ciphers 2.4.0, as its release gives it."""
RENAMED: Final = {"LICENSE.txt": "LICENSE"}
CHANGED: Final = {"utils.js": (b"cr?.getRandomValues", b"(cr && cr.getRandomValues)")}
"""What the vendored file has instead of a syntax that the oldest supported browsers lack."""


def _packed() -> dict[str, bytes]:
    with tarfile.open(PACKAGE) as package:
        files = {each.name: package.extractfile(each) for each in package}
        return {name: file.read() for name, file in files.items() if file is not None}


def _vendored() -> list[Path]:
    return [path for path in sorted(VENDORED.iterdir()) if path.is_file()]


def test_the_package_beside_this_test_has_the_hash_of_the_release() -> None:
    digest = hashlib.sha512(PACKAGE.read_bytes()).digest()
    assert f"sha512-{base64.b64encode(digest).decode()}" == INTEGRITY


@pytest.mark.parametrize("path", _vendored(), ids=lambda path: path.name)
def test_a_vendored_file_is_the_one_of_the_package(path: Path) -> None:
    name = RENAMED.get(path.name, path.name)
    assert path.read_bytes() == _packed()[f"package/{name}"].replace(*CHANGED.get(name, (b"", b"")))


def test_what_a_vendored_file_imports_is_there_and_comes_with_its_licence() -> None:
    names = {path.name for path in _vendored()}
    assert names == {"LICENSE.txt", "_arx.js", "_poly1305.js", "chacha.js", "utils.js"}
    for name in names:
        for line in (VENDORED / name).read_text("utf-8").splitlines():
            if line.startswith("import "):
                assert line.rsplit('"', 2)[1].removeprefix("./") in names, line

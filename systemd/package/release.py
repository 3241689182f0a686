#!/usr/bin/env python3
"""Makes the folder of files for download. `make release` calls this program, after the packages are
made.

RELEASE.md is the folder's page, which says what each file is and for whom. The same packages and
sources make the same bytes.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sources import ROOT, RefusalError, epoch, own_version, run, step

HERE = Path(__file__).parent
PAGES = ("systemd/INSTALL.md", "systemd/OPERATE.md", "systemd/FAULTS.md", "hardware/BOARDS.md")
PACKS = ("english", "italiano")
"""Word packs that a release offers for download."""
RECIPE = ("systemd/image", "pi_table/maintenance/first_boot/pi-table.toml")
FOR_A_PI = ("pi-table_*_all.deb", "pi-table-libs_*_arm64.deb")
OF_THE_WHEEL = ("pi_table", "pyproject.toml", "README.md", "LICENSE")
LINK = re.compile(r"\[([^]]+)\]\((?!https?:)([^)#]*)([^)]*)\)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path, help="the folder that `make deb` has filled")
    parser.add_argument("parent", type=Path, help="where the folder of the release is made")
    arguments = parser.parse_args()
    folder = arguments.parent / f"pi-table-{own_version()}"
    os.umask(0o022)
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make_release(arguments.packages, folder)
    except RefusalError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    print(f"{folder} is complete: begin with its README.md.")
    return 0


def make_release(packages: Path, folder: Path) -> None:
    debs = sorted(packages.glob("pi-table*.deb"))
    if len(debs) != 4:
        raise RefusalError(f"{packages} has {len(debs)} packages, not four: run 'make deb' first.")
    for file in (*debs, HERE / "install.sh"):
        shutil.copy(file, folder)
    for name in PAGES:
        text = without_the_tree((ROOT / name).read_text("utf-8"), name)
        (folder / Path(name).name).write_text(text, "utf-8")
    page = (HERE / "RELEASE.md").read_text("utf-8").replace("@version@", own_version())
    (folder / "README.md").write_text(page, "utf-8")
    build_wheel(folder)
    for pack in PACKS:
        _print_cards(pack, folder / f"cards-{pack}.pdf")
    _zip(folder / "enclosure.zip", _files_in_git("enclosure/files", "enclosure/figures.txt"))
    for board in sorted((ROOT / "hardware/boards").glob("*/gerbers")):
        files = {file.name: file for file in sorted(board.iterdir())}
        _zip(folder / f"gerbers-{board.parent.name}.zip", files)
    made = {f"build/deb/{deb.name}": deb for form in FOR_A_PI for deb in packages.glob(form)}
    _zip(folder / "image-recipe.zip", _files_in_git(*RECIPE) | made)
    _zip(folder / "source.zip", _files_in_git())
    sums = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(sums))


def without_the_tree(text: str, name: str) -> str:
    """Return a page of this tree for the release folder. If a link leads to a file that is not in
    that folder, the file's path in source.zip replaces the link."""

    def link_to(link: re.Match[str]) -> str:
        words, target, anchor = link.groups()
        path = os.path.normpath(os.path.join(os.path.dirname(name), target))
        if not target or path in PAGES:
            return f"[{words}]({os.path.basename(target)}{anchor})"
        named = f"`{path}` in source.zip"
        return named if words in path else f"{words} ({named})"

    return LINK.sub(link_to, text)


def build_wheel(target: Path) -> None:
    """Build the wheel for servers, which are not tables, with the build backend of pyproject.toml.

    The wheel is built from a copy of the tree, because setuptools would also pack files that an
    earlier build left in the tree.
    """
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(target.resolve())!r})"
    with step("building the wheel"), TemporaryDirectory() as scratch:
        for name, file in _files_in_git(*OF_THE_WHEEL).items():
            copy = Path(scratch, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch()}
        run(sys.executable, "-c", build, cwd=scratch, env=environment)


def _files_in_git(*places: str) -> dict[str, Path]:
    """Return the files in these folders of the tree, by default in the whole tree. Files that git
    ignores are left out."""
    listed = run("git", "-C", ROOT, "ls-files", "-coz", "--exclude-standard", *places)
    names = sorted(name for name in listed.split("\0") if (ROOT / name).is_file())
    return {name: ROOT / name for name in names}


def _zip(target: Path, files: dict[str, Path]) -> None:
    when = time.gmtime(int(epoch()))[:6]
    with step(f"packing {target.name}:") as more, ZipFile(target, "w") as archive:
        for name, file in files.items():
            entry = ZipInfo(name, when)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = (0o755 if os.access(file, os.X_OK) else 0o644) << 16
            archive.writestr(entry, file.read_bytes(), compresslevel=9)
        more(f"{len(files)} files")


def _print_cards(pack: str, target: Path) -> None:
    words = [sys.executable, "-m", "pi_table", "cards", pack, "--out", str(target.resolve())]
    with step(f"printing {target.name}"):
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RefusalError(f"{target.name} was not printed: {done.stderr.strip()}")


if __name__ == "__main__":
    sys.exit(main())

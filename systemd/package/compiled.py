"""Makes the compiled libraries, for each supported machine and all supported versions of Python.

Most are compiled from the sources in the lock file. The modules for all Pythons are in one folder:
Python picks the module whose name contains its own version and machine. pygame comes from Debian:
one folder for each Python, without the parts that a table does not use.
"""

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sources import (
    HEADERS,
    KNOWN,
    LOCK,
    MACHINES,
    PYGAME,
    PYTHONS,
    ROOT,
    digest,
    in_cache,
    of_debian,
    of_the_lock,
    run,
    step,
    wheel_of,
)

FLAGS = [
    *("-O2", "-DNDEBUG", "-fwrapv", "-fPIC", "-w", "-pthread", "-D_FILE_OFFSET_BITS=64"),
    *("-fstack-protector-strong", "-D_FORTIFY_SOURCE=2"),
    *("-shared", "-s", "-Wl,-z,relro,-z,now", "-Wl,--as-needed"),
]


@dataclass(frozen=True)
class Library:
    name: str
    """Name of the library in the lock file."""
    module: str
    """Path of the compiled module. Its last part (Python, machine and .so) is left out."""
    sources: tuple[str, ...]
    """Patterns of the library's C files, relative to its source folder."""
    python: tuple[str, ...]
    """Names of the library's Python files and folders."""
    inside: str = "."
    """The subfolder of the source folder that contains the files of ``python``."""
    swig: str = ""
    """Name of the file from which the program swig writes a C source and a Python module; ""
    without swig."""
    links: tuple[str, ...] = ()


LIBRARIES = (
    Library(
        "lgpio",
        "_lgpio",
        ("src/lg*.c", "src/rgpiod.c", "lgpio_wrap.c"),
        ("lgpio.py",),
        swig="lgpio.i",
    ),
    Library(
        "msgspec", "msgspec/_core", ("src/msgspec/_core.c",), ("msgspec",), "src", links=("-lm",)
    ),
    Library("rpi-ws281x", "_rpi_ws281x", ("rpi_ws281x_wrap.c", "lib/*.c"), ("rpi_ws281x",)),
)

UNUSED_OF_PYGAME = (
    *("__pyinstaller", "_sdl2", "docs", "examples", "tests", "*.pyi", "py.typed", "pygame*.*"),
    *("*camera*", "*freetype*", "_sprite.*", "ftfont.*", "gfxdraw.*", "macosx.*", "newbuffer.*"),
    *("fastevent.*", "midi.*", "mixer*", "pypm.*", "scrap.*", "sndarray.*", "surfarray.*"),
)
"""Patterns of pygame's files that a table does not use: pictures, and modules that pi-table does
not import. pygame works without these files."""
FONT = "freesansbold.ttf"
"""File name of pygame's own typeface, which pygame uses if a typeface of pi-table is damaged. In
Debian, the file is in a package with 14 MB of fonts. The package pi-table-libs has a copy of
`TYPEFACE` under this name instead."""
TYPEFACE = ROOT / "pi_table/screens/console/typefaces/AtkinsonHyperlegibleNext-Bold.ttf"


def libraries_for(machine: str) -> Path:
    """Return the folder with all libraries for this machine. Python searches this folder on a
    table."""
    compiler = run(f"{MACHINES[machine]}-gcc", "--version").encode()
    how = repr((FLAGS, LIBRARIES, PYTHONS, UNUSED_OF_PYGAME)).encode()
    key = digest(LOCK.read_bytes(), KNOWN.read_bytes(), how, compiler)
    return in_cache(f"compiled-{machine}-{key}", lambda folder: _compile_all(folder, machine))


def _compile_all(folder: Path, machine: str) -> None:
    work = folder / "sources"
    of_debian(HEADERS, machine)
    for library in LIBRARIES:
        source = _unpack(library, work)
        for name in library.python:
            _copy(source / library.inside / name, folder / name)
        # For `importlib.metadata`, from which the doctor reads versions.
        _copy(source / "PKG-INFO", folder / f"{source.name}.dist-info/METADATA")
        title = f"compiling {library.name} for {machine}, Python"
        with step(title) as more, ThreadPoolExecutor(os.cpu_count()) as workers:
            jobs = {
                python: workers.submit(_compile, library, source, machine, python, folder)
                for python in PYTHONS
            }
            for python, job in jobs.items():
                job.result()
                more(python)
    shutil.rmtree(work)
    for python in PYTHONS:
        _lay_pygame(of_debian(PYGAME, machine) / python, folder / f"python{python}")


def _lay_pygame(debian: Path, folder: Path) -> None:
    (packages,) = debian.glob("usr/lib/python3/dist-packages")
    unused = shutil.ignore_patterns(*UNUSED_OF_PYGAME, FONT)
    shutil.copytree(packages / "pygame", folder / "pygame", ignore=unused)
    shutil.copy(TYPEFACE, folder / "pygame" / FONT)
    (facts,) = packages.glob("pygame-*.egg-info")
    _copy(facts / "PKG-INFO", folder / f"{facts.stem}.dist-info/METADATA")


def _unpack(library: Library, work: Path) -> Path:
    work.mkdir(exist_ok=True)
    run("tar", "-xf", wheel_of(of_the_lock(), library.name), "--no-same-owner", "-C", work)
    source = next(work.glob(f"{library.name.replace('-', '_')}-*"))
    if library.swig:
        run("swig", "-python", library.swig, cwd=source)
    return source


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        # Type stubs and C sources are useless at run time.
        unused = shutil.ignore_patterns("*.pyi", "*.c", "*.h", "py.typed")
        shutil.copytree(source, target, ignore=unused)
    else:
        target.parent.mkdir(exist_ok=True)
        shutil.copy(source, target)


def _compile(library: Library, source: Path, machine: str, python: str, folder: Path) -> None:
    include = of_debian(HEADERS, machine) / python / "usr/include"
    triplet = MACHINES[machine]
    module = folder / f"{library.module}.cpython-{python.replace('.', '')}-{triplet}.so"
    found = (file for pattern in library.sources for file in sorted(source.glob(pattern)))
    sources = [file.relative_to(source) for file in found]
    searched = ("-I.", "-Isrc", f"-I{include}/python{python}", f"-I{include}")
    # The same paths in debug information and asserts, in whatever folder this is built.
    command: list[str | Path] = [
        f"{triplet}-gcc",
        *FLAGS,
        *searched,
        f"-ffile-prefix-map={source}=.",
        "-o",
        module,
    ]
    run(*command, *sources, *library.links, cwd=source)


def is_compiled(file: Path) -> bool:
    """True if a file contains machine code."""
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(4) == b"\x7fELF"


def minimum_libc(folder: Path, machine: str) -> str:
    """Return the oldest version of the C library with which all modules and programs in a folder
    work."""
    wanted = {(2, 4)}
    for file in folder.rglob("*"):
        if not is_compiled(file):
            continue
        text = run(f"{MACHINES[machine]}-objdump", "-T", file)
        wanted |= {(int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", text)}
    return ".".join(map(str, max(wanted)))

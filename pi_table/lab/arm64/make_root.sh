#!/usr/bin/env bash
# Makes what runs pi-table as on a Raspberry Pi, and counts its instructions: `make_root.sh FOLDER PLUGIN.c`.
# FOLDER gets the arm64 Python of Debian 12, the libraries of pi-table's packages, and the plugin. No program of arm64 runs here, so
# Debian's packages are only unpacked. `.ci/setup.sh small` runs this once for every clone.
set -euo pipefail
packages=python3,python3-colorzero,python3-nacl,python3-pil,python3-serial,libsdl2-2.0-0,libsdl2-image-2.0-0,libsdl2-ttf-2.0-0

mkdir "$1"
mmdebstrap --quiet --variant=extract --arch=arm64 --aptopt='APT::Install-Recommends "false"' --include="$packages" --format=tar bookworm - |
    tar -x -C "$1" --no-same-owner --exclude='./dev/*'
gcc -std=gnu11 -Wall -Wextra -Wpedantic -Werror -O2 -shared -fPIC -o "$1/instructions.so" "$2"
PYTHONPATH=systemd/package python3 - "$1/libs" <<'END'
import shutil, sys
from pathlib import Path

from compiled import libraries_for
from pure import lay_pure

libraries = Path(sys.argv[1])
shutil.copytree(libraries_for("arm64"), libraries)
lay_pure(libraries)
END

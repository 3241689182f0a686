#!/bin/sh
# Runs a command in the root that KiCad lives in, with this tree at /pi-table: `kicad.sh COMMAND…`.
# `.ci/setup.sh hardware` makes the root. Nothing is mounted outside of the command's own view.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
root=${PI_TABLE_KICAD:-$here/.kicad}
[ -d "$root/usr" ] || { echo "There is no KiCad here: run .ci/setup.sh hardware." >&2; exit 1; }
[ "$(id -u)" = 0 ] && own= || own=--map-root-user
# shellcheck disable=SC2016,SC2086
exec unshare --mount $own sh -euc '
    root=$1 tree=$2
    shift 2
    mkdir -p "$root/pi-table" "$root/tmp/home"
    mount --bind "$tree" "$root/pi-table"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp/home LC_ALL=C.UTF-8 \
        PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 PYTHONPATH=/opt/python sh -c '\''
            tables=$HOME/.config/kicad/9.0
            mkdir -p "$tables"
            cp -n /usr/share/kicad/template/*-lib-table "$tables"
            cd /pi-table && exec "$@"'\'' sh "$@"
' sh "$(readlink -f "$root")" "$here" "$@"

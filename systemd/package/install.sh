#!/bin/sh
# Installs pi-table from the package files beside this script, for those who have no package source:
#     sudo sh install.sh
# It looks before it touches: until the last step nothing on this machine has changed.
set -eu

refuse() {
    echo "install.sh: $*" >&2
    exit 1
}

here=$(cd "$(dirname "$0")" && pwd)

[ "$(id -u)" -eq 0 ] || refuse "A package is installed by root: run 'sudo sh $0'."

[ -r /etc/os-release ] || refuse "/etc/os-release cannot be read, which says what system this is."
# shellcheck source=/dev/null
system=$(. /etc/os-release && echo "${ID:-unknown} ${VERSION_CODENAME:-unknown}")
case "$system" in
    "debian bookworm" | "debian trixie" | "raspbian bookworm" | "raspbian trixie") ;;
    *) refuse "This is $system; pi-table is made for Debian and Raspberry Pi OS, bookworm and trixie." ;;
esac

machine=$(dpkg --print-architecture)
case "$machine" in
    amd64 | arm64 | armhf) ;;
    *) refuse "This machine is a $machine; there are packages for arm64, armhf and amd64." ;;
esac

# The two files, of one version.
only() {
    [ $# -eq 1 ] || refuse "There are $# packages beside this script where one of them is wanted; keep one: $*"
    [ -f "$1" ] || refuse "$1 is not there: get it, and put it beside this script."
}
only "$here"/pi-table_*_all.deb
only "$here"/pi-table-libs_*_"$machine".deb
for file in "$here"/pi-table_*_all.deb; do table=$file; done
for file in "$here"/pi-table-libs_*_"$machine".deb; do libs=$file; done
version=$(dpkg-deb --field "$table" Version) || refuse "$table cannot be read as a package: get it again."
[ "$version" = "$(dpkg-deb --field "$libs" Version)" ] ||
    refuse "The two packages beside this script are of two versions: get both of one."

# Did they arrive as they were sent?
sums=$here/SHA256SUMS
[ -r "$sums" ] || refuse "$sums is not there: get it from where the packages are from."
for file in "$table" "$libs"; do
    line=$(grep -F "  $(basename "$file")" "$sums") || refuse "$sums does not name $(basename "$file")."
    echo "$line" | (cd "$here" && sha256sum --check --status -) ||
        refuse "$(basename "$file") is damaged, or is another one than SHA256SUMS names: get it again."
done

echo "Installing pi-table $version on $system ($machine)."
# An earlier installation may have been cut short; apt wants this to be done first.
dpkg --configure -a || echo "What was cut short before is mended by what follows." >&2
apt-get update ||
    echo "The lists of packages could not be renewed; trying with those that are here." >&2
# Where the power goes now, the next start finishes this, from these files.
kept=/var/cache/pi-table/update
rm -rf $kept
mkdir -p $kept
cp "$libs" "$table" $kept
sync -f $kept
DEBIAN_FRONTEND=noninteractive apt-get install -y -o Dpkg::Options::=--force-confold "$libs" "$table" ||
    refuse "apt-get could not install it; why stands above. Mend that, and run this script again."
# From now on they are the way back from a later version that is not good.
rm -rf /var/cache/pi-table/before* /var/cache/pi-table/current
mv $kept /var/cache/pi-table/current

echo
echo "pi-table $version is installed. What it needs next:"
pi-table doctor --config /etc/pi-table/table.toml || true
cat <<'END'

1. What is broken above, mend as its line says. The table's configuration is /etc/pi-table/table.toml.
2. Write the controller's firmware:  sudo systemctl stop pi-table-engine && sudo pi-table flash --config /etc/pi-table/table.toml
3. Restart the machine. It boots into its game.
END

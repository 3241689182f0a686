#!/bin/sh
# Installs pi-table from the package files beside this script, on a table without a package source:
#     sudo sh install.sh
# To see only how much it would install:
#     sudo sh install.sh --check
# It checks everything and prints how much it will install, before it begins.
set -eu

refuse() {
    echo "install.sh: $*" >&2
    exit 1
}

case "$*" in
    "" | --check) ;;
    *) refuse "It takes no words but --check: run 'sudo sh $0'." ;;
esac
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

# The two package files must have the same version.
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

# Check that the files were not damaged on their way.
sums=$here/SHA256SUMS
[ -r "$sums" ] || refuse "$sums is not there: get it from where the packages are from."
for file in "$table" "$libs"; do
    line=$(grep -F "  $(basename "$file")" "$sums") || refuse "$sums does not name $(basename "$file")."
    echo "$line" | (cd "$here" && sha256sum --check --status -) ||
        refuse "$(basename "$file") is damaged, or is another one than SHA256SUMS names: get it again."
done

if [ $# -eq 0 ]; then
    echo "Installing pi-table $version on $system ($machine)."
    # An earlier installation may have been interrupted. apt demands that it is completed first.
    dpkg --configure -a || echo "The steps below repair what was cut short." >&2
    echo "Fetching the lists of packages."
    apt-get update ||
        echo "The lists of packages could not be fetched; trying with those that are here." >&2
else
    echo "The files are complete: pi-table $version, and this is $system ($machine)."
fi

# Of recommended packages only pi-table's own, by its section: those of its libraries bring a desktop.
# The fetched packages are deleted after the installation, to save space on the card.
install_with() {
    DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get -o Dpkg::Options::=--force-confold \
        --no-install-recommends -o APT::Install-Recommends-Sections::=games \
        -o APT::Keep-Downloaded-Packages=false "$@" install "$libs" "$table"
}

# Find out how much would be installed, before anything changes. With --print-uris, apt changes nothing; with
# --assume-no, it would install if it had no question. An error is ignored here: the installation below meets it
# again.
plan=$(export LC_ALL=C && install_with --print-uris 2>&1) || true
figure() {
    echo "$plan" | sed -n "s/$1/\\1/p"
}
count=$(figure '.* \([0-9]*\) newly installed.*')
fetched=$(figure 'Need to get \([0-9.,]* [kMG]*B\).*')
unpacked=$(figure 'After this operation, \([0-9.,]* [kMG]*B\) of additional.*')
# Converts a size such as "5,137 kB" to whole MB.
in_mb() {
    echo "$1" | tr -d , | awk '{ of["kB"] = 0.001; of["MB"] = 1; of["GB"] = 1000; printf "%d\n", $1 * of[$2] + 0.5 }'
}
if [ "$count" ]; then
    # The two package files are kept, and replace older ones. The other fetched packages are deleted at the end.
    after=$(in_mb "$unpacked")
    [ -d /var/cache/pi-table/current ] || after=$((after + $(cat "$libs" "$table" | wc -c) / 1000000))
    echo "This installs $count packages: ${fetched:-nothing} to fetch, $after MB more on disk, up to" \
        "$((after + $(in_mb "$fetched"))) MB while it installs."
    echo "On a Raspberry Pi 4 it takes about $((2 + count / 15)) minutes. If it is cut short, run this script again."
fi

if [ $# -ne 0 ]; then
    [ "$count" ] || refuse "How much it would install cannot be told. apt-get says: $plan"
    exit 0
fi

# After a power cut during the installation, the next boot completes it from these files.
kept=/var/cache/pi-table/update
rm -rf $kept
mkdir -p $kept
cp "$libs" "$table" $kept
sync -f $kept
install_with -y || refuse "apt-get could not install it; its reason is above. Mend that, and run this script again."
# From now on, these files can restore this version if a later version is rejected.
rm -rf /var/cache/pi-table/before* /var/cache/pi-table/current
mv $kept /var/cache/pi-table/current

echo
echo "pi-table $version is installed. What it needs next:"
# On a new table doctor still reports many faults, which must not end this script.
pi-table doctor --config /etc/pi-table/table.toml || true
cat <<'END'

On a new table go on with step 3 of INSTALL.md (also in /usr/share/doc/pi-table). In short:
1. Write your board's lines into /boot/firmware/config.txt, and your parts into /etc/pi-table/table.toml.
2. Restart the machine:  sudo reboot
3. With a Nano, write its firmware:  sudo systemctl stop pi-table-engine && sudo pi-table flash --config /etc/pi-table/table.toml
4. Start the table:  sudo systemctl start pi-table-engine
Look at doctor's line usb before you restart: what it names will do nothing afterwards.
Then mend what doctor calls broken, as its line says.
END

#!/usr/bin/env bash
# Runs commands in a minimal Debian, as a stranger would: `.ci/fresh.sh SUITE WHO COMMAND…`.
#   SUITE    bookworm (Debian 12) or trixie (13); its root has python3, make and git, and nothing else
#   WHO      root, or user: somebody without sudo, in a folder below a path with a space and an umlaut
#   COMMAND  each one a line for the shell, run in turn in a fresh clone of what is committed here
# The root is made once and kept. A run gets a layer over it, which is gone when the run ends.
set -euo pipefail
cd "${BASH_SOURCE[0]%/*}/.."

suite=$1 who=$2
shift 2
kept=${XDG_CACHE_HOME:-$HOME/.cache}/pi-table/fresh
fail() { echo "$*" >&2; exit 1; }

((EUID == 0)) || fail "A root of Debian can be made and entered by root alone: use sudo. ('make test' needs none of this.)"
[[ -z $(git status --porcelain) ]] || echo "What is not committed here is not in the clone." >&2
.ci/setup.sh roots

# The root, named by what it is made from. apt's and pip's downloads are kept beside it.
contents=(mmdebstrap --quiet --variant=minbase "--include=python3,make,git" --dpkgopt=force-unsafe-io --format=directory)
root=$kept/$suite-$(sha256sum <<<"${contents[*]}" | cut -c 1-16)
mkdir -p "$kept"/{apt,pip}-"$suite"
(
    flock 9
    [[ ! -d $root ]] || exit 0
    echo "Making a minimal root of Debian $suite, which is kept in $root."
    rm -rf "$root.new"
    "${contents[@]}" "$suite" "$root.new"
    mv "$root.new" "$root"
) 9>"$root.lock"

scratch=$(mktemp -d -p /var/tmp pi-table-fresh-XXXXXX) inside=
trap '[[ ! $inside ]] || { kill -KILL "$inside"; wait "$inside"; } 2>/dev/null || true; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir "$scratch"/{upper,work,merged}
# Its own mounts and processes: all of them end with this script, however that ends.
unshare --mount --pid --fork --kill-child bash -euo pipefail -s "$root" "$scratch" "$kept" "$suite" "$who" "$PWD" "$@" <<'END' &
root=$1 scratch=$2 kept=$3 suite=$4 who=$5 tree=$6
shift 6
inside=$scratch/merged
# Volatile: nothing in a layer that is thrown away waits for the disk.
mount -t overlay overlay -o "lowerdir=$root,upperdir=$scratch/upper,workdir=$scratch/work,volatile" "$inside"
mount -t proc proc "$inside/proc"
mount --rbind /dev "$inside/dev"
for each in dev/shm tmp run; do mount -t tmpfs -o mode=1777 tmpfs "$inside/$each"; done
mkdir -p "$inside/srv/pip"
mount --bind "$kept/apt-$suite" "$inside/var/cache/apt/archives"
mount --bind "$kept/pip-$suite" "$inside/srv/pip"
# The network is this machine's, with the proxies and certificates that it uses.
cat /etc/resolv.conf >"$inside/etc/resolv.conf"
[[ ! -r ${PIP_CERT:-} ]] || cp "$PIP_CERT" "$inside/srv/certificates"

home=/root group=root
if [[ $who == user ]]; then
    home="/home/guest/Café Tisch" group=guest
    chroot "$inside" useradd --create-home guest
fi
git clone -q "file://$tree" "$inside$home/pi-table"
chroot "$inside" chown -R "$group:$group" "$home" /srv/pip

# as WHO LINE: a shell with nothing but what a login has.
as() {
    local user=() path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    [[ $1 == root ]] || { user=(setpriv --reuid guest --regid guest --clear-groups) path=/usr/local/bin:/usr/bin:/bin; }
    local network
    mapfile -t network < <(env | grep -Ei '^(https?_proxy|no_proxy|PIP_INDEX_URL)=')
    [[ ! -e $inside/srv/certificates ]] || network+=(PIP_CERT=/srv/certificates)
    (cd / && chroot "$inside" env -i "${network[@]}" PIP_CACHE_DIR=/srv/pip HOME="${home%/Café*}" CI=true \
        PATH="$path" "${user[@]}" sh -c "$2")
}
megabytes() { du -smx "$inside" | cut -f 1; }

before=$(megabytes)
for line; do
    begun=$(date +%s) said=$scratch/said
    until as "$who" "cd '$home/pi-table' && $line" 2>&1 | tee "$said"; do
        # Somebody without rights is told what to ask of root. That is done, once for each different wish.
        wish=$(sed -n "s/.*As root, run '\(.*\)', then run this again.*/\1/p" "$said")
        [[ $wish && $wish != "${granted:-}" ]] || { echo "$suite, $who: '$line' FAILED." >&2; exit 1; }
        granted=$wish
        as root "DEBIAN_FRONTEND=noninteractive ${wish/apt-get install/apt-get install -y --no-install-recommends}" >"$said" 2>&1 ||
            { cat "$said" >&2; exit 1; }
    done
    echo "$suite, $who: '$line' took $(($(date +%s) - begun)) s; the root grew from $before to $(megabytes) MB."
done
END
inside=$!
status=0
wait $inside || status=$?
inside=
exit $status

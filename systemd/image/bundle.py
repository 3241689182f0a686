"""Makes a signed bundle with the boot and root partitions of an image. With RAUC, a running table
updates itself from the bundle.

`python3 systemd/image/bundle.py DIR` reads root.ext4 and boot.vfat from DIR, where `build.py` wrote
them (build/image/ARCH), and writes `update.raucb` beside them. A table accepts the bundle if the
table knows the signer's certificate and has the same kind of image.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import keys

MANIFEST: Final = """\
[update]
compatible={kind}
version={version}

[bundle]
format=verity

[image.root]
filename=root.ext4

[image.boot]
filename=boot.vfat
"""


def main() -> int:
    parser = argparse.ArgumentParser(description="Make a signed update of a table's image.")
    parser.add_argument("image", type=Path, metavar="DIR", help="where root.ext4 and boot.vfat lie")
    parser.add_argument("--key", type=Path, help="who signs it; else the throw-away key")
    parser.add_argument("--cert", type=Path)
    parser.add_argument("--out", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    if (arguments.key is None) != (arguments.cert is None):
        parser.error("A key and its certificate go together: give --key and --cert, or neither.")
    if not (arguments.image / "root.ext4").exists():
        parser.error(f"There is no image in {arguments.image}: run `make image` first.")
    signer = keys.Signer(arguments.key, arguments.cert) if arguments.key else keys.throw_away()
    out = arguments.out or arguments.image / "update.raucb"
    kind, version = make_bundle(arguments.image, signer, out)
    print(f"{out}: {kind} {version}, {out.stat().st_size >> 20} MiB, signed by {signer.cert}")
    return 0


def make_bundle(image: Path, signer: keys.Signer, out: Path) -> tuple[str, str]:
    """Make the bundle ``out`` from root.ext4 and boot.vfat in the folder ``image``. Return the
    image's kind and version."""
    named = name_of(image / "root.ext4")
    kind, version = named["IMAGE_ID"], named["IMAGE_VERSION"]
    out.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="bundle-", dir=out.parent) as scratch:
        inside = Path(scratch) / "inside"
        inside.mkdir()
        for name in ("root.ext4", "boot.vfat"):
            subprocess.run(["cp", "--sparse=always", image / name, inside / name], check=True)
        (inside / "manifest.raucm").write_text(MANIFEST.format(kind=kind, version=version))
        done = subprocess.run(
            ["rauc", f"--key={signer.key}", f"--cert={signer.cert}",
             "--mksquashfs-args=-comp zstd -Xcompression-level 9", "bundle", inside, out],
            capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"bundle: RAUC made none:\n{done.stdout}{done.stderr}")
    return kind, version


def name_of(root: Path) -> dict[str, str]:
    """Return the entries of os-release in the root file system ``root``. The image's kind and
    version are among them."""
    said = subprocess.run(
        ["debugfs", "-R", "cat /usr/lib/os-release", root],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    return dict(line.split("=", 1) for line in said.splitlines() if "=" in line)


if __name__ == "__main__":
    if not shutil.which("rauc"):
        sys.exit("bundle: rauc is not installed: run `make bundle`, which does it.")
    sys.exit(main())

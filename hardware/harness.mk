# The cables' drawings and the reckonings; ../.ci/setup.sh says first what it installs for them.
.PHONY: harness harness-check figures

harness:  ## draw the cables anew, from wiring.csv
	@../.ci/setup.sh cables
	cd .. && .venv-cables/bin/python -m hardware.draw_harness

harness-check:  ## are the drawings those of wiring.csv?
	@../.ci/setup.sh cables
	cd .. && .venv-cables/bin/python -m hardware.draw_harness --check

figures:  ## parts, power, bus, electrodes, effort: what they come to, and what does not hold
	@../.ci/setup.sh cables
	@cd .. && for each in parts power bus electrodes effort; do .venv-cables/bin/python -m hardware.$$each || exit 1; done

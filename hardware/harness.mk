# The cables' drawings; ../.ci/setup.sh says first what it installs for them.
.PHONY: harness harness-check

harness:  ## draw the cables anew, from wiring.csv
	@../.ci/setup.sh hardware_figures
	cd .. && .venv-cables/bin/python -m hardware.draw_harness

harness-check:  ## are the drawings those of wiring.csv?
	@../.ci/setup.sh hardware_figures
	cd .. && .venv-cables/bin/python -m hardware.draw_harness --check

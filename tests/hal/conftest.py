"""The drivers are tested with the wire's controller and the worlds' loop in virtual time."""

import sys
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("wire", "worlds")]

pytest.register_assert_rewrite("contract", "inputs_contract", "sounder_contract")

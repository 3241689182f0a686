"""A program that answers once: whatever it writes, it takes no more memory than is said."""

import sys

from patience import PATIENCE

from pi_table.common.bounded_process import BoundedProcess


def test_of_what_a_program_writes_to_standard_error_the_last_4_kib_are_kept() -> None:
    program = "import sys; sys.stderr.write('a' * 50_000 + 'b' * 4096)"
    answer = BoundedProcess((sys.executable, "-c", program)).answer(b"", PATIENCE, 100)
    assert answer.said == "b" * 4096

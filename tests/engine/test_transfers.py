"""The limits of a desk's uploads."""

from pathlib import Path

import pytest

from pi_table.common.errors import InputError
from pi_table.table.engine.storage.transfer import Transfers


def test_a_backup_that_comes_up_has_a_gibibyte_at_most(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"longer than 1,073,741,824 bytes"):
        Transfers(tmp_path).put(1 << 30, b"x")


def test_a_text_that_comes_up_is_a_little_longer_than_a_word_pack_at_most(tmp_path: Path) -> None:
    transfers = Transfers(tmp_path)
    assert transfers.put_text(0, bytes(286_720)) == 286_720
    with pytest.raises(InputError, match=r"longer than 286,720 bytes"):
        transfers.put_text(286_720, b"x")

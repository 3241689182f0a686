"""How much somebody may do, in a time that the test makes."""

from pi_table.allowance import Allowance


def test_an_allowance_is_spent_and_comes_back() -> None:
    allowance = Allowance(most=3, a_second=2)
    assert [allowance.spend(1, 10.0) for _ in range(4)] == [True, True, True, False]
    assert not allowance.is_full(10.0)
    assert not allowance.spend(1, 10.4)
    assert allowance.spend(1, 10.6)
    assert allowance.is_full(100.0)
    assert [allowance.spend(1, 100.0) for _ in range(4)] == [True, True, True, False]

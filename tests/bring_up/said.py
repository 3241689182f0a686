"""Expected sentences of the doctor."""

from pi_table.maintenance.bring_up.findings import Finding, Verdict

OK, LOOK, BROKEN, NOT_HERE = Verdict.OK, Verdict.LOOK, Verdict.BROKEN, Verdict.NOT_HERE


def assert_says(found: Finding, verdict: Verdict, *texts: str) -> None:
    """The finding has this verdict, and each of the texts in its sentences."""
    assert found.verdict is verdict, found.text()
    for text in texts:
        assert text in found.says

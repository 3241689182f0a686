"""Grafana's dashboard: a real Prometheus answers each of its questions, and Grafana's own classes
read it. Grafana itself is in no registry."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest
from home import PYTHON, needs_home
from patience import PATIENCE
from waiting import waited_for
from watched_tables import FILES, watched_tables
from watching import Prometheus

pytestmark = pytest.mark.fleet

DASHBOARD: Final[dict[str, Any]] = json.loads((FILES / "dashboard.json").read_text())
CLASSES: Final = Path(__file__).with_name("grafana_process.py")
VERSION: Final = "1769699379!11.6.0"
"""Of the package of Grafana's classes: those of Grafana 11.6."""
SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}
WIDTH: Final = 24
"""Columns of Grafana's grid."""

# ---- its questions


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    with watched_tables(tmp_path_factory) as found:
        yield found


def asked_by_grafana(expression: str) -> str:
    """An expression as Grafana asks it, where all bars and tables are chosen."""
    return expression.replace("$table", ".*").replace("$bar", ".*")


AHEAD: Final = " offset -34h"
"""Offset in a query about an evening at the first moment of its day: now has no such future."""

QUESTIONS = {
    panel["title"] + (f" ({target['refId']})" if at else ""): asked_by_grafana(target["expr"])
    for panel in DASHBOARD["panels"]
    for at, target in enumerate(panel["targets"])
}


@pytest.mark.parametrize("title", QUESTIONS)
def test_each_question_is_answered(watched: Prometheus, title: str) -> None:
    assert "$" not in QUESTIONS[title]
    question = QUESTIONS[title].replace(AHEAD, "")
    assert waited_for(lambda: len(watched.asked(question)) > 0)


def test_each_answer_has_what_its_legend_names(watched: Prometheus) -> None:
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            named = re.findall(r"{{(\w+)}}", target["legendFormat"])
            for series in watched.asked(asked_by_grafana(target["expr"])):
                assert set(named) <= set(series["metric"]), panel["title"]


def test_tables_that_are_ill_or_away_are_known_from_one_that_is_well(watched: Prometheus) -> None:
    found = watched.asked(QUESTIONS["Which tables are ill?"])
    assert {each["metric"]["table"]: each["value"][1] for each in found} == {
        "table-1": "0",
        "table-2": "1",
        "table-3": "1",
    }


def test_a_question_about_one_table_is_answered_for_that_table_alone(watched: Prometheus) -> None:
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            asked = asked_by_grafana(target["expr"].replace("$table", "table-1"))
            for series in watched.asked(asked):
                assert series["metric"].get("table") in ("table-1", None), panel["title"]


def has_answer(watched: Prometheus, question: str) -> bool:
    return watched.asked(question) != []


def test_a_question_about_one_bar_is_answered_for_that_bar_alone(watched: Prometheus) -> None:
    of_tables = [
        target["expr"]
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
        if "$table" in target["expr"]
    ]
    assert len(of_tables) > 10
    for expression in of_tables:
        if "ALERTS" in expression:  # there may be none yet
            continue
        asked = expression.replace("$table", ".*").replace(AHEAD, "")
        here, elsewhere = (asked.replace("$bar", bar) for bar in ("north", "south"))
        assert waited_for(partial(has_answer, watched, here)), here
        assert watched.asked(elsewhere) == []


def test_an_alert_leads_to_what_is_to_be_done() -> None:
    (panel,) = (each for each in DASHBOARD["panels"] if each["title"] == "What is to be done?")
    (override,) = panel["fieldConfig"]["overrides"]
    ((link,),) = (each["value"] for each in override["properties"])
    renamed = panel["transformations"][0]["options"]["renameByName"]
    assert override["matcher"] == {"id": "byName", "options": renamed["alertname"]}
    assert link["url"] == "/alerting/list?search=rule:${__value.raw}"


def test_an_evening_is_one_day_though_it_ends_after_midnight(tmp_path: Path) -> None:
    """Each day stands at its first moment; of two days, the first evening has four games and the
    second one, and each goes on until two at night."""
    at_hour = [0.0] * 19 + [1, 2, 2, 2, 2, 2, 3, 4] + [4] * 16 + [4, 4, 4, 4, 4, 5] + [5] * 12
    question = QUESTIONS["How many games are played in an evening?"]
    asked = {
        "tests": [
            {
                "interval": "1h",
                "input_series": [
                    {
                        "series": 'pi_table_games_total{table="a"}',
                        "values": " ".join(f"{each:g}" for each in at_hour),
                    }
                ],
                "promql_expr_test": [
                    {
                        "expr": question,
                        "eval_time": f"{hour}h",
                        "exp_samples": [{"labels": '{table="a"}', "value": games}],
                    }
                    for hour, games in ((0, 4), (24, 1))
                ]
                # What promtool is asked last is how far it reads.
                + [{"expr": "vector(1)", "eval_time": "60h", "exp_samples": [{"value": 1}]}],
            }
        ]
    }
    (tmp_path / "test.yml").write_text(json.dumps(asked))
    done = subprocess.run(
        ["promtool", "test", "rules", tmp_path / "test.yml"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_question_that_is_misspelt_has_no_answer(watched: Prometheus) -> None:
    assert watched.asked("max by (table) (pi_table_playin)") == []
    with pytest.raises(AssertionError, match="parse error"):
        watched.asked("max by table (pi_table_playing)")


# ---- how it is made


def at_odds(dashboard: dict[str, Any]) -> Iterator[str]:
    """Yield the contradictions of a dashboard."""
    variables = {each["name"]: each for each in dashboard["templating"]["list"]}
    if variables.get("datasource", {}).get("type") != "datasource":
        yield "no variable for the data source"
    if not re.fullmatch("[a-z0-9-]{1,40}", dashboard.get("uid", "")):
        yield "no uid"
    told = json.dumps(dashboard)
    for name in re.findall(r"\$\{?(?!__)(\w+)", told):  # those with __ are Grafana's own
        if name not in variables:
            yield f"${name} is no variable"
    panels = dashboard["panels"]
    for what in ("id", "title"):
        for each, times in Counter(panel[what] for panel in panels).items():
            if times > 1:
                yield f"two panels with the {what} {each}"
    for panel in panels:
        title, place = panel["title"], panel["gridPos"]
        if panel["datasource"] != SOURCE or any(
            each["datasource"] != SOURCE for each in panel["targets"]
        ):
            yield f"{title} asks another data source"
        if not title.endswith("?"):
            yield f"{title} is no question"
        if len({each["refId"] for each in panel["targets"]}) != len(panel["targets"]):
            yield f"{title} has two targets of one name"
        if not 0 <= place["x"] <= place["x"] + place["w"] <= WIDTH:
            yield f"{title} stands outside"
        if not panel["targets"]:
            yield f"{title} asks nothing"
    for one, other in combinations(panels, 2):
        if _overlap(one["gridPos"], other["gridPos"]):
            yield f"{one['title']} lies over {other['title']}"


def _overlap(one: dict[str, int], other: dict[str, int]) -> bool:
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "w"), ("y", "h"))
    )


Break = Callable[[dict[str, Any]], object]

AT_ODDS: dict[str, tuple[Break, str]] = {
    "no variable": (lambda told: told["templating"]["list"].pop(0), "variable for the data"),
    "another variable": (lambda told: told["templating"]["list"].pop(1), "$bar is no variable"),
    "no uid": (lambda told: told.pop("uid"), "no uid"),
    "an id twice": (lambda told: told["panels"][3].update(id=1), "two panels with the id 1"),
    "a data source of one house": (
        lambda told: told["panels"][2]["targets"][0].update(datasource={"uid": "P1"}),
        "asks another data source",
    ),
    "a name twice": (
        lambda told: told["panels"][2]["targets"].append(told["panels"][2]["targets"][0]),
        "two targets of one name",
    ),
    "too wide": (lambda told: told["panels"][1]["gridPos"].update(w=13), "stands outside"),
    "one over the other": (
        lambda told: told["panels"][0]["gridPos"].update(h=6),
        "Which tables are played? lies over",
    ),
}


def test_the_dashboard_goes_together() -> None:
    assert [*at_odds(DASHBOARD)] == []


@pytest.mark.parametrize("name", AT_ODDS)
def test_what_does_not_go_together_is_noticed(name: str) -> None:
    spoil, says = AT_ODDS[name]
    spoilt = deepcopy(DASHBOARD)
    spoil(spoilt)
    assert any(says in each for each in at_odds(spoilt))


# ---- Grafana's own classes


def read_by_grafana(*dashboards: dict[str, Any]) -> list[list[str]]:
    """Return the complaints of Grafana's classes about each dashboard."""
    done = subprocess.run(
        [PYTHON, CLASSES],
        input=json.dumps(dashboards).encode(),
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr.decode()
    answer = json.loads(done.stdout)
    assert answer["version"] == VERSION
    complaints: list[list[str]] = answer["complaints"]
    return complaints


MISTAKES: dict[str, tuple[Break, str]] = {
    "a field that there is not": (
        lambda told: told["panels"][0].update(tilte="x"),
        "panels[0].tilte is no field",
    ),
    "an expression under another name": (
        lambda told: told["panels"][0]["targets"][0].update(exp="up"),
        "targets[0].exp is no field",
    ),
    "a colour mode that there is not": (
        lambda told: told["panels"][0]["options"].update(colorMode="wallpaper"),
        "color_mode is 'wallpaper'",
    ),
    "a line of no style": (
        lambda told: told["panels"][3]["fieldConfig"]["defaults"]["custom"].update(drawStyle="dot"),
        "draw_style is 'dot'",
    ),
    "a variable of no kind": (
        lambda told: told["templating"]["list"][0].update(type="source"),
        "type_val is 'source'",
    ),
    "a width in words": (
        lambda told: told["panels"][0]["gridPos"].update(w="half"),
        "grid_pos.w is 'half'",
    ),
    "a panel that is none": (lambda told: told["panels"].append("x"), "it cannot be read"),
}


@needs_home
def test_grafanas_classes_read_the_dashboard_whole() -> None:
    assert read_by_grafana(DASHBOARD) == [[]]


@needs_home
def test_grafanas_classes_notice_each_mistake() -> None:
    spoilt = [deepcopy(DASHBOARD) for _ in MISTAKES]
    for told, (spoil, _) in zip(spoilt, MISTAKES.values(), strict=True):
        spoil(told)
    for name, complaints in zip(MISTAKES, read_by_grafana(*spoilt), strict=True):
        assert any(MISTAKES[name][1] in each for each in complaints), (name, complaints)

"""Bundles that differ by their seed, side by side."""

import pytest

from rntrajrec.seeds import rows


def report(f1: float, trips: int = 5) -> dict:
    figures = [
        {"section": "paper", "name": "F1", "value": f1},
        {"section": "code", "name": "F1", "value": 0.0},
        {"section": "paper", "name": "accuracy", "value": 0.5},
        {"section": "code", "name": "great-circle MAE", "value": 100 * f1},
    ]
    result = {"keep": "1/8", "trips": trips, "figures": figures}
    beside = result | {"figures": []}
    return {"results": [result | {"method": "rntrajrec"}, beside | {"method": "hmm"}]}


def test_a_row_tells_each_seed_and_their_spread():
    found = rows("here", [report(0.7), report(0.8), report(0.9)])
    assert found[0] == ["here", "1/8", "F1", "0.700", "0.800", "0.900", "0.800 ± 0.100"]
    assert found[2][2:] == ["great-circle MAE, m", "70.0", "80.0", "90.0", "80.0 ± 10.000"]


def test_figures_that_are_not_told_have_no_row():
    one = report(0.7)
    one["results"][0]["figures"] = one["results"][0]["figures"][:1]
    assert [row[2] for row in rows("here", [one, one])] == ["F1"]


def test_reports_of_other_trips_are_refused():
    with pytest.raises(ValueError, match="here are not of the same trips, thinned by 1/8"):
        rows("here", [report(0.7), report(0.7, trips=6)])

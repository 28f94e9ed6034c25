"""What the card of a bundle says of the reports that it is given."""

from rntrajrec.card import failures, scored


def figure(section: str, name: str, value: float, unit: str = "share", n: int = 40) -> dict:
    return {
        "section": section, "name": name, "unit": unit, "value": value, "low": value - 0.1, "high": value + 0.1, "n": n,
    }  # fmt: skip


def test_scores_of_places_stand_with_their_range():
    f1, mae = figure("paper", "F1", 0.8), figure("code", "great-circle MAE", 24.04, "m")
    alone = figure("code", "great-circle MAE", 97.5, "m") | {"low": 0, "high": 0}
    results = [
        {"method": "rntrajrec", "keep": "worldwide, 60 s", "trips": 48, "figures": [f1, mae]},
        {"method": "rntrajrec", "keep": "Porto, x8", "trips": 400, "figures": [alone]},
    ]
    text = scored({"results": results})
    assert "| worldwide, 60 s | 48 | 0.800 (0.700 to 0.900) | 24.0 (23.9 to 24.1) |" in text
    assert "| Porto, x8 | 400 |  | 97.5 |" in text


def test_stretches_by_elevated_roads_stand_by_ticks_and_by_path():
    figures = [figure("elevated", "SR%80", 0.3), figure("elevated", "SR%80 of the path driven", 0.9)]
    text = failures({"there": {"results": [{"method": "rntrajrec", "keep": "1/8", "figures": figures}]}})
    assert "| there | 1/8 | 40 | 0.300 (0.200 to 0.400) | 0.900 (0.800 to 1.000) |" in text

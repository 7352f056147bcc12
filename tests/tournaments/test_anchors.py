"""Anchors: ratings counted from entrants whose Elo is known."""

import pytest

from tournaments.ratings import Result, fit


def duels(one: str, other: str, wins: int, losses: int) -> list[Result]:
    places = [(1, 2)] * wins + [(2, 1)] * losses
    return [
        Result(f"{one}{other}{n}", f"{one}{other}{n}", (one, other), each) for n, each in enumerate(places)
    ]


RESULTS = duels("Ada", "Bo", 14, 6) + duels("Bo", "Cy", 11, 9)


def test_anchor_has_the_elo_that_is_given_and_no_error_bar():
    ada = {rating.name: rating for rating in fit(RESULTS, anchors={"Ada": 1500}).ratings}["Ada"]
    assert (ada.elo, ada.low, ada.high) == (1500, 1500, 1500)


def test_error_bars_are_those_of_the_distance_to_the_anchor():
    plain, anchored = fit(RESULTS), fit(RESULTS, anchors={"Ada": 1500})
    for rating in anchored.ratings:
        if rating.name != "Ada":
            distance = plain.difference(rating.name, "Ada")
            assert rating.elo - 1500 == pytest.approx(distance.elo, abs=1e-5)
            assert rating.high - rating.elo <= distance.high - distance.elo + 1e-5


def test_differences_do_not_depend_on_anchors():
    plain, anchored = fit(RESULTS), fit(RESULTS, anchors={"Ada": 1500, "Cy": 1300})
    for pair in (("Ada", "Bo"), ("Bo", "Cy")):
        assert plain.difference(*pair).elo == pytest.approx(anchored.difference(*pair).elo, abs=1e-5)
        assert plain.superiority(*pair) == pytest.approx(anchored.superiority(*pair), abs=1e-9)


def test_several_anchors_are_met_in_the_mean():
    ratings = {each.name: each.elo for each in fit(RESULTS, anchors={"Ada": 1500, "Cy": 1300}).ratings}
    assert ratings["Ada"] + ratings["Cy"] == pytest.approx(2800, abs=1e-5)


def test_group_without_an_anchor_keeps_its_centre():
    results = RESULTS + duels("Dee", "Eve", 3, 1)
    ratings = {each.name: each.elo for each in fit(results, anchors={"Ada": 1500}).ratings}
    assert ratings["Ada"] == 1500
    assert ratings["Dee"] + ratings["Eve"] == pytest.approx(0, abs=1e-5)


def test_anchor_that_is_no_entrant_is_named():
    with pytest.raises(KeyError, match="the anchor Eve is not among the 3 entrants"):
        fit(RESULTS, anchors={"Eve": 1500})

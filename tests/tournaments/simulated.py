"""Simulated tournaments whose true ratings are known, for the tests of the error bars."""

import math
from itertools import combinations
from statistics import NormalDist

import numpy as np

from tournaments.ratings import Result, fit
from tournaments.ratings.elo import LOGIT

normal_cdf = np.vectorize(NormalDist().cdf)


def simulate(
    random: np.random.Generator,
    theta: np.ndarray,
    tables: list[tuple[int, ...]],
    blocks: int,
    *,
    seat_luck: float,
    own_luck: float,
    shared_deals: bool,
) -> list[Result]:
    """A tournament in which single games follow the Bradley-Terry model exactly, but deals have luck.

    The performance of a seat is its entrant's strength plus a Gumbel variate, so that each pair of a table
    follows the model. The variates of one deal are correlated through a Gaussian copula: a part `seat_luck`
    belongs to the seat and a part `own_luck` to the entrant, both the same in all games of the deal.
    """
    results = []
    seats = len(tables[0])
    for repeat in range(blocks):
        deal = repeat
        for number, table in enumerate(tables):
            if number == 0 or not shared_deals:
                luck_of_seats, luck_of_entrants = random.normal(size=seats), random.normal(size=len(theta))
                deal = repeat * len(tables) + number
            for shift in range(seats):
                who = np.roll(table, shift)
                normal = math.sqrt(seat_luck) * luck_of_seats + math.sqrt(own_luck) * luck_of_entrants[who]
                normal += math.sqrt(1 - seat_luck - own_luck) * random.normal(size=seats)
                performance = theta[who] - np.log(-np.log(normal_cdf(normal)))
                places = 1 + (performance[None, :] > performance[:, None]).sum(axis=1)
                names = tuple(f"bot{entrant}" for entrant in who)
                game = f"{repeat}.{number}.{shift}"
                results.append(Result(game, f"{repeat}.{number}", names, tuple(places.tolist()), deal=deal))
    return results


def coverage(
    tournaments: int, strengths: list[float], seats: int, blocks: int, seed: int, **luck: float
) -> tuple[float, float]:
    """How many of the 95 % intervals hold the truth: of the ratings, and of the differences."""
    theta = np.array(strengths) - np.mean(strengths)
    tables = list(combinations(range(len(theta)), seats))
    random = np.random.default_rng(seed)
    ratings, differences = [], []
    for _ in range(tournaments):
        table = fit(simulate(random, theta, tables, blocks, **luck))
        truth = {f"bot{entrant}": value * LOGIT for entrant, value in enumerate(theta)}
        ratings += [rating.low <= truth[rating.name] <= rating.high for rating in table.ratings]
        for one, other in combinations(truth, 2):
            difference = table.difference(one, other)
            differences.append(difference.low <= truth[one] - truth[other] <= difference.high)
    return float(np.mean(ratings)), float(np.mean(differences))

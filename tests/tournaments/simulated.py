"""Simulated tournaments whose true ratings are known, for the tests of the error bars."""

import math
from collections.abc import Callable
from itertools import combinations
from statistics import NormalDist

import numpy as np

from tournaments.ratings import Result, fit
from tournaments.ratings.elo import LOGIT
from tournaments.schedules import Pairing

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
                ranks = places(
                    random,
                    theta,
                    who,
                    luck_of_seats,
                    luck_of_entrants,
                    seat_luck=seat_luck,
                    own_luck=own_luck,
                )
                names = tuple(f"bot{entrant}" for entrant in who)
                game = f"{repeat}.{number}.{shift}"
                results.append(Result(game, f"{repeat}.{number}", names, ranks, deal=deal))
    return results


def referee(
    random: np.random.Generator, theta: np.ndarray, *, seat_luck: float, own_luck: float
) -> Callable[[Pairing], Result]:
    """The same for games that a schedule names, of `bot0`, `bot1` and so on; each block has a deal of its own."""
    deals: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def play(pairing: Pairing) -> Result:
        seats = len(pairing.seating)
        if pairing.block not in deals:
            deals[pairing.block] = random.normal(size=seats), random.normal(size=len(theta))
        who = np.array([int(name.removeprefix("bot")) for name in pairing.seating])
        ranks = places(random, theta, who, *deals[pairing.block], seat_luck=seat_luck, own_luck=own_luck)
        return Result(pairing.id, pairing.block, pairing.seating, ranks, deal=pairing.seed)

    return play


def places(
    random: np.random.Generator,
    theta: np.ndarray,
    who: np.ndarray,
    luck_of_seats: np.ndarray,
    luck_of_entrants: np.ndarray,
    *,
    seat_luck: float,
    own_luck: float,
) -> tuple[int, ...]:
    """How a game of these entrants ends, by seat."""
    normal = math.sqrt(seat_luck) * luck_of_seats + math.sqrt(own_luck) * luck_of_entrants[who]
    normal += math.sqrt(1 - seat_luck - own_luck) * random.normal(size=len(who))
    performance = theta[who] - np.log(-np.log(normal_cdf(normal)))
    ranks = 1 + (performance[None, :] > performance[:, None]).sum(axis=1)
    return tuple(ranks.tolist())


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

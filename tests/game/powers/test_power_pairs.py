"""Powers with each other: random positions in which two or three are at work, played on with the invariants on.

`make soak` takes every pair of powers that share a hook, and many groups of any; the usual run a slice of both.
A failure ends in a note with the call of `runner.play_out` that repeats it.
"""

from __future__ import annotations

from random import Random

import pytest

from powers.runner import any_powers, play_out, sharing_a_hook

GROUPS = 12  # tests in a slice, so that several processes can share them
OF_A_GROUP = 12  # positions, half of them pairs that share a hook
CHUNKS = 40  # tests that all pairs are dealt to
ANY = 60  # further positions in each of them


@pytest.mark.parametrize("group", range(GROUPS))
def test_powers_at_work_together_keep_the_invariants(group: int) -> None:
    chance = Random(group)
    pairs = chance.sample(sharing_a_hook(), OF_A_GROUP // 2)
    for seed, powers in enumerate([*pairs, *(any_powers(chance) for _ in pairs)]):
        play_out(powers, 1000 * group + seed, to_the_end=seed % 5 == 0)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_two_powers_that_share_a_hook_keep_the_invariants(chunk: int) -> None:
    for powers in sharing_a_hook()[chunk::CHUNKS]:
        for seed in range(2):
            play_out(powers, 100_000 + seed)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_any_two_or_three_powers_keep_the_invariants(chunk: int) -> None:
    chance = Random(f"any/{chunk}")
    for seed in range(ANY):
        play_out(any_powers(chance), 1_000_000 + 1000 * chunk + seed)

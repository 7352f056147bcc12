"""The registry of powers, the list of inert ones and the texts of the 180 powers agree."""

from __future__ import annotations

from arena.game import powers
from arena.game.catalogue import default_catalogue, power_ids, power_texts
from arena.game.hooks import HOOKS, MASKS
from arena.game.powers.inert import INERT, NOTHING_TO_DO


def registered() -> set[str]:
    return {power for hook in HOOKS.values() for power in hook.listeners}


def test_every_power_is_either_written_or_listed_as_inert() -> None:
    assert powers
    assert registered() | INERT | NOTHING_TO_DO == power_ids()
    assert not registered() & INERT
    assert len(power_ids()) == 180


def test_every_listener_says_its_effect() -> None:
    for hook in HOOKS.values():
        for power, listener in hook.listeners.items():
            assert listener.__doc__, f"{power} on {hook.name} has no docstring"


def test_every_hook_with_listeners_has_its_own_bit() -> None:
    masks = [hook.mask for hook in HOOKS.values()]
    assert len(set(masks)) == len(masks)
    for power, mask in MASKS.items():
        assert mask == sum(hook.mask for hook in HOOKS.values() if power in hook.listeners)


def test_a_power_that_joins_in_this_one_included_is_registered_as_such() -> None:
    for power in HOOKS["fulfilled"].own:
        assert "this one included" in power_texts()[power].effect or power in {"shoes", "paper"}


def test_every_card_of_the_catalogue_has_a_known_power() -> None:
    for card in default_catalogue().cards:
        for face in card.contracts:
            assert face.power in power_ids()

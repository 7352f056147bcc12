"""Which Container serves which requirement (Q51): maximum matching of a few Containers and slots.

Slots and Containers are masks of colours; they fit if the masks share a bit. Nobody fixes an assignment:
a card can be loaded if and only if it raises the maximum matching.
"""

from __future__ import annotations

from collections.abc import Sequence


def match(slots: Sequence[int], containers: Sequence[int]) -> list[int]:
    """A maximum matching: for each slot the index of its Container, or -1 (augmenting paths)."""
    taken = [-1] * len(slots)

    def place(container: int, tried: set[int]) -> bool:
        mask = containers[container]
        for slot, accepts in enumerate(slots):
            if accepts & mask and slot not in tried:
                tried.add(slot)
                if taken[slot] < 0 or place(taken[slot], tried):
                    taken[slot] = container
                    return True
        return False

    for container in range(len(containers)):
        place(container, set())
    return taken


def open_mask(slots: Sequence[int], containers: Sequence[int]) -> int:
    """The union of the slots that one more Container could free or fill; 0 if every slot is served."""
    taken = match(slots, containers)
    reached = 0
    pending = [slot for slot, container in enumerate(taken) if container < 0]
    waiting = {slot for slot, container in enumerate(taken) if container >= 0}
    while pending:
        accepts = slots[pending.pop()]
        reached |= accepts
        moved = [slot for slot in waiting if containers[taken[slot]] & accepts]
        waiting.difference_update(moved)
        pending += moved
    return reached


def can_leave_unserved(groups: Sequence[tuple[Sequence[int], int]], containers: Sequence[int]) -> bool:
    """Whether each group of slots can have all but its allowed number served, all groups at once.

    A group is the slots of one contract and how many of them may stay empty (Prefab Home).
    """
    total = sum(len(slots) - spare for slots, spare in groups)
    # Dummy Containers stand for the slots left empty: each fits the slots of its own group alone.
    slots: list[int] = []
    masks = list(containers)
    bit = 1 << 8
    for group, spare in groups:
        slots += [accepts | bit for accepts in group]
        masks += [bit] * spare
        bit <<= 1
    served = match(slots, masks)
    return total <= len(containers) and all(container >= 0 for container in served)

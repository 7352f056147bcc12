"""The tree that `search` grows: what a seat may do later, over many deals.

This is information-set Monte Carlo tree search with the tree of a single observer (Cowling, Powley and
Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on Computational Intelligence and AI in
Games 4(2), 2012). A node stands for the seat's own choices since the decision to be made, whatever the hidden cards
are and whatever the others do meanwhile; they play by rules of thumb (`habits`). One tree so gathers what all
deals tell, and a plan cannot depend on cards that the seat does not know. An option that a deal does not offer is
passed over there, and UCB1 counts in how many of a node's visits each option was to be had.

What the rules of thumb would do is tried first at each node, other options only as its visits grow (progressive
widening: Couetoux et al., "Continuous Upper Confidence Trees", LION 2011), so that a small tree is deep, not broad.
"""

from __future__ import annotations

from math import inf, log, sqrt

from arena.game import Decision, Game
from arena.game.choices import Option
from clients.bots.greedy import shortlist
from clients.bots.habits import Habits, answer
from clients.bots.numbers import Numbers
from clients.bots.outlook import Outlook, lead_over_others

MOST_CHOICES = 80  # choices imagined in one run through the tree; four turns of six seats have about fifty
MOST_OPTIONS = 8  # options of a node at most, by the shortlist of `greedy`
WIDENING = 0.7  # a node of n visits has 1 + WIDENING * sqrt(n) options
EXPLORATION = 3.0  # credits; the outlook of two deals differs by about three times as much
PRIOR = 2.0  # credits by which what the rules of thumb say seems better at first


class Node:
    """What is known of one option of the seat: the runs that took it, and what came after it."""

    __slots__ = ("after", "available", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0  # credits, over all visits
        self.available = 1  # visits of the node above in which the option was to be had, from the first on
        self.after: dict[Option, Node] = {}

    @property
    def mean(self) -> float:
        """The mean outlook of its visits, in credits; none is worse than any."""
        return self.total / self.visits if self.visits else -inf


class Explorer:
    """Runs through a tree for one seat."""

    def __init__(self, seat: int, habits: Habits, outlook: Outlook) -> None:
        self._seat = seat
        self._habits = habits
        self._outlook = outlook

    def run(self, game: Game, node: Node, last: int, numbers: Numbers) -> None:
        """Play on from `node` to the turn `last`, below the tree by rules of thumb; add one node, and the outlook.

        `game` is used up; `numbers` are the chance in the rules of thumb.
        """
        path = [node]
        inside = True
        for _ in range(MOST_CHOICES):
            if game.over or game.turn >= last:
                break
            decision = game.decision(game.to_act[0])
            index = answer(game, decision, numbers, self._habits)
            if inside and decision.seat == self._seat:
                index = select(node, decision, index)
                option = decision.options[index]
                if option not in node.after:
                    node.after[option] = Node()
                    inside = False
                node = node.after[option]
                path.append(node)
            game.choose(decision.seat, index)
        outlook = lead_over_others(game, self._seat, self._outlook)
        for passed in path:
            passed.visits += 1
            passed.total += outlook


def select(node: Node, decision: Decision, habitual: int) -> int:
    """The index of the option to take at a node, of those that are to be had now: by UCB1, or a new one."""
    options = decision.options
    listed = [habitual, *(index for index in shortlist(decision, MOST_OPTIONS) if index != habitual)]
    known = [index for index in listed if options[index] in node.after]
    for index in known:
        node.after[options[index]].available += 1
    if len(known) < min(len(listed), 1 + int(WIDENING * sqrt(node.visits))):
        return next(index for index in listed if options[index] not in node.after)
    best, most = habitual, -inf
    for index in known:
        after = node.after[options[index]]
        value = after.mean + EXPLORATION * sqrt(log(after.available) / after.visits)
        if index == habitual:
            value += PRIOR / sqrt(after.visits)
        if value > most:
            best, most = index, value
    return best

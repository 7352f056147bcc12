"""What can be wrong, one class per party to blame. Every message is one sentence with the value and the remedy."""

from __future__ import annotations


class GameError(ValueError):
    """The caller asked for something the game cannot do; nothing has changed."""


class OptionsError(GameError):
    """The wanted set-up is not one of the legal ones (Q1, Q2)."""


class ChoiceError(GameError):
    """The answer is not legal now: wrong seat, wrong index, or the game is over."""


class OptionTextError(ChoiceError):
    """The text is not the text form of any option."""


class PositionError(GameError):
    """A position or a saved game cannot be read; the message names the zone or the card."""

"""The table of one game in a terminal: the same picture while it is played and from its record.

    board = Board("g-1", ["Alpha", "Beta"])
    board.look(view, asked); board.add("turn 1: Alpha leads")
    console.print(board)

`board` holds what is known and fits it to the terminal; `ports`, `market` and `race` draw the parts, from `cards`
and `lines`. Where views come from, and how time passes, is not known here.
"""

from arena.board.board import Board

__all__ = ["Board"]

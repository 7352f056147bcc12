"""`python -m arena` is the command `arena`."""

from arena.entry import main

main()

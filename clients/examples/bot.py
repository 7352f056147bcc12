"""A bot in twenty lines: python bot.py [HOST:PORT]"""

import sys

from clients import WireRequest, run

LIKED = ("load", "pirate", "contract", "take", "lead:load", "lead:contract", "follow:load", "follow:contract")


def choose(request: WireRequest) -> int:
    """The first option that begins with the word we like most; else the default."""
    for word in LIKED:
        for index, option in enumerate(request.options):
            if option.startswith(word):
                return index
    return request.default


if __name__ == "__main__":
    address = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:7171"
    rivals = {"seats": 2, "fill": ["random"]}
    for end in run(choose, name="liker", connect=address, wanted=rivals, games=1):
        print(f"{end.why.value}: places {end.places}, credits {end.credits}")

"""Powers about Piracy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import Performing
from arena.game.chance import below
from arena.game.choices import Option, option
from arena.game.hooks import CHOSEN, ELSEWHERE, ON_FULFIL, PIRACY_OPTIONS
from arena.game.moves import from_hand, take_top
from arena.game.piracy import Stow, barred, take
from arena.game.state import PORT
from arena.game.terms import CAPITAL

if TYPE_CHECKING:
    from arena.game.game import Game


@ON_FULFIL("surstromming")
def surstromming(game: Game, owner: int, card: int, ship: int) -> None:
    """Until the start of the next turn that you lead nobody can do a Piracy action."""
    game.ban = max({owner, game.ban} - {-1}, key=lambda seat: _turns_until_leading(game, seat))
    game.emit("piracy-ban", seat=game.ban)


def _turns_until_leading(game: Game, seat: int) -> int:
    """Of two bans the one lasts that ends later; the lead player comes last, but for an extra turn (Q65)."""
    if seat == game.lead and game.players[seat].extra_turns:
        return -1
    return (seat - game.lead - 1) % len(game.players)


@PIRACY_OPTIONS("mini-van")
def mini_van(game: Game, owner: int, card: int, performing: Performing) -> list[Option]:
    """A Piracy action may also take from a Ship in another's Port, the top of the pile, or blindly from a hand."""
    options = in_other_ports(game, owner)
    if game.pile or game.discard:
        options.append(option("pirate", "mini-van", place="pile"))
    options += [option("pirate", "mini-van", seat=player.seat) for player in game.players if player.hand]
    return options


def in_other_ports(game: Game, owner: int) -> list[Option]:
    """What Mini Van offers aboard the Ships in the Ports of the others."""
    colors = game.catalogue.colors
    return [
        option("pirate", "mini-van", container, 0, index)
        for index, ship in enumerate(game.ships)
        if ship.place == PORT and ship.owner != owner and not barred(game, ship.owner)
        for container in ship.containers
        if colors[container] != CAPITAL and container not in ship.rainbow
    ]


@CHOSEN("mini-van")
def take_with_mini_van(game: Game, owner: int, chosen: Option) -> None:
    """A card from the pile or a hand is shown to all when it is taken."""
    if chosen.ship >= 0:
        return take(game, owner, chosen.card, chosen.ship)
    if chosen.seat >= 0:
        hand = game.players[chosen.seat].hand
        card = hand[below(game, len(hand))]
        from_hand(game, chosen.seat, card)
    else:
        card = take_top(game)
    source = "pile" if chosen.seat < 0 else f"seat-{chosen.seat}"
    game.emit("pirate", seat=owner, card=game.catalogue.ids[card], ship=None, source=source)
    return game.push(Stow(owner, card, ELSEWHERE, chosen.seat))

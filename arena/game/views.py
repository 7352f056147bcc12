"""What a seat, or the public, may see of a game: built from a whitelist, nothing is masked afterwards (Q9, P29)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.game import tokens, tokyo
from arena.game.limits import crew_limit
from arena.game.state import SHIP_PLACES
from arena.game.terms import ACTIONS, FIVE, TYPES

if TYPE_CHECKING:
    from arena.game.game import Game


def view(game: Game, seat: int | None) -> dict[str, Any]:
    """JSON values: the public board, and for a seat its own hand and what it is asked.

    Who else is asked is not part of it: that somebody is asked can be a secret (Q98).
    """
    shown = {
        "turn": game.turn,
        "lead": game.lead,
        "ending": game.ending or None,
        **board(game),
    }
    if game.result is not None:
        shown["result"] = {
            "places": list(game.result.places),
            "credits": list(game.result.credits),
            "reason": game.result.reason,
        }
    if seat is not None:
        shown.update(own(game, seat))
    return shown


def own(game: Game, seat: int) -> dict[str, Any]:
    """What a seat sees and the public does not: its hand, and the decision that is open for it."""
    ids = game.catalogue.ids
    shown: dict[str, Any] = {"seat": seat, "hand": [ids[card] for card in game.players[seat].hand]}
    for decision, answer in zip(game.asking, game.answers, strict=True):
        if decision.seat == seat and answer < 0:
            shown["decision"] = {
                "kind": decision.kind,
                "options": decision.texts(game.catalogue),
                "default": decision.default,
            }
    return shown


def board(game: Game) -> dict[str, Any]:
    """All that lies face up, and the sizes of what does not."""
    ids = game.catalogue.ids
    shown: dict[str, Any] = {
        "island": [ids[card] for card in game.island],
        "pile": len(game.pile),
        "discard": len(game.discard),
        "top_discard": ids[game.discard[-1]] if game.discard else None,
        "players": [],
        "ships": [],
    }
    if tokens.aboard(game):
        out = [game.catalogue.colors[token] for token in tokens.out(game)]
        shown["tokens"] = {TYPES[color]: out.count(color) for color in FIVE}
    if game.market:
        shown["market"] = dict(zip(TYPES, game.market, strict=False))
    if tokyo.in_play(game):
        columns: list[list[str]] = [[] for _ in game.catalogue.tokyo_prices]
        for card in game.island:
            columns[tokyo.column(game, card)].append(ids[card])
        shown["columns"] = [
            {"credits": credits, "cards": cards}
            for credits, cards in zip(game.catalogue.tokyo_prices, columns, strict=True)
        ]
    if game.face_up:
        shown["top"] = ids[game.pile[-1]] if game.pile else None
    if game.ban >= 0:
        shown["piracy_ban"] = game.ban
    if game.copies:
        shown["copies"] = {ids[card]: power for card, power in sorted(game.copies.items())}
    if game.marks:
        shown["marks"] = {ids[card]: mark for card, mark in sorted(game.marks.items())}
    for player in game.players:
        shown["players"].append(
            {
                "port": TYPES[player.port],
                "credits": player.credits,
                "hand": len(player.hand),
                "crew": [ids[card] for card in player.crew],
                "crew_limit": crew_limit(game, player.seat),
                "goods": [ids[card] for card in player.goods],
                "goods_limit": 2 * player.contracts,
                "fulfilled": [ids[card] for card in player.fulfilled],
                "played": [ids[card] for card in player.played],
                "announced": max(0, player.announced),
                "doing": ACTIONS[player.doing] if player.doing >= 0 else None,
                "sold": player.sold,
                "extra_turns": player.extra_turns,
            }
        )
    for index, ship in enumerate(game.ships):
        lies: dict[str, Any] = {
            "ship": index,
            "owner": ship.owner,
            "place": SHIP_PLACES[ship.place],
            "contracts": [ids[card] for card in ship.contracts],
            "containers": [ids[card] for card in ship.containers],
        }
        if ship.rainbow:
            lies["rainbow"] = [ids[card] for card in ship.rainbow]
        if ship.pairs:
            lies["pairs"] = [[ids[card] for card in pair] for pair in ship.pairs]
        if ship.yen:
            lies["yen"] = [ids[card] for card in ship.yen]
        if ship.reduced:
            lies["reduced"] = len(ship.reduced)
        if ship.joined >= 0:
            lies["joined"] = ship.joined
        if ship.single_use:
            lies["single_use"] = ids[ship.single_use]
        shown["ships"].append(lies)
    return shown

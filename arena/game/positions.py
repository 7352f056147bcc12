"""Positions: a game as a readable JSON object, as FEN is for chess; written by hand, in tests and bug reports.

    {"players": [{"port": "luxury", "hand": ["ivory"], "goods": ["rope"]}, {}],
     "ships": [{"contracts": ["batteries"]}, {"ship": 3, "containers": ["rice"]}],
     "island": ["sugar"], "lead": 0}

All but the number of players may be left out: 10 credits, empty zones, the next free Port, two Ships a seat
(`ship-2s` in Port, `ship-2s+1` at sea with 4 cards of the rest). Both piles are written top first. Cards of
the sets in use that are not named go under the `pile`, or out of the game with `"rest": "box"`, by number.
A card with two contracts is named by its own id in hands, in piles and on the Island, elsewhere by the side that
is up, which has the id of its power; both can lie on a Ship at sea.
`market` is true for markers on 0, or an object with the others, as `{"technology": 1, "luxury": -2}`.
With `"containers": "tokens"` what lies on Ships are physical Containers, written `technology-token-1` and so on,
with `"tokens-everywhere"` Crew and Goods too.
Such a position begins at the start of the turn of `lead`. What `dump` writes has in `progress` also what it
takes to go on in the middle of an effect, and in `held` the cards that are just on their way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.game import knowledge, tokens
from arena.game.catalogue import Catalogue, default_catalogue
from arena.game.due import is_complete
from arena.game.errors import OptionsError, PositionError
from arena.game.frames import FRAMES
from arena.game.game import Game
from arena.game.hooks import SAILS_HOME_AT
from arena.game.limits import crew_limit, goods_places
from arena.game.position_form import (
    FORMAT,
    KEYS,
    MAX_CREDITS,
    SHIP_CARDS_KEYS,
    TURN_FIELDS,
    ZONES,
    Reader,
    flag,
    list_of,
    object_of,
    row_of,
    shown,
    whole,
)
from arena.game.saving import from_data, to_data
from arena.game.setup import cards_in_use
from arena.game.ships import load_room
from arena.game.state import DEPARTING, GONE, JOINED, SEA, SHIP_PLACES, Player
from arena.game.terms import ACTIONS, MAX_PLAYERS, TYPES
from arena.game.turn import Table

MAX_FRAMES = 1_000  # effects within effects; random games stay under 40
MAX_NESTING = 8  # of what a frame or an option holds
MAX_NUMBER = 1 << 40  # in frames; hook masks are the largest
MAX_TEXT = 1 << 20  # characters of a position file; a full one has under 20,000
PROGRESS = (
    *("drawn", "next_lead", "ran_dry", "depth", "stack", "then", "together"),
    *("asking", "answers", "zones", "batches", "batch", "mixed", "secrets", "result"),
)


def parse(text: str) -> Any:
    """The JSON value of a position's text; raises `PositionError` also for a key that is given twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise PositionError(f"the key {shown(key)} is given twice in one object; drop one of them")
            found[key] = value
        return found

    if len(text) > MAX_TEXT:
        raise PositionError(f"the position has {len(text)} characters; at most {MAX_TEXT} are read")
    try:
        return json.loads(text, object_pairs_hook=once)
    except RecursionError:
        raise PositionError("the position is nested too deeply; a position is an object of lists") from None
    except PositionError:
        raise
    except ValueError as error:
        raise PositionError(f"the position is no JSON: {str(error)[:100]}") from None


def load(data: Any, catalogue: Catalogue | None = None) -> Game:
    """The game of a position, run to its first decision; raises `PositionError`, one sentence, for any other."""
    data = object_of(data, "the position", KEYS)
    try:
        game = Reader(catalogue or default_catalogue()).table(data)
    except OptionsError as error:
        raise PositionError(str(error)) from None
    if not flag(data.get("unchecked", False), "unchecked"):
        for fault in faults(game):
            raise PositionError(fault)
    if "progress" in data:
        return _resume(game, data["progress"])
    holders = sum(knowledge.hand(player.seat) for player in game.players if player.hand)
    for player in game.players:
        for card in player.hand:  # who has drawn what is unknown
            game.zones[card] = holders | (knowledge.PILE if game.pile else 0)
    for card in game.pile:
        game.zones[card] = holders | knowledge.PILE
    game.turn = max(0, game.turn - 1)
    game.stack = [Table()]
    game.run()
    return game


def dump(game: Game) -> dict[str, Any]:
    """The position of a game at any moment; `load` makes an equal game of it."""
    ids = game.catalogue.ids
    saved = to_data(game)
    data: dict[str, Any] = {
        "format": FORMAT,
        "catalogue": game.catalogue.hash,
        "sets": list(game.options.sets),
        "market": dict(zip(TYPES, game.market, strict=False)) if game.market else False,
        "containers": game.options.containers,
        "seed": game.seed,
        "turn": game.turn,
        "lead": game.lead,
        "first": game.first,
        "players": [_player_data(player, ids) for player in game.players],
        "ships": [_ship_data(game, index) for index in range(len(game.ships))],
        "island": [ids[card] for card in game.island],
        "pile": [ids[card] for card in reversed(game.pile)],
        "discard": [ids[card] for card in reversed(game.discard)],
        "rest": "box",
    }
    front = game.catalogue.front
    named = {front[card] for cards in places(game).values() for card in cards}
    wanted = (*cards_in_use(game.options, game.catalogue), *tokens.out(game))
    held = [card for card in wanted if card not in named]
    optional = {
        "held": [ids[card] for card in held],
        "face_up": game.face_up,
        "ending": game.ending,
        "copies": {ids[card]: power for card, power in sorted(game.copies.items())},
        "marks": {ids[card]: mark for card, mark in sorted(game.marks.items())},
        "unchecked": any(True for _ in faults(game)),
    }
    data |= {key: value for key, value in optional.items() if value}
    if game.ban >= 0:
        data["ban"] = game.ban
    data["progress"] = {key: saved[key] for key in PROGRESS}
    copy: dict[str, Any] = json.loads(json.dumps(data))  # lists throughout, and nothing of the game itself
    return copy


def _player_data(player: Player, ids: Sequence[str]) -> dict[str, Any]:
    data: dict[str, Any] = {"port": TYPES[player.port], "credits": player.credits}
    data |= {zone: [ids[card] for card in getattr(player, zone)] for zone in ZONES}
    if player.extra_turns:
        data["extra_turns"] = player.extra_turns
    for field, before in TURN_FIELDS.items():
        value = getattr(player, field)
        if value != before:
            data[field] = value
    for field in ("played", "used"):
        if field in data:
            data[field] = [ids[card] for card in data[field]]
    if "doing" in data:
        data["doing"] = ACTIONS[player.doing]
    if "virtual_crew" in data:
        data["virtual_crew"] = [ACTIONS[action] for action in player.virtual_crew]
    return data


def _ship_data(game: Game, index: int) -> dict[str, Any]:
    ids, ship = game.catalogue.ids, game.ships[index]
    data: dict[str, Any] = {"ship": index, "owner": ship.owner, "place": SHIP_PLACES[ship.place]}
    for key in SHIP_CARDS_KEYS:
        cards = getattr(ship, key)
        if cards or key in ("contracts", "containers"):
            data[key] = [ids[card] for card in cards]
    if ship.pairs:
        data["pairs"] = [[ids[card] for card in pair] for pair in ship.pairs]
    if ship.reduced:
        data["reduced"] = [[ids[card], mask] for card, mask in ship.reduced]
    if ship.joined >= 0:
        data["joined"] = ship.joined
    if ship.single_use:
        data["single_use"] = ids[ship.single_use]
    return data


def places(game: Game) -> dict[str, tuple[int, ...]]:
    """Every zone of the table by its place in a position, with the cards that lie there, in order."""
    found: dict[str, tuple[int, ...]] = {}
    for player in game.players:
        for zone in (*ZONES, "played"):
            found[f"players[{player.seat}].{zone}"] = getattr(player, zone)
    for index, ship in enumerate(game.ships):
        found[f"ship-{index}.contracts"] = ship.contracts
        found[f"ship-{index}.containers"] = ship.containers
        if ship.place != GONE:  # a discarded single-use Ship still says which cards it was
            found[f"ship-{index}.yen"] = ship.yen
            found[f"ship-{index}.single_use"] = (ship.single_use,) if ship.single_use else ()
    found |= {"island": game.island, "pile": tuple(reversed(game.pile))}
    found |= {"discard": tuple(reversed(game.discard)), "box": game.boxed}
    return found


def faults(game: Game) -> Iterator[str]:
    """What the rules do not let lie so between two events, each a sentence; `unchecked` lets it pass."""
    unless = 'change it, or say "unchecked": true'
    for player in game.players:
        seat = player.seat
        limit = crew_limit(game, seat)
        if len(player.crew) > limit:
            yield f"players[{seat}].crew has {len(player.crew)} cards and the limit is {limit}; {unless}"
        limit, taken = 2 * player.contracts, goods_places(game, seat, player.goods)
        if taken > limit:
            yield f"players[{seat}].goods takes {taken} places and the limit is {limit}; {unless}"
    for index, ship in enumerate(game.ships):
        where = f"ship-{index}"
        if ship.contracts and load_room(game, ship) < 0:
            yield f"{where}.contracts need more Containers than one Ship may be loaded with; {unless}"
        if ship.contracts and ship.place == SEA:
            yield f"{where} is at sea with contracts, which lie under Ships in Port; {unless}"
        if ship.place == SEA and len(ship.containers) <= game.query(SAILS_HOME_AT, ship.owner, 0):
            few = "with its last container" if ship.containers else "without containers"
            yield f"{where} is at sea {few}, and such a Ship returns at once; {unless}"
        if ship.place == DEPARTING:
            yield f"{where} is departing, which no Ship is between two effects; {unless}"
        if ship.place == GONE and (ship.contracts or ship.containers):
            yield f"{where} is gone, so no card lies there; {unless}"
        half = next((other for other in game.ships if other.joined == index), None)
        if (ship.place == JOINED) != (half is not None) or (half is not None and half.owner != ship.owner):
            yield f"{where} must be joined if it is the other half of a Super Ship, and only then; {unless}"
        if is_complete(ship):
            yield f"{where} has all that its contracts need aboard, and such a Ship sails at once; {unless}"


# The middle of a turn


def _resume(game: Game, progress: Any) -> Game:
    """The same game in the middle of what `progress` says."""
    seats = len(game.players)
    progress = object_of(progress, "progress", PROGRESS)
    for key in PROGRESS:
        if key not in progress:
            raise PositionError(f"progress has no {key}; leave progress out to begin at the start of a turn")
    whole(progress["drawn"], "progress.drawn", 0, MAX_NUMBER)
    whole(progress["next_lead"], "progress.next_lead", 0, seats - 1)
    whole(progress["depth"], "progress.depth", 0, MAX_FRAMES)
    flag(progress["ran_dry"], "progress.ran_dry")
    flag(progress["together"], "progress.together")
    for player in game.players:
        if player.credits < 0 and not game.ending:
            raise PositionError(
                f"players[{player.seat}].credits is {player.credits}; only scoring goes below 0"
            )
    _check_frames(progress)
    _check_decisions(game, progress)
    _check_knowledge(game, progress)
    if progress["result"] is not None:
        places, credits, reason = row_of(progress["result"], "progress.result", 3)
        for name, values in (("places", places), ("credits", credits)):
            if len(list_of(values, f"progress.result {name}", seats)) != seats:
                raise PositionError(f"progress.result {name} must have one number for each of {seats} seats")
            for value in values:
                whole(value, f"progress.result {name}", -MAX_CREDITS, MAX_CREDITS)
        _plain([reason], "progress.result")
    saved = {**to_data(game), **progress}
    resumed = from_data(saved, game.catalogue)
    _check_answers(resumed)
    return resumed


def _check_answers(game: Game) -> None:
    """Every answer to what is asked must lead to a next question: a frame may hold what no rule can go on with."""
    if not game.over and not game.to_act:
        raise PositionError("progress asks nobody anything, so the game could not go on; leave it out")
    for decision in game.asking:
        for index, option in enumerate(decision.options):
            trial = game.clone()
            try:
                for seat in trial.to_act:
                    trial.choose(seat, index if seat == decision.seat else 0)
            except Exception as error:  # noqa: BLE001 - any rule may stumble, in its own way
                raise PositionError(
                    f"progress cannot go on with {shown(option.text(game.catalogue))} of seat {decision.seat}"
                    f" ({type(error).__name__}); leave it out to begin at the start of a turn"
                ) from None


def _check_frames(progress: Mapping[str, Any]) -> None:
    where = "progress.stack"
    top: type = object
    stack = list_of(progress["stack"], where, MAX_FRAMES)
    for frame in stack:
        name, *values = list_of(frame, where, 100) or (None,)
        cls = FRAMES.get(name) if isinstance(name, str) else None
        if cls is None or len(values) != len(cls.fields):
            raise PositionError(f"{where} holds a frame {shown(name)} that this version does not have")
        _plain(values, where)
        if not _is_step(cls, values[-1], 2):
            raise PositionError(f"{where}: the frame {name} has no step {shown(values[-1])}")
        top = cls
    if progress["result"] is None:
        names = [name for name, *_ in stack]
        step = stack[0][-1] if stack else ""
        if (
            names[:1] != ["Table"]
            or "Table" in names[1:]
            or (step != "start" and "FinalScoring" not in names)
        ):
            raise PositionError(f"{where} must begin with the frame Table, which goes from turn to turn")
    for name, *values in stack:
        if name == "Turn":
            action, following, step = values
            least = -1 if step in ("start", "lead", "close", "end") else 0
            whole(action, f"{where}: the action of Turn", least, len(ACTIONS) - 1)
            whole(following, f"{where}: the place in Turn", 0, MAX_PLAYERS)
    if progress["asking"] and not _is_step(top, progress["then"], 3):
        raise PositionError(f"progress.then is {shown(progress['then'])}, which is no step of the top frame")
    _plain([progress["then"]], "progress.then")


def _check_decisions(game: Game, progress: Mapping[str, Any]) -> None:
    seats, ships = len(game.players), len(game.ships)
    asking = list_of(progress["asking"], "progress.asking", seats)
    answers = list_of(progress["answers"], "progress.answers", seats)
    if len(asking) != len(answers) or (len(asking) > 1) > progress["together"]:
        raise PositionError("progress.answers must have one entry for each of progress.asking")
    limits = ((0, len(game.catalogue.ids) - 1),) * 2 + ((-1, ships - 1), (-1, seats - 1))
    for place, (decision, answer) in enumerate(zip(asking, answers, strict=True)):
        where = f"progress.asking[{place}]"
        kind, seat, options, secret = row_of(decision, where, 4)
        _plain([kind], where)
        whole(seat, f"{where} seat", 0, seats - 1)
        flag(secret, f"{where} secret")
        options = list_of(options, where, MAX_NUMBER)
        whole(answer, f"progress.answers[{place}]", -1, len(options) - 1)
        for entry in options:
            verb, name, card, other, ship, target, spot, amount = row_of(entry, where, 8)
            for text in (verb, name, spot):
                if not isinstance(text, str):
                    raise PositionError(f"{where} has an option with {shown(text)} for a word")
            for value, (low, high) in zip((card, other, ship, target), limits, strict=True):
                whole(value, f"{where} option", low, high)
            whole(amount, f"{where} option", -1, MAX_CREDITS)


def _check_knowledge(game: Game, progress: Mapping[str, Any]) -> None:
    """The masks must allow the places where the cards really are."""
    seats, cards = len(game.players), len(game.catalogue.cards) + 1
    try:
        zones = bytearray.fromhex(progress["zones"])
    except (TypeError, ValueError):
        zones = bytearray()
    hidden = {card: knowledge.hand(player.seat) for player in game.players for card in player.hand}
    hidden |= dict.fromkeys(game.pile, knowledge.PILE)
    everywhere = knowledge.PILE | (1 << seats) - 1
    if len(zones) != cards or any(
        mask & ~everywhere
        or (bool(mask) != (card in hidden))
        or mask & hidden.get(card, 0) != hidden.get(card, 0)
        for card, mask in enumerate(zones)
    ):
        raise PositionError("progress.zones contradicts where the cards lie; leave progress out to forget it")
    whole(progress["batch"], "progress.batch", 0, knowledge.LAST_BATCH)
    whole(progress["mixed"], "progress.mixed", 0, (1 << seats) - 1)
    try:
        batches = bytearray.fromhex(progress["batches"])
    except (TypeError, ValueError):
        batches = bytearray()
    if len(batches) != cards or any(batches[card] != progress["batch"] for card in game.pile):
        raise PositionError("progress.batches does not fit the draw pile; leave progress out to forget it")
    for entry in list_of(progress["secrets"], "progress.secrets", 10 * cards):
        card, knowers, mask = row_of(entry, "progress.secrets", 3)
        whole(card, "progress.secrets card", 1, cards - 1)
        whole(knowers, "progress.secrets seats", 1, (1 << seats) - 1)
        whole(mask, "progress.secrets places", 0, everywhere)
        place = hidden.get(card, 0)
        if knowers & ~place and not mask & place and place:  # who holds it itself needs no such note
            raise PositionError(
                f"progress.secrets contradicts where {game.catalogue.ids[card]} lies; leave progress out"
            )


def _plain(value: Any, where: str, nesting: int = 0) -> None:
    """Refuse what no frame or option holds."""
    if isinstance(value, (list, tuple)) and nesting < MAX_NESTING and len(value) <= MAX_FRAMES:
        for entry in value:
            _plain(entry, where, nesting + 1)
    elif isinstance(value, str):
        if len(value) > 200:
            raise PositionError(f"{where} holds a text of {len(value)} characters; dump writes none so long")
    elif type(value) is not bool and not (type(value) is int and -MAX_NUMBER < value < MAX_NUMBER):
        raise PositionError(f"{where} holds {shown(value)}, which dump does not write")


def _is_step(frame: type, name: Any, arguments: int) -> bool:
    method = getattr(frame, name, None) if isinstance(name, str) and not name.startswith("_") else None
    code = getattr(method, "__code__", None)
    return code is not None and code.co_argcount == arguments

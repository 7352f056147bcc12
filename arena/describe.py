"""Events and views as plain lines for people: the same words for replays, watching and reports.

    describe(event, labels(names))          # "greedy loads scotch onto ship 2"
    view_lines(view, labels(names))         # a table of what can be seen

Both take what `Event.for_seat` and `Game.view` give, and show no more than stands in it. Fields and kinds
that are not known here are shown as they are, so that a new power needs no line in this module. Every text
is safe for a terminal: what is not printable is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from protocol.errors import printable
from protocol.names import name_key

Fields = Mapping[str, Any]

SEATS: Final = frozenset(
    {"seat", "lead", "first", "to", "of", "owner", "victim", "giver", "receiver", "by_seat"}
)
"""Fields whose number is a seat."""

PLAIN: Final = {
    "turn": "turn {turn}: {lead} leads",
    "use": "{seat} uses {card}",
    "shuffle": "the discard pile is shuffled into a new draw pile of {cards}",
    "discard": "{card} is discarded",
    "island": "{card} comes to the Supply Island",
    "hand": "{seat} takes {card} into the hand",
    "good": "{seat} gets {card} as a Good",
    "goods": "{seat} lays the Goods in this order: {cards}",
    "fulfilled": "{seat} has {card} fulfilled",
    "drop": "{seat} discards {card} from the hand",
    "reduce": "ship {ship} of {seat} needs one {color} Container less",
    "scrap": "{seat} discards the contracts of ship {ship}",
    "ship-gone": "ship {ship} of {seat} is gone",
    "ship-returns": "ship {ship} returns to the Port of {seat}",
    "share": "{card} comes onto ship {ship}",
    "sail": "ship {ship} of {seat} sails",
    "end-triggered": "the end is triggered by {reason}; the turn is finished",
    "lost": "{seat} cannot use an action: {action} is lost",
    "sell": "{seat} sells {card} to the Supply Island",
    "take": "{seat} takes {card} from the Supply Island",
    "fulfil": "{seat} fulfils {contracts} on ship {ship}, loaded with {containers}",
    "round-void": "bidding round {round} is void",
    "round": "bidding round {round} for ship {ship}",
    "won": "{seat} wins the bidding with {bid}",
    "import": "{seat} imports {cards} from ship {ship}",
    "scoring": "final scoring",
    "copy": "{card} of {seat} has the power of {power}",
    "join": "ships {ship} and {joined} of {seat} become one",
    "yen": "{seat} puts {card} under ship {ship}",
    "extra-turn": "{seat} will lead an extra turn",
    "name": "{seat} names {type}",
    "declare": "{seat} declares {card} to be {type}",
    "mark": "on {card} of {seat} lie {credits} credits",
    "new-ship": "{card} becomes ship {ship} of {seat}",
    "rob": "{seat} takes {card} from ship {ship}",
    "virtual-crew": "{seat} has one more Crew for {action} this turn",
    "barter": "{seat} barters {given} for {taken} from the Supply Island",
    "promise": "{seat} gives {to} of the Goods: {cards}",
    "stock": "{token} goes back to the stock",
    "market": "the marker of {type} on the Commodity Market moves to {marker}",
    "retired": "{seat} is retired for {reason}: its defaults are played",
    "piracy-ban": "there is no Piracy until {seat} leads",
}
"""Kinds whose fields are all in one sentence."""


DECISIONS: Final = {
    "lead": "which action to lead, with which card",
    "follow": "whether to follow, or to draw",
    "crew": "how much Crew to use",
    "bid": "a sealed bid",
    "tie": "who wins the tie",
    "window": "use of a power, or none",
    "order": "which power comes first",
    "order-goods": "the order of the Goods",
    "fulfil-order": "which Ship is fulfilled first",
    "fulfil-early": "whether to fulfil now",
    "import-ship": "which Ship to import from",
    "import-take": "which Containers to take",
    "import-one": "which Container to take",
    "barter-take": "what to take for it",
    "supply": "what to sell or take",
    "contract": "which contract, on which Ship",
    "load": "what to load, and where",
    "piracy": "what to take, and where to load it",
    "barter": "what to barter",
}
"""What a seat is asked; a kind that is not here is a power's own. The pages have the same words in `kinds.js`."""


def labels(names: Sequence[str]) -> list[str]:
    """What each seat is called: its name; with the number of the seat if two names look alike."""
    shown = [printable(name) for name in names]
    if len({name_key(name) for name in shown}) < len(shown):
        return [f"{name}#{seat}" for seat, name in enumerate(shown)]
    return shown


def describe(event: Fields, names: Sequence[str]) -> str:
    """One line that says what happened; `names` are the labels of the seats."""
    kind = str(event.get("event", "an event"))
    noted = _Noted(event)
    try:
        if kind in SENTENCES:
            return printable(SENTENCES[kind](noted, names) + noted.rest(names))
        if kind in PLAIN:
            return printable(PLAIN[kind].format_map(_Texts(noted, names)) + noted.rest(names))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        pass  # not the fields that this kind has here: perhaps a newer version sent it
    return generic(event, names)


def kind_text(kind: str) -> str:
    """What a seat is asked, in words."""
    return DECISIONS.get(kind) or printable(kind.replace("-", " "))


def generic(event: Fields, names: Sequence[str]) -> str:
    """Any event: its kind and its fields."""
    fields = {name: value for name, value in event.items() if name != "event"}
    return printable(f"{event.get('event', 'an event')}{_extra(fields, names, ': ')}")


class _Noted(Mapping[str, Any]):
    """The fields of an event, with a note of those that a sentence has looked at."""

    def __init__(self, event: Fields) -> None:
        self.event = event
        self.seen = {"event"}

    def __getitem__(self, field: str) -> Any:
        self.seen.add(field)
        return self.event[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self.event)

    def __len__(self) -> int:
        return len(self.event)

    def rest(self, names: Sequence[str]) -> str:
        """What the sentence does not say, in brackets."""
        left = {field: value for field, value in self.event.items() if field not in self.seen}
        return _extra(left, names, " (", ")")


class _Texts(dict[str, str]):
    """The fields as a sentence shows them."""

    def __init__(self, event: Fields, names: Sequence[str]) -> None:
        super().__init__()
        self.event = event
        self.names = names

    def __missing__(self, field: str) -> str:
        return value_text(field, self.event[field], self.names)


def value_text(field: str, value: Any, names: Sequence[str]) -> str:
    """A value as it is shown: seats by name, lists and objects in a row."""
    if type(value) is int and field in SEATS and 0 <= value < len(names):
        return names[value]
    if isinstance(value, Mapping):
        return (
            ", ".join(f"{name} {value_text(name, inner, names)}" for name, inner in value.items())
            or "nothing"
        )
    if isinstance(value, (list, tuple)):
        return ", ".join(value_text("", inner, names) for inner in value) or "nothing"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _extra(fields: Fields, names: Sequence[str], before: str, after: str = "") -> str:
    shown = ", ".join(f"{name} {value_text(name, value, names)}" for name, value in fields.items())
    return f"{before}{shown}{after}" if shown else ""


# Kinds whose sentence depends on their fields


def _deal(event: Fields, names: Sequence[str]) -> str:
    dict(event)  # the board is for `view_lines`
    hand = f"; your hand: {', '.join(event['hand'])}" if "hand" in event else ""
    return f"the cards are dealt; {names[event['first']]} leads first{hand}"


def _draw(event: Fields, names: Sequence[str]) -> str:
    return f"{names[event['seat']]} draws {count_text(event['count'], 'card')}{_seen(event)}"


def _give(event: Fields, names: Sequence[str]) -> str:
    return f"{names[event['seat']]} gives {names[event['to']]} {count_text(event['count'], 'card')}{_seen(event)}"


def _coin(event: Fields, names: Sequence[str]) -> str:
    return f"{names[event['seat']]} flips a coin: {'heads' if event['heads'] else 'tails'}"


def _reveal(event: Fields, names: Sequence[str]) -> str:
    return f"{names[event['seat']]} reveals {', '.join(_cards(event)) or 'no card'}"


def _search(event: Fields, names: Sequence[str]) -> str:
    return (
        f"{names[event['seat']]} searches the draw pile of {count_text(event['count'], 'card')}{_seen(event)}"
    )


def _found(event: Fields, names: Sequence[str]) -> str:
    if not event["count"]:
        return f"{names[event['seat']]} finds nothing"
    return f"{names[event['seat']]} finds {count_text(event['count'], event['type'] + ' card')}{_seen(event)}"


def _match(event: Fields, names: Sequence[str]) -> str:
    passed = f", after {', '.join(event['passed'])}" if event["passed"] else ""
    return f"the discard pile is searched for {event['token']}: {event['card'] or 'no card'} matches{passed}"


def _play(event: Fields, names: Sequence[str]) -> str:
    return f"{names[event['seat']]} plays {' and '.join(_cards(event))} for {event['action']}"


def _seen(event: Fields) -> str:
    return f": {', '.join(event['cards'])}" if event.get("cards") else ""


def _cards(event: Fields) -> list[str]:
    return [event["card"]] if "card" in event else event["cards"]


def _top(event: Fields, names: Sequence[str]) -> str:
    return f"on top of the draw pile lies {event['card'] or 'no card'}"


def _credits(event: Fields, names: Sequence[str]) -> str:
    verb = "gets" if event["change"] >= 0 else "pays"
    return (
        f"{names[event['seat']]} {verb} {abs(event['change'])} for {event['why']} and has {event['credits']}"
    )


def _announced(event: Fields, names: Sequence[str]) -> str:
    verb = "leads" if event["event"] == "lead" else "follows"
    instead = f", done as {event['doing']}" if event["doing"] != event["action"] else ""
    cards = f" with {' and '.join(event['cards'])}" if event["cards"] else ""
    actions = count_text(event["count"], "action")
    return f"{names[event['seat']]} {verb} {event['action']}{instead}{cards}: {actions}"


def _crew(event: Fields, names: Sequence[str]) -> str:
    if "count" not in event:
        return f"{names[event['seat']]} gets {event['card']} as Crew"
    instead = f", done as {event['doing']}" if event["doing"] != event["action"] else ""
    actions = count_text(event["count"], "action")
    return f"{names[event['seat']]} uses Crew for {event['action']}{instead}: {actions}"


def _load(event: Fields, names: Sequence[str]) -> str:
    by = "" if event["by"] in ("load", "piracy") else f" by {event['by']}"
    pair = " as one of a pair" if event.get("pair") else ""
    return f"{names[event['seat']]} loads {event['card']} onto ship {event['ship']}{pair}{by}"


def _contract(event: Fields, names: Sequence[str]) -> str:
    by = "" if event["by"] == "contract" else f" by {event['by']}"
    skipped = f", {count_text(event['skipped'], 'Level')} skipped" if event["skipped"] else ""
    return f"{names[event['seat']]} places the contract {event['card']} on ship {event['ship']}{by}{skipped}"


def _pirate(event: Fields, names: Sequence[str]) -> str:
    ship, source = event.get("ship"), event.get("source", "the Supply Island")
    place = source if ship is None else f"ship {ship}"
    return f"{names[event['seat']]} pirates {event['card']} from {place}"


def _side(event: Fields, names: Sequence[str]) -> str:
    where = "" if event["ship"] is None else f" on ship {event['ship']}"
    return f"{names[event['seat']]} turns up the side {event['card']}{where}"


def _bids(event: Fields, names: Sequence[str]) -> str:
    return "the bids are " + ", ".join(f"{names[seat]} {amount}" for seat, amount in event["bids"])


def _score(event: Fields, names: Sequence[str]) -> str:
    parts = ", ".join(f"{part} {amount:+d}" for part, amount in event["parts"].items()) or "nothing"
    return f"{names[event['seat']]} scores {parts} and has {event['credits']}"


def _end(event: Fields, names: Sequence[str]) -> str:
    order = sorted(range(len(event["places"])), key=lambda seat: event["places"][seat])
    ranks = ", ".join(f"{event['places'][s]}. {names[s]} with {event['credits'][s]}" for s in order)
    return f"the game ends by {event['reason']}: {ranks}"


SENTENCES: Final[dict[str, Callable[[Fields, Sequence[str]], str]]] = {
    "deal": _deal,
    "coin": _coin,
    "reveal": _reveal,
    "search": _search,
    "found": _found,
    "match": _match,
    "play": _play,
    "draw": _draw,
    "give": _give,
    "top": _top,
    "credits": _credits,
    "lead": _announced,
    "follow": _announced,
    "crew": _crew,
    "load": _load,
    "contract": _contract,
    "pirate": _pirate,
    "side": _side,
    "bids": _bids,
    "score": _score,
    "end": _end,
}


def count_text(count: int, noun: str) -> str:
    """1 card, 2 cards."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


# Views

_PLAYER: Final = ("port", "credits", "hand", "crew", "crew_limit", "goods", "goods_limit", "fulfilled")
_TURN: Final = ("played", "announced", "doing", "sold", "extra_turns")
_SHIP: Final = ("ship", "owner", "place", "contracts", "containers")
_BOARD: Final = ("event", "turn", "lead", "first", "ending", "island", "pile", "discard", "top_discard")
_PARTS: Final = ("columns", "players", "ships", "result", "seat", "hand", "decision")


def view_lines(view: Fields, names: Sequence[str]) -> Iterator[str]:
    """A view, or the board in a `deal` event, line by line."""
    for line in _view_lines(view, names):
        yield printable(line)


def _view_lines(view: Fields, names: Sequence[str]) -> Iterator[str]:
    if "turn" in view:
        ending = f"; the end is triggered by {view['ending']}" if view["ending"] else ""
        yield f"turn {view['turn']}, {names[view['lead']]} leads{ending}"
    top = f", {view['top_discard']} on top" if view["top_discard"] else ""
    yield f"draw pile {view['pile']}, discard pile {view['discard']}{top}"
    if "columns" in view:
        for column in view["columns"]:
            credits = count_text(column["credits"], "credit")
            yield f"Tokyo Port, {credits}: {cards_text(column['cards'])}"
    else:
        yield f"Supply Island: {cards_text(view['island'])}"
    for name, value in view.items():
        if name not in _BOARD and name not in _PARTS:
            yield f"{name.replace('_', ' ')}: {value_text(name, value, names)}"
    for seat, player in enumerate(view["players"]):
        yield from _player_lines(player, names[seat], names)
        for ship in view["ships"]:
            if ship["owner"] == seat:
                yield _ship_line(ship, names)
    if "hand" in view:
        yield f"your hand: {cards_text(view['hand'])}"
    if "decision" in view:
        yield f"you are asked: {view['decision']['kind']}"
        for index, option in enumerate(view["decision"]["options"]):
            default = " (default)" if index == view["decision"]["default"] else ""
            yield f"  {index} {option}{default}"
    if "result" in view:
        yield _end(view["result"], names)


def _player_lines(player: Fields, name: str, names: Sequence[str]) -> Iterator[str]:
    yield (
        f"{name}: {player['port']} Port, {count_text(player['credits'], 'credit')},"
        f" {count_text(player['hand'], 'card')} in hand"
    )
    yield f"  Crew ({player['crew_limit']}): {cards_text(player['crew'])}"
    yield f"  Goods ({player['goods_limit']}): {cards_text(player['goods'])}"
    if player["fulfilled"]:
        yield f"  fulfilled: {cards_text(player['fulfilled'])}"
    if player["played"] or player["announced"]:
        played = f" with {' and '.join(player['played'])}" if player["played"] else ""
        yield f"  this turn: {count_text(player['announced'], 'action')} of {player['doing']}{played}"
    left = {
        key.replace("_", " "): value
        for key, value in player.items()
        if key not in _PLAYER and (key not in _TURN or (key in ("sold", "extra_turns") and value))
    }
    if left:
        yield f"  {_extra(left, names, '')}"


def _ship_line(ship: Fields, names: Sequence[str]) -> str:
    where = "at sea" if ship["place"] == "sea" else "in Port" if ship["place"] == "port" else ship["place"]
    contracts = f"contracts {', '.join(ship['contracts'])}" if ship["contracts"] else "no contracts"
    containers = f"loaded with {', '.join(ship['containers'])}" if ship["containers"] else "empty"
    if ship["place"] == "sea" and not ship["contracts"]:
        contracts = ""
    left = {key: value for key, value in ship.items() if key not in _SHIP}
    what = ", ".join(part for part in (contracts, containers) if part)
    return f"  ship {ship['ship']} {where}: {what}{_extra(left, names, ', ')}"


def cards_text(cards: Sequence[Any]) -> str:
    """Cards in a row, or that there are none."""
    return ", ".join(str(card) for card in cards) or "none"

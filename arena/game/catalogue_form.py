"""The form of a catalogue file: reads the text, checks everything, says in one sentence what is wrong.

Every function takes a value and `where` it stands, and raises a `CatalogueError` that begins with it. What a
catalogue is once it has been read belongs in `arena.game.catalogue`, which imports this module on first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from arena.game.catalogue import SETS, Card, Catalogue, CatalogueError, Face, power_texts, quoted, similar
from arena.game.terms import ACTION_OF, ACTIONS, ANY, CAPITAL, LOAD_LIMIT, TYPE_OF, TYPES

MAX_CATALOGUE_BYTES: Final = 128 * 1024  # the house catalogue has 52 KB; a printed one needs little more
MAX_LINE: Final = (
    400  # characters; a line of n dotted keys costs n * n steps, and the longest honest one has 150
)
MAX_COUNT: Final = 99  # of one colour; only keeps sums short enough to be shown
MAX_TOKYO_PRICE: Final = 100  # credits; twice what ends a game (R13.1)
MAX_LEVEL: Final = 9  # of a Capital card (R16.8)
MAX_COLORED_LEVEL: Final = 6  # of the others; the house cards end at 3
CARDS: Final = sum(SETS.values())
DOUBLES: Final = 10  # cards with two contracts, all in one set (R18)

PROVENANCES: Final = ("rulebook", "inferred", "house", "printed")
SOURCED: Final = ("color", "level", "load", "set")
ID: Final = "[a-z0-9]+(-{1,2}[a-z0-9]+)*"
ZONES: Final = ("hand", "crew", "goods", "island", "fulfilled", "discard", "pile", "ship", "seat")
RESERVED: Final = frozenset((*TYPES, *ACTIONS, *ZONES, "pass", "draw"))
"""Words of positions and of options in text form, which no card may have as its id."""

COLORED: Final = {name: number for name, number in TYPE_OF.items() if number != CAPITAL}
RAINBOW: Final = {"any": CAPITAL}


def read_text(text: str, origin: str) -> Catalogue:
    """The catalogue that a TOML text describes; `origin` is what errors call the text."""
    keys = ("schema", "catalogue", "count", "actions", "tokyo", "ports", "card")
    document = _table(_parse(text, origin), origin, keys)
    _whole(document["schema"], f"{origin}: schema", 1, 1)
    _whole(document["count"], f"{origin}: count", CARDS, CARDS)
    action_of_type = _actions(document["actions"], f"{origin}: [actions]")
    entries = _array(document["card"], f"{origin}: [[card]]", CARDS)
    cards = [_card(entry, _label(entry, n, origin), action_of_type) for n, entry in enumerate(entries, 1)]
    cards.sort(key=lambda card: card.number)
    _check_together(cards, origin)
    return Catalogue(
        _line(document["catalogue"], f"{origin}: catalogue"),
        cards,
        action_of_type=action_of_type,
        tokyo_prices=_prices(document["tokyo"], f"{origin}: [tokyo]"),
        ports=_ports(document["ports"], f"{origin}: [ports]"),
    )


def changed_face(card: Card, change: Mapping[str, object], action_of_type: tuple[int, ...]) -> Card:
    """The card with another face; see `Catalogue.with_faces`."""
    where = f"face of {card.id}"
    size = len(card.contracts)
    color = "colors" if size == 2 else "color"
    row = _table(dict(change), where, (), (color, "level", "load", "action"))

    def each(field: str) -> list[object]:
        return _array(row[field] if size == 2 else [row[field]], f"{where}: {field}", size)

    level, action, faces = card.level, card.action, card.contracts
    if color in row:
        types = [_number(value, f"{where}: {color}", TYPE_OF) for value in each(color)]
        faces = tuple(face._replace(color=type_) for face, type_ in zip(faces, types, strict=True))
        action = action_of_type[types[0]]
    if "load" in row:
        loads = [_load(value, f"{where}: load") for value in each("load")]
        faces = tuple(face._replace(load=load) for face, load in zip(faces, loads, strict=True))
    if "level" in row:
        level = _counts(row["level"], f"{where}: level", COLORED | RAINBOW, (0, MAX_LEVEL), "Goods")
    if "action" in row:
        action = _number(row["action"], f"{where}: action", ACTION_OF)
    return card._replace(
        colors=tuple(face.color for face in faces), action=action, level=level, contracts=faces
    )


def changed_side(
    card: Card, side: int, change: Mapping[str, object], action_of_type: tuple[int, ...]
) -> Card:
    """The card with two contracts, one of which is another; see `Catalogue.with_faces`."""
    face = card.contracts[side]
    where = f"face of {face.power}"
    row = _table(dict(change), where, (), ("color", "level", "load"))
    if "color" in row:
        face = face._replace(color=_number(row["color"], f"{where}: color", TYPE_OF))
    if "load" in row:
        face = face._replace(load=_load(row["load"], f"{where}: load"))
    if "level" in row:
        _level(row["level"], f"{where}: level", card.contracts)
    faces = (*card.contracts[:side], face, *card.contracts[side + 1 :])
    return card._replace(
        colors=tuple(face.color for face in faces), action=action_of_type[faces[0].color], contracts=faces
    )


def _parse(text: str, origin: str) -> object:
    import tomllib

    if len(text.encode("utf-8", "surrogatepass")) > MAX_CATALOGUE_BYTES:
        raise CatalogueError(
            f"{origin}: has more than {MAX_CATALOGUE_BYTES // 1024} KB, the most that is read of a catalogue"
        )
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            raise CatalogueError(
                f"{origin}: line {number} has {len(line)} characters; {MAX_LINE} are allowed"
            )
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise CatalogueError(
            f"{origin}: is nested too deeply for a catalogue; see the shipped cards.toml"
        ) from None
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        raise CatalogueError(f"{origin}: is not TOML: {str(error)[-MAX_LINE:]}") from None


def _actions(value: object, where: str) -> tuple[int, ...]:
    """The action of each type (rulebook, 0.2)."""
    row = _table(value, where, TYPES)
    actions = tuple(_number(row[type_], f"{where}: {type_}", ACTION_OF) for type_ in TYPES)
    if len(set(actions)) < len(ACTIONS):
        raise CatalogueError(f"{where}: two colours have the same action; each needs one of its own")
    return actions


def _prices(value: object, where: str) -> tuple[int, ...]:
    """Credits for the columns of the Tokyo Port (Q80); even, as money is (Q10)."""
    row = _array(_table(value, where, ("prices",))["prices"], f"{where}: prices", 4)
    prices = [_whole(price, f"{where}: prices", 0, MAX_TOKYO_PRICE) for price in row]
    if prices != sorted(prices) or any(price % 2 for price in prices):
        raise CatalogueError(f"{where}: prices are {_words(prices)}; they must be even and must not fall")
    return tuple(prices)


def _ports(value: object, where: str) -> tuple[int, ...]:
    """The colours of the Ports, the light-grey one last (Q5)."""
    row = _array(_table(value, where, ("colors",))["colors"], f"{where}: colors", len(TYPES))
    ports = tuple(_number(color, f"{where}: colors", TYPE_OF) for color in row)
    if len(set(ports)) < len(TYPES) or ports[-1] != CAPITAL:
        raise CatalogueError(f"{where}: colors are {_words(row)}; each must occur once, with capital last")
    return ports


def _card(entry: object, where: str, action_of_type: tuple[int, ...]) -> Card:
    double = isinstance(entry, dict) and "contracts" in entry
    kind = ("colors", "contracts") if double else ("color", "load", "power")
    row = _table(entry, where, ("number", "id", "name", "set", "level", "source", *kind), ("why",))
    number = _whole(row["number"], f"{where}: number", 1, CARDS)
    id = _id(row["id"], f"{where}: id")
    set_ = _one_of(row["set"], f"{where}: set", tuple(SETS))
    source = _source(row["source"], f"{where}: source")
    why = _line(row["why"], f"{where}: why") if "why" in row else ""
    if not why and {"rulebook", "inferred"} & set(source.values()):
        raise CatalogueError(f"{where}: why is missing; it must state the fact or clue behind the source")
    contracts = _two_contracts(row, where) if double else _one_contract(row, where)
    if (contracts[0].color == CAPITAL) != (set_ == "capital"):
        raise CatalogueError(
            f"{where}: color is {TYPES[contracts[0].color]} in the set {set_};"
            " the set capital has the Capital cards and no others"
        )
    name = " / ".join(power_texts()[face.power].name for face in contracts)
    if row["name"] != name:
        raise CatalogueError(
            f"{where}: name is {quoted(row['name'])}; the power's name {quoted(name)} is expected"
        )
    return Card(
        number=number,
        id=id,
        name=name,
        set=set_,
        colors=tuple(face.color for face in contracts),
        action=action_of_type[contracts[0].color],
        level=_level(row["level"], f"{where}: level", contracts),
        contracts=contracts,
        source=source,
        why=why,
    )


def _id(value: object, where: str) -> str:
    import re

    id = _line(value, where)
    if not re.fullmatch(ID, id):
        raise CatalogueError(
            f"{where} is {quoted(id)}; it must be small letters and digits joined by - or --"
        )
    if id in RESERVED:
        raise CatalogueError(f"{where} is {quoted(id)}, a word of the options' text form; choose another")
    return id


def _source(value: object, where: str) -> dict[str, str]:
    row = _table(value, where, SOURCED)
    return {field: _one_of(row[field], f"{where}.{field}", PROVENANCES) for field in SOURCED}


def _one_contract(row: Mapping[str, object], where: str) -> tuple[Face, ...]:
    return (_face(row, where, _number(row["color"], f"{where}: color", TYPE_OF)),)


def _two_contracts(row: Mapping[str, object], where: str) -> tuple[Face, ...]:
    """The contracts in the order of the file; each belongs to one of the two colours (R18.1)."""
    faces = []
    for entry in _array(row["contracts"], f"{where}: contracts", 2):
        contract = _table(entry, f"{where}: contracts", ("power", "color", "load"))
        color = _number(contract["color"], f"{where}: contracts: color", COLORED)
        faces.append(_face(contract, f"{where}: {TYPES[color]} contract", color))
    colors = [
        _number(color, f"{where}: colors", COLORED) for color in _array(row["colors"], f"{where}: colors", 2)
    ]
    if colors[0] == colors[1] or sorted(colors) != sorted(face.color for face in faces):
        raise CatalogueError(f"{where}: colors must be two different ones, each that of one of the contracts")
    return tuple(faces)


def _face(row: Mapping[str, object], where: str, color: int) -> Face:
    power = _line(row["power"], f"{where}: power")
    if power not in power_texts():
        raise CatalogueError(
            f"{where}: power {quoted(power)} does not exist; {similar(power, power_texts())}"
        )
    return Face(power, color, _load(row["load"], f"{where}: load"))


def _load(value: object, where: str) -> tuple[int, ...]:
    counts = _counts(value, where, COLORED | RAINBOW, (1, LOAD_LIMIT), "Containers")
    return tuple(ANY if type_ == CAPITAL else 1 << type_ for type_, count in counts for _ in range(count))


def _level(value: object, where: str, contracts: Sequence[Face]) -> tuple[tuple[int, int], ...]:
    if len(contracts) == 2 and value != {}:
        raise CatalogueError(
            f"{where} must be {{}}; a card with two contracts has no Level prerequisite (R18.2)"
        )
    if contracts[0].color == CAPITAL:
        return _counts(value, where, RAINBOW, (0, MAX_LEVEL), "Goods")
    return _counts(value, where, COLORED, (0, MAX_COLORED_LEVEL), "Goods")


def _check_together(cards: Sequence[Card], origin: str) -> None:
    """What only shows when all cards are seen; with the checks of each card, every power is then on one."""
    _check_once("number", [(card.number, card.id) for card in cards], origin)
    ids = [(card.id, f"number {card.number}") for card in cards]
    doubles = [card for card in cards if len(card.contracts) == 2]
    ids += [(face.power, f"a side of {card.id}") for card in doubles for face in card.contracts]
    _check_once("id", ids, origin)
    _check_once("power", [(face.power, card.id) for card in cards for face in card.contracts], origin)
    for name, size in SETS.items():
        found = sum(card.set == name for card in cards)
        if found != size:
            raise CatalogueError(f"{origin}: set {name} has {found} cards; {size} are expected (R1.1)")
    sets = {card.set for card in doubles}
    if len(doubles) != DOUBLES or len(sets) > 1:
        raise CatalogueError(
            f"{origin}: {len(doubles)} cards of {len(sets)} sets have two contracts;"
            f" {DOUBLES} of one set are expected (R18)"
        )


def _check_once(what: str, pairs: Iterable[tuple[object, str]], origin: str) -> None:
    holder_of: dict[object, str] = {}
    for value, holder in pairs:
        if value in holder_of:
            raise CatalogueError(
                f"{origin}: {what} {value} is on two cards, {holder_of[value]} and {holder};"
                f" each {what} must occur once"
            )
        holder_of[value] = holder


def _label(entry: object, place: int, origin: str) -> str:
    """What errors call a card: `cards.toml: card 17 (ivory)`, or by its place where it has no number."""
    row = entry if isinstance(entry, dict) else {}
    number, id = row.get("number"), row.get("id")
    numbered = type(number) is int and 1 <= number <= CARDS
    name = f"card {number}" if numbered else f"[[card]] {place} in the file"
    return f"{origin}: {name}" + (f" ({quoted(id)[1:-1]})" if isinstance(id, str) else "")


def _table(
    value: object, where: str, required: Iterable[str], optional: Iterable[str] = (), *, key: str = "field"
) -> dict[str, object]:
    if not isinstance(value, dict):
        raise CatalogueError(f"{where} is {quoted(value)}; a table is expected")
    required = tuple(required)
    known = (*required, *optional)
    for name in value:
        if name not in known:
            raise CatalogueError(f"{where} has the unknown {key} {quoted(name)}; known are {_words(known)}")
    for name in required:
        if name not in value:
            raise CatalogueError(f"{where} has no {key} {name}; it needs {_words(required)}")
    return value


def _array(value: object, where: str, size: int) -> list[object]:
    if not isinstance(value, list):
        raise CatalogueError(f"{where} is {quoted(value)}; an array of {size} is expected")
    if len(value) != size:
        raise CatalogueError(f"{where} has {len(value)} entries; {size} are expected")
    return value


def _counts(
    value: object, where: str, keys: Mapping[str, int], bounds: tuple[int, int], unit: str
) -> tuple[tuple[int, int], ...]:
    """Pairs of type and count, in the order of the types; `any` stands as `CAPITAL`."""
    row = _table(value, where, (), keys, key="colour")
    counts = [(keys[name], _whole(count, f"{where}: {name}", 1, MAX_COUNT)) for name, count in row.items()]
    low, high = bounds
    asked = sum(count for _, count in counts)
    if not low <= asked <= high:
        raise CatalogueError(f"{where} asks for {asked} {unit}; {low} to {high} are allowed")
    return tuple(sorted(counts))


def _whole(value: object, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        expected = f"{low}" if low == high else f"a whole number from {low} to {high}"
        raise CatalogueError(f"{where} is {quoted(value)}; {expected} is expected")
    return value


def _line(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise CatalogueError(f"{where} is {quoted(value)}; one line of text is expected")
    return value


def _one_of(value: object, where: str, known: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in known:
        raise CatalogueError(f"{where} is {quoted(value)}; one of {_words(known)} is expected")
    return value


def _number(value: object, where: str, known: Mapping[str, int]) -> int:
    return known[_one_of(value, where, tuple(known))]


def _words(names: Iterable[object]) -> str:
    return ", ".join(map(str, names))

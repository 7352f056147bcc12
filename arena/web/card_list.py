"""The catalogue as the pages show it."""

from __future__ import annotations

from arena.game.catalogue import Catalogue, Face, power_texts
from arena.game.terms import ACTIONS, ANY, CAPITAL, TYPES
from arena.web.models import Card, Cards, Contract


def cards(catalogue: Catalogue) -> Cards:
    """All cards with the texts of their powers."""
    return Cards(
        catalogue=catalogue.name,
        hash=catalogue.hash,
        cards=tuple(
            Card(
                number=card.number,
                id=card.id,
                name=card.name,
                set=card.set,
                colors=tuple(TYPES[color] for color in card.colors),
                action=ACTIONS[card.action],
                level={"any" if type_ == CAPITAL else TYPES[type_]: count for type_, count in card.level},
                contracts=tuple(map(contract, card.contracts)),
            )
            for card in catalogue.cards
        ),
    )


def contract(face: Face) -> Contract:
    """One contract of a card."""
    text = power_texts()[face.power]
    return Contract(
        power=face.power,
        name=text.name,
        color=TYPES[face.color],
        load=tuple("any" if mask == ANY else TYPES[mask.bit_length() - 1] for mask in face.load),
        timing=text.timing,
        effect=text.effect,
    )

"""The powers that do nothing yet, in one place: a card with one of them is a contract like any other, without power.

Whoever writes one of these powers takes its id out here; a test holds this list, the registry and the texts
of all 180 powers together.
"""

from __future__ import annotations

from typing import Final

NOTHING_TO_DO: Final = frozenset({"souvenirs"})
"""Powers whose text is that they do nothing."""

INERT: Final = frozenset(
    """
    apples artifacts avocado beer ceramics champagne cheap-labor cheap-shirts cologne diesel-engine
    dino-bones euros exotic-fish gold-stuff gps helicopter import-export-definitive-edition
    improbability ivory long-coats mother-load nice-suits ramen sanitizer sauna small-poodles
    solar-panels soy-sauce squid-jerky teslas the-algorithm unpasteurized-cheese vaccines
    velvet-robes
    """.split()
)

"""Events: what a stream, a view or a log may say about what happened, made where it happens.

An event is a public part, which everybody sees, and for some seats an addition that only they see.
Nothing masks afterwards: who is not named in `private` gets the public part, and that is all there is.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Event(NamedTuple):
    """One thing that happened. `private` maps a seat to the fields that it sees in addition."""

    kind: str
    public: dict[str, Any]
    private: dict[int, dict[str, Any]] | None = None

    def for_seat(self, seat: int | None) -> dict[str, Any]:
        """The event as `seat` sees it; `None` is the public."""
        shown = {"event": self.kind, **self.public}
        if seat is not None and self.private is not None and seat in self.private:
            shown.update(self.private[seat])
        return shown

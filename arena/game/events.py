"""Events: what a stream, a view or a log may say about what happened, made where it happens.

An event is a public part, which everybody sees, and for some seats an addition that only they see.
Nothing masks afterwards: who is not named in `private` gets the public part, and that is all there is.
"""

from __future__ import annotations

from typing import Any


class Event:
    """One thing that happened. `private` maps a seat to the fields that it sees in addition."""

    __slots__ = ("kind", "private", "public")

    def __init__(
        self, kind: str, public: dict[str, Any], private: dict[int, dict[str, Any]] | None = None
    ) -> None:
        self.kind = kind
        self.public = public
        self.private = private

    def for_seat(self, seat: int | None) -> dict[str, Any]:
        """The event as `seat` sees it; `None` is the public."""
        shown = {"event": self.kind, **self.public}
        if seat is not None and self.private is not None and seat in self.private:
            shown.update(self.private[seat])
        return shown

    def __repr__(self) -> str:
        return f"Event({self.kind!r}, {self.public!r}, {self.private!r})"

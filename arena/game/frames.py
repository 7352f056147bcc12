"""Frames: rule procedures that may ask somebody, as plain data.

A game in the middle of an effect is a stack of frames. A frame is a class with typed fields and one
method per step; which step comes next is itself a field, by name, so a frame can be copied and saved at
any moment. The engine calls the current step of the top frame again and again. A step does one of:

- go on: set `self.step` to the next one;
- push another frame (`game.push`, `game.perform`), which runs before the next step: the last thing a step does;
- ask (`game.ask(..., then=self.chosen)`): the step named there is called with the chosen option;
- end: `self.done(game)`.

Fields hold ints, strings, bools and tuples of them, nothing mutable, so copying is shallow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

if TYPE_CHECKING:
    from arena.game.game import Game

FRAMES: dict[str, type[Frame]] = {}
"""Every frame class by name, for `from_json`."""

_METHODS = """
def __init__(self, {parameters}):
    {assign}
def clone(self):
    twin = new(cls)
    {copy}
    return twin
"""


def _specialise(cls: FrameType) -> None:
    """Give a frame class its constructor and `clone`, written out for its fields."""
    scope: dict[str, Any] = {"new": object.__new__, "cls": cls, "defaults": cls.defaults}
    source = _METHODS.format(
        parameters=", ".join(f"{f}=defaults[{f!r}]" if f in cls.defaults else f for f in cls.fields),
        assign="; ".join(f"self.{f} = {f}" for f in cls.fields),
        copy="; ".join(f"twin.{f} = self.{f}" for f in cls.fields),
    )
    exec(source, scope)
    cls.__init__ = scope["__init__"]  # type: ignore[misc]
    cls.clone = scope["clone"]


def _first_use(self: Frame, *values: Any, **named: Any) -> None:
    """The constructor until a class is used for the first time: most are not, and `import` must be fast."""
    _specialise(type(self))
    self.__init__(*values, **named)  # type: ignore[misc]


@dataclass_transform()
class FrameType(type):
    """Turns the annotations of a frame class into slots, a constructor and `clone`.

    `dataclasses` would do too, but costs 0.4 ms a class at import and copies five times slower.
    """

    fields: tuple[str, ...]
    defaults: dict[str, Any]
    clone: Any

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> FrameType:
        own = [
            field
            for field, kind in namespace.get("__annotations__", {}).items()
            if "ClassVar" not in str(kind)
        ]
        own += ["step"] if "step" in namespace else []
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        for base in bases:
            defaults = {**getattr(base, "defaults", {}), **defaults}
        inherited = [field for base in bases for field in getattr(base, "fields", ()) if field != "step"]
        fields = [*inherited, *(field for field in own if field != "step"), "step"]
        cls = super().__new__(mcs, name, bases, {**namespace, "__slots__": tuple(own)})
        cls.__init__ = _first_use  # type: ignore[misc]
        cls.fields = tuple(fields)
        cls.defaults = defaults
        if name in FRAMES:
            raise TypeError(f"two frame classes are called {name}")
        FRAMES[name] = cls  # type: ignore[assignment]
        return cls


class Frame(metaclass=FrameType):
    """A rule procedure in progress. It begins at the step `start`."""

    fields: ClassVar[tuple[str, ...]]
    defaults: ClassVar[dict[str, Any]]
    step = "start"  # not annotated, so that type checkers do not take it for the first argument

    def start(self, game: Game) -> None:
        """The first step."""
        raise NotImplementedError

    def done(self, game: Game) -> None:
        """End this frame; as a step of its own it ends the frame after what was pushed before it."""
        popped = game.stack.pop()
        assert popped is self, f"{type(self).__name__} ended under {type(popped).__name__}"

    def take_back(self, seat: int | None) -> None:
        """In a sampled game for `seat`: forget what the others have chosen so far in secret (P12)."""

    if TYPE_CHECKING:

        def clone(self) -> Frame: ...

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{f}={getattr(self, f)!r}' for f in self.fields)})"


def freeze(value: Any) -> Any:
    """Lists of JSON as the tuples they were."""
    if type(value) is not list:
        return value
    return tuple(map(freeze, value) if list in map(type, value) else value)


def frame_to_json(frame: Frame) -> list[Any]:
    """The class name, then the fields in order."""
    return [type(frame).__name__, *(getattr(frame, field) for field in frame.fields)]


def frame_from_json(data: list[Any]) -> Frame:
    """The inverse; raises `KeyError` for an unknown class and `TypeError` for a wrong number of fields."""
    name, *values = data
    frame: Frame = FRAMES[name](*freeze(values))
    return frame

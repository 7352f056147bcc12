"""The game: its state, its small public face, and the engine that runs the frames.

    game = Game.new(Options(players=4), seed=7)
    while not game.over:
        for seat in game.to_act:
            game.choose(seat, game.decision(seat).default)

The rules themselves live in the modules beside this one; set-up is in `setup`, what a seat may see in
`views`, saving in `saving`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from arena.game.catalogue import Catalogue
from arena.game.choices import Decision, Option
from arena.game.due import look_at_due
from arena.game.errors import ChoiceError
from arena.game.events import Event
from arena.game.frames import Frame
from arena.game.hooks import MASKS, Hook
from arena.game.settle import Settle, note
from arena.game.state import Player, Result, Ship
from arena.game.terms import MAX_PLAYERS
from arena.game.windows import STARTED, may_use, offers, use

if TYPE_CHECKING:
    from arena.game.setup import Options


_CLOCKWISE = [[(*range(start, n), *range(start)) for start in range(n)] for n in range(MAX_PLAYERS + 1)]
_made = tuple.__new__  # makes the commonest named tuples without a detour through their constructors


class Game:
    """One game of Import / Export, at any moment, also in the middle of an effect."""

    __slots__ = (
        "answers",
        "asking",
        "ban",
        "batch",
        "batches",
        "boxed",
        "catalogue",
        "copies",
        "depth",
        "discard",
        "doubles",
        "drawn",
        "due",
        "ending",
        "events",
        "face_up",
        "first",
        "hand_powers",
        "hooks",
        "island",
        "lead",
        "market",
        "marks",
        "mixed",
        "next_lead",
        "options",
        "patient",
        "pile",
        "players",
        "ran_dry",
        "result",
        "secrets",
        "seed",
        "ships",
        "stack",
        "then",
        "together",
        "tokens",
        "turn",
        "zones",
    )

    catalogue: Catalogue
    options: Options
    seed: int
    drawn: int  # numbers drawn from `seed` so far
    players: list[Player]
    ships: list[Ship]  # seat s owns 2s and 2s+1; single-use ships follow
    pile: list[int]  # the draw pile; its top is the last one
    discard: list[int]  # the discard pile; its top is the last one
    island: tuple[int, ...]  # Supply Island, oldest first
    boxed: tuple[int, ...]  # cards out of the game (only positions put any there)
    turn: int  # turns begun
    lead: int
    first: int  # the first lead player
    next_lead: int  # the one the buoy goes to next; differs from the next seat after an extra turn
    copies: dict[int, str]  # cards that have another card's power (Wind Turbines)
    marks: dict[int, int]  # what a card's power keeps while it lies where it lies (Helicopter's credits)
    market: tuple[int, ...]  # the markers of the Commodity Market, empty without it
    tokens: int  # mask of the physical Containers that are out of the stock, the first of them bit 0 (R20)
    face_up: bool  # the draw pile lies face up (Yerba Mate)
    ban: int  # no Piracy until this seat leads; -1 for no ban (Surstromming)
    ran_dry: bool  # a draw, search or reveal was cut short (Q23)
    ending: str  # why the end has been triggered, "" before (Q61)
    result: Result | None
    doubles: bool  # derived: cards with two contracts are in the game (R18)
    hand_powers: frozenset[int]  # derived: cards whose power works from the hand
    hooks: int  # derived: the hooks that any player's powers listen to
    depth: int  # events in progress (P7)
    due: tuple[int, ...]  # Ships that must be looked at before the next step; empty while anybody is asked
    stack: list[Frame]
    asking: tuple[Decision, ...]
    answers: tuple[int, ...]  # one for each of `asking`, -1 while it is open
    then: str  # the step of the top frame that takes the answer
    together: bool  # several seats are asked at once
    zones: bytearray  # by card: where the public must think it may be; see `knowledge`
    batches: bytearray  # by card: the shuffle that it was last part of
    batch: int  # the last shuffle
    mixed: int  # mask of the hands that have cards of other hands in them, unseen
    patient: bool  # a question with a single answer is kept open, too; only while a sample is made
    secrets: tuple[tuple[int, int, int], ...]  # what some seats know beyond that
    events: list[Event]  # what happened since the last choice

    @classmethod
    def new(cls, options: Options, seed: int, catalogue: Catalogue | None = None) -> Game:
        """Set up and deal a game (R2). The same options, seed and catalogue give the same deal."""
        from arena.game.setup import deal

        return deal(options, seed, catalogue)

    # The public face

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that still must answer: one, or all bidders at once."""
        asking = self.asking
        if len(asking) == 1:
            return (asking[0].seat,)
        return tuple([d.seat for d, answer in zip(asking, self.answers, strict=True) if answer < 0])

    def decision(self, seat: int) -> Decision:
        """What `seat` is asked; raises `ChoiceError` if it is not."""
        asking = self.asking
        if len(asking) == 1 and asking[0].seat == seat:
            return asking[0]
        for decision, answer in zip(asking, self.answers, strict=True):
            if decision.seat == seat and answer < 0:
                return decision
        raise ChoiceError(self._not_asked(seat))

    def choose(self, seat: int, index: int) -> list[Event]:
        """Answer with the option at `index`; returns what happened up to the next decision.

        While other seats still have to answer the same question nothing happens. Raises `ChoiceError`,
        and changes nothing, for a seat that is not asked, an illegal index, or a game that is over.
        """
        decision = self.decision(seat)
        options = decision.options
        if type(index) is not int or not 0 <= index < len(options):
            raise ChoiceError(
                f"choice {index!r} is not among the {len(options)} options of seat {seat};"
                f" answer 0 to {len(options) - 1}"
            )
        self.events = []
        if self.together:
            place = self.asking.index(decision)
            self.answers = (*self.answers[:place], index, *self.answers[place + 1 :])
            if -1 in self.answers:
                return self.events
        else:
            self.asking = self.answers = ()
            option = options[index]
            if option.verb in STARTED:
                use(self, seat, option)  # the asking step then runs again (P17)
            else:
                getattr(self.stack[-1], self.then)(self, option)
        self.run()
        return self.events

    def choose_text(self, seat: int, text: str) -> list[Event]:
        """Answer with an option's text form; raises `ChoiceError` if it is not offered."""
        decision = self.decision(seat)
        texts = decision.texts(self.catalogue)
        if text not in texts:
            shown = ", ".join(texts[:8]) + (", ..." if len(texts) > 8 else "")
            raise ChoiceError(f"{text[:200]!r} is not an option of seat {seat} now; it may answer {shown}")
        return self.choose(seat, texts.index(text))

    def clone(self) -> Game:
        """An independent copy; what has been emitted since the last choice is not copied."""
        new = Game.__new__(Game)
        new.catalogue = self.catalogue
        new.options = self.options
        new.seed = self.seed
        new.drawn = self.drawn
        new.players = [player.clone() for player in self.players]
        new.ships = self.ships.copy()
        new.pile = self.pile.copy()
        new.discard = self.discard.copy()
        new.island = self.island
        new.boxed = self.boxed
        new.turn = self.turn
        new.lead = self.lead
        new.first = self.first
        new.next_lead = self.next_lead
        new.copies = self.copies.copy() if self.copies else {}
        new.marks = self.marks.copy() if self.marks else {}
        new.market = self.market
        new.tokens = self.tokens
        new.face_up = self.face_up
        new.ban = self.ban
        new.ran_dry = self.ran_dry
        new.ending = self.ending
        new.result = self.result
        new.doubles = self.doubles
        new.hand_powers = self.hand_powers
        new.hooks = self.hooks
        new.depth = self.depth
        new.due = ()
        new.stack = [frame.clone() for frame in self.stack]
        new.asking = self.asking
        new.answers = self.answers
        new.then = self.then
        new.together = self.together
        new.zones = self.zones[:]
        new.batches = self.batches[:]
        new.batch = self.batch
        new.mixed = self.mixed
        new.patient = False
        new.secrets = self.secrets
        new.events = []
        return new

    def to_json(self) -> str:
        """The whole state as JSON text, also in the middle of an effect."""
        from arena.game.saving import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, text: str, catalogue: Catalogue | None = None) -> Game:
        """The inverse of `to_json`; raises `PositionError` for another shape, but trusts the values (`saving`)."""
        from arena.game.saving import from_json

        return from_json(text, catalogue)

    def digest(self) -> str:
        """SHA-256 of the whole state, the same on every platform."""
        from arena.game.saving import digest

        return digest(self)

    def view(self, seat: int | None) -> dict[str, Any]:
        """What `seat` may see, or the public (`None`), by a whitelist; raises `ChoiceError` for no seat."""
        from arena.game.views import view

        self._check_onlooker(seat)
        return view(self, seat)

    def sample(self, seat: int | None, seed: int) -> Game:
        """A full game that agrees with all that `seat`, or the public (`None`), has seen; `seed` picks which.

        Raises `ChoiceError` for no seat.
        """
        from arena.game.knowledge import sample

        self._check_onlooker(seat)
        return sample(self, seat, seed)

    # The engine

    def run(self) -> None:
        """Call steps until somebody must be asked or the game is over."""
        stack = self.stack
        while True:
            if self.asking:
                if -1 in self.answers:
                    return
                self._take_together()
            elif self.due:
                look_at_due(self)
            elif not stack:
                return
            else:
                frame = stack[-1]
                getattr(frame, frame.step)(self)

    def _take_together(self) -> None:
        asking, answers = self.asking, self.answers
        self.asking = self.answers = ()
        self.together = False
        options = [decision.options[answer] for decision, answer in zip(asking, answers, strict=True)]
        getattr(self.stack[-1], self.then)(self, options)

    def ask(
        self,
        seat: int,
        kind: str,
        options: Sequence[Option],
        then: Callable[[Game, Option], None],
        *,
        window: bool = False,
        secret: bool = False,
    ) -> None:
        """Ask one seat; with a single option the answer is taken without a question (P3).

        `window` marks a decision point that starts something: there any-time powers and the discarding
        of unfulfilled contracts are offered too, after which the same step asks again (Q28). `secret`
        marks a decision that is there only because of the hand, so that nobody may notice it (Q98).
        """
        assert not self.due, "a step that changed a Ship must not ask"
        assert then.__self__ is self.stack[-1], "only the top frame may ask"  # type: ignore[attr-defined]
        if window and (seat == self.lead or may_use(self, self.players[seat])):
            extra, held = offers(self, seat)
            if extra:
                secret = held and len(options) == 1
                options = [*options, *extra]
        if len(options) == 1 and not self.patient:
            return then(self, options[0])
        self.asking = (_made(Decision, (kind, seat, tuple(options), secret)),)
        self.answers = (-1,)
        self.then = then.__name__
        return None

    def ask_together(
        self,
        kind: str,
        asked: Sequence[tuple[int, Sequence[Option]]],
        then: Callable[[Game, list[Option]], None],
    ) -> None:
        """Ask several seats at once; `then` gets their options in the order of `asked`."""
        self.asking = tuple(Decision(kind, seat, tuple(options)) for seat, options in asked)
        self.answers = tuple(-1 if len(options) > 1 or self.patient else 0 for _, options in asked)
        self.then = then.__name__
        self.together = True

    def push(self, frame: Frame) -> None:
        """Run `frame` before the next step of the current one."""
        self.stack.append(frame)

    def perform(self, body: Frame) -> None:
        """Run `body` as one event: when it is done, the checks of Q29 are made."""
        self.stack.append(Settle())
        self.stack.append(body)
        self.depth += 1

    def emit(self, kind: str, /, **public: Any) -> None:
        """Tell everybody."""
        self.events.append(_made(Event, (kind, public, None)))

    def emit_secret(self, kind: str, private: dict[int, dict[str, Any]], /, **public: Any) -> None:
        """Tell everybody the public part and some seats more."""
        self.events.append(_made(Event, (kind, public, private)))

    def power_of(self, card: int) -> str:
        """The power that a card in a fulfilled area has: its own, or the one it copied."""
        return self.copies.get(card) or self.catalogue.powers[card]

    def listening(self, hook: Hook, seat: int) -> Iterator[tuple[int, Callable[..., Any]]]:
        """The cards of `seat` whose powers listen to `hook`, with their listeners, in the order they lie."""
        if self.players[seat].hooks & hook.mask:
            for card in self.players[seat].fulfilled:
                listener = hook.listeners.get(self.power_of(card))
                if listener is not None:
                    yield card, listener

    def query(self, hook: Hook, seat: int, value: Any, *extra: Any) -> Any:
        """`value` as the powers of `seat` change it."""
        for card, listener in self.listening(hook, seat):
            value = listener(self, seat, card, value, *extra)
        return value

    def trigger(self, hook: Hook, *happened: Any) -> None:
        """Note for the end of the current event (P7) that powers must react; `happened` fills `hook.data`."""
        if self.hooks & hook.mask:
            assert hook.data is not None
            note(self, hook, hook.data(*happened))

    def refresh(self, seat: int) -> None:
        """Recompute the hooks of `seat` after its fulfilled area changed."""
        player = self.players[seat]
        hooks = 0
        for card in player.fulfilled:
            hooks |= MASKS.get(self.power_of(card), 0)
        player.hooks = hooks
        everybody = 0
        for other in self.players:
            everybody |= other.hooks
        self.hooks = everybody

    def clockwise(self, start: int) -> tuple[int, ...]:
        """All seats clockwise, beginning with `start` (Q4)."""
        return _CLOCKWISE[len(self.players)][start]

    def others(self, seat: int) -> tuple[int, ...]:
        """The other seats clockwise from the left of `seat` (P12)."""
        return self.clockwise(seat)[1:]

    def _not_asked(self, seat: int) -> str:
        if self.over:
            return f"the game is over, so seat {seat} cannot choose; start a new one"
        if not self._is_seat(seat):
            return f"there is no seat {seat!r}; seats are 0 to {len(self.players) - 1}"
        return f"seat {seat} is not asked now; wait until it is in `to_act`"

    def _is_seat(self, seat: object) -> bool:
        return type(seat) is int and 0 <= seat < len(self.players)

    def _check_onlooker(self, seat: int | None) -> None:
        """Raise `ChoiceError` for what is neither a seat nor the public: -1 would show the last seat's hand."""
        if seat is not None and not self._is_seat(seat):
            raise ChoiceError(f"there is no seat {seat!r}; seats are 0 to {len(self.players) - 1}")

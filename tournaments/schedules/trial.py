"""Trial: a new version against an old one, until the sequential test decides."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from tournaments.ratings import Result, Sprt, State, Verdict, block_scores
from tournaments.schedules.block import Block, Event
from tournaments.schedules.design import all_play
from tournaments.schedules.outcomes import Outcomes
from tournaments.schedules.scheduler import Round, ScheduleError, check_names, check_table

WINDOW = 16  # blocks that may be played before those ahead of them are over, so that many workers have work
GROWTH = 16  # one more for so many that are over: the results so far are read anew each time it is used up


@dataclass(frozen=True, slots=True)
class Stand:
    """What the test says, the blocks that it rests on or passed over, and whether nothing more is played."""

    state: State
    over: tuple[Block, ...]
    ended: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """Plays blocks of `new` and `old` at one table until `test` decides, or `blocks` blocks are over.

    The rest of the table are `others`, every set of them equally often, or a choice in which each plays equally
    often. Each block has a deal of its own. A table of more than two plays it from every rotation of the seats, and
    from each also with `new` and `old` in each other's seats: such games are alike until the two choose differently,
    so what the others do cancels too. The test looks at the blocks in their order, whatever the order in which they
    end; what was played beyond the decision belongs to no round any more. Who does not come ends the trial. A block
    of which a game became void is passed over. Raises ScheduleError when the seats cannot be filled, or when there is
    nobody to test.
    """

    event: Event
    new: str
    old: str
    others: tuple[str, ...]
    seats: int
    test: Sprt
    blocks: int = 100_000
    fixed = False

    def __post_init__(self) -> None:
        check_table(self.seats, self.blocks)
        check_names((self.new, self.old, *self.others))
        if len(self.others) < self.seats - 2:
            raise ScheduleError(
                "seats",
                f"{len(self.others)} entrants besides {self.new} and {self.old} cannot fill a table of {self.seats};"
                " add entrants or lower seats",
            )
        if self.seats == 2 and self.others:
            raise ScheduleError(
                "seats",
                f"a table of 2 has no seat for {self.others[0]}; raise seats, or leave out all but"
                f" {self.new} and {self.old}",
            )

    @property
    def total(self) -> None:
        """Not known: it ends when the test decides."""
        return None

    def rounds(self, results: Collection[Result] = ()) -> Iterator[Round]:
        """Yield the blocks up to the decision, or those that are over and some more."""
        stand = self.stand(results)
        blocks = list(stand.over)
        if not stand.ended:
            ahead = min(len(blocks) + len(blocks) // GROWTH + WINDOW, self.blocks)
            blocks += map(self._block, range(len(blocks), ahead))
        yield Round(1, tuple(blocks), ())

    def stand(self, results: Collection[Result]) -> Stand:
        """How far the trial has come."""
        outcomes = Outcomes(results)
        over: list[Block] = []
        scores: list[float] = []
        scored: list[int] = []  # the blocks, counted from 1, that have these scores
        ended = False
        while not ended and len(over) < self.blocks and outcomes.over(block := self._block(len(over))):
            over.append(block)
            games = outcomes.of(block)
            if all(result.rated for result in games):
                one = [replace(result, deal=None) for result in games]  # a retry may have dealt anew
                scores += block_scores(one, self.new, self.old)
                scored.append(len(over))
            ended = bool(outcomes.absent([block]))
        state = self.test.state(scores)
        if state.verdict is not Verdict.UNDECIDED:
            over, ended = over[: scored[state.blocks - 1]], True
        return Stand(state, tuple(over), ended)

    def _block(self, number: int) -> Block:
        """The blocks in their order: each table plays one in either direction, then the next table."""
        tables = all_play(len(self.others), self.seats - 2)
        pair, back = divmod(number, 2)
        turn, table = divmod(pair, len(tables))
        who = (self.new, self.old, *(self.others[place] for place in tables[table]))
        block = self.event.block(who, 2 * turn + back)
        return replace(block, exchanged=(self.new, self.old)) if self.seats > 2 else block

"""`arena tournament`: run a tournament from its file, and show its standings."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.errors import CheckFailed, InputError
from arena.cli.numbers import WholeNumber
from arena.cli.paths import Place
from arena.cli.progress import Teller, count
from arena.entry import called
from protocol.errors import printable

if TYPE_CHECKING:
    from tournaments.cluster import Machine
    from tournaments.config import Tournament
    from tournaments.report import Report, Tested
    from tournaments.run import Progress
    from tournaments.store import Store

STOPPED = 128  # plus the number of the signal: the exit code, as shells have it
WIDTH = 120  # of tables in files
LEAST_WIDTH = 100  # of tables, all columns and a short name; a narrower terminal breaks the lines
MOST_UNCLEAR = 10  # pairs of neighbours that are named
PAGE = "report.html"
TABLE = "standings.csv"


@click.group(name="tournament")
def command() -> None:
    """Run tournaments and show their standings."""


@command.command(name="run")
@click.argument("file", type=Place())
@click.option(
    "--workers", type=WholeNumber(1, 256), default=1, show_default=True, help="Blocks played at once."
)
@click.option(
    "--cluster",
    "address",
    metavar="ADDRESS",
    help="Play on the Dask cluster with this scheduler, as tcp://HOST:8786, instead of here.",
)
@click.option("--folder", type=Place(), help="Where results go, instead of tournament.folder of FILE.")
@click.option(
    "--retry", is_flag=True, help="Try again, too, what is void: games that others went on without."
)
@click.option("--json", "as_json", is_flag=True, help="Standings as JSON on stdout.")
@click.option("--quiet", is_flag=True, help="No progress, only what went wrong and the standings.")
def run_command(
    file: Path,
    workers: int,
    address: str | None,
    folder: Path | None,
    retry: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Start the tournament FILE, or go on with it: what is stored is not played again.

    Each worker runs the programs of one table at a time; with --cluster so does each thread of its workers.
    Entrants with a token log in here, at the address in [server] of FILE; their tables are played here, too.
    Progress goes to stderr. Ctrl-C stops at once and ends all programs within five seconds, those on a cluster
    too; the last line then is the command that goes on. After a kill it waits for workers that still play, 60
    seconds at most.

    Exit code: 0 when all games are played; 1 if some could not be or are void, or the folder cannot be used; 2 if the
    call or the file is wrong; 130 after Ctrl-C, 143 after SIGTERM.
    """
    from arena.log import configure
    from tournaments.cluster import NoCluster, cluster
    from tournaments.config import of_setting
    from tournaments.deals import SECRET, are_over, commitment, keep_back, release, secrets_of, with_another
    from tournaments.hall import NoHall
    from tournaments.reindex import catch_up
    from tournaments.report import amount, of_tournament
    from tournaments.run import Audience, has_more, run, start_progress
    from tournaments.store import AnotherTournament, Store, StoreError, claim
    from tournaments.void import take_back

    configure()
    tournament = read(file)
    if folder is not None:
        if folder.is_file():
            raise InputError(f"--folder: {folder} is a file; name a folder, which need not be there yet")
        tournament = replace(tournament, folder=folder.resolve())
    cores = len(os.sched_getaffinity(0))
    if address is None and workers > cores:
        click.echo(crowding(f"{workers} workers", cores, f"--workers {cores} is safe"), err=True)
    again = resuming(file, workers, address, folder, as_json, quiet)
    teller = Teller(quiet=quiet)
    audience = Audience(
        result=teller.result,
        notice=teller.notice,
        problem=lambda text: click.echo(f"not played: {text}", err=True),
        test=teller.test,
        ladder=teller.ladder,
        stopping=lambda: click.echo("stopping; the programs of the entrants are being ended", err=True),
    )
    try:
        with claim(tournament.folder, teller.notice), Store(tournament.folder) as store:
            tournament = replace(tournament, secrets=secrets_of(store))
            caught = catch_up(store)
            adopted = store.belongs_to(tournament.settings())
            if retry:
                teller.notice(f"{amount(take_back(store), 'void game')} will be tried again")
            if not are_over(tournament.folder):
                keep_back(tournament.folder)
            elif has_more(tournament, store):
                tournament = replace(tournament, secrets=with_another(tournament.folder, tournament.secrets))
                keep_back(tournament.folder)
            for number, secret in enumerate(tournament.secrets, 1):
                which = "the secret" if number == 1 else f"secret {number}"
                click.echo(f"SHA-256 of {which} of the deals: {commitment(secret)}", err=True)
            if adopted.new:
                click.echo(f"new in this tournament: {', '.join(adopted.new)}", err=True)
            if adopted.changed:
                click.echo(f"with other settings than before: {', '.join(adopted.changed)}", err=True)
            if caught.taken_in:
                teller.notice(f"taken in from the records: {amount(caught.taken_in, 'game')}")
            if caught.set_aside:
                teller.notice(f"set aside as broken off: {amount(caught.set_aside, 'record')}")
            before = start_progress(tournament, store)
            if before.done:
                teller.notice(f"{count(before)} games are stored; going on")
            elif before.total is not None:
                teller.notice(f"playing {before.total} games")
            with nullcontext() if address is None else cluster(address) as executor:
                for machine in [] if executor is None else executor.machines:
                    if machine.threads > machine.processors:
                        click.echo(crowding_on(machine), err=True)
                progress = run(
                    tournament,
                    store,
                    workers=workers if executor is None else executor.threads,
                    executor=executor,
                    tables=workers,
                    audience=audience,
                )
            made = of_tournament(store)
            publish(tournament.folder, made)
            over = progress.stopped is None and not has_more(tournament, store)
            if over:
                release(tournament.folder)
            if progress.stopped is None:
                show(made, as_json=as_json)
                if outcome := concluded(tournament, store, made):
                    click.echo(outcome, err=True)
                if made.tested is not None and made.tested.open and not progress.given_up:
                    click.echo(undecided(made.tested), err=True)
                if not as_json:
                    click.echo(f"report: {tournament.folder / PAGE}")
                if over and not progress.given_up:
                    where = tournament.folder / SECRET
                    click.echo(
                        f"all is played; with the secret in {where} the deals can be checked", err=True
                    )
    except NoHall as error:
        raise InputError(f"{file}: {error}") from None
    except AnotherTournament as error:
        raise CheckFailed(of_setting(error.key, str(error), tournament, file)) from None
    except (StoreError, NoCluster) as error:
        raise CheckFailed(str(error)) from None
    except KeyboardInterrupt:
        click.echo(f"stopped; go on with:\n{again}", err=True)
        sys.exit(STOPPED + 2)
    if progress.stopped is not None:
        click.echo(f"stopped after {count(progress)} games; go on with:\n{again}", err=True)
        sys.exit(STOPPED + progress.stopped)
    if progress.given_up or not over:
        if over:
            again = resuming(file, workers, address, folder, as_json, quiet, retry=True)
        click.echo(unplayed(progress, over, again), err=True)
        sys.exit(CheckFailed.exit_code)


def crowding(workers: str, processors: int, remedy: str) -> str:
    """What to say of more workers than there are processors for (S033)."""
    return (
        f"note: {workers} share {processors} processor{'' if processors == 1 else 's'}, so programs take each"
        f" other's time and may lose by it; {remedy}"
    )


def crowding_on(machine: Machine) -> str:
    """The same, of a machine of a cluster."""
    workers = f"{machine.threads} threads of the Dask workers on {machine.name}"
    few = machine.processors
    return crowding(workers, few, "1 thread there is safe" if few == 1 else f"{few} threads there are safe")


def concluded(tournament: Tournament, store: Store, made: Report) -> str:
    """What the format says of the results, beyond the standings; nothing in some formats."""
    from tournaments.schedules import Knockout, Ladder

    schedule = tournament.schedule()
    if isinstance(schedule, Knockout):
        left = schedule.left([played.result() for played in store.games()])
        return f"not out: {', '.join(left)}" if len(left) > 1 else f"winner: {left[0]}"
    if isinstance(schedule, Ladder) and made.rated:
        unclear = schedule.open(made.fit, [played.result() for played in store.games()])
        return rungs(unclear, schedule.limit(made.rated))
    return ""


def rungs(unclear: list[tuple[str, str]], limit: float) -> str:
    """What a ladder that has ended knows of its order; `limit` is the chance of a wrong one that it asks for."""
    if not unclear:
        return "all neighbours are told apart"
    pairs = ", ".join(f"{better} from {other}" for better, other in unclear[:MOST_UNCLEAR])
    more = f" and {len(unclear) - MOST_UNCLEAR} more pairs" if len(unclear) > MOST_UNCLEAR else ""
    return (
        f"not told apart: {pairs}{more}; with a larger tournament.blocks the run goes on and may do so, when the chance"
        f" of a wrong order is below {100 * limit:.2g} % (docs/ratings.md)"
    )


def undecided(tested: Tested) -> str:
    """What to say of a sequential test that has come to the end of its blocks."""
    looked = "1 block" if tested.state.blocks == 1 else f"{tested.state.blocks:,} blocks"
    return f"undecided after {looked}, the most that the file allows; with a larger tournament.blocks the run goes on"


def unplayed(progress: Progress, over: bool, again: str) -> str:
    """What to do about games that could not be played: they are missing, or void if all is over without them."""
    if not over:
        return (
            f"{count(progress)} games are played, the rest could not be; play what is missing with:\n{again}"
        )
    what = "one game is" if progress.given_up == 1 else f"{progress.given_up} games are"
    return (
        f"{what} void, and the others went on without; when the cause is mended, have what is void tried again with:\n"
        f"{again}"
    )


def read(file: Path) -> Tournament:
    """The checked tournament of a file, or an `InputError`."""
    from clients.bots import BOTS
    from tournaments.checks import ConfigError
    from tournaments.config import read_tournament

    try:
        return read_tournament(file, frozenset(BOTS))
    except ConfigError as error:
        raise InputError(str(error)) from None


def resuming(
    file: Path,
    workers: int,
    address: str | None,
    folder: Path | None,
    as_json: bool,
    quiet: bool,
    *,
    retry: bool = False,
) -> str:
    """The command that goes on, as this one was called (S043); with `retry`, also with what is void."""
    words = called()
    words += ["tournament", "run", *(["--workers", str(workers)] if workers != 1 else [])]
    words += ["--cluster", address] if address is not None else []
    words += ["--folder", str(folder)] if folder is not None else []
    words += ["--retry"] if retry else []
    words += ["--json"] if as_json else []
    words += ["--quiet"] if quiet else []
    words += ["--", str(file)] if str(file).startswith("-") else [str(file)]
    return shlex.join(words)


def show(made: Report, *, as_json: bool = False, as_csv: bool = False) -> None:
    """Standings on stdout, warnings on stderr."""
    from rich.console import Console
    from rich.text import Text

    from tournaments.report import standings_csv, standings_table

    if as_json:
        click.echo(json.dumps(made.for_programs(), ensure_ascii=False, allow_nan=False))
    elif as_csv:
        click.echo(standings_csv(made.rows), nl=False)
    else:
        console = Console(width=None if sys.stdout.isatty() else WIDTH)
        if made.rated:
            console.width = max(console.width, LEAST_WIDTH)  # else there is no room for numbers
            console.print(standings_table(made.rows, made.title))
        else:
            console.print(Text(f"{made.title}: no game has been played"))
        for text in made.facts:
            click.echo(text)
    unknown = not made.rated and not as_json and not as_csv  # which has been said
    for text in (*made.gaps, *(() if unknown else made.warnings)):
        click.echo(f"note: {text}", err=True)


def write(path: Path, text: str) -> None:
    """Write a file as a whole, or raise `CheckFailed`."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise CheckFailed(f"{path} cannot be written: {error.strerror or error}") from None


def publish(folder: Path, made: Report) -> None:
    """The page and the table of a tournament, in its folder."""
    from tournaments.page import page_of
    from tournaments.report import standings_csv

    write(folder / PAGE, page_of(made))
    write(folder / TABLE, standings_csv(made.rows))


@command.command(name="standings")
@click.argument("folder", type=Place())
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
@click.option("--csv", "as_csv", is_flag=True, help="As CSV on stdout.")
def standings_command(folder: Path, as_json: bool, as_csv: bool) -> None:
    """Show the standings of the tournament whose results lie in FOLDER, also while it runs.

    Exit code: 0 when they are shown, 1 if the index cannot be read, 2 if the call is wrong.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other; give one")
    made = made_from(folder)
    show(made, as_json=as_json, as_csv=as_csv)
    if not as_json and not as_csv:
        click.echo(f"records: {folder / 'games'}")


@command.command(name="report")
@click.argument("folder", type=Place())
def report_command(folder: Path) -> None:
    """Write report.html and standings.csv into the FOLDER of a tournament, also while it runs.

    A run does so when it ends.

    Exit code: 0 when they are written, 1 if they cannot be or the index cannot be read, 2 if the call is wrong.
    """
    made = made_from(folder)
    if not os.access(folder, os.W_OK):
        raise CheckFailed(
            f"the folder {folder}, which the report belongs in, cannot be written;"
            " copy it to where you may write, and name the copy"
        )
    publish(folder, made)
    click.echo(f"{folder / PAGE}")


@command.command(name="reindex")
@click.argument("folder", type=Place())
def reindex_command(folder: Path) -> None:
    """Build the index of the tournament in FOLDER anew from its records, which are the truth.

    Exit code: 0 when it is built, 1 if it cannot be, 2 if the call is wrong.
    """
    from tournaments.reindex import reindex
    from tournaments.store import StoreError, claim

    if not (folder / "games").is_dir():
        raise InputError(f"{folder} has no folder games; name the folder of a tournament that has been run")
    try:
        with claim(folder):
            made = reindex(folder)
    except StoreError as error:
        raise CheckFailed(str(error)) from None
    for text in made.left_out:
        click.echo(f"left out: {text}", err=True)
    click.echo(f"{made.results} results from the records in {folder / 'games'}")


@command.command(name="verify")
@click.argument("folder", type=Place())
def verify_command(folder: Path) -> None:
    """Check all records of the tournament in FOLDER, and that their deals follow from the secret in deals.secret.

    For when all is played and the secret has been told. Its SHA-256 is printed: compare it with what the runs told at
    their start, since a folder can be made up as a whole.

    Exit code: 0 when each record is sound and its deal follows, 1 if not, 2 if the call is wrong.
    """
    from tournaments.deals import commitment
    from tournaments.proof import Deals
    from tournaments.report import amount
    from tournaments.store import SETTINGS, StoreError

    if not (folder / SETTINGS).is_file():
        raise InputError(f"{folder} has no {SETTINGS}; name the folder of a tournament that has been run")
    follow: Counter[int] = Counter()
    wrong = 0
    try:
        deals = Deals(folder)
        for proved in deals.proved():
            if proved.error:
                wrong += 1
                click.echo(f"{printable(proved.record)}: NOT PROVED: {proved.error}")
            else:
                follow[proved.secret] += 1
    except StoreError as error:
        raise CheckFailed(str(error)) from None
    for number, secret in enumerate(deals.secrets, 1):
        what = amount(follow[number], "record")
        click.echo(
            f"{what}: sound, with deals that follow from the secret with the SHA-256 {commitment(secret)}"
        )
    if wrong or not follow:
        click.echo(f"{amount(wrong, 'record')}: not so" if wrong else "there is no record to prove")
        sys.exit(CheckFailed.exit_code)


def made_from(folder: Path) -> Report:
    """The report of a tournament that has been run."""
    from tournaments.reindex import check_index
    from tournaments.report import of_tournament
    from tournaments.store import FILE, Store, StoreError

    if folder.is_file():
        raise InputError(f"{folder} is a file; name the folder of a tournament that has been run")
    if not (folder / FILE).is_file():
        raise InputError(f"{folder} has no {FILE}; name the folder of a tournament that has been run")
    try:
        with Store(folder, reads_only=True) as store:
            if behind := check_index(store):
                click.echo(f"note: {behind}", err=True)
            return of_tournament(store)
    except StoreError as error:
        raise CheckFailed(str(error)) from None

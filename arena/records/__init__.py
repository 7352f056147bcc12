"""Records of games: one append-only file each, from which the game can be played again and checked.

    with Journal.create(path, header) as journal:      # the referee
        events = journal.play(game, seat, index)
        journal.result(finished(game, reasons, journal.choices))

    record = read_record(path)                         # everybody else
    game = verify(record)

    record, game, journal = recover(path)              # a server that starts again after a kill

The format is described in docs/records.md. Nothing here knows of time or of the network: times and the seed's
salt are given by the caller.
"""

from arena.records.errors import JournalError, RecordError, UnreadableRecord
from arena.records.following import Following
from arena.records.form import DIGEST_EVERY, FORMAT, MAX_END, RULES_VERSION, Choice, Header, Outcome, ranked
from arena.records.journal import Journal, finished, unfinished
from arena.records.reading import Record, read_record
from arena.records.recovery import Recovered, recover, torn_path
from arena.records.replay import Step, replay, verify

__all__ = [
    "DIGEST_EVERY",
    "FORMAT",
    "MAX_END",
    "RULES_VERSION",
    "Choice",
    "Following",
    "Header",
    "Journal",
    "JournalError",
    "Outcome",
    "Record",
    "RecordError",
    "Recovered",
    "Step",
    "UnreadableRecord",
    "finished",
    "ranked",
    "read_record",
    "recover",
    "replay",
    "torn_path",
    "unfinished",
    "verify",
]

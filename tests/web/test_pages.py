"""The HTTP side over real sockets: what it answers, what it refuses, and that games do not feel it."""

from __future__ import annotations

import json
import re
from functools import partial
from urllib.parse import quote

import pytest
import trio

from arena.records import read_record, verify
from arena.web import WebConfig, models
from arena.web.sending import POLICY
from arena.web.serving import serve as serve_pages
from arena.web.shelf import Shelf
from tests.server.table import dice
from tests.server.test_watchers import play_some
from tests.web.harbour import Pages, open_harbour

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
async def harbour(tmp_path):
    async with open_harbour(tmp_path) as harbour:
        yield harbour


async def test_list_names_the_games_that_are_played_and_those_that_are_over(tmp_path):
    async with open_harbour(tmp_path, web={"stale": 0.0}) as harbour:
        game = await harbour.hall.seated(2, seed=3)
        listed = models.Games.model_validate((await harbour.get("/api/games")).json)
        assert [(each.game, each.status) for each in listed.live] == [(game.id, "waiting")]
        assert listed.live[0].names == ("player-0", "player-1")
        await game.ready()
        await play_some(game, 10)
        listed = models.Games.model_validate((await harbour.get("/api/games")).json)
        assert [(each.game, each.status) for each in listed.live] == [(game.id, "live")]
        assert listed.lately == ()
        await game.play_on(dice(1))
        listed = models.Games.model_validate((await harbour.get("/api/games")).json)
        assert listed.live == ()
        assert [(each.game, each.status) for each in listed.lately] == [(game.id, "over")]
        assert listed.lately[0].places == game.record.result.places


async def test_game_that_another_server_plays_is_listed_as_live_until_it_is_over(harbour):
    game = await harbour.hall.seated(2, seed=3)
    await game.ready()
    await play_some(game, 10)
    config = WebConfig(port=0, stale=0.0)
    url = await harbour.hall.nursery.start(
        partial(serve_pages, config, Shelf(harbour.hall.server.folder), {})
    )
    listed = models.Games.model_validate((await Pages(url).get("/api/games")).json)
    assert [(each.game, each.status, each.events) for each in listed.live] == [(game.id, "live", None)]
    assert (listed.lately, listed.more) == ((), 0)
    await game.play_on(dice(1))
    listed = models.Games.model_validate((await Pages(url).get("/api/games")).json)
    assert listed.live == ()
    assert [(each.game, each.status) for each in listed.lately] == [(game.id, "over")]


async def test_stream_tells_a_game_from_its_start_to_its_end(harbour):
    game = await harbour.hall.seated(2, seed=3)
    await game.ready()
    async with harbour.stream(game.id) as events:
        kind, _, start = await events.next()
        assert (kind, start["names"], start["view"]) == ("start", ["player-0", "player-1"], "public")
        models.About.model_validate_json(json.dumps(start))
        await game.play_on(dice(1))
        told = await events.until("end")
    numbers = []
    for kind, id, data in told[:-1]:
        assert kind == "moments"
        batch = models.Moments.model_validate(data).moments
        numbers += [moment.n for moment in batch]
        assert not batch or id == batch[-1].n
    assert numbers == list(range(len(numbers)))
    end = models.End.model_validate(told[-1][2])
    assert end.status == "over"
    assert end.outcome is not None
    assert end.outcome.places == game.record.result.places
    assert end.outcome.seed == str(game.record.header.seed)


async def test_stream_goes_on_after_the_last_moment_that_was_seen(harbour):  # S030
    game = await harbour.hall.seated(2, seed=3)
    await game.ready()
    await play_some(game, 20)
    async with harbour.stream(game.id) as events:
        await events.next()
        _, last, _ = await events.next()
    await game.play_on(dice(1))
    async with harbour.stream(game.id, last_event_id=str(last)) as events:
        told = await events.until("end")
    numbers = [moment["n"] for kind, _, data in told if kind == "moments" for moment in data["moments"]]
    assert numbers == list(range(last + 1, last + 1 + len(numbers)))
    assert numbers


async def test_record_is_packed_for_those_who_can_unpack_it_and_can_be_read_as_it_comes(harbour):
    game = await harbour.hall.seated(2, seed=3)
    await game.ready()
    async with harbour.stream(game.id, accept_encoding="gzip") as events:
        await events.next()
        assert b"content-encoding" not in events.raw  # of a game that is played
        await game.play_on(dice(1))
        plain = await events.until("end")
    async with harbour.stream(game.id, accept_encoding="gzip") as events:
        start = await events.next()
        _, last, first = await events.next()
        while not first["moments"]:
            _, last, first = await events.next()
        assert (last, len(first["moments"])) == (0, 1)  # the first picture waits for no other moment
        packed = [start, ("moments", last, first), *await events.until("end")]
    assert b"content-encoding: gzip" in events.raw
    assert moments_of(packed) == moments_of(plain)
    assert len(events.raw) < len(json.dumps(plain)) / 3


def moments_of(events):
    return [moment for kind, _, data in events if kind == "moments" for moment in data["moments"]]


@pytest.mark.parametrize("id", ["-1", "1e3", "x", "9" * 40])
async def test_nonsense_instead_of_an_event_id_begins_at_the_beginning(harbour, id):
    game = await harbour.hall.seated(2, seed=3)
    await game.ready()
    await game.play_on(dice(1))
    async with harbour.stream(game.id, last_event_id=id) as events:
        await events.next()
        _, _, data = await events.next()
    assert data["moments"][0]["n"] == 0


async def test_nothing_of_a_running_game_but_what_is_public_is_in_any_byte(harbour):  # S025, S028
    game = await harbour.hall.seated(3, seed=3)
    await game.ready()
    await play_some(game, 30)
    async with harbour.stream(game.id) as events:
        while game.referee.audience.stream.number > (await newest(events)):
            pass
        bodies = [events.raw]
    for path in ("/api/games", f"/api/games/{game.id}", f"/game/{game.id}"):
        answer = await harbour.get(path)
        assert answer.status == 200
        bodies.append(answer.body)
    for path in ("record", "stream?view=everything", "stream?view=seat-0"):
        answer = await harbour.get(f"/api/games/{game.id}/{path}")
        assert answer.status == 403
        assert "is over" in answer.json["error"]
        bodies.append(answer.body)
    state = game.referee.game
    ids = state.catalogue.ids
    hidden = {ids[card] for player in state.players for card in player.hand} | {
        ids[card] for card in state.pile
    }
    shown = {word for view in [state.view(None)] for word in json.dumps(view).split('"')}
    told = b"".join(bodies)
    assert game.referee.header.salt.encode() not in told
    assert b'"seed"' not in told
    never_seen = {card for card in hidden if state.zones[state.catalogue.number_of[card]]} - shown
    assert len(never_seen) > 20
    dealt = state.batches
    for card in never_seen:
        if dealt[state.catalogue.number_of[card]] == 0:  # else it lay open before the last shuffle
            assert f'"{card}"'.encode() not in told, card


async def test_of_a_game_whose_deal_may_come_again_only_what_is_public_is_shown(harbour):  # S025, S028
    game = await harbour.hall.seated(2, seed=1234567890123)
    await game.ready()
    await game.play_on(dice(1))
    shelf = Shelf(harbour.hall.server.folder, kept_back=lambda path: path.stem == game.id)
    config = WebConfig(port=0, reveal_after=0.0)  # a delay is for games whose deal is over with them
    url = await harbour.hall.nursery.start(partial(serve_pages, config, shelf, {}))
    pages = Pages(url)
    for path in ("record", "stream?view=everything", "stream?view=seat-0"):
        answer = await pages.get(f"/api/games/{game.id}/{path}")
        assert answer.status == 403
        assert "the deal" in answer.json["error"]
    about = (await pages.get(f"/api/games/{game.id}")).json
    assert (about["views"], about["record"]) == (["public"], False)
    async with pages.stream(game.id) as events:
        told = await events.until("end")
    header = game.record.header
    assert told[-1][2]["outcome"]["places"] == list(game.record.result.places)
    assert f'"{header.seed}"'.encode() not in events.raw
    assert header.salt.encode() not in events.raw
    view = {**moments_of(told)[0]["view"]}
    assert not {"hand", "hands", "decisions"} & set(view)


async def newest(events) -> int:
    kind, _, data = await events.next()
    return data["moments"][-1]["event"] if kind == "moments" and data["moments"] else -1


async def test_record_can_be_had_when_the_game_is_over(harbour, tmp_path):
    game = await harbour.hall.seated(2, seed=3)
    await game.ready()
    await game.play_on(dice(1))
    answer = await harbour.get(f"/api/games/{game.id}/record")
    assert answer.status == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="{game.id}.jsonl"'
    path = tmp_path / "copy.jsonl"
    path.write_bytes(answer.body)
    verify(read_record(path))


class Named:
    """Tournaments of these names, without standings."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def names(self) -> tuple[str, ...]:
        return self._names

    def board(self, name: str) -> models.Tournament:
        return models.Tournament(name=name, standings=(), games=0, notes=())


async def test_tournament_of_any_name_has_its_page(tmp_path):  # S072, S073
    names = ("spring/2026", "a?b#c", "100%", "%2F", "a\\b", HOSTILE)
    async with open_harbour(tmp_path, boards=Named(*names)) as harbour:
        for name in names:
            path = quote(name, safe="")
            assert (await harbour.get(f"/tournament/{path}")).status == 200
            assert (await harbour.get(f"/api/tournaments/{path}")).json["name"] == name


PAGES = ["/", "/game/g-1", "/tournament/spring", "/cards"]


@pytest.mark.parametrize("path", [*PAGES, "/static/game.js", "/api/cards", "/api/schema", "/nothing"])
async def test_every_answer_forbids_what_is_not_the_servers_own(harbour, path):
    answer = await harbour.get(path)
    assert answer.status == (404 if path == "/nothing" else 200)
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "server" not in answer.headers


@pytest.mark.parametrize("path", PAGES)
async def test_pages_load_nothing_from_elsewhere_and_run_nothing_of_their_own(harbour, path):
    text = (await harbour.get(path)).body.decode()
    assert "//" not in text.replace("http-equiv", "")
    assert "<script>" not in text
    assert " style=" not in text
    assert not re.search(r"\son[a-z]+\s*=", text)


async def test_cards_are_packed_and_need_not_be_sent_twice(harbour):
    first = await harbour.get("/api/cards", accept_encoding="gzip")
    assert first.headers["content-encoding"] == "gzip"
    cards = models.Cards.model_validate(json.loads(first.body))
    assert len(cards.cards) == 170
    again = await harbour.get("/api/cards", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")


async def test_schema_describes_what_is_served(harbour):
    document = (await harbour.get("/api/schema")).json
    assert {"Games", "About", "Moments", "End", "Cards", "Tournament", "Fault"} <= set(document["$defs"])


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
async def test_nothing_can_be_written(harbour, method):
    game = await harbour.hall.seated(2)
    for path in ("/api/games", f"/api/games/{game.id}/stream", "/"):
        answer = await harbour.get(path, method)
        assert answer.status == 405
        assert "use GET" in answer.json["error"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/games/nope", 404),
        ("/api/games/nope/stream", 404),
        ("/api/games/nope/record", 404),
        ("/api/games/..%2f..%2fetc%2fpasswd/record", 404),
        ("/api/games/%00/record", 404),
        ("/static/..%2fapp.py", 404),
        ("/static/../app.py", 404),
        ("/api/tournaments/nope", 404),
        (f"/api/games/{'x' * 3000}", 404),
    ],
)
async def test_what_is_not_there_is_told_in_one_sentence(harbour, path, status):  # S073
    answer = await harbour.get(path)
    assert answer.status == status
    assert len(answer.json["error"]) < 200


async def test_view_that_is_none_is_refused(harbour):
    game = await harbour.hall.seated(2)
    answer = await harbour.get(f"/api/games/{game.id}/stream?view=seat-9")
    assert (answer.status, answer.json["error"]) == (400, "a view is public, everything, or seat-0 to seat-5")


async def test_names_are_data_in_the_json(harbour):  # S072
    wires = [await harbour.hall.login(HOSTILE), await harbour.hall.login("plain")]
    game = await harbour.hall.seated(wires=wires)
    answer = await harbour.get(f"/api/games/{game.id}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json["names"] == [HOSTILE, "plain"]


async def test_head_that_is_too_long_is_refused_and_the_next_request_is_served(harbour):  # S078
    answer = await harbour.get("/", cookie="x" * 200_000)
    assert answer.status in (400, 431)
    assert (await harbour.get("/")).status == 200


async def test_bytes_that_are_no_request_end_the_connection_alone(harbour):
    for data in (
        b"\x16\x03\x01" * 100,
        b"GET",
        b"\r\n" * 50,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 99,
    ):
        async with await trio.open_tcp_stream("127.0.0.1", harbour.port) as stream:
            await stream.send_all(data)
            await stream.send_eof()
            while await stream.receive_some(4096):
                pass
    assert (await harbour.get("/")).status == 200

"""The deal (R1, R2): what lies where before the first decision, and in which order chance is used."""

from __future__ import annotations

from hashlib import sha256

import pytest

from arena.game import Game, Options, OptionsError
from arena.game.catalogue import SETS, default_catalogue
from arena.game.terms import ACTIONS, CAPITAL, TYPES

SEATS = [2, 3, 4, 5, 6]


def new(players: int, seed: int = 1, sets: tuple[str, ...] = ()) -> Game:
    return Game.new(Options(players=players, sets=sets), seed=seed)


def all_cards(game: Game) -> list[int]:
    """Every card on the table, by number."""
    cards = [*game.pile, *game.discard, *game.island]
    for player in game.players:
        cards += [*player.hand, *player.crew, *player.goods, *player.fulfilled, *player.played]
    for ship in game.ships:
        cards += [*ship.contracts, *ship.containers]
    return sorted(cards)


def test_the_base_game_has_100_cards_and_each_set_adds_its_own() -> None:  # R1.1, R2.2, Q2
    catalogue = default_catalogue()
    assert all_cards(new(2)) == [card.number for card in catalogue.cards if card.set == "base"]
    mixed = new(3, sets=("flag", "kickstarter"))
    assert all_cards(mixed) == [
        card.number for card in catalogue.cards if card.set in ("base", "flag", "kickstarter")
    ]
    assert len(all_cards(mixed)) == SETS["base"] + SETS["flag"] + SETS["kickstarter"] == 125


def test_each_card_has_the_action_of_its_colour() -> None:  # R1.2, R1.5: what a card is as a card in hand
    catalogue = default_catalogue()
    actions = {TYPES[card.colors[0]]: ACTIONS[card.action] for card in catalogue.cards}
    assert actions == {
        "technology": "load",
        "agriculture": "contract",
        "consumer": "import",
        "luxury": "supply",
        "illegal": "piracy",
        "capital": "barter",
    }
    assert [TYPES[port] for port in catalogue.ports] == list(TYPES)  # R1.2: six Ports


@pytest.mark.parametrize("players", SEATS)
def test_each_player_has_two_ships_one_in_port_and_one_at_sea_with_4_containers(players: int) -> None:
    """R1.3, R2.4, R2.5, R2.6."""
    view = new(players).view(None)
    assert [(ship["owner"], ship["place"], len(ship["containers"])) for ship in view["ships"]] == [
        (seat, place, count) for seat in range(players) for place, count in (("port", 0), ("sea", 4))
    ]


@pytest.mark.parametrize("players", SEATS)
def test_ten_cards_for_each_player_leave_the_pile(players: int) -> None:  # TD4, R2.1, R2.2, R2.3, R2.9, Q1
    view = new(players).view(None)
    assert len(view["island"]) == players
    assert [player["hand"] for player in view["players"]] == [5] * players
    assert view["pile"] == 100 - 10 * players
    assert (view["discard"], view["top_discard"]) == (0, None)


@pytest.mark.parametrize("players", SEATS)
def test_each_player_starts_with_the_contract_on_the_port_alone(players: int) -> None:  # R2.11, R6.1, R6.2
    for player in new(players).view(None)["players"]:
        assert (player["crew_limit"], player["goods_limit"]) == (1, 2)
        assert player["crew"] == player["goods"] == player["fulfilled"] == player["played"] == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_with_fewer_than_six_players_the_grey_port_stays_in_the_box(players: int) -> None:  # R2.4, R2.7
    ports = set()
    for seed in range(30):
        view = new(players, seed).view(None)
        dealt = [player["port"] for player in view["players"]]
        assert len(set(dealt)) == players
        ports.update(dealt)
        assert [player["credits"] for player in view["players"]] == [10] * players
    assert ports == set(TYPES[:5])


def test_with_six_players_the_grey_player_has_4_credits_more() -> None:  # R2.4, R2.7, R2.8, Q8
    for seed in range(10):
        players = new(6, seed).view(None)["players"]
        assert {player["port"] for player in players} == set(TYPES)
        for player in players:
            assert player["credits"] == (14 if player["port"] == "capital" else 10)


def test_the_first_player_is_any_seat_and_leads_the_first_turn() -> None:  # R2.10
    leads = [new(4, seed) for seed in range(60)]
    assert {game.first for game in leads} == {0, 1, 2, 3}
    for game in leads:
        assert game.turn == 1
        assert game.lead == game.first
        assert game.to_act == (game.first,)
        assert game.decision(game.first).kind == "lead"


def test_credits_are_public_and_hands_hidden() -> None:  # R1.6, Q9
    game = new(3)
    for seat in (None, 0, 1, 2):
        view = game.view(seat)
        assert [player["credits"] for player in view["players"]] == [10, 10, 10]
        assert [player["hand"] for player in view["players"]] == [5, 5, 5]
        assert view.get("hand") == (
            None if seat is None else [game.catalogue.ids[card] for card in game.players[seat].hand]
        )


def test_the_order_in_which_chance_is_used_can_be_repeated_from_the_seed() -> None:  # Q3, Q96
    """The generator and the order of the ruling, written down once more and independently."""
    for players in SEATS:
        game = new(players, seed=players * 1000 + 7)
        drawn = 0

        def below(outcomes: int, seed: int = players * 1000 + 7) -> int:
            nonlocal drawn
            number = int.from_bytes(sha256(f"{seed}/{drawn}".encode()).digest(), "big")
            drawn += 1
            return number % outcomes

        def shuffled(cards: list[int]) -> list[int]:
            for last in range(len(cards) - 1, 0, -1):
                other = below(last + 1)
                cards[last], cards[other] = cards[other], cards[last]
            return cards

        pile = shuffled(list(range(1, 101)))  # by card number; the last one is on top
        island = [pile.pop() for _ in range(players)]
        ports = shuffled([port for port in range(6) if players == 6 or port != CAPITAL])
        ships = [[pile.pop() for _ in range(4)] for _ in range(players)]
        hands = [sorted(pile.pop() for _ in range(5)) for _ in range(players)]
        first = below(players)
        assert list(game.island) == island
        assert [player.port for player in game.players] == ports[:players]
        assert [list(ship.containers) for ship in game.ships if ship.place == 1] == ships
        assert [list(player.hand) for player in game.players] == hands
        assert game.first == first
        assert game.pile == pile
        assert game.drawn == drawn


def test_the_same_seed_gives_the_same_deal_and_another_seed_another() -> None:  # Q3, S052
    assert new(4, 5).digest() == new(4, 5).digest()
    assert len({new(4, seed).digest() for seed in range(20)}) == 20


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (Options(players=1), "1 players cannot play; 2 to 6 can"),
        (Options(players=7), "7 players cannot play; 2 to 6 can"),
        (Options(players=True), "True players cannot play; 2 to 6 can"),
        (Options(sets=("mars",)), "there is no set 'mars'; the sets are " + ", ".join((*SETS, "tokyo-port"))),
        (Options(containers="boxes"), 'containers is "boxes"; take cards, tokens or tokens-everywhere'),
    ],
)
def test_another_setup_is_refused(options: Options, sentence: str) -> None:  # Q1, Q2
    with pytest.raises(OptionsError) as caught:
        Game.new(options, seed=1)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("seed", [-1, 2**256, 1.5, True, "7", None])
def test_what_is_no_seed_is_refused(seed: object) -> None:  # Q3
    with pytest.raises(OptionsError):
        Game.new(Options(), seed=seed)  # type: ignore[arg-type]


def test_two_players_play_by_the_same_rules() -> None:  # Q1
    game = new(2)
    assert game.options.players == 2
    assert len(game.ships) == 4
    assert len(game.island) == 2
    lead = game.lead
    game.choose_text(lead, "draw")
    assert game.lead == 1 - lead
    game.choose_text(1 - lead, "draw")
    assert game.lead == lead

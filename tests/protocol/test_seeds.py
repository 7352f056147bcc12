"""What a seat is told for its own random choices follows from the salt alone, and tells nothing of it."""

from __future__ import annotations

from hashlib import sha256

from protocol import luck

SALT = "00112233445566778899aabbccddeeff"


def test_luck_is_the_number_that_the_page_says() -> None:
    for seat in range(6):
        digest = sha256(f"{SALT}:luck:{seat}".encode("ascii")).hexdigest()
        assert luck(SALT, seat) == int(digest, 16) % 2**53


def test_every_reader_of_json_keeps_it_exact_and_it_fills_its_range() -> None:
    numbers = [luck(f"{salt:032x}", seat) for salt in range(200) for seat in range(6)]
    assert all(number == int(float(number)) for number in numbers)
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) < 2**53 / 100
    assert max(numbers) > 2**53 * 99 / 100

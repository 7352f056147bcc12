"""The server: sockets, logins, tables, and the referee of each game.

What belongs where: `config` the settings, `clocks` the time of a seat, `outbox` what waits to be sent,
`connections` one socket, `clients` who is logged in, `lobby` tables and the queue, `seats` a seat in a
game, `referee` one game, `streams` its public events, `server` the whole.
"""

from arena.server.config import Config, Offer
from arena.server.server import Server, serve

__all__ = ["Config", "Offer", "Server", "serve"]

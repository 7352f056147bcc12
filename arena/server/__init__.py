"""The server: sockets, logins, tables, and the referee of each game.

What belongs where: `config` the settings, `clocks` the time of a seat, `outbox` what waits to be sent, `rates` how
much a client may send, `guests` how many may come from one address, `listing` what `list` is answered with,
`connections` one socket, `clients` who is logged in, `lobby` tables and the queue, `house` shipped bots, `seats` a
seat in a game, `referee` one game, `audience` what it tells its seats and watchers, `streams` its public events,
`ended` what is left of it, `lag` what the machine lost, `tokens` who may log in under which name, `certificate`
that of the server, `doorway` what comes before a hello, `sockets` what the kernel knows of one, `metrics` what
monitoring asks, `config_file` the file of settings, `games` which games run, `server` who gets which message,
`serving` the sockets. `datafolder` is what lies on the disk, `seatfiles` who may come back to a running game,
`reopening` how a game of an earlier server goes on.
"""

from arena.server.config import Config, Offer
from arena.server.datafolder import FolderUnusable
from arena.server.server import Server
from arena.server.serving import drain, serve

__all__ = ["Config", "FolderUnusable", "Offer", "Server", "drain", "serve"]

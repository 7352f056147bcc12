"""Watching in a browser: the HTTP side of a server, its pages and its JSON.

What belongs where: `settings` the bounds, `viewpoints` who sees what, `films` a game as moments, `theatre` the
films that are open and how they grow, `crier` who is woken when, `shelf` the records on the disk, `models` the
values of the API, `overview` the list of games, `card_list` the catalogue, `app` the routes, `watching` the stream
of a game, `monitoring` what an organiser asks, `sending` what goes into a response, `assets` the files of the
pages, `serving` the sockets. The pages themselves are in `static/`.

Nothing here is waited for by a game, and a failure here ends no game.
"""

from arena.web.settings import WebConfig

__all__ = ["WebConfig"]

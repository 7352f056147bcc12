// The moments of a game: each state is a whole view that shares with the one before whatever has not changed.

export class Film {
  constructor() {
    this.about = null;
    this.moments = []; // { n, event, view, news, sources, asked, choices }
    this.retired = []; // by seat the moment from which on it is retired
    this.fulfilments = []; // numbers of moments
    this.turns = []; // numbers of the moments in which a turn begins
    this.status = "connecting";
    this.end = null;
    this.deciding = 0; // when the last moment happened, by performance.now()
  }

  get last() {
    return this.moments.length - 1;
  }

  // The next moment; one that is there already is passed over.
  add(moment) {
    if (moment.n < this.moments.length) return;
    if (moment.n > this.moments.length) throw new Error(`moment ${moment.n} comes after ${this.last}`);
    const view = moment.view ?? changed(this.moments[this.last].view, moment.change);
    const { n, event, news, earned = [], asked = null, choices = [] } = moment;
    const sources = added(this.moments[this.last]?.sources ?? view.players.map(() => ({})), earned);
    this.moments.push({ n, event, view, news, sources, asked, choices });
    for (const [kind, seat] of news) if (kind === "retired") this.retired[seat] = n;
    if (news.some(([kind]) => kind === "fulfil")) this.fulfilments.push(n);
    if (news.some(([kind]) => kind === "turn")) this.turns.push(n);
  }
}

// By seat the credits from each source, with what has been earned since.
function added(sources, earned) {
  if (earned.length === 0) return sources;
  const next = [...sources];
  for (const [seat, source, credits] of earned) next[seat] = { ...next[seat], [source]: (next[seat][source] ?? 0) + credits };
  return next;
}

export function changed(view, change) {
  const next = { ...view, ...change.set };
  for (const name of change.unset ?? []) delete next[name];
  if (change.players) {
    next.players = [...next.players];
    for (const [seat, fields] of Object.entries(change.players)) next.players[seat] = { ...next.players[seat], ...fields };
  }
  if (change.ships) {
    next.ships = [...next.ships];
    for (const [index, ship] of Object.entries(change.ships)) next.ships[index] = ship;
  }
  return next;
}

const PATIENCE = 2000; // milliseconds between two tries of our own; the browser makes most of them by itself

// Fills a film from the server; a lost connection goes on after the last moment that has come.
export function follow(film, game, view, tell) {
  const path = `/api/games/${encodeURIComponent(game)}/stream?view=${encodeURIComponent(view)}`;
  const connect = () => {
    const source = new EventSource(film.last < 0 ? path : `${path}&after=${film.last}`);
    source.addEventListener("start", (event) => {
      film.about = JSON.parse(event.data);
      tell("start");
    });
    source.addEventListener("moments", (event) => {
      const { status, age, moments } = JSON.parse(event.data);
      film.status = status;
      for (const moment of moments) film.add(moment);
      if (age !== undefined) film.deciding = performance.now() - age * 1000;
      tell("moments");
    });
    source.addEventListener("end", (event) => {
      source.close();
      finish(JSON.parse(event.data));
    });
    source.addEventListener("error", () => {
      tell("lost");
      if (source.readyState === EventSource.CLOSED) refused();
    });
  };
  const finish = (end) => {
    film.end = end;
    film.status = end.status;
    tell("end");
  };
  // The browser does not try again by itself: the server has said why, or is not to be reached.
  const refused = async () => {
    const about = await fetch(path.replace("/stream", ""), { method: "GET" }).catch(() => null);
    const why = about && !about.ok && about.status < 500 && about.status !== 429 ? (await about.json()).error : null;
    if (why) finish({ status: "broken", problem: why });
    else if (about?.ok && view !== "public") finish({ status: "broken", problem: "this view is shown when the game is over" });
    else setTimeout(connect, PATIENCE);
  };
  connect();
}

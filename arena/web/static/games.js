// Lists of games, for the first page and for tournaments.

import { byId, el, fetchJson, fill, nameOf, plural, seatMark } from "/static/dom.js";

const END = 50; // credits; only the length of a bar depends on it
const link = (game) => `/game/${encodeURIComponent(game)}`;

function lane(game, seat) {
  const credits = game.credits?.[seat];
  const width = `${Math.min(100, (100 * Math.max(0, credits ?? 0)) / END)}%`;
  const bar = el("span", { class: `lane s${seat}` }, el("span", { class: "wake", style: { width } }));
  return el("li", {}, seatMark(seat), nameOf(game.names[seat]), bar, el("strong", { class: "number" }, credits === undefined ? "–" : String(credits)));
}

// The seats, who is ahead first.
function richest({ names, credits }) {
  const seats = names.map((_, seat) => seat);
  return credits ? seats.sort((a, b) => credits[b] - credits[a] || a - b) : seats;
}

function live(game) {
  const turn = game.turn === undefined ? game.status : `turn ${game.turn}`;
  const events = game.events === undefined ? "" : ` · ${plural(game.events, "event")}`;
  return el(
    "a",
    { class: "game panel", href: link(game.game) },
    el("header", {}, el("strong", { class: "name" }, game.game), el("span", { class: "note" }, turn + events)),
    el("ol", { class: "lanes" }, richest(game).map((seat) => lane(game, seat))),
  );
}

// How a seat came to the end, if not by playing to it.
function fault({ reason: of, reasons }, seat) {
  const reason = reasons?.[seat] ?? "normal";
  return ["normal", of].includes(reason) ? null : el("span", { class: "stamp fault" }, reason);
}

function over(game) {
  const order = game.names.map((_, seat) => seat);
  if (game.places) order.sort((a, b) => game.places[a] - game.places[b]);
  return el(
    "tr",
    {},
    el("td", {}, el("a", { href: link(game.game) }, game.game)),
    el("td", {}, el("span", { class: "row" }, order.map((seat) =>
      el("span", { class: "row who" }, game.places ? `${game.places[seat]}.` : "", seatMark(seat), nameOf(game.names[seat]), game.credits ? String(game.credits[seat]) : "", fault(game, seat))))),
    el("td", {}, game.reason ?? "broken off"),
    el("td", {}, game.started?.slice(0, 16).replace("T", " ") ?? ""),
  );
}

// Shows the games that are wanted, and again every so often while the page is seen.
export function keepListing(wanted, tell = () => {}) {
  const PAUSE = 1500; // milliseconds
  let last = "";
  const list = async () => {
    try {
      const games = await fetchJson("/api/games");
      const text = JSON.stringify(games);
      if (text !== last) {
        last = text;
        const now = games.live.filter(wanted);
        fill(byId("games"), now.length ? now.map(live) : el("p", { class: "note" }, "No game is being played."));
        fill(byId("lately").tBodies[0], games.lately.filter(wanted).map(over));
        await tell(games);
      }
      byId("trouble").hidden = true;
    } catch (error) {
      byId("trouble").textContent = `The list cannot be had: ${error.message}`;
      byId("trouble").hidden = false;
    }
    if (document.hidden) await new Promise((seen) => document.addEventListener("visibilitychange", seen, { once: true }));
    setTimeout(list, PAUSE);
  };
  list();
}

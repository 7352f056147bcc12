// The standings of a tournament, as they grow, and its games.

import { byId, el, fetchJson, fill, nameOf, plural } from "/static/dom.js";
import { keepListing } from "/static/games.js";
import { signed } from "/static/signed.js";

const name = decodeURIComponent(location.pathname.split("/").pop());

function range(row, least, most) {
  const part = (elo) => (100 * (elo - least)) / Math.max(1, most - least);
  return el(
    "span",
    { class: "whisker", title: `${signed(row.low)} to ${signed(row.high)}` },
    el("span", { class: "reach", style: { left: `${part(row.low)}%`, width: `${part(row.high) - part(row.low)}%` } }),
    el("span", { class: "middle", style: { left: `${part(row.elo)}%` } }),
  );
}

function show(board) {
  const rows = board.standings;
  const least = Math.min(...rows.map((row) => row.low));
  const most = Math.max(...rows.map((row) => row.high));
  const number = (text) => el("td", { class: "number" }, text);
  fill(byId("title"), el("bdi", {}, board.name), ` · ${plural(board.games, "game")}`);
  byId("notes").textContent = board.notes.join("; ");
  fill(
    byId("standings").tBodies[0],
    rows.map((row, index) =>
      el("tr", {}, number(String(index + 1)), el("td", {}, nameOf(row.name)), number(signed(row.elo)), el("td", {}, range(row, least, most)), number(String(Math.round(row.live))), number(String(row.games)), number(row.points.toFixed(2)), number(String(row.faults)))),
  );
}

async function refresh() {
  try {
    show(await fetchJson(`/api/tournaments/${encodeURIComponent(name)}`));
  } catch (error) {
    byId("trouble").textContent = error.message;
    byId("trouble").hidden = false;
  }
}

document.title = `${name} · standings`;
refresh();
keepListing((game) => game.tournament === name, refresh);

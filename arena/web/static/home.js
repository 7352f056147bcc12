// The first page.

import { byId, el, fetchJson, fill, plural } from "/static/dom.js";
import { keepListing } from "/static/games.js";
import { signed } from "/static/signed.js";

const BEST = 5; // of a tournament, on this page

async function board(name) {
  const path = encodeURIComponent(name);
  const { standings, games } = await fetchJson(`/api/tournaments/${path}`);
  return el(
    "a",
    { class: "panel board", href: `/tournament/${path}` },
    el("strong", {}, el("bdi", {}, name)),
    el("span", { class: "note" }, ` ${plural(games, "game")}`),
    el("ol", {}, standings.slice(0, BEST).map((row) => el("li", {}, el("bdi", { class: "name" }, row.name), el("span", { class: "number" }, signed(row.elo))))),
  );
}

keepListing(
  () => true,
  async ({ tournaments }) => {
    const boards = await Promise.all(tournaments.map(board));
    fill(byId("tournaments").querySelector(".boards"), boards);
    byId("tournaments").hidden = boards.length === 0;
  },
);

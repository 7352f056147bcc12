// The first page.

import { byId, el, fill } from "/static/dom.js";
import { keepListing } from "/static/games.js";

keepListing(
  () => true,
  ({ tournaments }) => {
    byId("tournaments").hidden = tournaments.length === 0;
    const links = tournaments.map((name) => el("a", { class: "panel board", href: `/tournament/${encodeURIComponent(name)}` }, el("bdi", {}, name), " standings"));
    fill(byId("tournaments").querySelector(".row"), links);
  },
);

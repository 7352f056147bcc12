// Credits over time: one stepped line for each seat, fulfilments as diamonds, the end at the top line.

import { svg } from "/static/dom.js";

const WIDE = 360;
const HIGH = 140;
const LEFT = 26;
const TOP = 10;
const POINTS = 400; // of one line, at most: more than there are pixels

const x = (film, n) => LEFT + ((WIDE - LEFT - 8) * n) / Math.max(1, film.last);

export function drawChart(place, film, go) {
  const end = film.about?.end_credits ?? 50;
  const all = film.moments.map(({ view }) => view.players.map((player) => player.credits));
  const most = Math.max(end, ...all.map((credits) => Math.max(...credits)));
  const least = Math.min(0, ...all.map((credits) => Math.min(...credits)));
  const y = (credits) => TOP + (HIGH - TOP - 16) * (1 - (credits - least) / (most - least));
  const every = Math.max(1, Math.ceil(all.length / POINTS));
  const seats = all[0].map((_, seat) => seat);
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", class: "chart" });
  const text = seats.map((seat) => `${film.about.labels[seat]} ${all.at(-1)[seat]}`).join(", ");
  picture.append(svg("title", {}, `Credits over time; last: ${text}`));
  for (const credits of [0, end / 2, end]) {
    picture.append(
      svg("line", { x1: LEFT, x2: WIDE - 8, y1: y(credits), y2: y(credits), class: credits === end ? "goal" : "grid" }),
      svg("text", { x: LEFT - 4, y: y(credits) + 4, "text-anchor": "end" }, String(credits)),
    );
  }
  for (const seat of seats) {
    let path = `M${x(film, 0)} ${y(all[0][seat])}`;
    for (let n = every; n < all.length; n += every) path += `H${x(film, n).toFixed(1)}V${y(all[n][seat]).toFixed(1)}`;
    path += `H${x(film, film.last)}V${y(all.at(-1)[seat])}`;
    picture.append(svg("path", { d: path, class: `line s${seat}` }));
  }
  for (const n of film.fulfilments) {
    for (const [kind, seat] of film.moments[n].news) {
      if (kind !== "fulfil" || seat === null) continue;
      const [across, down] = [x(film, n), y(all[n][seat])];
      picture.append(svg("path", { d: `M${across} ${down - 5}l5 5-5 5-5-5z`, class: `gem s${seat}` }));
    }
  }
  picture.append(svg("line", { class: "cursor", y1: TOP, y2: HIGH - 14, x1: LEFT, x2: LEFT }));
  picture.addEventListener("click", (event) => {
    const at = picture.getBoundingClientRect();
    const across = ((event.clientX - at.left) / at.width) * WIDE;
    go(Math.round(((across - LEFT) / (WIDE - LEFT - 8)) * film.last));
  });
  place.replaceChildren(picture);
}

export function moveCursor(place, film, n) {
  const cursor = place.querySelector(".cursor");
  if (!cursor) return;
  cursor.setAttribute("x1", x(film, n));
  cursor.setAttribute("x2", x(film, n));
}

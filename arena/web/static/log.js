// What has happened, in sentences. Only the part that is near the shown moment stands in the page.

import { el, make } from "/static/dom.js";

const KEPT = 40; // sentences up to the shown moment; what comes later is not told before it happens

const MARKED = { turn: "turn", fulfil: "mark-fulfil", end: "turn", "end-triggered": "turn", won: "strong" };

export class Log {
  constructor(list) {
    this.list = list;
    this.first = 0; // sentences of moments first ... last stand in the list
    this.last = -1;
  }

  show(film, n) {
    if (n < this.first || n < this.last || n > this.last + KEPT) this.clear(n, film);
    for (let next = this.last + 1; next <= n; next += 1) this.append(film.moments[next]);
    this.last = n;
    while (this.list.childElementCount > KEPT) {
      this.first = Number(this.list.firstElementChild.dataset.moment) + 1;
      this.list.firstElementChild.remove();
    }
    for (const line of this.list.querySelectorAll(".now")) line.classList.remove("now");
    for (let line = this.list.lastElementChild; line && Number(line.dataset.moment) === n; line = line.previousElementSibling) {
      line.classList.add("now");
    }
    this.list.dataset.shown = String(n);
  }

  clear(n, film) {
    this.list.replaceChildren();
    let room = KEPT;
    let first = n;
    while (first > 0 && room > 0) room -= film.moments[(first -= 1)].news.length;
    this.first = first;
    this.last = first - 1;
  }

  append({ n, news }) {
    for (const [kind, seat, sentence] of news) {
      const line = el(
        "li",
        { "data-moment": n, class: `${seat === null ? "" : `s${seat} of-seat`} ${MARKED[kind] ?? ""}` },
        el("a", { href: `#m=${n}`, class: "at", "aria-label": `Moment ${n}` }, String(n)),
        el("bdi", {}, sentence),
      );
      this.list.append(make(line));
    }
  }
}

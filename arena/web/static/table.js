// The table: draws a moment. What has not changed since the last drawing is left as it is.

import { box, cardName, cardType, checkCard, chip, LETTERS, mark, slot, TYPES } from "/static/cards.js";
import { byId, el, fill, make, nameOf, plural, seatMark } from "/static/dom.js";
import { kindText } from "/static/kinds.js";
import { signed } from "/static/signed.js";

const FLIGHT = 380; // milliseconds that a card takes from one place to another
const seconds = (time) => (time < 10 ? time.toFixed(1) : String(Math.round(time)));

export class Table {
  constructor() {
    this.drawn = new Map(); // by section what it was drawn from
    this.outcome = null;
  }

  show(moment, film, smooth) {
    const places = smooth ? whereCardsLie() : null;
    const { view } = moment;
    this.about = film.about;
    this.section("race", [view.players, moment.sources, view.result, this.outcome, film.about], () => this.race(moment));
    this.section("market", [view.island, view.columns, view.pile, view.discard, view.top_discard, view.top, view.market, view.tokens, view.piracy_ban, view.ending], () => this.market(view));
    this.section("sea", [view.ships, view.players.length], () => this.sea(view));
    this.ports(moment, film);
    this.section("choices", [moment], () => this.choices(moment, film), byId("choices"));
    checkCard();
    if (places) fly(places);
  }

  // Draws a section unless everything that it is made of is the same.
  section(id, sources, describe, parent = byId(id)) {
    const before = this.drawn.get(id);
    if (before && before.length === sources.length && sources.every((source, index) => source === before[index])) return;
    this.drawn.set(id, sources);
    fill(parent, ...describe());
  }

  name(seat) {
    return this.about.labels[seat];
  }

  race({ view, sources }) {
    const goal = this.about.end_credits;
    const result = this.outcome?.complete && view.result ? { ...view.result, places: this.outcome.places } : view.result;
    const order = view.players.map((_, seat) => seat);
    order.sort((a, b) => view.players[b].credits - view.players[a].credits || a - b);
    const most = Math.max(goal, ...view.players.map((player) => player.credits));
    return [
      el("h2", {}, `The race to ${goal}`),
      el("p", { class: "lead" }, this.lead(view, order)),
      el(
        "ol",
        { class: "lanes" },
        order.map((seat) => {
          const { credits } = view.players[seat];
          const lane = el(
            "span",
            { class: `lane s${seat}` },
            el("span", { class: "wake", style: { width: `${(100 * Math.max(0, credits)) / most}%` } }),
            el("span", { class: "finish", style: { left: `${(100 * goal) / most}%` } }),
          );
          return el(
            "li",
            {},
            seatMark(seat),
            nameOf(this.name(seat)),
            lane,
            el("strong", { class: "credits" }, String(credits)),
            result ? el("span", { class: "stamp place" }, `${result.places[seat]}.`) : null,
            el("span", { class: "why" }, sourcesText(sources[seat])),
          );
        }),
      ),
    ];
  }

  // Who is ahead, in a sentence; `order` are the seats, the richest first.
  lead({ players }, order) {
    const most = players[order[0]].credits;
    const ahead = order.filter((seat) => players[seat].credits === most);
    if (ahead.length === order.length) return "All have the same.";
    if (ahead.length > 1) return [`${ahead.length} seats lead with `, el("strong", {}, plural(most, "credit")), "."];
    return [el("strong", {}, el("bdi", {}, this.name(order[0]))), ` is ahead by ${most - players[order[1]].credits}.`];
  }

  market(view) {
    const pile = (label, count, card) =>
      el("div", { class: "pile" }, el("span", { class: "back", "aria-hidden": "true" }, String(count)), el("span", {}, label), card ? chip(card) : null);
    const island = view.columns
      ? view.columns.map((column) =>
          el("div", { class: "column" }, el("span", { class: "price" }, plural(column.credits, "credit")), column.cards.map((id) => chip(id))),
        )
      : [el("div", { class: "column island row" }, view.island.length ? view.island.map((id) => chip(id)) : el("span", { class: "note" }, "empty"))];
    return [
      el("h2", {}, view.columns ? "Tokyo Port" : "Supply Island"),
      el("div", { class: "columns" }, island),
      el("div", { class: "piles" }, pile("draw pile", view.pile, view.top), pile("discard pile", view.discard, view.top_discard)),
      view.market
        ? el("div", { class: "row commodity", "aria-label": "Commodity Market" }, Object.entries(view.market).map(([type, marker]) =>
            el("span", { class: "row" }, mark(type), el("strong", {}, marker > 0 ? `+${marker}` : String(marker)))))
        : null,
      view.tokens
        ? el("div", { class: "row commodity", "aria-label": "Containers out of the stock" }, Object.entries(view.tokens).map(([type, count]) =>
            el("span", { class: "row" }, mark(type), `${count} out`)))
        : null,
      view.piracy_ban === undefined ? null : el("p", { class: "note" }, `No Piracy until ${this.name(view.piracy_ban)} leads`),
      view.ending ? el("p", { class: "trouble" }, `The end is triggered: ${view.ending}`) : null,
    ];
  }

  sea(view) {
    const ships = view.ships.filter((ship) => ship.place === "sea");
    return [
      el("h2", {}, "High Seas"),
      el("div", { class: "fleet" }, ships.length ? ships.map((ship) => this.ship(ship)) : el("p", { class: "note" }, "No Ship is at sea.")),
    ];
  }

  ship(ship) {
    const { owner, containers, contracts } = ship;
    const extras = [
      ship.rainbow ? `rainbow: ${ship.rainbow.map(cardName).join(", ")}` : null,
      ship.pairs ? `pairs: ${ship.pairs.map((pair) => pair.map(cardName).join(" + ")).join(", ")}` : null,
      ship.yen ? `Yen: ${ship.yen.map(cardName).join(", ")}` : null,
      ship.joined === undefined ? null : `joined with ship ${ship.joined}`,
      ship.single_use ? `is ${cardName(ship.single_use)}` : null,
    ].filter(Boolean);
    return el(
      "div",
      { class: `ship s${owner} at-${ship.place}` },
      contracts.map((id) =>
        el("div", { class: "contract" }, chip(id), el("span", { class: "slots" }, (ship.slots ?? []).filter(([contract]) => contract === id).map(slot))),
      ),
      el(
        "div",
        { class: "vessel", role: "group", "aria-label": `Ship ${ship.ship} of ${this.name(owner)}, ${plural(containers.length, "Container")}` },
        el("div", { class: "deck" }, containers.map((id) => box(id))),
        el("div", { class: "hull" }, seatMark(owner), el("span", {}, `ship ${ship.ship}`)),
      ),
      extras.length ? el("p", { class: "note" }, extras.join("; ")) : null,
    );
  }

  ports({ n, view, asked }, film) {
    const place = byId("ports");
    const seats = view.players.length;
    while (place.childElementCount < seats) place.append(make(el("article", { class: `port panel s${place.childElementCount}` })));
    place.dataset.seats = String(seats);
    view.players.forEach((player, seat) => {
      const ships = view.ships.filter((ship) => ship.owner === seat && ship.place !== "sea" && ship.place !== "gone");
      const hand = view.hands?.[seat] ?? (view.seat === seat ? view.hand : null);
      const article = place.children[seat];
      const leads = view.lead === seat;
      article.classList.toggle("asked", Boolean(asked?.seats.includes(seat)));
      article.classList.toggle("leads", leads);
      const key = hand ? hand.join() : "";
      const sealed = asked?.kind === "bid" && asked.seats.includes(seat);
      const retired = film.retired[seat] <= n;
      const sources = [player, leads, key, sealed, retired, this.about, view.marks, view.copies, ...ships];
      this.section(`port-${seat}`, sources, () => this.port(seat, player, ships, hand, { leads, sealed, retired, view }), article);
    });
  }

  port(seat, player, ships, hand, { leads, sealed, retired, view }) {
    const group = (title, cards, limit, more) =>
      el(
        "div",
        { class: "group" },
        el("h3", {}, title, limit === undefined ? null : el("span", { class: "count" }, ` ${cards.length}/${limit}`), more),
        el("div", { class: "row" }, cards.length ? cards.map((id) => chip(id, title === "Fulfilled" ? "done" : "")) : el("span", { class: "note none" }, "–")),
      );
    const doing = player.doing ? `${player.doing} × ${player.announced}` : "";
    const notes = [
      player.sold ? "has sold this turn" : null,
      player.extra_turns ? plural(player.extra_turns, "extra turn") : null,
      ...player.fulfilled.filter((id) => view.copies?.[id]).map((id) => `${cardName(id)} acts as ${view.copies[id]}`),
      ...player.fulfilled.filter((id) => view.marks?.[id] !== undefined).map((id) => `on ${cardName(id)}: ${view.marks[id]}`),
    ].filter(Boolean);
    return [
      el(
        "header",
        {},
        seatMark(seat),
        nameOf(this.name(seat), "owner"),
        el("span", { title: `${player.port} Port` }, mark(player.port)),
        el("strong", { class: "credits", title: "credits" }, String(player.credits)),
      ),
      el(
        "p",
        { class: "row doing" },
        leads ? el("span", { class: "stamp" }, "⚓ leads") : null,
        sealed ? el("span", { class: "stamp sealed" }, "✉ sealed bid") : null,
        retired ? el("span", { class: "stamp retired" }, "retired") : null,
        doing ? el("strong", {}, doing) : null,
        player.played.map((id) => chip(id)),
        hand ? null : el("span", { class: "hand", role: "img", "aria-label": plural(player.hand, "card") + " in hand" }, Array.from({ length: Math.min(player.hand, 12) }, () => el("i")), ` ${player.hand}`),
      ),
      el("div", { class: "quay" }, ships.map((ship) => this.ship(ship))),
      hand ? group("Hand", hand) : null,
      el("div", { class: "areas" }, group("Goods", player.goods, player.goods_limit, tally(player.goods)), group("Crew", player.crew, player.crew_limit), group("Fulfilled", player.fulfilled)),
      notes.length ? el("p", { class: "note" }, notes.join("; ")) : null,
    ];
  }

  // What the seats that this view sees had to choose from, and what they chose.
  choices({ n, choices, view }, film) {
    const before = film.moments[n - 1]?.view;
    const place = byId("choices");
    const open = view.decisions?.map((decision, seat) => [seat, decision]) ?? (view.decision ? [[view.seat, view.decision]] : []);
    const waiting = open.filter(([, decision]) => decision);
    place.hidden = choices.length === 0 && waiting.length === 0;
    const lines = (decision, picked) =>
      el("ol", { class: "options", start: 0 }, decision.options.map((option, index) =>
        el("li", { class: index === picked ? "picked" : "" }, option, index === decision.default ? el("small", {}, " default") : null)));
    return [
      ...choices.flatMap((choice) => {
        const decision = before?.decisions?.[choice.seat] ?? (before?.seat === choice.seat ? before?.decision : null);
        const spent = choice.spent === undefined ? "" : ` after ${choice.spent.toFixed(2)} s`;
        const bank = choice.bank === undefined ? "" : `, bank ${choice.bank.toFixed(1)} s`;
        return [
          el("h2", {}, `Chosen: ${choice.kind ?? ""}`),
          el("p", { class: "row" }, seatMark(choice.seat), nameOf(this.name(choice.seat)), el("code", {}, choice.option), el("span", { class: "note" }, spent + bank)),
          choice.fault ? el("p", { class: "trouble" }, `Fault: ${choice.fault}; the default was played`) : null,
          decision ? lines(decision, choice.index) : null,
        ];
      }),
      ...waiting.flatMap(([seat, decision]) => [
        el("h2", {}, `Asked now: ${decision.kind}`),
        el("p", { class: "row" }, seatMark(seat), nameOf(this.name(seat)), el("span", { class: "note" }, plural(decision.options.length, "option"))),
        lines(decision, -1),
      ]),
    ];
  }

  // Whose decision it is; for the newest moment of a live game with the time that has passed.
  clock(film, shown) {
    const place = byId("asked");
    const moment = film.moments[shown];
    if (!moment || !film.about) return;
    const ticking = film.status === "live" && shown === film.last;
    fill(place, ...this.asked(moment, film, ticking ? thinking(film) : null));
  }

  asked({ asked, view }, film, timer) {
    if (film.status === "waiting") return [el("p", { class: "call" }, "Waiting for the players to get ready; no clock runs.")];
    if (view.result) {
      const [places, reasons] = [this.outcome?.complete ? this.outcome.places : view.result.places, this.outcome?.reasons ?? []];
      const winners = places.flatMap((place, seat) => (place === 1 ? [this.name(seat)] : []));
      const faults = reasons.flatMap((reason, seat) => (reason === "normal" ? [] : [`${this.name(seat)}: ${reason}`]));
      return [
        el("p", { class: "call" }, el("strong", {}, el("bdi", {}, winners.join(" and "))), ` ${winners.length > 1 ? "win" : "wins"} by ${view.result.reason}`, faults.length ? ` (${faults.join("; ")})` : ""),
      ];
    }
    if (!asked) return [];
    return [
      el("p", { class: "call row" }, asked.seats.map((seat) => [seatMark(seat), nameOf(this.name(seat))]).flat(), el("span", {}, `to decide: ${kindText(asked.kind)}`), timer && el("span", { class: "timer" }, timer)),
    ];
  }
}

const NO_BREAK = "\u00a0";
const SOURCES = {
  payout: "payouts", sale: "sales", compensation: "fees", power: "powers", scoring: "final scoring", "tokyo-port": "Tokyo", bid: "bids",
};

// Where the credits of a seat come from, and what they went to.
function sourcesText(sources) {
  const parts = Object.keys(SOURCES).filter((source) => sources[source]);
  return parts.map((source) => `${SOURCES[source]} ${signed(sources[source])}`.replaceAll(" ", NO_BREAK)).join(", ");
}

// How long is being thought, and how long may be.
function thinking({ about, deciding }) {
  const { move, bank = 0 } = about.clock;
  const passed = Math.max(0, (performance.now() - deciding) / 1000);
  const limit = move === undefined ? "" : ` of ${move} s${bank ? ` and a bank of at most ${bank} s` : ""}`;
  return `${seconds(passed)} s${limit}`;
}

// Goods by type, so that one sees what a Level asks for.
function tally(cards) {
  const counts = TYPES.map((type) => [type, cards.filter((id) => cardType(id) === type).length]);
  return counts.filter(([, count]) => count > 1).map(([type, count]) => el("span", { class: "tally" }, `${LETTERS[type]}×${count}`));
}

function whereCardsLie() {
  const places = new Map();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return places;
  for (const card of document.querySelectorAll("#table [data-card]")) places.set(card.dataset.card, card.getBoundingClientRect());
  return places;
}

// A card that lies elsewhere now flies there from where it lay; a new one appears.
function fly(places) {
  if (places.size === 0) return;
  for (const card of document.querySelectorAll("#table [data-card]")) {
    const before = places.get(card.dataset.card);
    const now = card.getBoundingClientRect();
    if (!before) {
      card.animate([{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none" }], { duration: FLIGHT / 2 });
      continue;
    }
    const [across, down] = [before.left - now.left, before.top - now.top];
    if (Math.abs(across) + Math.abs(down) < 6 || !card.closest("#table") || now.width === 0) continue;
    card.animate([{ transform: `translate(${across}px, ${down}px)` }, { transform: "none" }], { duration: FLIGHT, easing: "ease-in-out" });
  }
}

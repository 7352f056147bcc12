// The catalogue, the small pictures of cards, and what a card says when it is pointed at, tapped or focused.

import { byId, el, fetchJson, fill } from "/static/dom.js";

export const LETTERS = { technology: "T", agriculture: "A", consumer: "C", luxury: "L", illegal: "I", capital: "K", any: "?" };
export const TYPES = ["technology", "agriculture", "consumer", "luxury", "illegal", "capital"];

const known = new Map();

export async function loadCards() {
  const { cards } = await fetchJson("/api/cards");
  for (const card of cards) known.set(card.id, card);
  return cards;
}

const WORD = /(^|-)([a-z])/g;
const guess = (id) => id.replace(WORD, (_, dash, letter) => (dash ? " " : "") + letter.toUpperCase());

// Containers that are no cards have ids like luxury-token-3.
const tokenType = (id) => /^([a-z]+)-token-\d+$/.exec(id)?.[1];

export const cardName = (id) => known.get(id)?.name ?? (tokenType(id) ? `${tokenType(id)} Container` : guess(id));
export const cardType = (id) => known.get(id)?.colors[0] ?? tokenType(id) ?? "any";

export const mark = (type) =>
  el("span", { class: `mark t-${type}`, "aria-hidden": "true" }, LETTERS[type] ?? "?");

// What has been made of a card is made once: `fill` sees at once that it is the same.
function kept(make) {
  const made = new Map();
  return (id, more = "") => {
    const key = `${id} ${more}`;
    if (!made.has(key)) made.set(key, make(id, more));
    return made.get(key);
  };
}

// A card with its name.
export const chip = kept((id, more) => {
  const type = cardType(id);
  return el(
    "button",
    { class: `chip ${more}`, type: "button", "data-card": id, "aria-label": `${cardName(id)}, ${type}` },
    mark(type),
    el("span", { class: "name" }, cardName(id)),
  );
});

// A card as a container.
export const box = kept((id) => {
  const type = cardType(id);
  return el(
    "button",
    { class: `box t-${type}`, type: "button", "data-card": id, "aria-label": `${cardName(id)}, ${type}` },
    LETTERS[type],
  );
});

// One slot of a requirement: `colors` is a type, several joined by "+", or any.
export function slot([, colors, served]) {
  const type = colors.includes("+") ? "any" : colors;
  const letters = colors === "any" ? "?" : colors.split("+").map((color) => LETTERS[color]).join("");
  const what = colors === "any" ? "any colour" : colors.replaceAll("+", " or ");
  return el(
    "span",
    { class: `slot t-${type} ${served ? "served" : "open"}`, role: "img", "aria-label": `${what}, ${served ? "loaded" : "missing"}`, title: what },
    letters,
  );
}

export function describeCard(card) {
  const level = Object.entries(card.level).map(([type, count]) => `${count} ${type === "any" ? "of any type" : type}`);
  return [
    el("h3", {}, card.name),
    el("p", { class: "note" }, `${card.colors.join(" / ")} · ${card.action} · set ${card.set}`),
    el("p", {}, level.length ? `Level: Goods ${level.join(", ")}` : "Level: no Goods needed"),
    ...card.contracts.flatMap((contract) => [
      card.contracts.length > 1 ? el("p", {}, el("strong", {}, contract.name)) : null,
      el("p", { class: "row" }, "Loads ", ...contract.load.map((type) => mark(type))),
      el("p", {}, el("em", {}, `${contract.timing}: `), contract.effect),
    ]),
  ];
}

let shownFor = null;
let shownCard = null;

function show(button) {
  const card = known.get(button.dataset.card);
  const panel = byId("about-card");
  if (!card || !panel) return;
  shownFor = button;
  shownCard = card.id;
  fill(panel, ...describeCard(card));
  panel.hidden = false;
  const at = button.getBoundingClientRect();
  const size = panel.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left, innerWidth - size.width - 8));
  const below = at.bottom + 6;
  const top = below + size.height < innerHeight ? below : Math.max(8, at.top - size.height - 6);
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
}

export function hideCard() {
  shownFor = null;
  const panel = byId("about-card");
  if (panel) panel.hidden = true;
}

// After a drawing: what stood there may be another card by now.
export function checkCard() {
  if (shownFor && (!shownFor.isConnected || shownFor.dataset.card !== shownCard)) hideCard();
}

export function listenToCards() {
  const at = (event) => (event.target instanceof Element ? event.target.closest("[data-card]") : null);
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const button = at(event);
    if (button) show(button);
    else if (shownFor && !event.target.closest("#about-card")) hideCard();
  });
  document.addEventListener("focusin", (event) => {
    const button = at(event);
    if (button?.matches(":focus-visible")) show(button);
    else if (shownFor && shownFor !== button) hideCard();
  });
  document.addEventListener("click", (event) => {
    const button = at(event);
    if (button) show(button);
    else if (!event.target.closest("#about-card")) hideCard();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideCard();
  });
}

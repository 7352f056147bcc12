// All cards, to look through.

import { describeCard, loadCards, mark } from "/static/cards.js";
import { byId, el, fill, plural } from "/static/dom.js";

const text = (card) =>
  [card.name, card.id, ...card.contracts.flatMap((contract) => [contract.name, contract.effect, contract.timing])].join(" ").toLowerCase();

function show(cards) {
  const [words, type, set] = ["words", "type", "set"].map((id) => byId(id).value);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = cards.filter(
    ({ card, text }) => (!type || card.colors.includes(type)) && (!set || card.set === set) && wanted.every((word) => text.includes(word)),
  );
  fill(byId("cards"), found.map(({ element }) => element));
  byId("count").textContent = plural(found.length, "card");
}

try {
  const all = await loadCards();
  const cards = all.map((card) => ({
    card,
    text: text(card),
    element: el("article", { class: `panel card t-${card.colors[0]}`, id: card.id }, mark(card.colors[0]), describeCard(card)),
  }));
  const offer = (id, values) =>
    fill(byId(id), el("option", { value: "" }, "all"), [...new Set(values)].map((value) => el("option", { value }, value)));
  offer("type", all.flatMap((card) => card.colors));
  offer("set", all.map((card) => card.set));
  byId("search").addEventListener("input", () => show(cards));
  byId("search").addEventListener("submit", (event) => event.preventDefault());
  show(cards);
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
} catch (error) {
  byId("trouble").textContent = error.message;
  byId("trouble").hidden = false;
}

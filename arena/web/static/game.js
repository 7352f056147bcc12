// The page of one game: what moment is shown, and how one goes to another.

import { drawChart, moveCursor } from "/static/chart.js";
import { hideCard, listenToCards, loadCards } from "/static/cards.js";
import { byId, el, fill } from "/static/dom.js";
import { Film, follow } from "/static/film.js";
import { Log } from "/static/log.js";
import { offerOwner } from "/static/owner.js";
import { Table } from "/static/table.js";

const game = decodeURIComponent(location.pathname.split("/").pop());
const query = new URLSearchParams(location.search);
const film = new Film();
const table = new Table();
const log = new Log(byId("log").firstElementChild);

const PLAY = 700; // milliseconds between two moments that are played, at the speed 1
const REST = 60; // milliseconds without another jump until the log follows
const CHART = 250; // milliseconds between two drawings of the chart, while moments come
const SMOOTH = 1; // steps that are animated; a longer jump is not

let shown = -1; // the moment on the screen
let goal = goalOf(location.hash); // where the link leads, until that moment has come
let following = goal === null; // whether new moments of a live game are shown as they come
let seenLive = false; // whether the game was being played while we looked
let playing = null;
let lost = false;
let pending = false; // whether a drawing is due
let telling = null; // the timer of the log
let charted = -1; // up to this moment
let chartedAt = -Infinity; // by performance.now()
let named = false; // whether the names of the cards are there

// A link names a moment; one from another view, whose moments have other numbers, names a turn.
function goalOf(hash) {
  const found = /^#(m|turn)=(\d{1,7})$/.exec(hash);
  return found ? { by: found[1], number: Number(found[2]) } : null;
}

function reached({ by, number }) {
  if (by === "m") return number <= film.last ? number : null;
  return film.turns.find((n) => film.moments[n].view.turn >= number) ?? null;
}

function go(n) {
  if (film.last < 0) return;
  goal = null;
  const target = Math.max(0, Math.min(film.last, n));
  following = target === film.last && film.end === null;
  draw(target);
  history.replaceState(null, "", following ? location.pathname + location.search : `#m=${target}`);
}

// While somebody scrubs, the log waits until the slider rests: it is a third of a picture's work.
function tellLog(n, step) {
  clearTimeout(telling);
  if (step) log.show(film, n);
  else telling = setTimeout(() => log.show(film, n), REST);
}

function draw(n) {
  if (n !== shown) {
    const step = Math.abs(n - shown) <= SMOOTH && shown >= 0;
    table.show(film.moments[n], film, step);
    tellLog(n, step);
    moveCursor(byId("chart"), film, n);
    shown = n;
    document.documentElement.dataset.moment = String(n);
  }
  frame();
}

// What stands around the table.
function frame() {
  const view = film.moments[shown]?.view;
  const live = film.status === "live";
  const behind = live && shown < film.last;
  const status = byId("status");
  status.textContent = lost ? "connection lost" : behind ? "looking back" : film.status;
  status.className = `stamp ${lost ? "broken" : behind ? "behind" : film.status}`;
  byId("turn").textContent = view ? `Turn ${view.turn}` : "";
  const slider = byId("moment");
  slider.max = String(Math.max(0, film.last));
  slider.value = String(Math.max(0, shown));
  slider.setAttribute("aria-valuetext", view ? `moment ${shown} of ${film.last}, turn ${view.turn}` : "none yet");
  byId("place").textContent = film.last < 0 ? "–" : `${shown} / ${film.last}`;
  const more = byId("live");
  more.hidden = !behind;
  more.textContent = `Back to live · ${film.last - shown} new`;
  const back = shown <= 0;
  const front = shown >= film.last;
  for (const button of document.querySelectorAll("#transport [data-go]")) {
    const forward = ["next", "last", "turn-next", "fulfil-next", "play"].includes(button.dataset.go);
    if (button !== more) button.setAttribute("aria-disabled", String(forward ? front : back));
  }
  table.clock(film, shown);
}

// The first picture is drawn at once, the others once a frame.
function schedule() {
  if (pending || !named) return;
  if (shown < 0) return update();
  pending = true;
  requestAnimationFrame(update);
}

function chart() {
  const now = performance.now();
  if (charted === film.last || (now < chartedAt + CHART && film.end === null)) return;
  charted = film.last;
  chartedAt = now;
  drawChart(byId("chart"), film, go);
  moveCursor(byId("chart"), film, Math.max(0, shown));
}

function update() {
  pending = false;
  if (film.last < 0) return frame();
  chart();
  const target = goal && (reached(goal) ?? (film.end ? film.last : null));
  if (target !== null) {
    goal = null;
    return draw(target);
  }
  if (following && seenLive) return draw(film.last);
  return draw(Math.max(0, shown)); // a record begins at its beginning
}

function tell(what) {
  lost = what === "lost" && film.end === null;
  if (what === "start") about();
  if (film.status === "live") seenLive = true;
  if (what === "end") over();
  if (film.last >= 0) byId("table").hidden = false;
  schedule();
}

function about() {
  const { names, views, view, tags, record } = film.about;
  document.title = `${names.join(" – ")} · harbour`;
  fill(
    byId("view"),
    views.map((name) => el("option", { value: name, selected: name === view }, viewName(name))),
  );
  const tournament = byId("tournament");
  tournament.hidden = typeof tags.tournament !== "string";
  if (!tournament.hidden) {
    tournament.href = `/tournament/${encodeURIComponent(tags.tournament)}`;
    tournament.textContent = tags.tournament;
  }
  if (record) offerRecord();
  offerOwner(film.about);
}

function viewName(name) {
  if (name === "public") return "Public";
  if (name === "everything") return "Everything";
  const seat = Number(name.slice(5));
  return `Seat ${seat}: ${film.about.labels[seat].slice(0, 24)}`;
}

function offerRecord() {
  byId("record").href = `/api/games/${encodeURIComponent(game)}/record`;
  byId("record").hidden = false;
}

async function over() {
  const { outcome, problem } = film.end;
  if (problem) {
    byId("trouble").textContent = problem;
    byId("trouble").hidden = false;
  }
  if (!outcome) return;
  table.outcome = outcome;
  offerRecord();
  if (!film.about.views.includes("everything")) {
    // Now the game is over: everything can be seen.
    const seats = film.about.names.map((_, seat) => `seat-${seat}`);
    film.about = { ...film.about, views: ["public", ...seats, "everything"] };
    about();
  }
  if (shown >= 0) {
    const again = shown;
    shown = -1;
    draw(again);
  }
}

const beforeOf = (list) => [...list].reverse().find((n) => n < shown) ?? 0;
const afterOf = (list) => list.find((n) => n > shown) ?? film.last;

const STEPS = {
  first: () => go(0),
  last: () => go(film.last),
  back: () => go(shown - 1),
  next: () => go(shown + 1),
  "turn-back": () => go(beforeOf(film.turns)),
  "turn-next": () => go(afterOf(film.turns)),
  "fulfil-back": () => go(beforeOf(film.fulfilments)),
  "fulfil-next": () => go(afterOf(film.fulfilments)),
  play: () => (playing ? stop() : play()),
  faster: () => changeSpeed(1),
  slower: () => changeSpeed(-1),
};

function playButton(running) {
  byId("play").querySelector("path").setAttribute("d", running ? "M5 4h4v12H5zM11 4h4v12h-4z" : "M5 3v14l12-7z");
  byId("play").setAttribute("aria-label", running ? "Stop (space)" : "Play (space)");
}

function play() {
  if (shown >= film.last) go(0);
  run();
  playButton(true);
}

function run() {
  clearInterval(playing);
  playing = setInterval(() => (shown < film.last ? go(shown + 1) : stop()), PLAY / Number(byId("speed").value));
}

function changeSpeed(by) {
  const speed = byId("speed");
  speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + by));
  if (playing) run();
}

function stop() {
  clearInterval(playing);
  playing = null;
  playButton(false);
}

const KEYS = {
  Home: "first", End: "last", ArrowLeft: "back", ArrowRight: "next", PageUp: "turn-back", PageDown: "turn-next",
  f: "fulfil-next", F: "fulfil-back", " ": "play", l: "last", "+": "faster", "-": "slower",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (target instanceof HTMLSelectElement || target.closest?.("dialog")) return;
  if (event.key === " " && target instanceof HTMLButtonElement) return; // the button's own
  const step = KEYS[event.key];
  if (!step) return;
  event.preventDefault();
  if (!["play", "faster", "slower"].includes(step) && playing) stop();
  STEPS[step]();
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-go]") : null;
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  if (button.dataset.go !== "play" && playing) stop();
  hideCard();
  STEPS[button.dataset.go]();
});

byId("moment").addEventListener("input", (event) => {
  if (playing) stop();
  go(Number(event.target.value));
});

byId("speed").addEventListener("change", () => changeSpeed(0));

byId("view").addEventListener("change", (event) => {
  query.set("view", event.target.value);
  // Moments of other views have other numbers, so the turn is what is kept.
  const turn = film.moments[shown]?.view.turn;
  location.assign(`${location.pathname}?${query}${turn && !following ? `#turn=${turn}` : ""}`);
});

byId("link").addEventListener("click", async () => {
  const address = `${location.origin}${location.pathname}${location.search}#m=${Math.max(0, shown)}`;
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address);
    byId("link").textContent = "Copied";
  } catch {
    byId("link").textContent = "See the address bar";
  }
  setTimeout(() => (byId("link").textContent = "Copy link"), 2000);
});

addEventListener("hashchange", () => {
  goal = goalOf(location.hash);
  if (goal) following = false;
  schedule();
});

setInterval(() => {
  table.clock(film, shown);
  if (shown >= 0) chart();
}, 200);
listenToCards();
follow(film, game, query.get("view") ?? "public", tell);
loadCards()
  .catch((error) => {
    byId("trouble").textContent = `The cards are shown without their texts: ${error.message}`;
    byId("trouble").hidden = false;
  })
  .finally(() => {
    named = true;
    schedule();
  });

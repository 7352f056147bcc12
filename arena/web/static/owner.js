// The owner of a seat proves to be it: the proof goes once into the body of a request, and a cookie that no script can
// read stands for it from then on.

import { byId, el, fill } from "/static/dom.js";

let about = null;

const ownSeats = () => about.names.map((_, seat) => `seat-${seat}`).filter((view) => about.views.includes(view));

// The button: to log in, or, where a seat of one's own can be seen, to log out.
export function offerOwner(told) {
  about = told;
  const button = byId("own");
  button.hidden = !about.owners || about.views.includes("everything");
  button.textContent = ownSeats().length ? "Leave my seat" : "My seat";
}

async function ask(method, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch("/api/owner", { method, headers, body, credentials: "same-origin" });
  if (!answer.ok) throw new Error((await answer.json()).error ?? `the server answers ${answer.status}`);
}

const show = (view) => location.assign(`${location.pathname}?view=${view}`);

byId("own").addEventListener("click", async () => {
  if (ownSeats().length) {
    await ask("DELETE");
    return show("public");
  }
  fill(byId("owner-seat"), about.labels.map((label, seat) => el("option", { value: seat }, `Seat ${seat}: ${label.slice(0, 24)}`)));
  byId("owner-trouble").hidden = true;
  byId("owner").showModal();
  byId("owner-proof").focus();
});

byId("owner-out").addEventListener("click", () => byId("owner").close());

byId("owner").addEventListener("close", () => {
  byId("owner-proof").value = "";
});

byId("owner-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const seat = Number(byId("owner-seat").value);
  const proof = byId("owner-proof").value.trim();
  byId("owner-proof").value = "";
  try {
    await ask("POST", JSON.stringify({ name: about.names[seat], proof }));
    show(`seat-${seat}`);
  } catch (error) {
    byId("owner-trouble").textContent = error.message;
    byId("owner-trouble").hidden = false;
  }
});

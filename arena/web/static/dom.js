// Making elements. Whatever comes from the server goes in as text, never as markup.

export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

// Names can hold anything printable: they are isolated, so that none can turn the text around it.
export const nameOf = (text, more = "") => el("bdi", { class: `name ${more}`, title: text }, text);

export const seatMark = (seat) =>
  el("span", { class: `seat s${seat}`, "aria-hidden": "true" }, String(seat));

export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export async function fetchJson(path) {
  const answer = await fetch(path);
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error ?? `the server answers ${answer.status}`);
  return value;
}

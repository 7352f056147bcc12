// Making elements. Whatever comes from the server goes in as text, never as markup.

const isThere = (value) => value !== null && value !== undefined && value !== false;
const there = (children) => children.flat().filter(isThere);

// An element as it should be: its tag, its attributes, and its children, which are such elements or texts. `fill`
// draws it. Attributes and children that are null, undefined or false are left out.
export const el = (tag, attributes = {}, ...children) => ({ tag, attributes, children: there(children) });

export function make(wanted) {
  if (typeof wanted === "string") return document.createTextNode(wanted);
  const made = document.createElement(wanted.tag);
  for (const [name, value] of Object.entries(wanted.attributes)) set(made, name, value);
  made.append(...wanted.children.map(make));
  return made;
}

function set(element, name, value) {
  if (name === "style") Object.assign(element.style, value); // the attribute itself is forbidden by the policy
  else if (name === "class") element.className = value;
  else if (!isThere(value)) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);

const filled = new WeakMap(); // by element what it was filled with

// Makes the contents of `parent` like these. What is like it already stays: it is not laid out again, and keeps the focus.
export function fill(parent, ...children) {
  const wanted = there(children);
  if (!filled.has(parent)) parent.replaceChildren();
  adaptChildren(parent, filled.get(parent) ?? [], wanted);
  filled.set(parent, wanted);
}

function adaptChildren(parent, before, wanted) {
  let node = parent.firstChild;
  wanted.forEach((child, index) => {
    const next = node?.nextSibling;
    if (!node) parent.append(make(child));
    else if (!adapt(node, before[index], child)) node.replaceWith(make(child));
    node = next;
  });
  for (let more = before.length; more > wanted.length; more -= 1) parent.lastChild.remove();
}

// Changes what is drawn as `before` into what is wanted; false if it cannot become that.
function adapt(node, before, wanted) {
  if (before === wanted) return true;
  if (before.tag !== wanted.tag) return false;
  if (typeof wanted === "string") {
    node.data = wanted;
    return true;
  }
  for (const [name, value] of Object.entries(wanted.attributes)) {
    if (name === "style" || before.attributes[name] !== value) set(node, name, value);
  }
  for (const name of Object.keys(before.attributes)) if (!(name in wanted.attributes)) node.removeAttribute(name);
  adaptChildren(node, before.children, wanted.children);
  return true;
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

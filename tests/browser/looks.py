"""What a page looks like, asked of the browser: JavaScript for `page.evaluate`, and what names may be."""

from __future__ import annotations

HOSTILE = ("<img src=x onerror=alert(1)>", "\u202egnikool-thgir\u202d"[1:-1], "'\"&<b>" + "\U0001f6a2" * 20)

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""Pixels by which the page can be scrolled sideways."""

CONTRAST = """() => {
  const luminance = ([r, g, b]) => {
    const part = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (color) => {
    if (!known.has(color)) known.set(color, painted(color));
    return known.get(color);
  };
  const painted = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const paint = style.getPropertyValue("--paint");
      const flag = style.getPropertyValue("--flag");
      let color = rgba(style.backgroundColor);
      if (at.matches(".box, .slot.served, .mark")) color = rgba(paint);
      else if (at.matches(".hull")) color = rgba(flag);
      layers.push(color);
      if (color[3] === 255) break;
    }
    let under = [255, 255, 255];
    for (const [r, g, b, a] of layers.reverse()) under = under.map((v, i) => v + ([r, g, b][i] - v) * (a / 255));
    return under;
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || element.closest("svg, option, .skip")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(rgba(style.color)), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const what = `${element.className || element.tagName} "${element.textContent.slice(0, 20)}"`;
    if (ratio < (large ? 3 : 4.5)) poor.push(`${what} ${ratio.toFixed(2)}`);
  }
  return [...new Set(poor)];
}"""
"""Texts whose contrast with what is behind them is less than the AA of WCAG."""

// What every page has: day and night, as the system says until the button in the bar says otherwise, and in the bar
// the mark of the page that is shown.

const KEPT = "arena-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // a browser that keeps nothing
  }
}

function apply() {
  const theme = kept() ?? (system.matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  if (button) {
    button.textContent = theme === "dark" ? "☀ Day" : "☾ Night";
    button.setAttribute("aria-label", theme === "dark" ? "Change to day colours" : "Change to night colours");
  }
}

export function toggleTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEPT, next);
  } catch {
    // then it holds for this page alone
  }
  apply();
  document.documentElement.dataset.theme = next;
}

apply();
system.addEventListener("change", apply);
for (const link of document.querySelectorAll(".bar nav a")) if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
document.getElementById("theme")?.addEventListener("click", toggleTheme);

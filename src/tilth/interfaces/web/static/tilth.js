// Keys, the live feed and the dialog. Every page works without it.

const typing = (target) => target.closest("input, textarea, select, [contenteditable]");

const cards = () => [...document.querySelectorAll("[data-card]")];

function here() {
  return document.querySelector("[data-card].here") ?? cards()[0];
}

function go(step) {
  const all = cards();
  if (!all.length) return;
  const at = all.findIndex((one) => one.classList.contains("here"));
  const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
  all.forEach((one) => one.classList.remove("here"));
  next.classList.add("here");
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function press(key) {
  const inCard = here()?.querySelector(`[data-key="${key}"]`);
  const found = inCard ?? document.querySelector(`[data-key="${key}"]`);
  found?.click();
  return Boolean(found);
}

const picked = () => cards().filter((one) => one.querySelector("[data-pick]")?.checked);

function pick(card) {
  const box = card?.querySelector("[data-pick]");
  if (!box) return;
  box.checked = !box.checked;
  count();
}

function count() {
  const bulk = document.querySelector("[data-bulk]");
  if (!bulk) return;
  bulk.hidden = !picked().length;
  bulk.querySelector("[data-bulk-count]").textContent = `${picked().length} selected`;
}

// One decision for each, so that each can be undone by itself.
async function answer(key) {
  for (const card of picked()) {
    const form = card.querySelector(`[data-key="${key}"]`)?.closest("form");
    if (!form) continue;
    const body = new URLSearchParams(new FormData(form));
    await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
  }
  location.reload();
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-pick]")) count();
});
document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-bulk-key]")?.dataset.bulkKey;
  if (key) answer(key);
});

const places = { t: "/", i: "/inbox", s: "/sessions", h: "/health", f: "/facts", p: "/projects" };
let isGoing = false;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const { key } = event;
  if (isGoing && places[key]) location.href = places[key];
  isGoing = key === "g";
  if (key === "/") document.getElementById("q").focus();
  else if (key === "?") document.getElementById("keys").showModal();
  else if ((key === "j" || key === "k") && cards().length > 1) go(key === "j" ? 1 : -1);
  else if (key === "x") pick(here());
  else if (picked().length && "ars".includes(key)) answer(key);
  else if (key === "Enter" && event.target.matches("[data-card]")) here()?.querySelector("[data-open]")?.click();
  else if (!/^[a-z]$/.test(key) || isGoing || !press(key)) return;
  event.preventDefault();
});

// A decision goes to the card that comes next, where the list was left.
document.addEventListener("submit", (event) => {
  const all = cards();
  const at = all.findIndex((one) => one.contains(event.target));
  if (at >= 0) sessionStorage.setItem("place", `${location.pathname} ${at}`);
});
const [page, at] = (sessionStorage.getItem("place") ?? "").split(" ");
sessionStorage.removeItem("place");
if (cards().length) {
  const all = cards();
  const first = page === location.pathname ? all[Math.min(Number(at), all.length - 1)] : all[0];
  first.classList.add("here");
  if (page === location.pathname) first.focus();
}
if (location.hash === "#edit") {
  const edit = document.getElementById("edit");
  if (edit) {
    edit.open = true;
    edit.querySelector("textarea").focus();
  }
}

const live = document.querySelector("[data-live]");
const told = document.querySelector("[data-live-text]");
const feed = document.querySelector("[data-feed]");

function show(change) {
  if (!feed) return;
  const line = document.createElement("li");
  const text = change.text ?? change.summary ?? change.kind ?? "";
  line.textContent = `${new Date().toLocaleTimeString()}  ${text}`.slice(0, 200);
  feed.querySelector(".dim")?.remove();
  feed.prepend(line);
  while (feed.children.length > 30) feed.lastChild.remove();
}

if (live) {
  const source = new EventSource("/live");
  source.addEventListener("open", () => {
    live.className = "live on";
    told.textContent = "live";
  });
  source.addEventListener("error", () => {
    live.className = "live off";
    told.textContent = "not connected";
  });
  source.addEventListener("review", (event) => {
    const { waiting } = JSON.parse(event.data);
    for (const one of document.querySelectorAll("[data-waiting]")) {
      one.textContent = waiting;
      one.hidden = !waiting;
    }
  });
  source.addEventListener("changes", (event) => {
    JSON.parse(event.data).items.forEach(show);
  });
  addEventListener("pagehide", () => source.close());
}

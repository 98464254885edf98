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
  const inCard = here()?.querySelector(`[data-key~="${key}"]`);
  const found = inCard ?? document.querySelector(`[data-key~="${key}"]`);
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

function pickGroup(group) {
  const all = cards().filter((one) => one.dataset.group === group && one.querySelector("[data-pick]"));
  const isAll = all.every((one) => one.querySelector("[data-pick]").checked);
  for (const one of all) one.querySelector("[data-pick]").checked = !isAll;
  count();
}

// One request, and a decision for each, so that each can be undone by itself, and all by one key.
function answer(key) {
  const forms = picked()
    .map((card) => card.querySelector(`[data-key~="${key}"]`)?.closest("form"))
    .filter(Boolean);
  const many = document.querySelector("[data-many]");
  if (!forms.length || !many) return;
  const told = forms.map((form) => new FormData(form));
  if (key === "s") {
    many.elements.verb.value = "review/later";
    for (const one of told) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "proposal_id", value: one.get("proposal_id") });
      many.append(field);
    }
  } else {
    many.elements.answers.value = JSON.stringify(
      told.map((one) => ({
        proposal_id: one.get("proposal_id"),
        action: one.get("action"),
        digest: one.get("digest"),
        ...(one.has("keeps") && { keeps: one.get("keeps") }),
        ...(one.has("retires") && { retires: one.getAll("retires") }),
        ...(one.has("facts") && { facts: one.getAll("facts") }),
      })),
    );
  }
  many.submit();
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-pick]")) count();
});
document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-bulk-key]")?.dataset.bulkKey;
  if (key) answer(key);
  const group = event.target.closest("[data-pick-group]")?.dataset.pickGroup;
  if (group) pickGroup(group);
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
  else if (key === "X") pickGroup(here()?.dataset.group);
  else if (picked().length && "ars".includes(key)) answer(key);
  else if (key === "Enter" && event.target.matches("[data-card]")) here()?.querySelector("[data-open]")?.click();
  else if (!/^[a-z0-9]$/.test(key) || isGoing || !press(key)) return;
  event.preventDefault();
});

// On a narrow screen the list of screens is one row; where one is stands in sight.
const rail = document.querySelector(".rail");
const current = rail?.querySelector("[aria-current]");
if (current && rail.scrollWidth > rail.clientWidth) {
  rail.scrollLeft = current.offsetLeft - (rail.clientWidth - current.offsetWidth) / 2;
}

const canvas = document.querySelector(".canvas");
if (canvas) {
  // What is asked for stands in the middle.
  canvas.scrollLeft = (canvas.scrollWidth - canvas.clientWidth) / 2;
  canvas.scrollTop = (canvas.scrollHeight - canvas.clientHeight) / 2;
}

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
  // In UTC, as all times of the pages.
  line.textContent = `${new Date().toISOString().slice(11, 19)}  ${text}`.slice(0, 200);
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

// Through the changes of a thing: each place of the slider is the day of one, the last is now.
for (const slider of document.querySelectorAll("[data-slider]")) {
  const range = slider.querySelector("input");
  const days = range.dataset.ticks.split(" ");
  const told = slider.querySelector("output");
  slider.hidden = false;
  range.addEventListener("input", () => {
    told.value = days[range.value] ?? "now";
    range.setAttribute("aria-valuetext", told.value);
  });
  range.addEventListener("change", () => {
    const form = range.form;
    form.elements[slider.dataset.slider].value = days[range.value] ?? "";
    sessionStorage.setItem("slider", here);
    form.requestSubmit();
  });
  const here = `${slider.dataset.slider} ${location.pathname}`;
  if (sessionStorage.getItem("slider") === here) range.focus();
}
sessionStorage.removeItem("slider");

// A form that was sent is not sent again by a second click; back from another page it may be.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-sent]")) delete form.dataset.sent;
});

// What takes long says so.
document.addEventListener("submit", (event) => {
  const button = event.submitter?.closest("[data-slow]");
  if (!button) return;
  button.textContent = button.dataset.slow;
  button.setAttribute("aria-busy", "true");
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard?.writeText(document.getElementById(button.dataset.copy).textContent);
  button.textContent = "Copied";
});

// Each answer looks on for a moment; when all was looked through, the page shows what goes.
const looking = document.querySelector("[data-looking]");
async function lookOn() {
  const answer = await fetch(`${location.pathname}.json${location.search}`);
  const now = answer.ok ? (await answer.json()).looking : null;
  if (!now) {
    location.reload();
    return;
  }
  const bar = looking.querySelector("progress");
  bar.max = Math.max(now.end, 1);
  bar.value = now.through;
  const [through, end, found] = [now.through, now.end, now.found].map((one) => one.toLocaleString("en"));
  looking.querySelector("[data-looking-told]").textContent =
    `${through} of ${end} events looked through, ${found} found`;
  lookOn();
}
if (looking) lookOn();

// How far an import is; when it has ended, the page says what it came to.
const importing = document.querySelector("[data-import]");
if (importing) {
  const source = new EventSource("/begin/live");
  source.addEventListener("import", (event) => {
    const now = JSON.parse(event.data);
    if (!["reading", "learning"].includes(now.stage)) {
      source.close();
      location.replace(importing.dataset.import);
      return;
    }
    const bar = importing.querySelector("progress");
    bar.max = Math.max(now.total, 1);
    bar.value = now.done;
    importing.querySelector("[data-import-stage]").textContent =
      now.stage === "reading" ? "Reading transcripts" : "Looking through sessions for what was decided";
    importing.querySelector("[data-import-told]").textContent =
      `${now.sources.toLocaleString("en")} of ${now.source_count.toLocaleString("en")} transcripts read, ${now.sessions.toLocaleString("en")} sessions, ${now.episodes.toLocaleString("en")} new episodes`;
  });
  addEventListener("pagehide", () => source.close());
}

// An editor: a plain text field over the same text in colours. What the colours are and what is
// wrong is asked of the server, which reads the text as all the rest does.

import { address, ask, game, main, make, write } from "./asking.js";

const DELAY = 200; // Milliseconds after the last key.

const MOST_COLOURED = 400_000; // Characters of a text that is painted anew with each key.

const text = document.getElementById("text");
const colours = document.getElementById("colours");
const count = document.getElementById("count");
const found = document.getElementById("found");
const told = document.getElementById("told");
const { name, origin } = main.dataset;
const page = crypto.randomUUID?.() ?? String(Math.random());

let saved = ""; // The text as it is in the file.
let held = ""; // The text of the file that is saved to.
let kept = null; // The text that the studio keeps as a draft.
let known = { text: "", colours: [], diagnostics: [] };
let timer = 0;

function paint() {
  // What was found of an older text is moved along with what was typed since.
  const value = text.value;
  const isLong = value.length > MOST_COLOURED;
  text.parentElement.classList.toggle("plain", isLong);
  if (isLong) {
    colours.replaceChildren();
    return;
  }
  const old = known.text;
  let head = 0;
  while (head < value.length && head < old.length && value[head] === old[head]) head += 1;
  let tail = 0;
  const most = Math.min(value.length, old.length) - head;
  while (tail < most && value[value.length - 1 - tail] === old[old.length - 1 - tail]) tail += 1;
  const end = old.length - tail;
  const shift = value.length - old.length;
  const moved = (from, to) => {
    if (to <= head) return [from, to];
    if (from >= end) return [from + shift, to + shift];
    return null;
  };
  const marks = [];
  for (const [from, to, kind] of known.colours) {
    const place = moved(from, to);
    if (place) marks.push([...place, kind]);
  }
  const faults = [];
  for (const each of known.diagnostics) {
    const place = moved(each.start, each.end);
    if (place) faults.push([...place, each.severity]);
  }
  draw(value, marks, faults);
}

function draw(value, marks, faults) {
  // Pieces between all places where anything begins or ends.
  const ends = new Set([0, value.length]);
  for (const [from, to] of [...marks, ...faults]) ends.add(from).add(to);
  const cuts = [...ends].sort((a, b) => a - b);
  const kinds = new Map();
  for (const [from, to, kind] of marks) kinds.set(from, [to, kind]);
  const bad = faults.map(([from, to, kind]) => [from, Math.max(to, from + 1), kind]);
  bad.sort((a, b) => a[0] - b[0]);
  const parts = document.createDocumentFragment();
  let kind = null;
  let until = 0;
  let open = [];
  let next = 0;
  for (let i = 0; i + 1 < cuts.length; i += 1) {
    const [from, to] = [cuts[i], cuts[i + 1]];
    if (from >= until) kind = null;
    if (kinds.has(from)) [until, kind] = kinds.get(from);
    while (next < bad.length && bad[next][0] <= from) open.push(bad[next++]);
    open = open.filter((each) => each[1] > from);
    const piece = value.slice(from, to);
    const severity = ["error", "warning", "note"].find((s) => open.some((each) => each[2] === s));
    if (!kind && !severity) {
      parts.append(piece);
    } else {
      const span = document.createElement("span");
      span.className = [kind && `k-${kind}`, severity && `s-${severity}`].filter(Boolean).join(" ");
      span.textContent = piece;
      parts.append(span);
    }
  }
  parts.append("\n");
  colours.replaceChildren(parts);
}

async function check() {
  const value = text.value;
  try {
    const answer = await ask("/api/check", { name, text: value, page });
    known = { text: value, ...answer };
  } catch (error) {
    if (value !== text.value) return;
    known = { text: value, colours: [], diagnostics: [], more: 0, why: error.message };
  }
  if (value !== text.value) return;
  paint();
  list();
}

function list() {
  const { diagnostics, more, why } = known;
  const counts = ["error", "warning", "note"].map((s) => {
    const number = diagnostics.filter((each) => each.severity === s).length;
    return number ? `${number} ${s}${number === 1 ? "" : "s"}` : "";
  });
  const words = counts.filter(Boolean).join(", ") || "nothing is wrong with the text";
  write(count, why || (more ? `${words}, and ${more} more` : words));
  found.replaceChildren();
  for (const each of diagnostics) {
    const item = make(found, "li", { class: `s-${each.severity}` });
    const button = make(item, "button", { type: "button", class: "place" });
    button.textContent = `line ${each.line}`;
    button.addEventListener("click", () => go(each));
    make(item, "strong", {}, ` ${each.severity}: `);
    item.append(each.message);
    make(item, "small", {}, ` ${each.code} ${each.name}`);
    if (each.hint) make(item, "div", { class: "hint" }, each.hint);
  }
}

function go({ start, end, line }) {
  text.focus();
  text.setSelectionRange(start, end);
  const height = parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max(0, (line - 4) * height);
  scroll();
}

function scroll() {
  colours.scrollTop = text.scrollTop;
  colours.scrollLeft = text.scrollLeft;
}

function changed() {
  paint();
  clearTimeout(timer);
  timer = setTimeout(check, DELAY);
}

function replace(value) {
  if (value === text.value) return;
  text.focus();
  text.select();
  // So that it can be undone; where the browser has no such command, or takes minutes for it, it is
  // just set.
  const isLong = value.length > MOST_COLOURED;
  if (isLong || !document.execCommand("insertText", false, value)) text.value = value;
  text.setSelectionRange(0, 0);
  changed();
}

async function draft(view) {
  if (text.value === saved && !main.dataset.game.startsWith("draft/")) {
    location.assign(address(view));
    return;
  }
  const value = text.value;
  const { game: key } = await ask("/api/drafts", { name, text: value, origin });
  kept = value;
  // Who comes back comes back to this text.
  history.replaceState(null, "", `/rules/${key}`);
  location.assign(`/${view}/${key}`);
}

function act(id, deed) {
  document.getElementById(id)?.addEventListener("click", async () => {
    try {
      write(told, "");
      await deed();
    } catch (error) {
      write(told, error.message);
    }
  });
}

act("play", () => draft("play"));
act("analyse", () => draft("analyse"));
act("format", async () => replace((await ask("/api/format", { name, text: text.value })).text));
act("save", async () => {
  const value = text.value;
  try {
    await ask("/api/save", { game: origin, text: value, was: held });
  } catch (error) {
    throw new Error(`${error.message}. The text can be downloaded, or saved as a new file.`);
  }
  held = saved = value;
  write(told, "saved");
});
act("save-as", async () => {
  const value = text.value;
  const chosen = document.getElementById("name").value.trim();
  const as = chosen.endsWith(".kif") ? chosen : `${chosen}.kif`;
  const { game: key } = await ask("/api/save", { as, text: value });
  kept = value;
  location.assign(`/rules/${key.split("/").map(encodeURIComponent).join("/")}`);
});
document.getElementById("download").addEventListener("click", (event) => {
  event.currentTarget.href = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
});
text.addEventListener("input", changed);
text.addEventListener("scroll", scroll);
addEventListener("beforeunload", (event) => {
  if (text.value !== saved && text.value !== kept) event.preventDefault();
});

try {
  text.value = (await ask("/api/check", game)).text;
  saved = held = text.value; // In which all lines end in the same way.
  if (origin && origin !== game.game) held = (await ask("/api/check", { game: origin })).text;
  text.disabled = false;
  paint();
  await check();
} catch (error) {
  write(count, error.message);
}

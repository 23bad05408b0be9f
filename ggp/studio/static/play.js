// A game in progress. The address behind # holds the position: `line` are the moves made, `from` the
// facts that they begin with, so that a link leads there and a table that is gone is set up anew.

import widget from "./widget.js";
import { ask, game, make, write } from "./asking.js";

const told = document.getElementById("told");
const place = document.getElementById("board");
const side = document.getElementById("side");
const form = document.getElementById("seats");
const seconds = document.getElementById("seconds");
const values = document.getElementById("values");
const line = document.getElementById("line");
const link = document.getElementById("link");
const copied = document.getElementById("copied");

const invite = document.getElementById("invite");

const EVERY = 1500; // Milliseconds between two looks at a table with others.

const hash = () => new URLSearchParams(location.hash.slice(1));

// What the widget takes for its model: here the other side is the server.
const heard = { "change:picture": new Set(), "change:view": new Set() };
const model = {
  state: { picture: "", view: {} },
  get: (name) => model.state[name],
  send: (message) => send(message),
  on: (name, listener) => heard[name].add(listener),
  off: (name, listener) => heard[name].delete(listener),
};

let table = null;
let now = null;
let from = ""; // The facts that the table begins with.
let before = ""; // Where the game stood.
let end = () => {}; // Takes the former widget down.
let watching = 0;
let asked = -1; // The moment whose values were asked for already.
let turn = Promise.resolve(); // Messages are sent one after the other.

function send(message) {
  const { path } = now;
  turn = turn.then(() => sent(message, path));
  return turn;
}

function isShared() {
  return hash().has("table");
}

async function sent(message, path) {
  // What was asked for while the same position was shown is still meant.
  const own = path === now.path ? now.view.turn : message.turn;
  try {
    show(await ask(`/api/tables/${table}`, { ...message, turn: own }));
  } catch (error) {
    if (error.status === 404) await open("the table was cleared: it is set up anew");
    else write(told, error.message);
  }
}

function opening() {
  const own = now
    ? { seats: now.seats, seconds: now.seconds }
    : { seats: Object.fromEntries(hash().getAll("seat").map((pair) => pair.split(":"))) };
  const from = hash().get("from") ?? "";
  return { ...game, seconds: 1, ...own, start: from, line: hash().get("line") ?? "" };
}

// The table that the address names, if others sit at it, or else a new one.
async function sit() {
  const shared = hash().get("table");
  if (shared) {
    try {
      return await ask(`/api/tables/${encodeURIComponent(shared)}`, { do: "look" });
    } catch (error) {
      if (error.status !== 404) throw error;
    }
  }
  return ask("/api/tables", opening());
}

async function open(why = "setting up the board …") {
  write(told, why);
  try {
    const answer = await sit();
    table = answer.table;
    from = hash().get("from") ?? "";
    end();
    place.replaceChildren();
    show(answer);
    end = widget.render({ model, el: place });
    write(told, "");
    place.hidden = side.hidden = false;
  } catch (error) {
    write(told, `This game cannot be played here: ${error.message}`);
  }
}

function show(answer) {
  const before = now;
  now = answer;
  const changed = model.state.picture !== answer.picture;
  model.state = { picture: answer.picture, view: answer.view };
  if (changed) heard["change:picture"].forEach((listener) => listener());
  heard["change:view"].forEach((listener) => listener());
  write(told, "");
  if (JSON.stringify(before?.seats) !== JSON.stringify(answer.seats)) showSeats();
  if (JSON.stringify(before?.line) !== JSON.stringify(answer.line)) showLine();
  remember();
  worth();
}

function remember() {
  const parts = hash();
  parts.set("line", now.path);
  if (!now.path) parts.delete("line");
  if (isShared()) parts.set("table", table);
  const text = parts.toString();
  const here = location.pathname + location.search;
  history.replaceState(null, "", text ? `${here}#${text}` : here);
  link.href = location.href;
  if (before !== now.path) copied.textContent = "";
  before = now.path;
}

function worth() {
  const { view } = now;
  if (!values.checked || view.waits || !view.moves.length || asked === view.turn) return;
  asked = view.turn;
  if (view.moves.every((move) => move.worth)) return;
  send({ do: "hint", turn: view.turn });
}

function showSeats() {
  const focused = document.activeElement?.name;
  form.replaceChildren();
  for (const [role, who] of Object.entries(now.seats)) {
    const label = make(make(form, "p"), "label", {}, `${role} `);
    const select = make(label, "select", { name: role });
    for (const player of now.players) {
      const option = make(select, "option", { value: player }, player);
      option.selected = player === who;
    }
    if (focused === role) select.focus();
  }
  seconds.value = now.seconds;
}

function seat() {
  const seats = Object.fromEntries(new FormData(form));
  send({ do: "seats", seats, seconds: Number(seconds.value) || 0, turn: now.view.turn });
}

function step(parent, own, classes) {
  const button = make(parent, "button", { type: "button", class: classes }, own.text);
  button.addEventListener("click", () => send({ do: "visit", path: own.path, turn: now.view.turn }));
  return button;
}

function showLine() {
  const focused = line.contains(document.activeElement) && document.activeElement.textContent;
  line.replaceChildren();
  const start = make(line, "li", { value: 0 });
  const first = step(start, { path: "", text: "start" }, "step");
  if (!now.path) first.setAttribute("aria-current", "step");
  for (const own of now.line) {
    const item = make(line, "li", { value: own.path.split(".").length });
    const button = step(item, own, own.passed ? "step" : "step later");
    if (own.path === now.path) button.setAttribute("aria-current", "step");
    for (const other of own.others) {
      item.append(" or ");
      step(item, other, "step other");
    }
  }
  if (focused) [...line.querySelectorAll("button")].find((b) => b.textContent === focused)?.focus();
  line.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

form.addEventListener("change", seat);
seconds.addEventListener("change", seat);
values.addEventListener("change", () => {
  asked = -1;
  worth();
});
async function copy(what) {
  try {
    await navigator.clipboard.writeText(location.href);
    copied.textContent = `${what} is copied`;
  } catch {
    copied.textContent = `${what} is in the address line`;
  }
}

link.addEventListener("click", (event) => {
  event.preventDefault();
  copy("the link");
});
invite.addEventListener("click", () => {
  const parts = hash();
  parts.set("table", table);
  location.replace(`#${parts}`);
  copy("the link to this table");
  watch();
});

// What somebody else at the same table does is seen here.
function watch() {
  clearInterval(watching);
  watching = setInterval(() => {
    if (isShared() && !document.hidden) look();
  }, EVERY);
}

function look() {
  turn = turn.then(async () => {
    try {
      const answer = await ask(`/api/tables/${table}`, { do: "look" });
      if (answer.view.turn !== now.view.turn || answer.view.heard !== now.view.heard) show(answer);
    } catch (error) {
      if (error.status === 404) await open("the table was cleared: it is set up anew");
    }
  });
}

// An address of another position: of the same table it is gone to there, what was played stays.
addEventListener("hashchange", () => {
  const parts = hash();
  if (isShared()) watch();
  const isOurs = now && (parts.get("from") ?? "") === from && [null, table].includes(parts.get("table"));
  const line = parts.get("line") ?? "";
  if (!isOurs) open();
  else if (line !== now.path) send({ do: "visit", path: line, turn: now.view.turn });
});
if (isShared()) watch();
open();

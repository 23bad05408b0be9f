// Matches: one that is watched while it is played, and records whose moves are judged. Both are jobs,
// one at a time; their steps are shown by steps.js.

import { address, ask, game, make, write } from "./asking.js";
import { follow } from "./jobs.js";
import * as steps from "./steps.js";

const MOST = 6_000_000; // Characters of a record that the server takes.

const by = (id) => document.getElementById(id);
const watch = by("watch");
const review = by("review");
const judging = by("judge");
const download = by("download");

let busy = false;
let isSeated = false; // Whether it is known who can be given a seat.
let record = null; // Of the match that was watched: put together from what each step adds.

const number = (form, name) => (form.elements[name].value === "" ? null : form.elements[name].valueAsNumber);

async function work(form, body, part) {
  const status = form.querySelector("[role=status]");
  const told = form.querySelector(".progress");
  const stop = form.querySelector(".stop");
  let isPressed = false;
  const press = () => (isPressed = true);
  stop.addEventListener("click", press);
  busy = true;
  offer();
  write(status, "");
  let job = null;
  try {
    job = await follow({ ...game, ...body }, { told, stop, part });
    write(status, job.state === "done" ? "done" : job.progress);
  } catch (error) {
    write(status, error.message);
  }
  write(told, "");
  busy = false;
  offer();
  stop.removeEventListener("click", press);
  if (isPressed) form.querySelector("button").focus(); // The one that was pressed is gone.
  return job?.state === "done";
}

function offer() {
  watch.querySelector("button").disabled = !isSeated;
  judging.disabled = !record?.moves.length;
  download.hidden = !record;
}

// Who plays, and by which rules.

function showSeats({ roles, players }) {
  isSeated = true;
  for (const role of roles) {
    const select = make(make(by("seats"), "label", {}, `${role} `), "select", { name: "players" });
    for (const player of players) make(select, "option", { value: player }, player);
  }
}

const WHOSE = {
  own: "The record has rules of its own, which are not those of this page: it is shown by its own.",
  same: "The rules in the record are those of this page.",
  sheet: "The record has no rules: it is shown by those of this page.",
};

async function about({ players, whose, rules }) {
  const told = players.map(({ role, player }) => `${role}: ${player}`).join(", ");
  write(by("about"), [told, WHOSE[whose]].filter(Boolean).join(". "));
  if (whose !== "own") return;
  steps.lead(null);
  if (!rules) return;
  const { game: key } = await ask("/api/drafts", { name: "record.kif", text: JSON.parse(rules) });
  steps.lead(`/play/${key}`);
}

function begin(part) {
  write(by("result"), "");
  write(by("judged"), "");
  steps.begin(address("play"));
  about(part).catch(() => {}); // Without a draft there is no way into play.
}

// What the server says.

function take(part, follows) {
  if (part.kind === "seats") showSeats(part);
  else if (part.kind === "match") begin(part);
  else if (part.kind === "step") steps.add(part, follows);
  else if (part.kind === "verdict") steps.judge(part.step, part.verdicts);
  else if (part.kind === "end") write(by("result"), part.result || "The match is not finished.");
  else if (part.kind === "judged") write(by("judged"), part.text);
}

const show = (part) => take(part, false);

function keep(kind, added) {
  const own = JSON.parse(added);
  if (kind === "match") record = own;
  else if (kind === "step") for (const [name, rows] of Object.entries(own)) record[name].push(...rows);
  else Object.assign(record, own);
}

async function start() {
  const body = {
    task: "watch",
    players: [...watch.querySelectorAll("select")].map((select) => select.value),
    play_clock: number(watch, "play_clock"),
    start_clock: number(watch, "start_clock"),
    moves: number(watch, "moves"),
    seed: number(watch, "seed"),
  };
  let own = null; // Of this match, if it began.
  const isDone = await work(watch, body, ({ record: added, ...part }) => {
    keep(part.kind, added);
    own = record;
    take(part, true);
  });
  if (!isDone && own) own.isAborted = true;
}

function open(text) {
  work(review, { task: "review", record: text, seconds: number(review, "seconds") }, (part) => {
    if (part.kind === "match") record = null;
    show(part);
  });
}

function isFree(form) {
  if (busy) write(form.querySelector("[role=status]"), "something is going on here already: stop it first");
  return !busy;
}

watch.addEventListener("submit", (event) => {
  event.preventDefault();
  if (isFree(watch)) start();
});
review.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = review.elements.file.files;
  const status = review.querySelector("[role=status]");
  if (!file) return write(status, "choose a file first");
  if (file.size > MOST) return write(status, `a record has ${MOST.toLocaleString("en")} bytes at the most here`);
  const text = await file.text().catch(() => null);
  if (text === null) return write(status, "the file cannot be read");
  if (isFree(review)) open(text);
});
judging.addEventListener("click", () => {
  if (!isFree(review) || !review.reportValidity()) return;
  // Of the rules that it was played by the page is; states only say the same again.
  const text = JSON.stringify({ ...record, gameRulesheet: "", states: [] });
  const body = { task: "review", known: true, record: text, seconds: number(review, "seconds") };
  work(review, body, show);
});
download.addEventListener("click", (event) => {
  const text = JSON.stringify(record, null, 1);
  const url = URL.createObjectURL(new Blob([`${text}\n`], { type: "application/json" }));
  event.currentTarget.href = url;
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
});

work(watch, { task: "seats" }, show).then((isDone) => {
  if (isDone) write(watch.querySelector("[role=status]"), "");
});

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
let record = null; // Of the match that was watched: put together from what each step adds.

const number = (form, name) => (form.elements[name].value === "" ? null : form.elements[name].valueAsNumber);

async function work(form, body, part) {
  const status = form.querySelector("[role=status]");
  const told = form.querySelector(".progress");
  busy = true;
  offer();
  write(status, "");
  let job = null;
  try {
    job = await follow({ ...game, ...body }, { told, stop: form.querySelector(".stop"), part });
    write(status, job.state === "done" ? "done" : job.progress);
  } catch (error) {
    write(status, error.message);
  }
  write(told, "");
  busy = false;
  offer();
  return job?.state === "done";
}

function offer() {
  const hasSeats = watch.querySelector("select") !== null;
  watch.querySelector("button:not([type])").disabled = busy || !hasSeats;
  review.querySelector("button:not([type])").disabled = busy;
  judging.disabled = busy || !record?.moves.length;
  download.hidden = !record;
}

// Who plays, and by which rules.

function showSeats({ roles, players }) {
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

function begin() {
  write(by("about"), "");
  write(by("result"), "");
  steps.begin(address("play"));
}

// What the server says.

function take(part, follows) {
  if (part.kind === "seats") showSeats(part);
  else if (part.kind === "match") about(part).catch(() => {});
  else if (part.kind === "step") steps.add(part, follows);
  else if (part.kind === "verdict") steps.judge(part.step, part.verdicts);
  else if (part.kind === "judged" || part.kind === "end") tell(part.text ?? part.result);
}

const show = (part) => take(part, false);

function tell(text) {
  const result = by("result");
  write(result, [result.textContent, text].filter(Boolean).join(". "));
}

function keep(part) {
  if (!part.record) return;
  const own = JSON.parse(part.record);
  if (part.kind === "step") for (const [name, rows] of Object.entries(own)) record[name].push(...rows);
  else record = { ...record, ...own };
}

async function start() {
  begin();
  record = null;
  const body = {
    task: "watch",
    players: [...watch.querySelectorAll("select")].map((select) => select.value),
    play_clock: number(watch, "play_clock"),
    start_clock: number(watch, "start_clock"),
    moves: number(watch, "moves"),
    seed: number(watch, "seed"),
  };
  const isDone = await work(watch, body, ({ record: added, ...part }) => {
    keep({ kind: part.kind, record: added });
    take(part, true);
  });
  if (!isDone && record) record.isAborted = true;
}

async function open(text) {
  begin();
  record = null;
  await work(review, { task: "review", record: text, seconds: number(review, "seconds") }, show);
}

watch.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!busy) start();
});
review.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = review.elements.file.files;
  const status = review.querySelector("[role=status]");
  if (busy) return;
  if (!file) return write(status, "choose a file first");
  if (file.size > MOST) return write(status, `a record has ${MOST.toLocaleString("en")} bytes at the most here`);
  await open(await file.text());
});
judging.addEventListener("click", () => {
  if (busy || !record || !review.reportValidity()) return;
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

begin();
work(watch, { task: "seats" }, show).then((isDone) => {
  if (isDone) write(watch.querySelector("[role=status]"), "");
});

// The steps of a match: a list, a slider, buttons, the board of the one that is shown. Steps come one
// after the other, each with what the server says of it; pictures come packed and are unpacked when
// they are shown.

import { make, write } from "./asking.js";

const by = (id) => document.getElementById(id);
const section = by("steps");
const picture = by("picture");
const slider = by("at");
const count = by("count");
const run = by("run");
const speed = by("speed");
const now = by("now");
const line = by("line");
const toPlay = by("to-play");

let steps = []; // What the server says of each, the start first, with `verdicts` and its list `item`.
let at = 0;
let address = null; // The view Play of the rules that are played by; null where there is none.
let timer = 0;
let drawn = null; // The picture that is shown.

if (matchMedia("(prefers-reduced-motion: reduce)").matches) speed.value = "0.5";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

export function begin(toAddress) {
  pause();
  steps = [];
  at = 0;
  drawn = null;
  picture.replaceChildren();
  now.replaceChildren();
  line.replaceChildren();
  section.hidden = true;
  lead(toAddress);
}

export function lead(toAddress) {
  address = toAddress;
  if (steps.length) showLink();
}

export function add(step, follow) {
  const stays = steps.length && !(follow && at === steps.length - 1);
  const item = make(line, "li");
  const button = make(item, "button", { type: "button", class: "step", tabindex: "-1" });
  button.addEventListener("click", () => chosen(step.step));
  steps.push({ verdicts: [], ...step, button });
  name(steps.length - 1);
  slider.max = steps.length - 1;
  section.hidden = false;
  if (stays) return place();
  now.setAttribute("aria-live", follow ? "off" : "polite");
  go(steps.length - 1);
}

export function judge(number, verdicts) {
  if (!steps[number]) return;
  steps[number].verdicts = verdicts;
  name(number);
  if (number === at) tell();
}

// Words.

const mark = (step, i) => step.verdicts[i]?.mark ?? "";

function chosenMoves(step) {
  const all = step.moves.map((move, i) => ({ ...move, mark: mark(step, i) }));
  const own = all.filter((move) => move.chosen);
  return own.length ? own : all;
}

function words(step) {
  if (!step.moves.length) return "start";
  const told = chosenMoves(step).map((move) => [move.text, move.mark].filter(Boolean).join(" "));
  return step.moves.some((move) => move.fault) ? `${told.join(" / ")} ⚠` : told.join(" / ");
}

function name(number) {
  const step = steps[number];
  step.button.textContent = words(step);
  const marks = step.verdicts.map((verdict) => verdict.mark);
  step.button.classList.toggle("blunder", marks.includes("??"));
  step.button.classList.toggle("slip", marks.includes("?"));
  step.button.classList.toggle("only", marks.includes("!"));
}

function tell() {
  const step = steps[at];
  now.replaceChildren();
  const seconds = step.seconds === undefined ? "" : `, ${step.seconds.toFixed(1)} s`;
  const preparing = seconds && at === 1 ? " with preparation" : "";
  make(now, "p", {}, at ? `Step ${at}${seconds}${preparing}` : "The start");
  const list = step.moves.length ? make(now, "ul") : null;
  step.moves.forEach((move, i) => {
    const item = make(list, "li");
    make(item, "strong", {}, `${move.role}: `);
    item.append([move.text, mark(step, i)].filter(Boolean).join(" "));
    const { why } = step.verdicts[i] ?? {};
    if (why) make(item, "div", { class: "hint" }, why);
    if (move.fault) make(item, "div", { class: "fault" }, `${move.fault}; this move was made for it`);
  });
}

// Where one is.

async function showBoard() {
  const step = steps[at];
  const wanted = (drawn = step);
  if (!step.picture) {
    const text = step.facts ?? "This position is not shown: the match has too many of them.";
    picture.replaceChildren();
    make(picture, "p", { class: "ggp-position" }, text);
    return;
  }
  await null; // Of steps that come at once only the last is unpacked.
  if (drawn !== wanted) return;
  const svg = await unpacked(step.picture);
  if (drawn !== wanted) return;
  const shown = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (shown.nodeName === "svg") picture.replaceChildren(document.importNode(shown, true));
}

function showLink() {
  const numbers = steps.slice(1, at + 1).map((step) => step.number);
  toPlay.hidden = address === null || numbers.includes("");
  if (!toPlay.hidden) toPlay.href = numbers.length ? `${address}#line=${numbers.join(".")}` : address;
}

function go(number) {
  const before = steps[at].button;
  before.removeAttribute("aria-current");
  before.tabIndex = -1;
  at = Math.max(0, Math.min(number, steps.length - 1));
  const { button } = steps[at];
  button.setAttribute("aria-current", "step");
  button.tabIndex = 0;
  slider.value = at;
  place();
  reveal(button);
  tell();
  showLink();
  showBoard();
}

function place() {
  write(count, `${at} of ${steps.length - 1}`);
  slider.setAttribute("aria-valuetext", `${at} of ${steps.length - 1}: ${words(steps[at])}`);
}

function reveal(button) {
  // Only the list is scrolled, never the page.
  const top = button.offsetTop - line.clientTop;
  if (top < line.scrollTop) line.scrollTop = top;
  const below = top + button.offsetHeight - line.clientHeight;
  if (below > line.scrollTop) line.scrollTop = below;
}

function chosen(number) {
  pause();
  now.setAttribute("aria-live", "polite");
  go(number);
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  write(run, "play");
}

function tick() {
  if (at >= steps.length - 1) return pause();
  go(at + 1);
  timer = setTimeout(tick, 1000 / Number(speed.value));
}

run.addEventListener("click", () => {
  if (timer) return pause();
  now.setAttribute("aria-live", "off"); // Whoever lets it run is not to be read each step.
  write(run, "pause");
  if (at >= steps.length - 1) go(0);
  timer = setTimeout(tick, 1000 / Number(speed.value));
});
const WAYS = { first: () => 0, previous: () => at - 1, next: () => at + 1, last: () => steps.length };
for (const button of section.querySelectorAll("[data-go]"))
  button.addEventListener("click", () => chosen(WAYS[button.dataset.go]()));
slider.addEventListener("input", () => chosen(Number(slider.value)));
const KEYS = { ArrowUp: "previous", ArrowLeft: "previous", ArrowDown: "next", ArrowRight: "next", Home: "first", End: "last" };
line.addEventListener("keydown", (event) => {
  const way = WAYS[KEYS[event.key]];
  if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  chosen(way());
  steps[at].button.focus({ preventScroll: true });
});

// Tables over many starts: what varies is proposed by the server; moving a slider makes the table
// anew; each cell tells its answer and leads to its position.

import { game, make, write } from "./asking.js";
import { follow, put } from "./jobs.js";

const DELAY = 250; // Milliseconds after a slider was moved last.

const told = document.getElementById("axes-told");
const place = document.getElementById("axes");
const output = document.getElementById("table-output");

function wire(form) {
  const status = form.querySelector("[role=status]");
  const progress = make(status.parentElement, "span", { class: "progress" });
  const stop = form.querySelector("button.stop");
  const { across, up } = form.elements;
  let busy = false;
  let wanted = false;
  let made = false;
  let timer = 0;

  async function once() {
    const body = { ...game, task: "table", ...Object.fromEntries(new FormData(form)) };
    write(status, "");
    const job = await follow(body, { told: progress, stop, part: (part) => put(output, part) });
    write(progress, "");
    write(status, job.state === "done" ? "done" : job.progress);
    if (job.state === "failed") output.replaceChildren();
  }

  async function redo() {
    wanted = made = true;
    if (busy) {
      stop.click();
      return;
    }
    busy = true;
    while (wanted) {
      wanted = false;
      try {
        await once();
      } catch (error) {
        write(status, error.message);
      }
    }
    busy = false;
  }

  function choose(select) {
    const option = select.selectedOptions[0];
    const name = select.name;
    form.elements[`${name}_fact`].closest("label").hidden = select.value !== "f";
    form.elements[`${name}_values`].closest("label").hidden = !select.value;
    return option?.dataset.values;
  }

  function free() {
    const taken = [across.value, up.value];
    for (const slider of form.querySelectorAll("input[type=range]")) {
      slider.disabled = taken.includes(slider.dataset.key);
      slider.closest("label").hidden = slider.disabled;
    }
    form.querySelector(".sliders").hidden = !form.querySelector("input[type=range]:enabled");
  }

  for (const select of [across, up]) {
    choose(select);
    select.addEventListener("change", () => {
      const values = choose(select);
      if (values) form.elements[`${select.name}_values`].value = values;
      free();
    });
  }
  free();
  form.addEventListener("input", ({ target }) => {
    if (target.type !== "range") return;
    target.parentElement.querySelector("output").value = target.value;
    clearTimeout(timer);
    if (made) timer = setTimeout(redo, DELAY);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    redo();
  });
}

// One cell at a time is looked at: `data-at` of a cell has its places on the axes.

function look(grid, cell) {
  grid.querySelector(".chosen")?.classList.remove("chosen");
  cell.classList.add("chosen");
  const { axes, cells, query, start } = JSON.parse(grid.dataset.starts);
  const at = cell.dataset.at.split(" ").slice(-axes.length);
  const values = axes.map((axis, i) => axis.values[at[i]]);
  const where = axes.map((axis, i) => `${axis.name} = ${values[i]}`).join(", ");
  const line = grid.parentElement.querySelector(".cell");
  line.textContent = `${where}: ${cells[at.join(" ")] ?? "see the picture"} `;
  if (start === undefined) return;
  const given = { ...game.values, ...query };
  const facts = axes.map((axis, i) => axis.fact?.replace("?", () => values[i]) ?? "");
  axes.forEach((axis, i) => axis.fact ?? (given[axis.name] = values[i]));
  const from = [start, ...facts].filter(Boolean).join(" ");
  const key = game.game.split("/").map(encodeURIComponent).join("/");
  const search = new URLSearchParams(given).toString();
  const hash = from ? `#${new URLSearchParams({ from })}` : "";
  make(line, "a", { href: `/play/${key}${search && `?${search}`}${hash}` }, "play this");
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };

output.addEventListener("click", ({ target }) => {
  const cell = target.closest("[data-at]");
  if (cell) look(cell.closest(".grid"), cell);
});
output.addEventListener("keydown", (event) => {
  const grid = event.target.closest(".grid");
  const step = STEPS[event.key];
  if (!grid || !step) return;
  const now = grid.querySelector(".chosen")?.dataset.at.split(" ").map(Number);
  const to = now ? [now[0] + step[0], now[1] + step[1]] : [0, 0];
  const cell = grid.querySelector(`[data-at="${to[0]} ${to[1]}"]`);
  event.preventDefault();
  if (cell) {
    look(grid, cell);
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
});

const job = await follow({ ...game, task: "axes" }, { told, part: (part) => put(place, part) }).catch(
  (error) => ({ state: "failed", progress: error.message }),
);
write(told, job.state === "done" ? "" : job.progress);
const form = document.getElementById("table");
if (form) wire(form);

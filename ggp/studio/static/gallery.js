// Finds games by their names, begins new ones, and opens files.

import { ask, write } from "./asking.js";

const MOST = 6_000_000; // Bytes of a file.

const file = document.getElementById("file");
const told = document.getElementById("told");

const find = document.getElementById("find");
const number = document.getElementById("number");

function look() {
  const wanted = find.value.trim().toLowerCase();
  let shown = 0;
  for (const card of document.querySelectorAll(".card")) {
    card.hidden = !card.textContent.toLowerCase().includes(wanted);
    shown += !card.hidden;
  }
  number.textContent = wanted ? `${shown} game${shown === 1 ? "" : "s"}` : "";
  for (const section of document.querySelectorAll("main section")) {
    section.hidden = !section.querySelector(".card:not([hidden])");
  }
}

async function draft(name, text) {
  try {
    const { game } = await ask("/api/drafts", { name, text });
    location.assign(`/rules/${game}`);
  } catch (error) {
    write(told, error.message);
  }
}

document.getElementById("new").addEventListener("click", () => {
  draft("new.kif", document.getElementById("begin").value);
});
file.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  if (chosen.size > MOST) write(told, "the file is too large");
  else draft(chosen.name, await chosen.text());
});
find.addEventListener("input", look);
look();

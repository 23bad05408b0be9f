// Finds games by their names.

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

find.addEventListener("input", look);
look();

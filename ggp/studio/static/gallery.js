// Finds games by their names, and leaves out pictures that there are none of.

const find = document.getElementById("find");

function look() {
  const wanted = find.value.trim().toLowerCase();
  for (const card of document.querySelectorAll(".card")) {
    card.hidden = !card.textContent.toLowerCase().includes(wanted);
  }
  for (const section of document.querySelectorAll("main section")) {
    section.hidden = !section.querySelector(".card:not([hidden])");
  }
}

find.addEventListener("input", look);
for (const image of document.querySelectorAll(".picture img")) {
  const gone = () => image.remove();
  if (image.complete && image.src && !image.naturalWidth) gone();
  image.addEventListener("error", gone);
}
look();

// The position that the address names behind `#`, as that of play does, goes into forms that ask
// about a position. Loaded before what begins them.

const forms = [...document.querySelectorAll("form[data-place]")];

function fill(form) {
  const parts = new URLSearchParams(location.hash.slice(1));
  form.elements.from.value = parts.get("from") ?? "";
  form.elements.line.value = parts.get("line") ?? "";
  const details = form.querySelector("details.place");
  if (details && (parts.get("from") || parts.get("line"))) details.open = true;
}

for (const form of forms) {
  fill(form);
  // Moves are made from the facts that they were made from.
  form.elements.from.addEventListener("input", () => (form.elements.line.value = ""));
}
addEventListener("hashchange", () => {
  for (const form of forms) {
    fill(form);
    form.requestSubmit();
  }
});

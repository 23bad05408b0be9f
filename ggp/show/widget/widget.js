// Shows a game and sends what is clicked. All that is known of the game is in Python; texts of rule
// sheets are only ever text here.

const SHOWN = 200; // Buttons at once; the others are found by their text.
const SHORT = 12; // Moves that nobody has to look for.

function make(parent, tag, attributes = {}, text = "") {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  parent.append(made);
  return made;
}

function write(element, text) {
  // What has not changed is not read aloud again.
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

function spot(place) {
  return `${place.dataset.board} ${place.dataset.place}`;
}

function render({ model, el }) {
  const root = make(el, "div", { class: "ggp-game" });
  const live = make(root, "div", { role: "status", "aria-live": "polite" });
  const status = make(live, "p", { class: "ggp-status" });
  const last = make(live, "p");
  const said = make(live, "p");
  const board = make(root, "div", { class: "ggp-board" });
  const position = make(root, "p", { class: "ggp-position" });
  const bar = make(root, "p", { role: "group", "aria-label": "game" });
  const find = make(root, "input", {
    type: "search",
    placeholder: "find a move",
    "aria-label": "find a move",
  });
  const list = make(root, "div", { class: "ggp-moves", role: "group", "aria-label": "moves" });
  const more = make(root, "p");
  let gone = 0; // The turn for which the machine was asked already.

  const view = () => model.get("view");
  const send = (message) => model.send({ ...message, turn: view().turn });
  const focused = () => root.getRootNode().activeElement;

  const button = (parent, text, message, wait = "") => {
    const made = make(parent, "button", { type: "button" }, text);
    made.addEventListener("click", () => {
      if (wait) write(said, wait);
      send(message);
    });
    return made;
  };
  const go = button(bar, "go on", { do: "go" });
  const hint = button(bar, "hint", { do: "hint" }, "thinking …");
  const undo = button(bar, "undo", { do: "undo" });
  const restart = button(bar, "restart", { do: "restart" });

  const press = (event) => {
    const place = event.target.closest("g.place");
    if (!place) return;
    event.preventDefault();
    const { board, place: number } = place.dataset;
    send({ do: "click", board: Number(board), place: Number(number) });
  };
  board.addEventListener("click", press);
  board.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") press(event);
  });
  // Keys of the notebook are not meant here.
  root.addEventListener("keydown", (event) => event.stopPropagation());
  find.addEventListener("input", () => showMoves());

  function showBoard() {
    const active = board.contains(focused()) ? spot(focused()) : null;
    board.replaceChildren();
    const text = model.get("picture");
    if (text) {
      const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      if (picture.nodeName !== "svg") return;
      // Its places are buttons, which are within no image.
      picture.setAttribute("role", "group");
      picture.setAttribute("aria-label", "board");
      board.append(document.importNode(picture, true));
    }
    for (const place of board.querySelectorAll("g.place")) {
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", place.querySelector("title")?.textContent ?? "");
    }
    mark();
    if (active) [...board.querySelectorAll("g.place")].find((p) => spot(p) === active)?.focus();
  }

  function mark() {
    const clicked = new Set(view().clicked.map((pair) => pair.join(" ")));
    const targets = new Set(view().targets.map((pair) => pair.join(" ")));
    for (const place of board.querySelectorAll("g.place")) {
      const isClicked = clicked.has(spot(place));
      const isTarget = targets.has(spot(place));
      place.classList.toggle("clicked", isClicked);
      place.classList.toggle("target", isTarget);
      place.setAttribute("aria-pressed", String(isClicked));
      place.setAttribute("aria-disabled", String(!isClicked && !isTarget));
      place.setAttribute("tabindex", isClicked || isTarget ? "0" : "-1");
    }
    showWorths();
  }

  // What the best move through a place is worth, written on it.
  function showWorths() {
    for (const old of board.querySelectorAll("text.worth")) old.remove();
    // Of places that mean the same, such as a column, it stands on the uppermost.
    const upper = new Map();
    for (const [number, at, worth, group] of view().worths ?? []) {
      const place = board.querySelector(`g.place[data-board="${number}"][data-place="${at}"]`);
      const shape = place?.querySelector("polygon, circle, rect")?.getBBox();
      const other = upper.get(group);
      if (shape && (!other || shape.y < other.shape.y)) upper.set(group, { place, shape, worth });
    }
    for (const { place, shape, worth } of upper.values()) {
      const text = document.createElementNS(place.namespaceURI, "text");
      text.setAttribute("class", "worth");
      text.setAttribute("x", shape.x + shape.width / 2);
      text.setAttribute("y", shape.y + shape.height - 4);
      text.setAttribute("text-anchor", "middle");
      const rounded = worth.match(/^≈ ([0-9.]+)$/);
      text.textContent = rounded ? `≈${Math.round(rounded[1])}` : worth.replace("= ", "");
      place.append(text);
    }
  }

  function showMoves() {
    const wasHere = list.contains(focused());
    const { moves, more: left } = view();
    find.hidden = moves.length <= SHORT && !find.value;
    const wanted = find.value.trim().toLowerCase();
    const found = moves.filter((move) => move.text.toLowerCase().includes(wanted));
    list.replaceChildren();
    for (const { id, text, worth } of found.slice(0, SHOWN)) {
      button(list, worth ? `${text}  ${worth}` : text, { do: "move", move: id });
    }
    const rest = Math.max(0, found.length - SHOWN) + left;
    write(more, rest ? `and ${rest} more: look for them, or click the board` : "");
    if (wasHere) (list.querySelector("button") ?? restart).focus();
  }

  function showView() {
    const now = view();
    write(status, now.status);
    write(last, now.last && `last: ${now.last}`);
    write(said, now.said);
    write(position, now.position);
    go.hidden = !(now.waits && now.paused);
    hint.disabled = !now.moves.length;
    undo.disabled = restart.disabled = false;
    if (now.turn !== root.turn) find.value = "";
    root.turn = now.turn;
    mark();
    showMoves();
    if (now.waits && !now.paused && gone !== now.turn) {
      gone = now.turn;
      send({ do: "go" });
    }
  }

  model.on("change:picture", showBoard);
  model.on("change:view", showView);
  showBoard();
  showView();
  return () => {
    model.off("change:picture", showBoard);
    model.off("change:view", showView);
  };
}

export default { render };

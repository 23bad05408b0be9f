// What all views ask of the server. Texts of rule sheets are only ever text here.

export const main = document.getElementById("main");
export const game = { game: main.dataset.game ?? "", values: JSON.parse(main.dataset.values ?? "{}") };
export const query = main.dataset.query ?? "";

export function make(parent, tag, attributes = {}, text = "") {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  parent.append(made);
  return made;
}

export function write(element, text) {
  // What has not changed is not read aloud again.
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export async function ask(path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refused("the studio does not answer: was it stopped?", 0);
  }
  const told = await answer.json().catch(() => ({ error: `the studio answers ${answer.status}` }));
  if (!answer.ok || told.error) throw new Refused(told.error ?? "refused", answer.status);
  return told;
}

export function address(view, hash = "") {
  const key = game.game.split("/").map(encodeURIComponent).join("/");
  return `/${view}/${key}${query}${hash}`;
}

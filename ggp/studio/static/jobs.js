// Long work: begun by a form, followed until it is done, stopped on demand. Its results are parts:
// `html` made by the server, in which texts of sheets are escaped, put in place of the element of
// that `slot`, or else at the end; and `files` to download.

import { address, ask, game, make, write } from "./asking.js";

const EVERY = 400; // Milliseconds between two looks.

const STOP = new Blob([JSON.stringify({ stop: true })], { type: "application/json" });

const wait = (time) => new Promise((done) => setTimeout(done, time));

export async function follow(body, { told, stop, part }) {
  let job = await ask("/api/jobs", body);
  const began = Date.now();
  let seen = 0;
  let stopped = false;
  const end = () => (stopped = true);
  stop?.addEventListener("click", end);
  const leave = () => navigator.sendBeacon(`/api/jobs/${job.job}`, STOP);
  addEventListener("pagehide", leave);
  if (stop) stop.hidden = false;
  try {
    for (;;) {
      job.parts.forEach(part);
      seen = job.count;
      const passed = Math.round((Date.now() - began) / 1000);
      if (!["waiting", "working"].includes(job.state)) return job;
      const what = job.state === "waiting" ? "waiting for other work" : job.progress || "working";
      write(told, `${what} … ${passed ? `${passed} s` : ""}`);
      await wait(Date.now() - began < 2000 ? EVERY / 4 : EVERY);
      job = await ask(`/api/jobs/${job.job}`, stopped ? { after: seen, stop: true } : { after: seen });
    }
  } finally {
    removeEventListener("pagehide", leave);
    stop?.removeEventListener("click", end);
    if (stop) stop.hidden = true;
  }
}

export function put(output, { slot = "", html = "", files = [] }) {
  const id = `slot-${slot}`;
  let place = slot && output.querySelector(`#${CSS.escape(id)}`);
  if (!place) place = make(output, "div", slot ? { id } : {});
  place.innerHTML = html;
  for (const { name, words, text } of files) {
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    make(place, "a", { download: name, href, class: "file" }, words);
  }
  for (const to of place.querySelectorAll("a.to-play")) to.href = address("play", `#${to.dataset.hash}`);
  place.querySelectorAll("form[data-task]").forEach(ready); // Parts may ask for more.
}

export function ready(form) {
  const told = form.querySelector("[role=status]");
  // Progress is seen, and not read aloud every second.
  const progress = make(told.parentElement, "span", { class: "progress" });
  const stop = form.querySelector("button.stop");
  const output = document.getElementById(form.dataset.output);
  let busy = false;
  const begin = async () => {
    if (busy) return;
    busy = true;
    write(told, "");
    output.replaceChildren();
    const fields = Object.fromEntries(new FormData(form));
    try {
      const body = { ...game, task: form.dataset.task, ...fields };
      const job = await follow(body, { told: progress, stop, part: (part) => put(output, part) });
      const words = { done: "done", stopped: job.progress, failed: job.progress };
      write(told, words[job.state]);
    } catch (error) {
      write(told, error.message);
    } finally {
      write(progress, "");
      busy = false;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  if ("now" in form.dataset) begin();
}

document.querySelectorAll("form[data-task]").forEach(ready);

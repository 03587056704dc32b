/**
 * The live half of a view, as anywidget loads it. `initialize` feeds the run and draws it over its static output, with no view of
 * this model on the page; `render` draws it in the widget's own element, for hosts and layouts where that is the place.
 */

import type { News, Request, Snapshot } from "./contract";
import { adoptTokens, runs } from "./mount";
import { LiveRun } from "./run";

/** What this module uses of anywidget's model. */
export interface Model {
  get(name: "run"): string;
  get(name: "css"): string;
  get(name: "snapshot"): Snapshot | null;
  set(name: "snapshot", value: null): void;
  send(content: Request): void;
  on(event: string, callback: (content: News) => void): void;
  off?(event: string): void;
}

function initialize({ model, signal }: { model: Model; signal?: AbortSignal }): void {
  const snapshot = take(model);
  const id = model.get("run");
  const known = runs().get(id);
  if (!snapshot && !known) return; // restored from a file: the static output stays in charge
  const css = model.get("css");
  adoptTokens(css);
  const run = known ?? new LiveRun(id, css, snapshot as Snapshot);
  runs().set(id, run);
  const send = (request: Request) => model.send(request);
  run.connect(send);
  if (known && snapshot) known.load(snapshot);
  model.on("msg:custom", (news) => run.hear(news));
  model.on("change:snapshot", () => {
    const fresh = take(model);
    if (fresh) run.load(fresh);
  });
  model.on("comm_live_update", () => run.lost()); // JupyterLab, when the kernel was started anew or died
  signal?.addEventListener("abort", () => {
    run.disconnect(send);
    if (!run.isOver) run.lost();
  });
  run.mount();
}

/** The snapshot leaves the model at once, so that a file with saved widget state never holds one. */
function take(model: Model): Snapshot | null {
  const snapshot = model.get("snapshot");
  if (snapshot) model.set("snapshot", null);
  return snapshot;
}

function render({ model, el }: { model: Model; el: HTMLElement }): void {
  runs().get(model.get("run"))?.draw(el);
}

export default { initialize, render };

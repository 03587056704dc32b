/**
 * The runs of this page, one store a run whatever models feed it, and the one observer that finds the places where they are drawn.
 *
 * The map hangs on `globalThis` because every widget model imports a module of its own. The symbol carries a version: a page may
 * hold runs of two versions of this package.
 */

import type { LiveRun } from "./run";

const KEY = Symbol.for("runview.runs.v1");
const FORGET = 60_000;

interface Registry {
  runs: Map<string, LiveRun>;
}

export function runs(): Map<string, LiveRun> {
  const page = globalThis as typeof globalThis & { [KEY]?: Registry };
  page[KEY] ??= start();
  return page[KEY].runs;
}

function start(): Registry {
  const registry: Registry = { runs: new Map() };
  // A microtask after the change, so before the next paint: the static output under a view is never seen when a host draws it anew.
  const observer = new MutationObserver(() => {
    for (const run of registry.runs.values()) {
      run.mount();
      if (run.isForgotten(FORGET)) {
        run.close();
        registry.runs.delete(run.id);
      }
    }
  });
  observer.observe(document.documentElement, { childList: true, subtree: true });
  return registry;
}

let adopted: CSSStyleSheet | undefined;

/**
 * Gives the document the sheet's tokens for `.rv-host`: selectors on the host's theme do not match inside a shadow root, custom
 * properties are inherited into it.
 */
export function adoptTokens(css: string): void {
  if (adopted) return;
  adopted = new CSSStyleSheet();
  adopted.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, adopted];
}

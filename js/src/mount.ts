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
    const markers = markersByRun();
    for (const run of registry.runs.values()) {
      run.mount(markers.get(run.id) ?? []);
      if (run.isForgotten(FORGET)) {
        run.close();
        registry.runs.delete(run.id);
      }
    }
  });
  observer.observe(document.documentElement, { childList: true, subtree: true });
  return registry;
}

/** What stands of all runs, found in one walk: a notebook may hold hundreds, and each change of the document asks for all of them. */
function markersByRun(): Map<string, Element[]> {
  const found = new Map<string, Element[]>();
  for (const marker of document.getElementsByClassName("rv")) {
    const id = /rv-run-(\S+)/.exec(marker.className)?.[1];
    if (id) found.set(id, [...(found.get(id) ?? []), marker]);
  }
  return found;
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

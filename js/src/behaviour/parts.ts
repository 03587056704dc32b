/**
 * Which part of a run an element shows, as the kernel names it: the keys on the way to it, `p3` or `p3/n0.p5` for a part of the first
 * run inside the part `p3`. Rows of inner steps have rows of their own run around them, whose keys are no part of the way.
 */

import { type Element, isText } from "../tree";

const KEY = /^(?:(n\d+)\.)?(p\d+)$/;

/** The way to the innermost part that holds a node; "" where none does. */
export function pathTo(root: Element, node: globalThis.Node): string {
  let found = "";
  walk(root, "", (element, path) => {
    const holds = element.dom.contains(node);
    if (holds) found = path;
    return holds;
  });
  return found;
}

/** The element that shows a part, or undefined where nothing does. */
export function elementAt(root: Element, wanted: string): globalThis.Element | undefined {
  let found: globalThis.Element | undefined;
  walk(root, "", (element, path) => {
    if (path === wanted) found ??= element.dom;
    return !found;
  });
  return found;
}

/** Calls `look` for every part's element; what is below it is looked at where it says so. */
function walk(element: Element, path: string, look: (element: Element, path: string) => boolean): void {
  for (const kid of element.kids) {
    if (isText(kid)) continue;
    const below = join(path, String(kid.attributes.key ?? ""));
    if (below === path || look(kid, below)) walk(kid, below, look);
  }
}

function join(path: string, key: string): string {
  const [, run, part] = KEY.exec(key) ?? [];
  if (!part) return path;
  if (run) return `${path}/${run}.${part}`;
  const last = path.lastIndexOf("/");
  const place = path.slice(last + 1).split(".");
  return path.slice(0, last + 1) + (place.length > 1 ? `${place[0]}.${part}` : part);
}

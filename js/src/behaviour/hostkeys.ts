/**
 * Which keys the notebook gets while the focus is in a view. JupyterLab hears a key before anything in the view does, and leaves alone
 * what carries its mark: so the mark is there for plain keys, which have other meanings here (or none, which is better than a cell
 * deleted by `d d`), and is away for the notebook's own combinations: saving, running a cell, the palette.
 */

const MARK = "data-lm-suppress-shortcuts";
const ALONE = /^F\d+$/;

/** On the page, since every widget model imports a module of its own, and one listener is enough. */
const KEY = Symbol.for("runview.keys.v1");

export function guardKeys(host: globalThis.Element): void {
  host.toggleAttribute(MARK, true);
  const page = globalThis as typeof globalThis & { [KEY]?: boolean };
  if (page[KEY]) return;
  page[KEY] = true;
  addEventListener("keydown", look, true);
}

function look(event: KeyboardEvent): void {
  for (const node of event.composedPath()) {
    if (node instanceof Element && node.classList.contains("rv-host")) node.toggleAttribute(MARK, !isNotebooks(event));
  }
}

function isNotebooks(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key === "." && (ctrlKey || metaKey)) return false;
  return ctrlKey || metaKey || altKey || ALONE.test(key) || (key === "Enter" && shiftKey && !isField(event));
}

/** In a field, Shift Enter is the field's. */
function isField(event: KeyboardEvent): boolean {
  return event.composedPath()[0] instanceof HTMLInputElement;
}

/**
 * Which keys the notebook gets while the focus is in a view. JupyterLab hears a key before anything in the view does, and leaves alone
 * what carries its mark: so the mark is there for plain keys, which have other meanings here (or none, which is better than a cell
 * deleted by `d d`), and is away for the notebook's own combinations: saving, running a cell, the palette.
 */

const MARK = "data-lm-suppress-shortcuts";
const ALONE = /^F\d+$/;

export function guardKeys(host: globalThis.Element): void {
  host.setAttribute(MARK, "true");
  if (guarded.has(host)) return;
  guarded.add(host);
  if (guarded.size === 1) addEventListener("keydown", look, true);
}

const guarded = new Set<globalThis.Element>();

function look(event: KeyboardEvent): void {
  for (const host of guarded) {
    if (!event.composedPath().includes(host)) continue;
    if (isNotebooks(event)) host.removeAttribute(MARK);
    else host.setAttribute(MARK, "true");
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

/** What the reader is at just now: closing it would take away what is being read, pointed at or typed into. */

import { focusIn } from "./rows";

export function isHeld(element: HTMLElement): boolean {
  return element.matches(":hover") || element.contains(focusIn(element)) || isSelected(element, element.getRootNode());
}

/** Whether something in the element is selected. */
function isSelected(element: HTMLElement, root: Node): boolean {
  const selection = getSelection();
  if (!selection || !(root instanceof ShadowRoot)) return false;
  const range = selection.getComposedRanges?.({ shadowRoots: [root] })[0];
  return range !== undefined && !range.collapsed && element.contains(range.startContainer);
}

/** Whether part of the element is above what can be seen, so that closing it would move what the reader sees. */
export function startsAbove(element: HTMLElement): boolean {
  return element.getBoundingClientRect().top < 0;
}

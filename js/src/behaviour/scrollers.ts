/**
 * Boxes that scroll by themselves (code, long values, tables, formulas, a thought in its course) can be reached by keyboard, and
 * only while there is something to scroll: a stop at every block would be in the reader's way.
 */

import type { Element } from "../tree";

const SCROLLS = /\brv-(?:code|pre|scroll|math|body|boxed)\b/;
/** What grows inside such a box without the box growing with it. */
const INSIDE = /\brv-(?:cc|table)\b/;

export class Scrollers {
  private readonly observer = new ResizeObserver((entries) => {
    for (const { target } of entries) mark(target as HTMLElement);
  });

  built(element: Element): void {
    const { class: classes } = element.attributes;
    if (classes && (SCROLLS.test(classes) || INSIDE.test(classes))) this.observer.observe(element.dom);
  }

  close(): void {
    this.observer.disconnect();
  }
}

function mark(seen: HTMLElement): void {
  const box = INSIDE.test(seen.className) ? seen.parentElement : seen;
  if (!box) return;
  const { overflowX, overflowY } = getComputedStyle(box);
  const isLong = overflowY !== "visible" && box.scrollHeight > box.clientHeight;
  const isWide = overflowX !== "visible" && box.scrollWidth > box.clientWidth;
  if (isLong || isWide) {
    box.tabIndex = 0;
    box.role ||= "group";
  } else box.removeAttribute("tabindex");
}

/** Time that passes: one timer for all running clocks of the page, ticking once a second while there is one. */

import type { Element } from "../tree";

const running = new Map<Element, () => number>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Writes the time since `attributes.since` into the element from now on; `offset` is page clock minus kernel clock, in seconds. */
export function startClock(element: Element, offset: () => number): void {
  running.set(element, offset);
  write(element, offset());
  timer ??= setInterval(tick, 1000);
}

export function stopClock(element: Element): void {
  running.delete(element);
  if (running.size === 0) {
    clearInterval(timer);
    timer = undefined;
  }
}

/** Writes all clocks; called by itself once a second. */
export function tick(): void {
  for (const [element, offset] of running) write(element, offset());
}

function write(element: Element, offset: number): void {
  const passed = Date.now() / 1000 - offset - Number(element.attributes.since);
  const text = duration(Math.max(0, passed));
  if (element.dom.textContent !== text) element.dom.textContent = text;
}

/** Whole seconds, as a running clock shows them; the finer forms of ended times are written by the kernel. */
export function duration(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole}\u202fs`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}\u202fm\u202f${String(whole % 60).padStart(2, "0")}\u202fs`;
  return `${Math.floor(minutes / 60)}\u202fh\u202f${String(minutes % 60).padStart(2, "0")}\u202fm`;
}

/** Time that passes: one timer for all running clocks of the page, ticking once a second while there is one. */

import type { Element } from "../tree";
import { type Words, wordsOf } from "../words";

/** What a clock needs to know of its run. */
export interface Time {
  /** Page clock minus kernel clock, in seconds. */
  offset(): number;
  readonly words: Words;
}

const running = new Map<Element, Time>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Writes the time since `attributes.since` into the element from now on. */
export function startClock(element: Element, time: Time): void {
  running.set(element, time);
  write(element, time);
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
  for (const [element, time] of running) write(element, time);
}

function write(element: Element, time: Time): void {
  const passed = Date.now() / 1000 - time.offset() - Number(element.attributes.since);
  const text = duration(Math.max(0, passed), time.words);
  if (element.dom.textContent !== text) element.dom.textContent = text;
}

/** Whole seconds, as a running clock shows them; the finer forms of ended times are written by the kernel. */
export function duration(seconds: number, words: Words = wordsOf()): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole}\u202f${words("s")}`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}\u202f${words("m")} ${two(whole % 60)}\u202f${words("s")}`;
  return `${Math.floor(minutes / 60)}\u202f${words("h")} ${two(minutes % 60)}\u202f${words("m")}`;
}

function two(figure: number): string {
  return String(figure).padStart(2, "0");
}

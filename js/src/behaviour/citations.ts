/**
 * `[n]` in a text leads to the n-th source of its run, and a source back to where it is cited. Sources may come before the text, in
 * its course or after it, so which one is meant is looked for each time. A number that names no source is no link.
 */

import type { Element } from "../tree";
import { focusPart, reveal } from "./rows";

const CITED = ".rv-cite";
const SOURCES = ".rv-srcs";
/** Milliseconds for which the place that a link led to is marked. */
const MARKED = 1500;

export class Citations {
  private isLooking = false;

  constructor(private readonly box: HTMLElement) {
    box.addEventListener("click", ({ target }) => this.follow(target));
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !this.follow(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** A citation or a source has been built; where it belongs shows once all that came with it is in the page. */
  built({ attributes, dom }: Element): void {
    const isSource = attributes.act === "cited";
    if (isSource) (dom as HTMLElement).hidden = true;
    if (!(isSource || attributes.class === "rv-cite") || this.isLooking) return;
    this.isLooking = true;
    queueMicrotask(() => {
      this.isLooking = false;
      this.link();
    });
  }

  private link(): void {
    if (!this.box.querySelector(SOURCES)) return;
    for (const cite of this.box.querySelectorAll<HTMLElement>(CITED)) {
      const source = this.sourceOf(cite);
      if (!source) continue;
      cite.setAttribute("role", "link");
      cite.tabIndex = 0;
      const back = source.querySelector<HTMLElement>("button");
      if (back) back.hidden = false;
    }
  }

  /** Whether the target led somewhere. */
  private follow(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    const to = target.matches(CITED)
      ? this.sourceOf(target)
      : target.matches(`${SOURCES} button`)
        ? this.citationOf(target)
        : null;
    if (!to) return false;
    reveal(to, this.box);
    focusPart(to.querySelector("a") ?? to);
    to.classList.add("rv-lit");
    setTimeout(() => to.classList.remove("rv-lit"), MARKED);
    return true;
  }

  /** The source in the nearest list around the citation: its own run's, or that of the run around it. */
  private sourceOf(cite: HTMLElement): HTMLElement | null {
    const number = numberOf(cite);
    for (let at = cite.parentElement; at && this.box.contains(at); at = at.parentElement) {
      const list = at.querySelector(`:scope > .rv-sources > ${SOURCES}`);
      if (list) return (list.children[number - 1] as HTMLElement | undefined) ?? null;
    }
    return null;
  }

  private citationOf(back: HTMLElement): HTMLElement | null {
    const source = back.closest("li");
    const all = [...this.box.querySelectorAll<HTMLElement>(CITED)];
    return all.find((cite) => source !== null && this.sourceOf(cite) === source) ?? null;
  }
}

function numberOf(cite: HTMLElement): number {
  return Number(cite.textContent?.slice(1, -1));
}

/**
 * A run that lies too deep to be read under the rails of those around it is read by itself, in the place of the whole. The way back
 * stands in the status line. Nothing is moved or built for it: the rest is only out of sight.
 */

import { make } from "../make";
import type { Words } from "../words";

const HERE = "rv-here";

export class Drill {
  private readonly way = make("span");

  constructor(
    private readonly box: HTMLElement,
    private readonly words: Words,
  ) {}

  /** A row that opens by itself instead of in its place; it may have been another before. */
  watch(row: HTMLDetailsElement): void {
    (row.firstElementChild as HTMLElement).onclick = (event) => {
      event.preventDefault();
      this.to(row.hasAttribute(HERE) ? null : row);
    };
  }

  /** Shows one row and what is in it; null shows the whole run again. */
  to(row: HTMLDetailsElement | null): void {
    this.box.querySelector(`[${HERE}]`)?.removeAttribute(HERE);
    this.box.toggleAttribute("rv-drill", row !== null);
    this.way.replaceChildren();
    if (!row) return;
    row.setAttribute(HERE, "");
    row.open = true;
    for (
      let at: HTMLDetailsElement | null = row;
      at;
      at = at.parentElement?.closest<HTMLDetailsElement>("details.rv-row") ?? null
    ) {
      this.crumb(at, at.querySelector(".rv-t")?.textContent ?? "");
    }
    this.crumb(null, this.words("whole run"));
    this.box.querySelector(".rv-what")?.append(this.way);
  }

  private crumb(row: HTMLDetailsElement | null, name: string): void {
    const crumb = make("button", "rv-link");
    crumb.textContent = name;
    crumb.onclick = () => this.to(row);
    this.way.prepend(" › ", crumb);
  }
}

/**
 * Finding words in a run, closed rows among them. Hits are ranges with a highlight of the browser's, so the nodes of the run stay
 * as they are.
 */

import { make } from "../make";
import type { Words } from "../words";
import { reveal } from "./rows";

const NAME = "rv-find";

export class Find {
  readonly element = make("div", "rv-find");
  private readonly input = make("input");
  private readonly count = make("span");
  private hits: Range[] = [];
  private at = -1;

  constructor(
    private readonly root: HTMLElement,
    private readonly words: Words,
    private readonly left: () => void,
  ) {
    this.element.hidden = true;
    this.input.type = "search";
    this.input.placeholder = words("Find in this run");
    this.input.setAttribute("aria-label", words("Find in this run"));
    this.element.append(this.input, this.count);
    this.input.addEventListener("input", () => this.search());
    this.input.addEventListener("keydown", (event) => this.key(event));
  }

  open(): void {
    this.element.hidden = false;
    this.input.focus();
    this.input.select();
    this.search();
  }

  close(): void {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.hits = [];
    this.show();
    this.left();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Enter") this.go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private search(): void {
    this.hits = ranges(this.root, this.input.value);
    this.at = -1;
    this.show();
    if (this.hits.length) this.go(1);
  }

  private go(step: number): void {
    const many = this.hits.length;
    if (!many) return;
    this.at = (this.at + step + many) % many;
    const hit = this.hits[this.at];
    if (hit) {
      reveal(hit.startContainer, this.root);
      hit.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
    }
    this.show();
  }

  private show(): void {
    this.count.textContent =
      this.input.value && !this.element.hidden ? `${this.at + 1} ${this.words("of")} ${this.hits.length}` : "";
    const registry = typeof CSS === "undefined" ? undefined : CSS.highlights;
    if (!registry) return;
    if (this.hits.length) registry.set(NAME, new Highlight(...this.hits));
    else registry.delete(NAME);
  }
}

/** Every place where the words stand within one text, whatever their case. */
function ranges(root: HTMLElement, words: string): Range[] {
  const wanted = words.toLowerCase();
  const out: Range[] = [];
  if (!wanted) return out;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode() as Text | null; text; text = walker.nextNode() as Text | null) {
    const data = text.data.toLowerCase();
    for (let at = data.indexOf(wanted); at >= 0; at = data.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, Math.min(at + wanted.length, text.data.length));
      out.push(range);
    }
  }
  return out;
}

/** Copying: a block's source by its button, a whole part by its key. */

import { make } from "../make";
import type { Element } from "../tree";
import type { Words } from "../words";

export function addCopy(element: Element, words: Words): void {
  const bar = make("div", "rv-bar");
  const button = make("button", "rv-act");
  button.textContent = words("Copy");
  button.addEventListener("click", () => {
    const source = element.attributes.copy; // asked for now: the source of a table comes when the table is whole
    write(typeof source === "string" ? source : shownIn(element.dom)).then((done) =>
      say(button, words(done ? "Copied" : "Not allowed"), words),
    );
  });
  bar.append(button);
  element.dom.append(bar);
}

/** What stands in a block, the cells of a table apart. */
function shownIn(block: globalThis.Element): string {
  const inner = block.querySelector<HTMLElement>("code, pre, table") ?? block;
  // biome-ignore lint/performance/useDomNodeTextContent: cells stay apart as the reader sees them
  return (inner instanceof HTMLTableElement ? inner.innerText : inner.textContent) ?? "";
}

/** Copies a part as its reader sees it, with what a closed row holds. */
export function copyPart(part: HTMLElement): void {
  void write(seen(part));
}

/** The texts of the answer as they are seen. */
export function answerOf(section: HTMLElement): string {
  return [...section.querySelectorAll<HTMLElement>(":scope > .rv-text")].map(seen).join("\n\n");
}

/** Text with its lines and cells apart, which only what is open has. */
function seen(part: HTMLElement): string {
  const closed = [part, ...part.querySelectorAll("details")].filter((row) => row instanceof HTMLDetailsElement && !row.open);
  for (const row of closed) row.setAttribute("open", "");
  // biome-ignore lint/performance/useDomNodeTextContent: lines and cells stay apart as the reader sees them
  const text = part.innerText;
  for (const row of closed) row.removeAttribute("open");
  return text.trim();
}

/** Whether the browser let it. */
export async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function say(button: HTMLButtonElement, word: string, words: Words): void {
  button.textContent = word;
  setTimeout(() => {
    button.textContent = words("Copy");
  }, 1500);
}

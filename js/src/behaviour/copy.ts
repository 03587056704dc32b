/** The button that copies a block: its source, not its pixels. */

import type { Element } from "../tree";

export function addCopy(element: Element): void {
  const bar = document.createElement("div");
  bar.className = "rv-bar";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "rv-act";
  button.textContent = "Copy";
  button.addEventListener("click", () => {
    const source = element.attributes.copy; // asked for now: the source of a table comes when the table is whole
    const text = typeof source === "string" ? source : (element.dom.querySelector("code, pre, table") ?? element.dom).textContent;
    navigator.clipboard.writeText(text).then(
      () => say(button, "Copied"),
      () => say(button, "Not allowed"),
    );
  });
  bar.append(button);
  element.dom.append(bar);
}

function say(button: HTMLButtonElement, word: string): void {
  button.textContent = word;
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1500);
}

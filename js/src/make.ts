/** What the page itself adds to a run: an element of ours, with its class. A button is never one that sends a form. */
export function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, classes = ""): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = classes;
  if (element instanceof HTMLButtonElement) element.type = "button";
  return element;
}

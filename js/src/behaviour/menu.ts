/** `⋯` in the status line: what can be done with a run, for those who do not know the keys. */

import { make } from "../make";
import type { Words } from "../words";
import { focusIn } from "./rows";

/** What the menu says, the key that does the same, and what it does. */
export type Item = readonly [words: string, key: string, act: () => void];

export class Menu {
  readonly button = make("button", "rv-act rv-more");
  readonly list = make("div", "rv-menu");

  constructor(items: readonly Item[], words: Words) {
    const { button, list } = this;
    button.textContent = "⋯";
    button.setAttribute("aria-label", words("More"));
    button.setAttribute("aria-haspopup", "menu");
    button.addEventListener("click", () => (list.hidden ? this.open(0) : this.close()));
    button.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      take(event);
      this.open(event.key === "ArrowDown" ? 0 : -1);
    });
    list.setAttribute("role", "menu");
    list.style.zIndex = "1";
    for (const [name, key, act] of items) list.append(this.item(words(name), words(key), act));
    list.addEventListener("keydown", (event) => this.press(event));
    list.addEventListener("focusout", (event) => {
      if (!list.contains(event.relatedTarget as Node | null)) this.hide();
    });
    this.hide();
  }

  private item(words: string, key: string, act: () => void): HTMLElement {
    const item = make("button", "rv-act");
    item.tabIndex = -1;
    item.setAttribute("role", "menuitem");
    const hint = make("span");
    hint.textContent = key;
    hint.setAttribute("aria-hidden", "true");
    item.append(words, hint);
    item.addEventListener("click", () => {
      this.close();
      act();
    });
    return item;
  }

  private get items(): HTMLElement[] {
    return [...this.list.children] as HTMLElement[];
  }

  private open(at: number): void {
    const { button, list } = this;
    list.hidden = false;
    button.setAttribute("aria-expanded", "true");
    const box = list.offsetParent?.getBoundingClientRect();
    const by = button.getBoundingClientRect();
    if (box) {
      list.style.left = `${Math.max(0, by.right - box.left - list.offsetWidth)}px`;
      list.style.top = `${by.bottom - box.top}px`;
    }
    this.items.at(at)?.focus();
  }

  /** Closes, and gives the focus back to the button. */
  private close(): void {
    this.hide();
    this.button.focus();
  }

  private hide(): void {
    this.list.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  private press(event: KeyboardEvent): void {
    const { items } = this;
    const at = items.indexOf(focusIn(this.list) as HTMLElement);
    switch (event.key) {
      case "ArrowDown":
        items[(at + 1) % items.length]?.focus();
        break;
      case "ArrowUp":
        items.at((at - 1) % items.length)?.focus();
        break;
      case "Home":
        items[0]?.focus();
        break;
      case "End":
        items.at(-1)?.focus();
        break;
      case "Escape":
        this.close();
        break;
      case "Tab":
        this.close();
        return; // from the button, the focus goes on as it would have
      case "Enter":
      case " ":
        event.stopPropagation();
        return;
      default:
        event.stopPropagation(); // a letter is no key of the view while the menu is open
        return;
    }
    take(event);
  }
}

function take(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

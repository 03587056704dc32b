/**
 * The last look of a run whose kernel is gone. Only the kernel could have drawn how it ended; the page knows no more than that
 * nothing is at work, that nothing can be stopped, and that no text is being written.
 */

import type { Value } from "../contract";
import { type Element, elements, isText, reconcile, type Watcher } from "../tree";
import type { Words } from "../words";

const AT_WORK = /\bis-(?:running|waiting|background|writing|queued|needs|asked|retrying)\b/;
const ASKED = /\bis-(?:needs|asked)\b/;
/** What buttons ask for that the page does by itself. */
const ALONE = new Set<Value | undefined>(["save", "cited"]);

export function freeze(root: Element, watcher: Watcher, words: Words): void {
  for (const element of elements(root)) {
    element.kids = element.kids.filter((kid) => {
      const leaves =
        !isText(kid) && kid.attributes.live === true && ![...elements(kid)].some((one) => ALONE.has(one.attributes.act));
      if (leaves) kid.dom.parentNode?.removeChild(kid.dom);
      return !leaves;
    });
    Reflect.deleteProperty(element.attributes, "aria-busy");
    element.dom.removeAttribute("aria-busy");
    const { class: classes } = element.attributes;
    if (!classes || !AT_WORK.test(classes)) continue;
    const stopped = classes.replace(AT_WORK, "is-stopped").replace(" is-turning", "");
    element.attributes.class = stopped;
    element.dom.setAttribute("class", stopped);
    const isRun = element.attributes.key === "status";
    const said = ASKED.test(classes) ? (isRun ? "Was waiting for you" : "was waiting") : isRun ? "Ended early" : "stopped";
    say(element, watcher, isRun, words(said), words("Thought"));
  }
}

/** The sign and the word for a row's state, or for the run's. A row's head is its first child, and a row inside it has words of its own. */
function say(row: Element, watcher: Watcher, isRun: boolean, word: string, thought: string): void {
  const [head] = row.kids;
  const place = isRun ? row : head;
  if (!place || isText(place)) return;
  const isThought = /\brv-thinking\b/.test(row.attributes.class ?? "");
  for (const element of elements(place)) {
    const names = (element.attributes.class ?? "").split(" ");
    if (isThought && names.includes("rv-t")) reconcile(element, [element.tag, element.attributes, [thought]], watcher);
    if (names.includes("rv-g"))
      reconcile(element, [element.tag, { ...element.attributes, class: "rv-g rv-stop" }, ["■"]], watcher);
    if (!names.includes(isRun ? "rv-word" : "rv-s")) continue;
    reconcile(element, [element.tag, element.attributes, [word]], watcher);
  }
}

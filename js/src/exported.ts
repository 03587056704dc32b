/**
 * What an exported page can do by itself: keys, finding, copying, in the run as it stands there. It asks for nothing, and builds nothing
 * of what the run holds.
 */

import { addCopy, answerOf, copyPart, write } from "./behaviour/copy";
import { Find } from "./behaviour/find";
import { Keys } from "./behaviour/keys";
import { Menu } from "./behaviour/menu";
import { type Labels, wordsOf } from "./words";

function start(box: HTMLElement, section: HTMLElement): void {
  const source = document.querySelector<HTMLTextAreaElement>("textarea.rv-source")?.value ?? "";
  const words = wordsOf(JSON.parse(document.querySelector("script[type='application/json']")?.textContent ?? "{}") as Labels);
  const every = (open: boolean): void => {
    for (const row of section.querySelectorAll("details")) row.open = open;
  };
  const copyAnswer = (): void => void write(source || answerOf(section));
  const find = new Find(section, words, () => section.querySelector("summary")?.focus());
  const acts = { every, find: () => find.open(), copy: (part?: HTMLElement) => (part ? copyPart(part) : copyAnswer()) };
  const keys = new Keys(box, acts, words);
  // Nobody has to find the run by Tab first: until something else has the focus, the keys are the run's.
  document.addEventListener("keydown", (event) => {
    if (event.target === document.body) keys.hear(event);
  });
  const menu = new Menu(
    [
      ["Expand all", "e", () => every(true)],
      ["Collapse all", "c", () => every(false)],
      ["Copy answer", "", copyAnswer],
      ["Find", "/", () => find.open()],
      ["Keys", "?", () => keys.toggleHelp()],
    ],
    words,
  );
  section.querySelector(".rv-status")?.append(menu.button);
  for (const dom of section.querySelectorAll(".rv-block")) addCopy({ dom, tag: "div", attributes: {}, kids: [] }, words);
  box.prepend(find.element);
  box.append(menu.list, keys.help);
}

const section = document.querySelector<HTMLElement>(".rv-live > .rv");
if (section?.parentElement) start(section.parentElement, section);

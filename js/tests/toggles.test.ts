import { beforeEach, describe, expect, it } from "vitest";
import { outer, visibleRows } from "../src/behaviour/rows";
import { Toggles } from "../src/behaviour/toggles";
import type { Op, WireElement } from "../src/contract";
import { apply, build, type Element, type Watcher } from "../src/tree";

function row(key: string): WireElement {
  return [
    "details",
    { class: "rv-row", key },
    [
      ["summary", { class: "rv-head" }, [key]],
      ["div", { class: "rv-body" }, ["…"]],
    ],
  ];
}

const LONE: WireElement = [
  "section",
  {},
  [
    [
      "details",
      { class: "rv-group", key: "g", auto: "open", lone: true },
      [
        ["summary", { class: "rv-head" }, []],
        ["blockquote", { class: "rv-body" }, [row("a")]],
      ],
    ],
  ],
];
/** A second call has come, in the order in which the kernel says so. */
const JOINED: Op[] = [
  ["set", [0], "auto", null],
  ["set", [0], "lone", null],
  ["set", [0], "class", "rv-row rv-group"],
  ["insert", [0, 0], 0, ["2 tools"]],
  ["insert", [0, 1], 1, [row("b")]],
];

let toggles: Toggles;
let root: Element;
let box: HTMLElement;

const watcher: Watcher = {
  built: (element) => toggles.settle(element),
  changed: (element, name) => (name === "auto" || name === "lone") && toggles.settle(element),
};

const details = (key: string): HTMLDetailsElement =>
  [...box.querySelectorAll("details")].find((one) =>
    key === "g" ? one.classList.contains("rv-group") : one.querySelector("summary")?.textContent === key,
  ) as HTMLDetailsElement;
const join = (ops = JOINED): void => {
  for (const op of ops) apply(root, op, watcher);
};
/** What a reader can walk through. */
const lines = (): (string | null)[] => visibleRows(box).map((summary) => summary.textContent);

async function byHand(key: string, open: boolean): Promise<void> {
  details(key).open = open;
  details(key).dispatchEvent(new Event("toggle"));
  await Promise.resolve();
}

beforeEach(() => {
  toggles = new Toggles();
  root = build(LONE, watcher) as Element;
  box = root.dom as HTMLElement;
  document.body.replaceChildren(box);
});

describe("a group of calls", () => {
  it("looks like its one call", () => {
    expect(lines()).toEqual(["a"]);
    expect(details("g").open).toBe(true);
    expect(outer(details("a"))).toBeNull();
  });

  it("takes the call's place when a second comes", () => {
    const first = details("a");
    join();
    expect(lines()).toEqual(["2 tools"]);
    expect(details("g").open).toBe(false);
    expect(details("a")).toBe(first);
    details("g").open = true;
    expect(lines()).toEqual(["2 tools", "a", "b"]);
    expect(outer(details("a"))?.textContent).toBe("2 tools");
  });

  it("leaves the call alone that the reader has opened", async () => {
    await byHand("a", true);
    join();
    expect(lines()).toEqual(["a", "b"]);
    expect(details("a").open).toBe(true);
    expect(details("g").open).toBe(true);
  });

  it("leaves the call alone that has the focus", () => {
    const summary = details("a").querySelector("summary") as HTMLElement;
    summary.tabIndex = 0;
    summary.focus();
    join();
    expect(lines()).toEqual(["a", "b"]);
    expect(document.activeElement).toBe(summary);
  });

  it("gathers what it has left alone when the reader has all rows collapsed", async () => {
    await byHand("a", true);
    join();
    toggles.every(box, true);
    expect(lines()).toEqual(["a", "b"]);
    toggles.every(box, false);
    expect(lines()).toEqual(["2 tools"]);
  });

  it("keeps a lone call in sight when all rows are collapsed", () => {
    toggles.every(box, false);
    expect(lines()).toEqual(["a"]);
  });

  it("does not push a call down that asks for something", () => {
    join([["set", [0], "lone", null], ...JOINED.slice(2)]);
    expect(lines()).toEqual(["a", "b"]);
    apply(root, ["set", [0], "auto", null], watcher);
    expect(lines()).toEqual(["2 tools"]);
  });

  it("is the reader's once it has been opened", async () => {
    join();
    await byHand("g", true);
    apply(root, ["set", [0], "auto", "open"], watcher);
    apply(root, ["set", [0], "auto", null], watcher);
    expect(details("g").open).toBe(true);
  });
});

describe("a row that opened by itself", () => {
  it("does not close under the reader's focus", () => {
    apply(root, ["set", [0, 1, 0], "auto", "open"], watcher);
    const summary = details("a").querySelector("summary") as HTMLElement;
    summary.tabIndex = 0;
    summary.focus();
    apply(root, ["set", [0, 1, 0], "auto", null], watcher);
    expect(details("a").open).toBe(true);
  });

  it("closes where nobody is", () => {
    apply(root, ["set", [0, 1, 0], "auto", "open"], watcher);
    expect(details("a").open).toBe(true);
    apply(root, ["set", [0, 1, 0], "auto", null], watcher);
    expect(details("a").open).toBe(false);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { Citations } from "../src/behaviour/citations";
import type { Op, WireElement, WireNode } from "../src/contract";
import { apply, build, type Element, type Watcher } from "../src/tree";

const cite = (number: number): WireElement => ["span", { class: "rv-cite" }, [`[${number}]`]];
const source = (name: string): WireElement => [
  "li",
  { key: name },
  [
    ["a", { href: `https://${name}.example/` }, [name]],
    ["button", { act: "cited", live: true }, ["↑"]],
  ],
];
const sources = (...names: string[]): WireElement => [
  "div",
  { class: "rv-sources" },
  [["ol", { class: "rv-srcs" }, names.map(source)]],
];
const text = (...kids: WireNode[]): WireElement => ["div", { class: "rv-text" }, [["p", {}, kids]]];

let box: HTMLElement;
let root: Element;

async function shown(...kids: WireNode[]): Promise<void> {
  box = document.createElement("div");
  document.body.replaceChildren(box);
  const citations = new Citations(box);
  const watcher: Watcher = { built: (element) => citations.built(element), changed: () => {} };
  root = build(["section", {}, kids], watcher) as Element;
  box.append(root.dom);
  await Promise.resolve();
  add = async (op) => {
    apply(root, op, watcher);
    await Promise.resolve();
  };
}
let add: (op: Op) => Promise<void>;

const cites = (): HTMLElement[] => [...box.querySelectorAll<HTMLElement>(".rv-cite")];
const backs = (): HTMLElement[] => [...box.querySelectorAll<HTMLElement>("button")];
const focused = (): string | null | undefined => document.activeElement?.textContent;

beforeEach(() => document.body.replaceChildren());

describe("a citation", () => {
  it("leads to its source, and the source back to it", async () => {
    await shown(text("a", cite(2), "b", cite(1)), sources("one", "two"));
    cites()[0]?.click();
    expect(focused()).toBe("two");
    backs()[1]?.click();
    expect(document.activeElement).toBe(cites()[0]);
  });

  it("is followed by the keyboard", async () => {
    await shown(text(cite(1)), sources("one"));
    cites()[0]?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    expect(focused()).toBe("one");
  });

  it("becomes a link when its source comes late", async () => {
    await shown(text(cite(1)));
    expect(cites()[0]?.getAttribute("role")).toBeNull();
    await add(["insert", [], 1, [sources("one")]]);
    expect(cites()[0]?.getAttribute("role")).toBe("link");
    expect(cites()[0]?.tabIndex).toBe(0);
    await shown(text(cite(2)), sources("one"));
    await add(["insert", [1, 0], 1, [source("two")]]);
    cites()[0]?.click();
    expect(focused()).toBe("two");
  });

  it("is no link when it names no source, and a source that is not cited has no way back", async () => {
    await shown(text(cite(7)), sources("one"));
    expect(cites()[0]?.getAttribute("role")).toBeNull();
    cites()[0]?.click();
    expect(document.activeElement).toBe(document.body);
    expect(backs()[0]?.hidden).toBe(true);
  });

  it("means the source of its own run", async () => {
    const inner: WireElement = ["blockquote", { class: "rv-nest" }, [text(cite(1)), sources("inner")]];
    await shown(["details", {}, [["summary", {}, []], inner]], text(cite(1)), sources("outer"));
    cites()[0]?.click();
    expect(focused()).toBe("inner");
    cites()[1]?.click();
    expect(focused()).toBe("outer");
  });

  it("opens the rows in which its source is", async () => {
    await shown([
      "details",
      {},
      [
        ["summary", {}, []],
        ["div", {}, [text(cite(1)), sources("one")]],
      ],
    ]);
    cites()[0]?.click();
    expect(box.querySelector("details")?.open).toBe(true);
  });
});

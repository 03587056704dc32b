import { beforeEach, describe, expect, it } from "vitest";
import { Drill } from "../src/behaviour/drill";

let box: HTMLElement;
let drill: Drill;

function row(name: string, ...inside: HTMLElement[]): HTMLDetailsElement {
  const details = document.createElement("details");
  details.className = "rv-row";
  const head = document.createElement("summary");
  const title = document.createElement("bdi");
  title.className = "rv-t";
  title.textContent = name;
  head.append(title);
  head.tabIndex = 0;
  details.append(head, ...inside);
  return details;
}

const here = (): string | null | undefined => box.querySelector("[rv-here] .rv-t")?.textContent;
const way = (): string | null | undefined => box.querySelector(".rv-what")?.textContent;
const crumb = (name: string): HTMLElement | undefined =>
  [...box.querySelectorAll("button")].find((one) => one.textContent === name);
const head = (details: HTMLElement): HTMLElement => details.querySelector("summary") as HTMLElement;

describe("a run that lies deep", () => {
  let deeper: HTMLDetailsElement;
  let deep: HTMLDetailsElement;

  beforeEach(() => {
    deeper = row("deeper");
    deep = row("deep", deeper);
    const status = document.createElement("span");
    status.className = "rv-what";
    status.textContent = "Running";
    box = document.createElement("div");
    box.append(status, row("outer", deep));
    document.body.replaceChildren(box);
    drill = new Drill(box, (english) => english);
    drill.watch(deep);
    drill.watch(deeper);
  });

  it("opens by itself, with the way to it in the status line", () => {
    head(deep).click();
    expect(here()).toBe("deep");
    expect(deep.open).toBe(true);
    expect(box.hasAttribute("rv-drill")).toBe(true);
    expect(way()).toBe("Running › whole run › outer › deep");
  });

  it("leads deeper, and back to any run on the way", () => {
    head(deep).click();
    head(deeper).click();
    expect(here()).toBe("deeper");
    expect(box.querySelectorAll("[rv-here]").length).toBe(1);
    crumb("deep")?.click();
    expect(here()).toBe("deep");
    crumb("whole run")?.click();
    expect(here()).toBeUndefined();
    expect(box.hasAttribute("rv-drill")).toBe(false);
    expect(way()).toBe("Running");
  });

  it("is left by its own line, too", () => {
    head(deep).click();
    head(deep).click();
    expect(here()).toBeUndefined();
  });
});

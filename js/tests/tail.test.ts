import { describe, expect, it } from "vitest";
import { placeOnLane } from "../src/behaviour/lane";
import { Tail } from "../src/behaviour/tail";
import { build, type Element } from "../src/tree";

/** A thought whose sizes the test sets, since there is no layout here. */
function thought(): { tail: Tail; body: HTMLElement; row: HTMLDetailsElement } {
  const box = document.createElement("div");
  const row = document.createElement("details");
  row.className = "rv-thinking";
  row.open = true;
  const body = document.createElement("div");
  body.className = "rv-body";
  row.append(document.createElement("summary"), body);
  box.append(row);
  Object.defineProperties(body, { scrollHeight: { value: 600, configurable: true }, clientHeight: { value: 250 } });
  return { tail: new Tail(box), body, row };
}

describe("a thought that is written", () => {
  it("shows its newest lines", () => {
    const { tail, body } = thought();
    tail.follow();
    expect(body.scrollTop).toBe(600);
  });

  it("stays where the reader has scrolled to, until the reader is back at the end", () => {
    const { tail, body } = thought();
    body.scrollTop = 100;
    body.dispatchEvent(new Event("scroll"));
    tail.follow();
    expect(body.scrollTop).toBe(100);
    body.scrollTop = 345;
    body.dispatchEvent(new Event("scroll"));
    tail.follow();
    expect(body.scrollTop).toBe(600);
  });

  it("is left alone once it is over, or closed", () => {
    const { tail, body, row } = thought();
    row.className = "rv-thought";
    tail.follow();
    row.className = "rv-thinking";
    row.open = false;
    tail.follow();
    expect(body.scrollTop).toBe(0);
  });
});

describe("a lane", () => {
  it("gives the sheet two shares of the run, and nothing but figures", () => {
    const silent = { built: () => {}, changed: () => {} };
    const bar = build(["i", { at: 125, long: 40 }, []], silent) as Element;
    placeOnLane(bar);
    const { style } = bar.dom as HTMLElement;
    expect([style.getPropertyValue("--rv-at"), style.getPropertyValue("--rv-long")]).toEqual(["12.5%", "4%"]);
    const odd = build(["i", { at: "1%;color:red" as unknown as number, long: 1 }, []], silent) as Element;
    placeOnLane(odd);
    expect((odd.dom as HTMLElement).style.getPropertyValue("--rv-at")).toBe("NaN%");
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PAUSE } from "../src/asks";
import type { PackedElement, Request } from "../src/contract";
import { LiveRun } from "../src/run";

const ASK: PackedElement = [
  "section",
  { class: "rv" },
  ["p.status is-needs#status", ["strong.word#word", "Needs you"]],
  [
    "details.row is-needs#c",
    { auto: "open" },
    ["summary#head", ["span.s#s", "needs you"]],
    [
      "div.ask#ask",
      { live: true },
      ["button#deny", { act: "deny", ref: "p0", live: true }, "Deny"],
      ["button#allow", { act: "allow", ref: "p0", live: true }, "Allow once"],
    ],
  ],
];

const now = (): number => Date.now() / 1000;

describe("what the kernel asks", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function asked(labels = {}) {
    const host = document.createElement("div");
    host.innerHTML = '<section class="rv rv-run-a rv-resting">static</section>';
    document.body.replaceChildren(host);
    const said: Request[] = [];
    const run = new LiveRun("a", "", { seq: 0, now: now(), tree: ASK, ended: false, labels });
    run.connect((request) => said.push(request));
    run.mount();
    said.length = 0;
    const root = host.shadowRoot as ShadowRoot;
    const button = (act: number) => root.querySelectorAll(".rv-ask button")[act] as HTMLButtonElement;
    const ask = (asks: Record<string, string>) => run.hear({ kind: "beat", seq: 0, now: now(), asks });
    const disabled = () => [button(0).disabled, button(1).disabled];
    return {
      run,
      said,
      root,
      deny: button(0),
      allow: button(1),
      ask,
      disabled,
      note: () => root.querySelector(".rv-note")?.textContent,
    };
  }

  it("can be answered once the page has been told how, and not in the first moment", () => {
    const { said, allow, ask, disabled } = asked();
    expect(disabled()).toEqual([true, true]);
    allow.click();
    ask({ p0: "n" });
    expect(disabled()).toEqual([true, true]);
    allow.click();
    vi.advanceTimersByTime(PAUSE);
    expect(disabled()).toEqual([false, false]);
    expect(said).toEqual([]);
    allow.click();
    expect(said).toEqual([{ kind: "answer", id: "p0", approved: true, nonce: "n" }]);
  });

  it("is answered once", () => {
    const { said, deny, allow, ask, disabled } = asked({ "Denying…": "wird abgelehnt…" });
    ask({ p0: "n" });
    vi.advanceTimersByTime(PAUSE);
    deny.click();
    expect(disabled()).toEqual([true, true]);
    expect([deny.textContent, allow.textContent]).toEqual(["wird abgelehnt…", "Allow once"]);
    allow.click();
    ask({ p0: "n" }); // sent before the answer was heard
    vi.advanceTimersByTime(PAUSE);
    allow.click();
    expect(said).toEqual([{ kind: "answer", id: "p0", approved: false, nonce: "n" }]);
    ask({}); // heard
    expect(deny.textContent).toBe("wird abgelehnt…");
    ask({ p0: "m" }); // it could not be passed on
    vi.advanceTimersByTime(PAUSE);
    expect([deny.textContent, ...disabled()]).toEqual(["Deny", false, false]);
  });

  it("must stand for a moment again when it has become another question", () => {
    const { said, allow, ask } = asked();
    ask({ p0: "n" });
    vi.advanceTimersByTime(PAUSE);
    ask({ p0: "m" });
    allow.click();
    expect(said).toEqual([]);
  });

  it("keeps its row open and the focus in it", () => {
    const { run, root, deny, ask } = asked();
    ask({ p0: "n" });
    vi.advanceTimersByTime(PAUSE);
    deny.focus();
    deny.click();
    expect(root.activeElement?.tagName).toBe("SUMMARY");
    run.hear({
      kind: "ops",
      seq: 1,
      now: now(),
      ops: [
        ["set", [1], "auto", null],
        ["remove", [1], 1, 1],
      ],
    });
    expect(root.querySelector("details")?.open).toBe(true);
  });

  it("is not answered by a key that is held down", () => {
    const { allow } = asked();
    const held = new KeyboardEvent("keydown", { key: "Enter", repeat: true, cancelable: true });
    allow.dispatchEvent(held);
    expect(held.defaultPrevented).toBe(true);
  });

  it("says that an answer waits for the running cell, until it is heard", () => {
    const { allow, ask, note } = asked();
    ask({ p0: "n" });
    vi.advanceTimersByTime(PAUSE);
    allow.click();
    vi.advanceTimersByTime(2000);
    expect(note()).toBe("Your answer waits for the running cell.");
    ask({ p0: "n" });
    expect(note()).toBe("Your answer waits for the running cell.");
    ask({});
    expect(note()).toBe("");
  });

  it("can not be answered while the run is being stopped, nor without a kernel", () => {
    const { run, said, root, allow, ask, disabled, note } = asked();
    ask({ p0: "n" });
    vi.advanceTimersByTime(PAUSE);
    run.stop();
    ask({ p0: "n" });
    allow.click();
    expect(disabled()).toEqual([true, true]);
    expect(said).toEqual([{ kind: "stop" }]);
    run.lost();
    expect(root.querySelectorAll(".rv-ask button").length).toBe(0);
    expect(root.querySelector("section")?.textContent).toBe("Was waiting for you⋯was waiting");
    expect(note()).toContain("nobody can answer this run any more");
  });
});

import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PackedElement, Request, Snapshot } from "../src/contract";
import { LiveRun } from "../src/run";

const TREE: PackedElement = ["section", { class: "rv" }, ["p#t", "a"]];

function snapshot(seq: number, tree = TREE): Snapshot {
  return { seq, now: Date.now() / 1000, tree, ended: false };
}

function started(): { run: LiveRun; said: Request[]; host: HTMLElement; seen: () => string; note: () => string } {
  const host = document.createElement("div");
  host.innerHTML = '<section class="rv rv-run-x rv-running">static</section>';
  document.body.replaceChildren(host);
  const said: Request[] = [];
  const run = new LiveRun("x", "", snapshot(0));
  run.connect((request) => said.push(request));
  run.mount();
  const text = (selector: string) => host.shadowRoot?.querySelector(selector)?.textContent ?? "";
  return { run, said, host, seen: () => text("section"), note: () => text(".rv-note") };
}

const now = (): number => Date.now() / 1000;

describe("a run in the page", () => {
  beforeEach(() => vi.useRealTimers());

  it("draws over its static output and says that it does", () => {
    const { said, seen } = started();
    expect(seen()).toBe("a");
    expect(said).toEqual([{ kind: "mounted" }]);
  });

  it("leaves alone an element that holds more than the run", () => {
    const { run } = started();
    const other = document.createElement("div");
    other.innerHTML = '<p>mine</p><section class="rv rv-run-x"></section>';
    document.body.append(other);
    run.mount();
    expect(other.shadowRoot).toBeNull();
  });

  it("applies what comes in order, and nothing twice", () => {
    const { run, seen } = started();
    run.hear({ kind: "ops", seq: 1, now: now(), ops: [["append", [0, 0], "b"]] });
    run.hear({ kind: "ops", seq: 1, now: now(), ops: [["append", [0, 0], "b"]] });
    run.hear({ kind: "ops", seq: 2, now: now(), ops: [["append", [0, 0], "c"]] });
    expect(seen()).toBe("abc");
  });

  it("asks for the whole when something is missing, and catches up", () => {
    const { run, said, seen } = started();
    run.hear({ kind: "ops", seq: 3, now: now(), ops: [["append", [0, 0], "d"]] });
    expect(seen()).toBe("a");
    expect(said.at(-1)).toEqual({ kind: "resync", have: 0 });
    run.load(snapshot(3, ["section", { class: "rv" }, ["p#t", "abcd"]]));
    run.hear({ kind: "ops", seq: 4, now: now(), ops: [["append", [0, 0], "e"]] });
    expect(seen()).toBe("abcde");
  });

  it("asks for the whole when operations do not fit", () => {
    const { run, said } = started();
    run.hear({ kind: "ops", seq: 1, now: now(), ops: [["append", [9], "x"]] });
    expect(said.at(-1)).toEqual({ kind: "resync", have: 0 });
  });

  it("asks a newer kernel for the whole when it does not know what happened, and takes no notice of news of another kind", () => {
    const { run, said, host } = started();
    run.hear({ kind: "weather", seq: 1, now: now(), ops: [] } as never);
    run.hear({ kind: "ops", seq: 1, now: now(), ops: [["paint", [0, 0], "red"] as never] });
    expect(said).toContainEqual({ kind: "resync", have: 0 });
    run.load(snapshot(1, ["section", { class: "rv" }, ["blink#t", { onclick: "x()" }, "abc"]]));
    expect(host.shadowRoot?.querySelector("section")?.innerHTML).toBe("<span>abc</span>");
  });

  it("hears from a beat that it has missed something", () => {
    const { run, said } = started();
    run.hear({ kind: "beat", seq: 2, now: now() });
    expect(said.at(-1)).toEqual({ kind: "resync", have: 0 });
  });

  it("confirms the end, and that the file holds it once it does", () => {
    const { run, said, host } = started();
    run.hear({ kind: "end", seq: 1, now: now(), ops: [["append", [0, 0], "!"]] });
    expect(said.at(-1)).toEqual({ kind: "ended", seq: 1, fileDone: false });
    host.querySelector("section")?.classList.replace("rv-running", "rv-done");
    run.mount();
    expect(said.at(-1)).toEqual({ kind: "ended", seq: 1, fileDone: true });
    const count = said.length;
    run.mount();
    expect(said.length).toBe(count);
  });

  it("takes a repeated end that carries the tree when all before was lost", () => {
    const { run, said, seen } = started();
    run.hear({ kind: "end", seq: 9, now: now(), tree: ["section", { class: "rv" }, ["p#t", "the end"]] });
    expect(seen()).toBe("the end");
    expect(said.at(-1)).toEqual({ kind: "ended", seq: 9, fileDone: false });
  });

  it("says after two seconds that the file is behind", () => {
    vi.useFakeTimers();
    const { run, note } = started();
    run.hear({ kind: "end", seq: 1, now: now(), ops: [] });
    vi.advanceTimersByTime(2100);
    expect(note()).toContain("The saved file holds an earlier state");
  });

  it("says that there is no news, and asks", () => {
    vi.useFakeTimers();
    const { run, said, note } = started();
    vi.advanceTimersByTime(21_000);
    expect(note()).toContain("No news for 2");
    expect(said.at(-1)?.kind).toBe("resync");
    run.hear({ kind: "beat", seq: 0, now: now() });
    expect(note()).toBe("");
  });

  it("says that the kernel is gone", () => {
    const { run, note } = started();
    run.lost();
    expect(note()).toContain("The kernel is gone");
  });

  it("shows nothing at work when the kernel is gone", () => {
    vi.useFakeTimers();
    const { run, host } = started();
    const since = Date.now() / 1000;
    run.load(
      snapshot(1, [
        "section",
        { class: "rv" },
        [
          "p.status is-running#status",
          ["span.g#g", "◌"],
          ["strong.word#word", "Running"],
          ["span#clock", { since }],
          ["span#ctl", { live: true }, ["button", { act: "stop" }, "Stop"]],
        ],
        [
          "details.row is-running is-turning#c1",
          ["summary#head", ["span.s#s", "running"]],
          ["div.row is-done#in", ["div", ["span.s", "done"]]],
        ],
      ]),
    );
    vi.advanceTimersByTime(3000);
    run.lost();
    vi.advanceTimersByTime(9000);
    const drawn = host.shadowRoot?.querySelector("section");
    expect(drawn?.textContent).toBe("■Ended early3\u202fsstoppeddone");
    expect(drawn?.innerHTML).not.toMatch(/running|turning|button/);
  });

  it("does not say that the file is behind when another cell keeps the end", () => {
    vi.useFakeTimers();
    const { run, said, note } = started();
    run.hear({ kind: "end", seq: 1, now: now(), ops: [] });
    vi.advanceTimersByTime(2100);
    expect(note()).toContain("The saved file holds an earlier state");
    const again = document.createElement("div");
    again.innerHTML = '<section class="rv rv-run-x rv-done">static</section>';
    document.body.append(again);
    run.mount();
    expect([note(), again.shadowRoot?.querySelector(".rv-note")?.textContent]).toEqual(["", ""]);
    expect(said.filter((request) => request.kind === "ended").every((request) => !request.fileDone)).toBe(true);
  });

  it("says that the file is behind in a page that was opened after the end, too", () => {
    vi.useFakeTimers();
    const host = document.createElement("div");
    host.innerHTML = '<section class="rv rv-run-x rv-running">static</section>';
    document.body.replaceChildren(host);
    new LiveRun("x", "", { ...snapshot(1), ended: true }).mount();
    vi.advanceTimersByTime(2100);
    expect(host.shadowRoot?.querySelector(".rv-note")?.textContent).toContain("The saved file holds an earlier state");
  });

  it("says it when the run's place comes into the page long after the end", () => {
    vi.useFakeTimers();
    const { run, host, note } = started();
    const cell = document.createElement("div");
    host.remove(); // a cell far away, as windowed notebooks take it out
    run.hear({ kind: "end", seq: 1, now: now(), ops: [] });
    vi.advanceTimersByTime(2100);
    expect(note()).toBe("");
    cell.append(host);
    document.body.append(cell);
    run.mount();
    expect(note()).toContain("The saved file holds an earlier state");
  });

  it("repeats that there is no news only as often as it asks", () => {
    vi.useFakeTimers();
    const { note } = started();
    vi.advanceTimersByTime(39_000);
    expect(note()).toBe("No news for 20\u202fs.");
    vi.advanceTimersByTime(2_000);
    expect(note()).toBe("No news for 40\u202fs.");
  });

  it("draws a second place from the first", () => {
    const { run } = started();
    run.hear({ kind: "ops", seq: 1, now: now(), ops: [["append", [0, 0], "b"]] });
    const second = document.createElement("div");
    second.innerHTML = '<section class="rv rv-run-x rv-running">static</section>';
    document.body.append(second);
    run.mount();
    run.hear({ kind: "ops", seq: 2, now: now(), ops: [["append", [0, 0], "c"]] });
    expect(second.shadowRoot?.querySelector("section")?.textContent).toBe("abc");
  });

  it("moves its nodes when the host makes a new element", () => {
    const { run, host } = started();
    const section = host.shadowRoot?.querySelector("section");
    const next = document.createElement("div");
    next.innerHTML = '<section class="rv rv-run-x rv-running">static</section>';
    host.replaceWith(next);
    run.mount();
    expect(next.shadowRoot?.querySelector("section")).toBe(section);
  });

  it("says that a stop waits for the running cell", () => {
    vi.useFakeTimers();
    const { run, said, note } = started();
    run.stop();
    expect(said.at(-1)).toEqual({ kind: "stop" });
    vi.advanceTimersByTime(1000);
    expect(note()).toBe("");
    vi.advanceTimersByTime(1000);
    expect(note()).toContain("Stopping when the running cell lets it");
    run.hear({ kind: "ops", seq: 1, now: now(), ops: [["append", [0, 0], "b"]] }); // the run goes on: the stop was not heard
    run.hear({ kind: "beat", seq: 1, now: now(), asks: {} });
    expect(note()).toContain("Stopping when the running cell lets it");
    run.hear({ kind: "end", seq: 2, now: now(), ops: [] });
    expect(note()).toBe("");
  });
});

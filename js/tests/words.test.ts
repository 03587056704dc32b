import { describe, expect, it, vi } from "vitest";
import type { PackedElement } from "../src/contract";
import { LiveRun } from "../src/run";

const TREE: PackedElement = [
  "section",
  { class: "rv", height: 100 },
  ["p.status is-running#status", ["strong.word", "1"], ["span", { since: 0 }]],
  ["div.block#c", { copy: true }, ["code", "2"]],
];
/** Another language, in which every word is the same. */
const labels = new Proxy({}, { get: () => "◆", getOwnPropertyDescriptor: () => ({ configurable: true, value: "◆" }) });

function started(): { run: LiveRun; shadow: () => ShadowRoot } {
  const host = document.createElement("div");
  host.append(Object.assign(document.createElement("section"), { className: "rv rv-run-w rv-running" }));
  document.body.replaceChildren(host);
  const run = new LiveRun("w", "", { seq: 0, now: Date.now() / 1000, tree: TREE, ended: false, labels });
  run.mount();
  return { run, shadow: () => host.shadowRoot as ShadowRoot };
}

/** All that a reader sees or hears of the view. */
function told(shadow: ShadowRoot): string {
  const attributes = [...shadow.querySelectorAll("*")].flatMap((element) =>
    ["aria-label", "placeholder", "title"].map((name) => element.getAttribute(name) ?? ""),
  );
  return [shadow.textContent, ...attributes].join(" ");
}

describe("the page's own words", () => {
  it("are those of the labels, in whatever state the run is", () => {
    vi.useFakeTimers();
    const { run, shadow } = started();
    const key = (name: string) =>
      shadow()
        .querySelector("section")
        ?.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    key("?");
    key("/");
    run.stop();
    vi.advanceTimersByTime(2_000);
    expect(told(shadow())).toContain("◆");
    expect(told(shadow())).not.toMatch(/[a-z]/i);
    vi.advanceTimersByTime(30_000);
    expect(told(shadow())).not.toMatch(/[a-z]/i);
    run.lost();
    expect(told(shadow())).not.toMatch(/[a-z]/i);
    vi.useRealTimers();
  });

  it("are English where there is no label", () => {
    const { run, shadow } = started();
    run.close();
    const plain = new LiveRun("w", "", { seq: 0, now: 0, tree: TREE, ended: false, labels: { "Ended early": "Zu früh" } });
    const host = document.createElement("div");
    plain.draw(host);
    plain.lost();
    expect(told(host.shadowRoot as ShadowRoot)).toContain("Zu früh");
    expect(told(host.shadowRoot as ShadowRoot)).toContain("The kernel is gone");
    expect(shadow()).not.toBeNull();
  });
});

/**
 * The page's half for the attack harness: loads the built widget, stands in for anywidget's model, and lays the static output
 * under it as a notebook would. The kernel's half is `bridge.py`, reached through `window.__bridge`.
 */

import widget from "/static/widget.js";

/** Everything that was made by `createElement` since the page was loaded: what is not among it came out of a parser. */
const made = new WeakSet();
for (const name of ["createElement", "createElementNS"]) {
  const make = document[name].bind(document);
  document[name] = (...given) => {
    const element = make(...given);
    made.add(element);
    return element;
  };
}

const EACH = 500;
const PAUSE = 1000 / 30;
const MATHML = "http://www.w3.org/1998/Math/MathML";
let runs = 0;

/** What anywidget's model does for the widget, and no more. */
function standIn(state) {
  const listeners = new Map();
  return {
    get: (name) => state[name],
    set(name, value) {
      state[name] = value;
    },
    send() {},
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
    emit(event, content) {
      for (const listener of listeners.get(event) ?? []) listener(content);
    },
  };
}

const bridge = async (what, key, event) => JSON.parse(await window.__bridge(what, key, event));

window.__adapter = {
  name: "runview",
  async setup() {
    await this.mount(document.createElement("div")); // the style sheet goes into the document, once
  },
  async mount(root) {
    const key = String(++runs);
    const first = await bridge("open", key);
    const host = document.createElement("div");
    const under = document.createElement("section");
    under.className = `rv rv-run-${first.run} rv-running`;
    host.append(under);
    root.append(host);
    const model = standIn(first);
    const over = new AbortController();
    widget.initialize({ model, signal: over.signal });
    const hear = (messages) => {
      for (const message of messages) model.emit("msg:custom", message);
    };
    // Each event goes over by itself, so that every prefix is seen; from some hundreds on, as many as come between two flushes.
    let fed = 0;
    let last = 0;
    let waiting = [];
    const send = async () => {
      const events = waiting;
      waiting = [];
      last = performance.now();
      hear(await bridge("feed", key, JSON.stringify(events)));
    };
    return {
      async feed(event) {
        waiting.push(event);
        if (++fed <= EACH || performance.now() - last >= PAUSE) await send();
      },
      async end() {
        if (waiting.length) await send();
        hear(await bridge("end", key));
      },
      destroy: () => over.abort(),
      // What is around the run's section (host, find, notes) is ours; in it controls, formulas and roles, which nothing in a
      // stream can name. All else is judged.
      isOwn(element) {
        if (element === host || element === under) return true;
        if (!made.has(element)) {
          window.__rec("forbidden-element", `${element.localName} was not made by the page script`);
          return false;
        }
        const ours = element.localName === "button" || element.namespaceURI === MATHML || element.hasAttribute("role");
        return ours || element.closest("section") === null;
      },
    };
  },
};

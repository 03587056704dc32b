// Bundles the page's script and its style sheet into the directory that is named: `node build.mjs OUT`.
//
// Out come `widget.js`, `exported.js` (the script of exported pages), `styles.css` (all of the sheet, for the live view) and
// `saved.css` (the sheet up to its marker comment, for what is written into files). `hatch_build.py` calls this when the sources
// have changed.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const LIVE_ONLY = /\/\*[^*]*\bonly while live\b[^*]*\*\//;

/** Custom properties that the drawing or the script sets on an element. */
const GIVEN = new Set(["--rv-max", "--rv-at", "--rv-long"]);

const out = process.argv[2];
if (!out) throw new Error("usage: node build.mjs OUT");
const here = fileURLToPath(new URL(".", import.meta.url));
await mkdir(out, { recursive: true });

/**
 * Names of our own that mean nothing to a browser, and of which no message and no text speaks: they may be shortened. Not listed
 * are those that any page has (`close`, `find`, `next` …), and what scripts of another version may ask of a run (`mount.ts`).
 */
const OURS = `announcer around asked attributes canAsk cameFrom choose citations clockOffset clocks copyAnswer expectFile filler follow freeze
  gather give goneSince heardAt hits isCopying isHeld isKept isLate isLooking isNearEnd isOpened isStopping kids
  lastNews loadTree loose moveTo note observer offset ours outputs owner pages pinned press quietUntil questions reach refill
  report reported roll scrollBack scrolled scrollers settle showNote shown silence sourceOf citationOf stopClocks stopping stops
  built chosen crumb drill visit watch clock forget inner isAtEnd isIn isOpen isResting isUnheard keep light look told toEnd
  acts focused help lit listen markers need offer sweep turn quietFor pass raw timer unheard refuse expect answered
  tail tell toggleHelp toggles touched unseen views wanted wasAway words`.split(/\s+/);

/** Refuses a build in which a shortened name would reach somebody who knows it by its whole. */
async function checkNames() {
  const files = (await readdir(join(here, "src"), { recursive: true })).filter((name) => name.endsWith(".ts"));
  const code = (await Promise.all(files.map((name) => readFile(join(here, "src", name), "utf8")))).join("\n");
  const messages = await readFile(join(here, "src/contract.ts"), "utf8");
  const taken = OURS.filter((name) => new RegExp(`\\b${name}\\b`).test(messages.replace(/\/\*[^]*?\*\//g, "")) || code.includes(`"${name}"`));
  if (taken.length) throw new Error(`build.mjs shortens names that others know: ${taken.join(", ")}`);
}

/** The lists of names in contract.ts, each as one text: a third of its size. */
const lists = {
  name: "lists",
  setup({ onLoad }) {
    onLoad({ filter: /contract\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const packed = text.replace(/= \[([\s",\w-]+)\] as const/g, (_all, inside) => `= /* @__PURE__ */ ${JSON.stringify(inside.match(/[\w-]+/g).join(" "))}.split(" ")`);
      return { contents: packed, loader: "ts" };
    });
  },
};

await checkNames();
for (const [name, format] of [
  ["widget", "esm"],
  ["exported", "iife"],
]) {
  await build({
    entryPoints: [join(here, `src/${name}.ts`)],
    outfile: join(out, `${name}.js`),
    bundle: true,
    minify: true,
    mangleProps: new RegExp(`^(?:${OURS.join("|")})$`),
    plugins: [lists],
    format,
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
}

const sheet = await readFile(join(here, "src/styles.css"), "utf8");
const [saved, live] = sheet.split(LIVE_ONLY);
if (live === undefined) throw new Error("styles.css has no /* … only while live … */ comment: what of it is saved?");
const names = [...new Set(sheet.match(/--rv-[a-z-]+/g))].filter((name) => !GIVEN.has(name));
for (const [name, css] of [
  ["styles.css", sheet],
  ["saved.css", saved],
]) {
  const { code } = await transform(css, { loader: "css", minify: true, charset: "utf8", legalComments: "none" });
  await writeFile(join(out, name), shorter(code.trim()) + "\n");
}

/** The sheet goes into every saved output, and a fifth of it is the names of its custom properties. */
function shorter(css) {
  const named = css.replace(/--rv-[a-z-]+/g, (name) => (GIVEN.has(name) ? name : `--rv${names.indexOf(name).toString(36)}`));
  return named.replace(/(--rv\w+): /g, "$1:").replace(/, /g, ",").replace(/ \/ /g, "/"); // spaces that esbuild leaves in values
}

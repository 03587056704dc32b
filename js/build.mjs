// Bundles the page's script and its style sheet into the directory that is named: `node build.mjs OUT`.
//
// Out come `widget.js`, `exported.js` (the script of exported pages), `styles.css` (all of the sheet, for the live view) and
// `saved.css` (the sheet up to its marker comment, for what is written into files). `hatch_build.py` calls this when the sources
// have changed.
import { mkdir, readFile, writeFile } from "node:fs/promises";
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

for (const [name, format] of [
  ["widget", "esm"],
  ["exported", "iife"],
]) {
  await build({
    entryPoints: [join(here, `src/${name}.ts`)],
    outfile: join(out, `${name}.js`),
    bundle: true,
    minify: true,
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
  return named.replace(/(--rv\w+): /g, "$1:");
}

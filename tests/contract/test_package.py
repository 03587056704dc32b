"""What is shipped, and what must never be in the repository."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]

STATIC = {f"runview/static/{name}" for name in ("widget.js", "exported.js", "styles.css", "saved.css")}

HOME = re.compile(r"(?<![\w.~/-])/(?:home|root|Users|work|farm|opt)/\w")
REGISTRIES = re.compile(
    "|".join(("registry" + r"\.npmjs", "registry" + r"\.yarnpkg", "files" + r"\.pythonhosted", "pypi" + r"\.org/simple"))
)


def tracked(*patterns: str) -> list[Path]:
    names = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def hatch_build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hatchling(at: Path, *targets: str, out: Path, path: str | None = None) -> None:
    env = {**os.environ, "PATH": os.environ["PATH"] if path is None else path}
    command = [sys.executable, "-m", "hatchling", "build", *targets, "-d", str(out)]
    done = subprocess.run(command, cwd=at, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    hatchling(ROOT, "-t", "sdist", "-t", "wheel", out=out)
    return out


@pytest.mark.timeout(120)
def test_the_wheel_holds_the_package_and_the_bundle(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
        sizes = {name: wheel.getinfo(name).file_size for name in STATIC}
    assert names >= STATIC | {"runview/__init__.py", "runview/py.typed"}
    assert {Path(name).parts[0] for name in names} == {
        "runview",
        next(name for name in names if name.endswith("/METADATA")).split("/")[0],
    }
    assert not [name for name in names if name.endswith((".hash", ".ts", ".map", ".pyc"))]
    assert all(sizes.values())
    assert sizes["runview/static/widget.js"] <= 40_000
    assert sizes["runview/static/styles.css"] <= 16_000
    assert sizes["runview/static/saved.css"] <= 14_000


@pytest.mark.timeout(120)
def test_the_sdist_builds_with_no_node(built: Path, tmp_path: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        sdist.extractall(tmp_path, filter="data")
    (root,) = tmp_path.iterdir()
    assert not list(root.rglob("node_modules"))
    assert (root / "js" / "src" / "widget.ts").is_file()
    hatchling(root, "-t", "wheel", out=tmp_path, path=str(tmp_path))
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        assert set(wheel.namelist()) >= STATIC


def test_the_bundle_is_built_again_when_a_source_changes(hatch_build: ModuleType, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "js", tmp_path / "js", ignore=shutil.ignore_patterns("node_modules"))
    static = tmp_path / "src" / "runview" / "static"
    static.mkdir(parents=True)
    assert not hatch_build.is_current(tmp_path)
    for name in STATIC:
        (static / Path(name).name).write_text("x")
    (static / ".hash").write_text(hatch_build.fingerprint(tmp_path / "js") + "\n")
    assert hatch_build.is_current(tmp_path)
    with (tmp_path / "js" / "src" / "widget.ts").open("a") as file:
        file.write("\n")
    assert not hatch_build.is_current(tmp_path)


def test_nothing_names_a_machine_or_a_registry() -> None:
    found = []
    for path in tracked():
        if path.suffix in {".png", ".ico", ".gz"}:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if HOME.search(line) or REGISTRIES.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}")
    assert found == []


def test_the_lock_names_no_address() -> None:
    lock = json.loads((ROOT / "js" / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"]
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []


def test_notebooks_are_committed_without_outputs() -> None:
    notebooks = tracked("*.ipynb")
    assert notebooks
    for path in notebooks:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        assert [cell for cell in code if cell["outputs"] or cell["execution_count"]] == [], path
        assert "widgets" not in notebook["metadata"], path

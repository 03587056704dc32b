"""A run as a file of its own: a page, a Markdown document, its transcript, or its chunks."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

from runview.chunks.json_text import encode
from runview.draw.answer import answer
from runview.draw.covered import Covered
from runview.draw.html import to_html
from runview.draw.markdown_form import markdown
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.run.log import ChunkLog

__all__ = ["as_html", "as_jsonl", "as_markdown", "as_text"]

_STATIC: Final = Path(__file__).parent.parent / "static"
_AROUND: Final = "body{margin:0;padding:16px 24px;background:light-dark(#fff,#181818)}"


def as_html(drawing: RunDrawing, now: float, *, whole: bool = False) -> str:
    """A page with everything in it: the saved form, its sheet, and a script for keys, finding and copying.

    It asks for nothing, and its policy forbids it to. `whole` takes large pictures in as well.
    """
    tree = drawing.tree(now, saved=True, whole=whole)
    script = _static("exported.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    labels = json.dumps(drawing.labels).replace("<", "\\u003c")
    title = escape(str(tree.attrs.get("aria-label", "")))
    return (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{_AROUND}{_static('styles.css')}</style></head>\n"
        f'<body class="rv-host"><main class="rv-live">{to_html(tree, style=False)}</main>\n'
        f'<textarea class="rv-source" hidden readonly>\n{escape(answer(drawing.run))}</textarea>'
        f'<script type="application/json">{labels}</script><script>{script}</script></body></html>\n'
    )


def as_markdown(drawing: RunDrawing, now: float) -> str:
    """The answer as it came, and the work around it as a list."""
    return markdown(drawing.text(now))


def as_text(drawing: RunDrawing, now: float) -> str:
    """The transcript."""
    return written(drawing.text(now))


def as_jsonl(log: ChunkLog, *, secrets: bool = False) -> Iterator[str]:
    """The lines of a recording. Without `secrets`, what stays in the kernel otherwise stays out of it, too."""
    covered = None if secrets else Covered(log)
    begun = log.times[0] if len(log) else 0.0
    for number in range(len(log)):
        chunk: Any = log[number] if covered is None else covered.chunk(number)
        yield encode({"t": round(max(0.0, log.times[number] - begun), 4), "chunk": chunk}) + "\n"


def _static(name: str) -> str:
    return (_STATIC / name).read_text("utf-8").strip()

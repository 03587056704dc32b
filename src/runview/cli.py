"""The command line: `runview inspect`, `render`, `record` and `demo`."""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

from runview.chunks.json_text import decode, encode
from runview.commands import Unreadable, record_to, render
from runview.draw.look import Look
from runview.run.inspect import inspect
from runview.run.reduce import finish, new_run, reduce
from runview.sources.framing import FORMATS
from runview.sources.items import Items
from runview.sources.recorded import read_recording, replay

__all__ = ["main"]

DEMO = Path(__file__).parent / "demo.jsonl"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, where argparse would print the usage as well."""
        raise Unreadable(f"{message}; `{self.prog} --help` tells more")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; the arguments are the process's own unless they are given.

    Returns the exit code: 0 whenever the input could be read, whatever became of the run in it; 2 with one line on standard
    error when it could not.
    """
    try:
        options = _parser().parse_args(argv)
        return int(options.command(options))
    except Unreadable as error:
        print(f"runview: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader (`head`, say) has seen enough; what Python would flush at its exit has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="runview", description="Shows AI agents' runs.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    inspecting = commands.add_parser("inspect", help="print a recorded run as one JSON object")
    inspecting.add_argument(
        "run", metavar="RUN", help="JSON Lines of chunks, raw server-sent events, or records; - is standard input"
    )
    inspecting.add_argument("--schema", metavar="SCHEMA.json", help="JSON Schema of the structured output")
    inspecting.add_argument("--format", choices=FORMATS, default="auto", help="form of the recording (default: found out)")
    inspecting.add_argument("--no-streams", action="store_true", help="leave out what the text, object and element streams yield")
    inspecting.set_defaults(command=_inspect)

    rendering = commands.add_parser("render", help="draw a recorded run into a file: a page, a Markdown document or a transcript")
    rendering.add_argument("run", metavar="RUN", help="as for inspect")
    rendering.add_argument("-o", dest="out", metavar="FILE", required=True, help="FILE.html, FILE.md or FILE.txt")
    rendering.add_argument("--title", help="name of the run in its status line")
    rendering.add_argument("--full", action="store_true", help="show every step, time and row")
    rendering.add_argument("--format", choices=FORMATS, default="auto", help="form of the recording (default: found out)")
    rendering.set_defaults(command=_render)

    recording = commands.add_parser("record", help="write down what a server streams, to be shown again")
    recording.add_argument("source", metavar="URL", help="address that streams events or lines; - is standard input")
    recording.add_argument("-o", dest="out", metavar="FILE", required=True, help="the recording: JSON Lines with times")
    recording.add_argument("--json", metavar="JSON", help="what is sent, by POST; @FILE takes it from a file")
    recording.add_argument("--header", action="append", default=[], type=_header, help="as 'Name: value', any number of times")
    recording.set_defaults(command=_record)

    playing = commands.add_parser("demo", help="play a recorded run in this terminal")
    playing.add_argument("--speed", type=_speed, default=1.0, help="how many times faster than it was (default: 1)")
    playing.set_defaults(command=_demo)
    return parser


def _inspect(options: argparse.Namespace) -> int:
    run = new_run()
    if options.schema is not None:
        try:
            run = new_run(_schema(options.schema))
        except (TypeError, ValueError) as error:
            raise Unreadable(f"{options.schema}: {_line(error)}") from error
    items = Items()
    try:
        for value in read_recording(sys.stdin.buffer.read() if options.run == "-" else options.run, options.format):
            for item in items.take(value):
                reduce(run, item, time.time())
    except OSError as error:
        raise Unreadable(f"{options.run}: {error.strerror or error}") from error
    for item in items.end():
        reduce(run, item, time.time())
    finish(run, time.time())
    sys.stdout.buffer.write(encode(inspect(run, streams=not options.no_streams)).encode() + b"\n")
    sys.stdout.buffer.flush()
    return 0


def _render(options: argparse.Namespace) -> int:
    render(options.run, options.out, Look(title=options.title, density="full" if options.full else "compact"), options.format)
    return 0


def _record(options: argparse.Namespace) -> int:
    if options.source == "-" and (options.json is not None or options.header):
        raise Unreadable("--json and --header are for an address")
    said = record_to(options.source, options.out, json=options.json, headers=dict(options.header))
    print(f"runview: {said}", file=sys.stderr)
    return 0


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip() or not text.isprintable():
        raise argparse.ArgumentTypeError("a header is 'Name: value'")
    return name.strip(), value.strip()


def _schema(path: str) -> dict[str, Any]:
    try:
        schema = decode(Path(path).read_bytes())
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from error
    if not isinstance(schema, dict):
        raise TypeError("a JSON Schema is an object")
    return cast("dict[str, Any]", schema)


def _demo(options: argparse.Namespace) -> int:
    from runview.view.stream_view import stream_view

    stream_view(replay(DEMO, speed=options.speed)).print()
    return 0


def _speed(text: str) -> float:
    speed = float(text)
    if not 0 < speed <= math.inf:
        raise argparse.ArgumentTypeError("a number above 0")
    return speed


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


if __name__ == "__main__":
    sys.exit(main())

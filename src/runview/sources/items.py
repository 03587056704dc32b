"""From the items of a source to chunks in wire form.

A source may yield chunks (dicts and models), events of any SDK that `foreign/` knows, JSON text, bytes of a response as they come
from the network, and plain text. Which it is, its class or its first items tell; from then on chunks pass as they are, and events
go through the reader of their family. Of text a run is made that says it, of what nothing recognises one that shows it, with
an object when each item is the one before grown further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast

from runview.chunks.json_text import decode
from runview.chunks.wire import HasWire, Wire, is_note, is_wire, note, to_wire
from runview.sources.body import Body, is_line
from runview.sources.detect import family_of_event, family_of_stream, is_chunk, names
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import class_names, is_a, plain
from runview.sources.foreign.reader import Family, Reader
from runview.sources.foreign.snapshots import Snapshots
from runview.sources.foreign.tripwires import tripwire_of, words_of

__all__ = ["Items"]

_NOTHING: Final = "The stream ended without giving anything: was it read before? Most streams can be read only once."
_CLIENT_GONE: Final = "The stream does not keep its client alive: hold the client in a variable while the stream is read."


class Items:
    """Turns one source's items into chunks, in order.

    `layers` is what was opened, the outermost first; `family` what its events are, where the user says so.
    """

    def __init__(self, layers: Sequence[object] = (), family: Family | None = None, *, chunks_only: bool = False) -> None:
        self._layers = layers
        self._chunks = chunks_only
        self._reader: Reader | None = None
        self.family: Family | None = None
        """The family whose reader reads, once that is known."""
        family = family or (None if chunks_only else family_of_stream(layers))
        if family is not None:
            self.family, self._reader = family, family.reader(layers)
        self._frames: Body | None = None
        self._texts = 0
        self._text_open = False
        self._begun = False
        """A run was begun for what is shown as it is."""
        self._others = False
        """Something came that tells its run itself."""
        self._hinted = False
        self._snapshots = Snapshots()
        self._empty = True

    def take(self, item: object) -> Iterable[Any]:
        """The chunks that an item is or completes."""
        if self._chunks and is_wire(item) and not self._text_open:
            return (item,)
        self._empty = False
        if isinstance(item, str):
            if self._frames is not None or (not self._text_open and self._reader is None and is_line(item)):
                return self._bytes((item if "\n" in item else f"{item}\n").encode("utf-8", "surrogatepass"))
            wire = _object_in(item)
            return self._text(item) if wire is None or not self._known(wire) else self._value(wire)
        if isinstance(item, (bytes, bytearray)):
            return self._bytes(bytes(item))
        return self._value(item)

    def end(self) -> Iterable[Any]:
        """What a normal end adds: the rest of a frame, the end of the text, and of the run where such streams tell none."""
        if self._frames is not None:
            for value in self._frames.end():
                yield from self._value(value)
        yield from self._end_of_text()
        if self._reader is not None:
            yield from self._told(self._reader.end)
        elif self._begun and not self._others:
            if (snapshot := self._snapshots.object) is not None:
                yield chunks.object_result(snapshot)
            yield chunks.finish()
        if self._empty and not self._chunks and _is_read_once(self._layers):
            yield note(_NOTHING)

    def fail(self, error: BaseException) -> list[Wire]:
        """What comes before an exception of the source; a tripwire in it takes its place."""
        told: list[Wire] = []
        if (reader := self._reader) is not None:
            told = self._told(lambda: reader.fail(error))
        if "client has been closed" in words_of(error) or type(error).__name__ == "StreamClosed":
            told.append(note(_CLIENT_GONE))
        if (tripwire := tripwire_of(error)) is not None and not any(wire.get("type") == "tripwire" for wire in told):
            told.append(tripwire)
        return told

    def _value(self, item: Any) -> Iterable[Any]:
        if is_note(item):
            return (item,)
        if self._reader is None and not self._chunks:
            self._decide(item)
        if (reader := self._reader) is not None:
            return (*self._end_of_text(), *self._told(lambda: reader.read(item)))
        if isinstance(item, (HasWire, Mapping)):
            wire = to_wire(cast("object", item))
            if self._chunks or type(wire.get("type")) is str:
                self._others = True
                return (*self._end_of_text(), wire)
        return (cast("object", item),) if self._chunks else self._row(cast("object", item))

    def _decide(self, item: object) -> None:
        """Whether the stream is one of chunks, or which family reads it."""
        if isinstance(item, HasWire) or (is_wire(item) and is_chunk(item)):
            self._chunks = True
        elif (family := family_of_event(item)) is not None:
            self.family, self._reader = family, family.reader(self._layers)

    def _known(self, wire: Wire) -> bool:
        """Whether a JSON text is a chunk or an event; any other is text that a model may well have said."""
        return self._reader is not None or type(wire.get("type")) is str or family_of_event(wire) is not None

    def _told(self, read: Callable[[], Iterable[Wire]]) -> list[Any]:
        """What a reader gives. It should never raise; where it does, the stream goes on."""
        try:
            return list(read())
        except Exception as error:
            return [note(f"An event could not be read: {type(error).__name__}: {error}"[:300])]

    # What is shown as it is

    def _text(self, text: str) -> Iterable[Any]:
        if (reader := self._reader) is not None:
            return self._told(lambda: reader.read(text))
        if self._text_open:
            return (chunks.text_delta(f"text-{self._texts}", text),)
        begin = self._begin()
        self._text_open = True
        self._texts += 1
        return (*begin, chunks.text_start(f"text-{self._texts}"), chunks.text_delta(f"text-{self._texts}", text))

    def _end_of_text(self) -> tuple[Wire, ...]:
        if not self._text_open:
            return ()
        self._text_open = False
        return (chunks.text_end(f"text-{self._texts}"),)

    def _row(self, item: object) -> Iterable[Any]:
        told = (*self._end_of_text(), *self._begin())
        hint: tuple[Wire, ...] = ()
        if not self._hinted:
            self._hinted = True
            what = next(iter(class_names(item)), "?")
            words = f"Nothing is known about items like {what}, so they are shown as they are; source= may tell"
            hint = (note(f"{words}: {', '.join(names())}"),)
        value = plain(item)
        self._snapshots.add(value)
        return (*told, *hint, chunks.data("item", value))

    def _begin(self) -> tuple[Wire, ...]:
        if self._begun or self._others:
            return ()
        self._begun = True
        return (chunks.start(),)

    def _bytes(self, piece: bytes) -> Iterable[Any]:
        if self._frames is None:
            if (wire := _object_in(piece)) is not None and self._known(wire):
                return self._value(wire)
            self._frames = Body()
        return [wire for value in self._frames.feed(piece) for wire in self._value(value)]


def _is_read_once(layers: Sequence[object]) -> bool:
    """Whether it was an iterator of somebody else's: one that was read before gives nothing."""
    return bool(layers) and not isinstance(layers[-1], (list, tuple, str, bytes)) and not is_a(layers[-1], "runview.")


def _object_in(text: str | bytes) -> Wire | None:
    """The object whose JSON a text is; None for any other text."""
    brace = "{" if isinstance(text, str) else b"{"
    if not text.lstrip().startswith(brace):  # type: ignore[arg-type]
        return None
    try:
        value = decode(text)
    except ValueError:
        return None
    return value if is_wire(value) else None

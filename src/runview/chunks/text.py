"""What an agent says: text, reasoning, and the sources and files that come with them."""

from __future__ import annotations

from typing import Any, Literal

from runview.chunks.base import Chunk, Object, Payload, Text

__all__ = [
    "CustomChunk", "CustomPayload", "FileChunk", "FilePayload", "ReasoningDeltaChunk", "ReasoningEndChunk", "ReasoningFileChunk",
    "ReasoningSignatureChunk", "ReasoningSignaturePayload", "ReasoningStartChunk", "RedactedReasoningChunk",
    "RedactedReasoningPayload", "SourceChunk", "SourcePayload", "TextDeltaChunk", "TextEndChunk", "TextMarkPayload",
    "TextPayload", "TextStartChunk",
]  # fmt: skip


class TextMarkPayload(Payload):
    """The beginning or the end of one block of text or reasoning."""

    id: Text
    """The block; an id may come back in a later step and then means a new block."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider; of reasoning: its signature, or the data of hidden reasoning."""
    signature: Text | None = None
    """The provider's proof that the reasoning is its own; some providers send it with the start or end."""


class TextPayload(Payload):
    """A piece of a block."""

    id: Text
    """The block it belongs to."""
    text: Text
    """What comes next. It may end or begin with half a surrogate pair; the other half is in the neighbouring piece."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""


class TextStartChunk(Chunk):
    """The model begins a block of text."""

    type: Literal["text-start"] = "text-start"
    payload: TextMarkPayload


class TextDeltaChunk(Chunk):
    """The next piece of a block of text."""

    type: Literal["text-delta"] = "text-delta"
    payload: TextPayload


class TextEndChunk(Chunk):
    """The block of text is whole."""

    type: Literal["text-end"] = "text-end"
    payload: TextMarkPayload


class ReasoningStartChunk(Chunk):
    """The model begins to think aloud."""

    type: Literal["reasoning-start"] = "reasoning-start"
    payload: TextMarkPayload


class ReasoningDeltaChunk(Chunk):
    """The next piece of reasoning."""

    type: Literal["reasoning-delta"] = "reasoning-delta"
    payload: TextPayload


class ReasoningEndChunk(Chunk):
    """The block of reasoning is whole."""

    type: Literal["reasoning-end"] = "reasoning-end"
    payload: TextMarkPayload


class ReasoningSignaturePayload(Payload):
    """The proof that belongs to a block of reasoning."""

    id: Text
    """The block of reasoning."""
    signature: Text
    """The provider's proof, to be sent back to it unchanged."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""


class ReasoningSignatureChunk(Chunk):
    """The provider signs a block of reasoning."""

    type: Literal["reasoning-signature"] = "reasoning-signature"
    payload: ReasoningSignaturePayload


class RedactedReasoningPayload(Payload):
    """Reasoning that the provider hides."""

    id: Text
    """The block of reasoning."""
    data: Any = None
    """The hidden reasoning, encrypted; opaque to everyone but the provider."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""


class RedactedReasoningChunk(Chunk):
    """The model thought something that the provider does not show."""

    type: Literal["redacted-reasoning"] = "redacted-reasoning"
    payload: RedactedReasoningPayload


class FilePayload(Payload):
    """A file that the model made."""

    data: Any
    """The content: base64, a data: or other URL, or bytes (in JSON an object of numbers by index)."""
    base64: Text | None = None
    """The same content as base64, when `data` is text that is no URL."""
    mime_type: Text
    """The kind of content, such as image/png."""
    filename: Text | None = None
    """A name for it, if there is one."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""


class ReasoningFileChunk(Chunk):
    """A file that belongs to the reasoning, not to the answer."""

    type: Literal["reasoning-file"] = "reasoning-file"
    payload: FilePayload


class FileChunk(Chunk):
    """A file that is part of the answer."""

    type: Literal["file"] = "file"
    payload: FilePayload


class SourcePayload(Payload):
    """Something that the answer rests on."""

    id: Text
    """The source's id, from the provider."""
    source_type: Text
    """`url` or `document`."""
    title: Text | None = None
    """What to call it; empty when the provider gives no title."""
    url: Text | None = None
    """Where it is; of a `url` source."""
    mime_type: Text | None = None
    """The kind of document; of a `document` source."""
    filename: Text | None = None
    """The document's file; of a `document` source."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""


class SourceChunk(Chunk):
    """The model names a source."""

    type: Literal["source"] = "source"
    payload: SourcePayload


class CustomPayload(Payload):
    """A part that only one provider has."""

    kind: Text
    """What it is, as `provider.type`."""
    provider_metadata: Object | None = None
    """Its content, by provider."""


class CustomChunk(Chunk):
    """A part of the model's answer that the protocol has no type for."""

    type: Literal["custom"] = "custom"
    payload: CustomPayload

"""Streams for Hypothesis: chunks of every type, whose fields are right, wrong, missing, or chunks themselves."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from runview.run.reduce import FAMILIES, HANDLERS

__all__ = ["FIELDS", "TYPES", "chunks", "json_values", "streams"]

FIELDS = """
    id text toolCallId toolName argsTextDelta args result error isError output usage stepResult reason retry metadata processorId
    taskId taskIds payload status stepName suspendPayload resumeSchema approval data mimeType filename base64 object iteration
    pending shouldContinue workflowStatus finalWorkflowResult agentId workflowId networkId providerMetadata request warnings
    tripwire steps response title providerExecuted message name
""".split()
TYPES = [*HANDLERS, *(prefix + word for prefix, _ in FAMILIES for word in ("start", "end", "event-text-delta", "finish", "x"))]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["c1", "t", "stop", "retry"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)
ids = st.sampled_from(["a", "b"])


def chunks_around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Chunks of every type, whose fields are right, wrong, missing, or chunks themselves."""
    payload = st.dictionaries(st.sampled_from(FIELDS), json_values | inner, max_size=5)
    likely = st.fixed_dictionaries(
        {"toolCallId": ids, "taskId": ids, "id": ids, "stepName": ids, "agentId": ids, "toolName": ids},
        optional={
            "text": st.text(max_size=4), "argsTextDelta": st.text(max_size=4), "output": inner | json_values, "payload": inner,
            "stepResult": st.fixed_dictionaries({"reason": st.sampled_from(["stop", "retry", "tripwire", "error", "suspended"])}),
            "retry": st.booleans(), "status": st.sampled_from(["running", "suspended", "success", "failed"]),
        },
    )  # fmt: skip
    return st.fixed_dictionaries(
        {"type": st.sampled_from(TYPES)},
        optional={
            "payload": payload | likely | json_values,
            "runId": ids | json_values,
            "from": st.sampled_from(["AGENT", "USER", "WORKFLOW", "NETWORK"]) | json_values,
            "object": json_values,
            "data": json_values,
        },
    )


chunks = st.recursive(chunks_around(json_values), chunks_around, max_leaves=3)
streams = st.lists(chunks | json_values, max_size=12)

"""Chunks into what others read: the parts of the AI SDK's UI message stream, and the messages that they add up to.

`converter.py` turns one chunk after the other into parts, with no I/O; it finds out what runs (an agent, a workflow, a network)
and has a room for each: `agent.py` (with `tools.py`), `workflow.py`, `network.py`. What a call of a tool tells about the run
inside it becomes snapshots: `subagents.py`, and again `workflow.py` and `network.py`. `messages.py` folds parts into messages,
and `stream.py` is the way in for users, which opens their source.

The chunks say how things are, so every converter is total: any value in any place gives parts, or none, and never raises.
"""

"""Every kind of part in every state that it can be seen in, as runs with fixed times: what the tests of looks look at."""

from __future__ import annotations

from runview.draw.look import Look
from tests.browser.look import long_scenes
from tests.browser.look.story import Story

__all__ = ["SCENES"]

ANSWER = """The tidal range at Bristol is among the largest in the world, second only to the Bay of Fundy. At mean
springs it reaches **12.2 m**; at mean neaps it is about **6.0 m**.

## Why it is so large

The Severn estuary is shaped like a funnel, and its length is close to a quarter of the wavelength of the tide. Two things follow:

- the incoming wave is *squeezed* into a narrowing channel, so it rises;
- the basin is near resonance with the $M_2$ tide, with a period of 12 h 25 min.
  - the resonance is broad, so storms move it little

### The two figures

| Station | Springs, m | Neaps, m |
|---|---:|---:|
| Avonmouth | 12.2 | 6.0 |
| Hinkley Point | 10.7 | 4.9 |

The height at any time is a sum of harmonics:

$$h(t) = Z_0 + \\sum_{i=1}^{n} A_i \\cos(\\omega_i t + \\varphi_i)$$

```python
def height(t, mean, parts):
    \"\"\"Height in metres above chart datum at hour t.\"\"\"
    return mean + sum(a * cos(w * t + phase) for a, w, phase in parts)  # one constituent each
```

> Mean values are averages over a nodal cycle of 18.6 years.

1. Use `height()` only for planning.
2. For navigation take the port's own table.
"""

THOUGHT = "The gauge at Avonmouth is closer than the one at Hinkley Point. It should be the reference for both figures."


def running() -> Story:
    """A run in its course: work above, the answer being written."""
    story = Story(over=False).start("research-agent").think(THOUGHT, 6)
    story.used("c1", "search_web", {"query": "tidal range Bristol"}, [{"title": f"Tides {n}"} for n in range(5)], 1.2)
    story.failed("c2", "fetch_page", {"url": "https://ntslf.org/tides/bris", "timeout": 10}, {"message": "404 Not Found"})
    story.call("c3", "lookup_station", {"name": "Avonmouth"}).wait(4)
    return story.write("The tidal range at Bristol is among the **largest in the wor", ends=False)


def thinking() -> Story:
    return Story(over=False).start("research-agent").think(THOUGHT, 2, ends=False)


def waiting() -> Story:
    return Story(over=False).wait(3)


def answered() -> Story:
    story = Story().start("research-agent").think(THOUGHT, 6)
    story.used("c1", "search_web", {"query": "tidal range Bristol"}, [{"title": f"Tides {n}"} for n in range(5)], 1.2)
    story.used("c2", "fetch_page", {"url": "https://noc.ac.uk/severn"}, "Mean spring range at Avonmouth is 12.2 m.", 2.1)
    for title, url in (("Tides in the Severn estuary", "https://noc.ac.uk/severn"), ("Avonmouth gauge", "https://ntslf.org/a")):
        story.tell("source", id=url, sourceType="url", title=title, url=url)
    return story.write(ANSWER).wait(8).finish()


def tools() -> Story:
    """Every state of a call that a run in its course can show."""
    story = Story(over=False).start("research-agent").wait(2)
    story.call("c3", "fetch_page", {"url": "https://noc.ac.uk/severn"})
    story.call("c6", "index_pages", {"site": "ntslf.org"}).tell(
        "background-task-started", taskId="b1", toolCallId="c6", toolName="index_pages"
    )
    output = {
        "type": "tool-output",
        "payload": {"output": {"message": "page", "completed": 40, "total": 120}, "toolCallId": "c6"},
    }
    story.tell("background-task-output", taskId="b1", toolCallId="c6", toolName="index_pages", payload=output)
    story.used("c7", "lookup_station", {"name": "Avonmouth"}, {"value": 12.2, "unit": "m"}, 0.3)
    error = {
        "name": "HTTPError",
        "message": "404 Not Found",
        "stack": "HTTPError: 404\n  at fetch_page\n  at run",
        "code": "E404",
    }
    story.failed("c8", "fetch_page", {"url": "https://ntslf.org/tides/bris", "timeout": 10}, error)
    story.call("c9", "delete_file", {"path": "tides.csv"}).tell("tool-call-approval", toolCallId="c9", toolName="delete_file")
    story.wait(9).tell("tool-output-denied", toolCallId="c9", toolName="delete_file", reason="It is still needed.")
    story.call("c10", "send_mail", {"to": "harbour"}).tell("tool-output-denied", toolCallId="c10", toolName="send_mail")
    story.call("c11", "index_pages", {"site": "cefas.co.uk"})
    story.tell("background-task-started", taskId="b2", toolCallId="c11", toolName="index_pages").wait(3)
    story.tell("background-task-cancelled", taskId="b2", toolCallId="c11", toolName="index_pages")
    story.call("c4", "delete_file", {"path": "old/tides.csv", "reason": "replaced by tides-2026.csv"})
    story.tell("tool-call-approval", toolCallId="c4", toolName="delete_file", args={"path": "old/tides.csv"}).wait(8)
    story.tell("tool-call-input-streaming-start", toolCallId="c1", toolName="search_web")
    return story.tell("tool-call-delta", toolCallId="c1", toolName="search_web", argsTextDelta='{"query": "tidal range Bri')


def stopped() -> Story:
    """What a stop leaves: a call, a thought, an object and a task that came to no end."""
    story = Story().start("research-agent").wait(1).call("c1", "fetch_page", {"url": "https://ukho.gov.uk"})
    story.call("c2", "notify", {"text": "done"}).tell("object", object={"station": "Avonm"})
    story.add({"type": "object", "runId": "run-1", "from": "AGENT", "object": {"station": "Avonm"}})
    return (
        story.think(THOUGHT, 4, ends=False)
        .write("The tidal range at Bris", ends=False)
        .wait(2)
        .tell("abort", reason="You stopped it")
    )


def no_result() -> Story:
    return Story().start("agent").call("c1", "notify", {"text": "done"}).wait(1).write("I have told them.").finish()


def results() -> Story:
    """What a call's row opens to, by the kind of its result."""
    story = Story().start("tide-analyst", messageId="m1")
    rows = [{"time": f"2026-01-01 00:{n:02}", "height": 9.84 + n, "residual": -0.112, "flag": "ok"} for n in range(15, 45, 5)]
    story.used("c1", "query_gauge", {"station": "Avonmouth", "from": "2026-01-01", "limit": 3}, rows, 1.2)
    info = {
        "station": "Avonmouth", "ranges": {"springs": 12.2, "neaps": 6.0, "exceeds": 9007199254740993},
        "readings": list(range(1204)), "verified": False, "note": "", "datum": None, "api_key": "sk-secret",
    }  # fmt: skip
    story.used("c2", "station_info", {"name": "Avonmouth"}, info, 0.3)
    text = "Datum: Admiralty chart datum.\nThe gauge was moved in 1993; readings before that are corrected by 0.04 m."
    story.used("c3", "summarise", {"text": text, "style": "short"}, "The gauge stands on the south pier.\n" * 900, 2.0)
    story.used("c4", "plot_tide", {"days": 14}, {"type": "image", "data": long_scenes.PICTURE, "mimeType": "image/png"}, 0.8)
    for at, empty in enumerate((0, False, "", None, [], {})):
        story.used(f"e{at}", "falsy", {"n": at}, empty, 0.1)
    error = {"name": "KeyError", "message": "2027 is not in the table", "cause": {"message": "constituents end in 2026"}}
    return story.failed("c5", "predict", {"year": 2027}, error, 0.1).write("The gauge reads well.").finish()


def reasonings() -> Story:
    story = Story().start("agent").think(THOUGHT, 6, id="a").think("Quick.", 0.01, id="b")
    story.tell("redacted-reasoning", id="c", data="x").tell("reasoning-start", id="e", signature="s").tell(
        "reasoning-end", id="e"
    )
    return story.think("<thinking>Cut off in the mid", 3, id="d", ends=False).tell("abort", reason="enough")


def objects() -> Story:
    story = Story(over=False).start("agent").tell("object-result")
    for partial in ({"station": "Avonmouth"}, {"station": "Avonmouth", "springs": 12.2, "sources": ["a", "b"], "at": {"x": 1}}):
        story.add({"type": "object", "runId": "run-1", "from": "AGENT", "object": partial})
    return story


def objects_done() -> Story:
    value = {"station": "Avonmouth", "springs": 12.2, "sources": [{"n": 1}, {"n": 2}], "at": {"x": 1.5, "y": None}, "ok": True}
    return Story().start("agent").add({"type": "object-result", "runId": "run-1", "from": "AGENT", "object": value}).finish()


def object_invalid() -> Story:
    story = Story().start("agent").add({"type": "object", "runId": "run-1", "from": "AGENT", "object": {"springs": 99}})
    return story.tell("error", error={"name": "ValidationError", "message": "springs must be at most 15"})


def workflow() -> Story:
    story = Story(over=False, sender="WORKFLOW").tell("workflow-start", workflowId="port-survey")

    def step(type_: str, id: str, status: str, **more: object) -> None:
        story.tell(f"workflow-step-{type_}", id=id, stepName=id, status=status, **more)

    step("start", "prepare-data", "running", payload={"stations": ["Avonmouth", "Hinkley Point"]})
    story.wait(1.1)
    step("result", "prepare-data", "success", output={"stations": ["Avonmouth", "Hinkley Point"]})
    step("start", "read-gauge", "running", payload={"v": 1})
    step("start", "ask-expert", "running", payload={"v": 1})
    story.wait(3.2)
    step("result", "read-gauge", "success", output=[{"n": n} for n in range(12)])
    step("start", "check", "running")
    story.wait(0.2)
    step("result", "check", "failed", error={"message": "no datum given"})
    step("start", "copy", "running")
    step("progress", "copy", "running", completedCount=2, totalCount=5)
    step(
        "suspended",
        "ask-harbour-master",
        "suspended",
        suspendPayload={"question": "Which datum?", "choices": ["chart", "ordnance"]},
    )
    step("waiting", "write-report", "waiting")
    step("result", "translate", "skipped")
    return story.wait(4)


def tasks() -> Story:
    story = Story(over=False).start("agent")
    for at, name in enumerate(("index_pages", "fetch_charts", "mail", "sync", "publish"), 1):
        story.tell("background-task-started", taskId=f"b{at}", toolName=name)
        story.tell("background-task-running", taskId=f"b{at}", toolName=name, args={"site": f"{name}.example"})
    output = {"type": "tool-output", "payload": {"output": {"message": "charts", "done": 11, "total": 12}}}
    story.wait(6).tell("background-task-output", taskId="b2", toolName="fetch_charts", payload=output)
    story.tell("background-task-completed", taskId="b3", toolName="mail", result={"sent": 3})
    story.tell("background-task-failed", taskId="b4", toolName="sync", error={"message": "the disk is full"})
    return story.tell("background-task-suspended", taskId="b5", toolName="publish", suspendPayload={"question": "Now?"}).wait(3)


def goals() -> Story:
    story = Story(over=False).start("agent")
    same = {"objective": "Two figures, each with its source", "maxRuns": 5}
    scores = [
        {"scorerName": "has-source", "score": 0.5, "reason": "springs only"},
        {"scorerName": "has-unit", "score": 1, "reason": "metres"},
        {"scorerName": "short", "score": None, "reason": "not judged: timed out"},
    ]
    for at, more in enumerate(
        (
            {"reason": "no source for the neap range", "duration": 800, "results": scores},
            {"waitingForUser": True, "reason": "waits for the harbour master"},
            {"judgeFailed": True, "reason": "the judge gave no verdict"},
            {"timedOut": True},
            {"passed": True, "status": "done", "reason": "both figures have a source", "duration": 800},
            {"maxRunsReached": True, "reason": "five rounds are over"},
        )
    ):
        story.tell("goal", iteration=at + 1, **same, **more).write(f"Round {at + 1}.", id=f"t{at}").wait(1)
    return story.tell("goal", iteration=7, pending=True, **same).wait(2)


def blocked() -> Story:
    story = Story().start("agent").write("You can reach her at ")
    return story.tell("tripwire", reason="e-mail address in the output", processorId="pii-filter", metadata={"found": "address"})


def retried() -> Story:
    story = Story(over=False).start("agent").write("You can reach her at 0117", id="a")
    story.tell("tripwire", reason="a phone number in the output", processorId="pii-filter", retry=True)
    story.tell("step-finish", stepResult={"reason": "retry"}).tell("step-start", messageId="m2")
    return story.write("You can reach her at the harbour office", id="b", ends=False)


def sources() -> Story:
    story = Story().start("agent").write("Three sources were read.")
    long = "A very long title of a page about tides in estuaries, basins, channels and firths of the north-western shelf seas"
    story.tell("source", id="1", sourceType="url", title="Tides in the Severn estuary", url="https://noc.ac.uk/severn?x=1")
    story.tell("source", id="2", sourceType="url", title="", url="https://www.ntslf.org/tides/avonmouth")
    story.tell("source", id="3", sourceType="document", title="Chart 1859", mimeType="application/pdf", filename="chart.pdf")
    story.tell("source", id="4", sourceType="url", title=long, url="https://tides.example/" + "long/" * 30)
    story.tell("source", id="5", sourceType="url", title="Not a link", url="javascript:1")
    return story.finish()


def files() -> Story:
    story = Story().start("agent").write("The picture and the table:")
    story.tell("file", data=long_scenes.PICTURE, base64=long_scenes.PICTURE, mimeType="image/png", filename="tide-fortnight.png")
    story.tell("file", data="c3ByaW5ncyxuZWFwcwo=", base64="c3ByaW5ncyxuZWFwcwo=", mimeType="text/csv", filename="tides-2026.csv")
    return story.finish()


def failed() -> Story:
    error = {
        "name": "APICallError", "message": "The model is overloaded. Try again in a minute.", "statusCode": 529,
        "stack": "APICallError\n  at a\n  at b", "cause": {"name": "TypeError", "message": "fetch failed"},
    }  # fmt: skip
    story = Story().start("agent").used("c", "lookup_station", {"name": "Avonmouth"}, 12.2)
    return story.write("The tidal range at Bris", ends=False).tell("error", error=error)


def ended_early() -> Story:
    return Story().start("agent").call("c", "fetch_page", {"url": "https://noc.ac.uk"}).write("The tidal ra", ends=False).wait(4)


def cut() -> Story:
    return Story().start("agent").write("The tidal range at Bristol is among the").finish("length")


def empty() -> Story:
    return Story().start("agent").finish()


def warned() -> Story:
    story = Story(look=Look(density="full")).start("agent")
    story.tell("step-start", messageId="m", warnings=[{"type": "unsupported-setting", "setting": "topK"}])
    story.used("c", "lookup_station", {"name": "Avonmouth"}, 12.2).tell(
        "step-finish", stepResult={"reason": "tool-calls"}, output={"usage": {"inputTokens": 10}}
    )
    story.tell("step-start", messageId="m2").write("12.2 m.").tell("no-such-chunk", x=1)
    return story.finish()


SCENES = {
    story.__name__: story
    for story in (
        running, thinking, waiting, answered, tools, stopped, no_result, results, reasonings, objects, objects_done,
        object_invalid, workflow, tasks, goals, blocked, retried, sources, files, failed, ended_early, cut, empty, warned,
        *long_scenes.SCENES,
    )
}  # fmt: skip
"""By name, a function that makes the run anew."""

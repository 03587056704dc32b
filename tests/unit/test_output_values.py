"""The values of a run for every way in which it can end."""

from __future__ import annotations

import asyncio
import gc
import logging

import pydantic
import pytest

from runview import ModelOutput, NotReady, RunOutput, StreamError, StreamIncomplete, WorkflowOutput, WrongKind
from runview.driver import Driver

AWAITABLES = [
    *("text", "reasoning", "reasoning_text", "object", "tool_calls", "tool_results", "tool_errors", "sources", "files"),
    *("warnings", "steps", "usage", "nested_usage", "finish_reason", "response", "request", "provider_metadata"),
    *("suspend_payload", "resume_schema"),
]


def chunk(type_: str, **payload) -> dict:
    return {"type": type_, "runId": "r-1", "from": "AGENT", "payload": payload}


def text(words: str) -> list[dict]:
    return [chunk("text-start", id="t"), chunk("text-delta", id="t", text=words), chunk("text-end", id="t")]


def finish(reason: str = "stop", **usage) -> dict:
    return chunk("finish", stepResult={"reason": reason}, output={"usage": usage})


CALL = chunk("tool-call", toolCallId="c1", toolName="weather", args={"city": "Bristol"})
RESULT = chunk("tool-result", toolCallId="c1", toolName="weather", result={"temp": 12})


def workflow(status: str = "success", **step) -> list[dict]:
    def told(type_: str, **payload) -> dict:
        return {"type": type_, "runId": "w-1", "from": "WORKFLOW", "payload": payload}

    return [
        told("workflow-start", workflowId="wf"),
        told("workflow-step-start", id="one", stepCallId="s", status="running", payload={}),
        told("workflow-step-result", id="one", stepCallId="s", status=status, **step),
        told("workflow-finish", workflowStatus=status, output={"usage": {}}, metadata={}),
    ]


async def stream(*items):
    for item in items:
        if isinstance(item, BaseException):
            raise item
        yield item
        await asyncio.sleep(0)


async def settled(output: RunOutput) -> RunOutput:
    await output.get_full_output()
    return output


@pytest.fixture(autouse=True)
def no_exception_is_forgotten(caplog):
    caplog.set_level(logging.WARNING)
    yield
    gc.collect()
    assert [record.message for record in caplog.records if record.name == "asyncio"] == []


async def test_a_run_that_succeeds_gives_values():
    output = ModelOutput(stream(chunk("start"), *text("Hello "), CALL, RESULT, *text("world"), finish()))
    assert await output.text == "Hello world"
    assert [call.payload.tool_name for call in await output.tool_calls] == ["weather"]
    assert [result.payload.result for result in await output.tool_results] == [{"temp": 12}]
    assert (await output.tool_calls)[0].to_dict() == CALL
    assert await output.tool_errors == []
    assert await output.finish_reason == "stop"
    assert await output.reasoning == ""
    assert await output.reasoning_text is None
    assert await output.object is None
    assert (output.status, output.is_done, output.run_id, output.kind) == ("success", True, "r-1", "agent")
    full = await output
    assert (full.text, full.status, full.finish_reason) == ("Hello world", "success", "stop")
    assert full.tool_calls == await output.tool_calls
    assert output.inspect()["text"] == "Hello world"
    assert output.inspect()["textStream"] == ["Hello ", "world"]
    assert "textStream" not in output.inspect(streams=False)


@pytest.mark.parametrize("name", AWAITABLES)
@pytest.mark.parametrize("early", [True, False])
async def test_a_failed_run_raises_whenever_it_is_touched(name, early):
    cause = ConnectionError("peer reset")
    output = ModelOutput(stream(*text("Half a sen"), CALL, cause))
    touched = asyncio.ensure_future(getattr(output, name)) if early else None
    await output.get_full_output()
    for value in (touched or getattr(output, name), getattr(output, name)):
        with pytest.raises(StreamError, match="peer reset") as raised:
            await value
        assert raised.value.cause is cause
        assert raised.value.partial.text == "Half a sen"
        assert len(raised.value.partial.tool_calls) == 1
    with pytest.raises(StreamError):
        getattr(output, name).result()
    with pytest.raises(StreamError):
        _ = getattr(output, name).value


async def test_an_error_that_the_stream_tells_fails_the_run():
    output = ModelOutput(stream(*text("Half"), chunk("error", error={"message": "overloaded", "name": "APIError"})))
    with pytest.raises(StreamError, match="APIError: overloaded") as raised:
        await output.text
    assert raised.value.cause is None
    assert not isinstance(raised.value, StreamIncomplete)
    assert output.error["message"] == "overloaded"
    with pytest.raises(StreamError):
        await output


@pytest.mark.parametrize("name", AWAITABLES)
async def test_a_stream_that_breaks_off_is_incomplete(name):
    output = await settled(ModelOutput(stream(chunk("start"), *text("Half"))))
    assert output.status == "incomplete"
    with pytest.raises(StreamIncomplete) as raised:
        await getattr(output, name)
    assert raised.value.partial.text == "Half"


@pytest.mark.parametrize(
    ("items", "status", "reason"),
    [
        ([*text("so far"), chunk("abort")], "canceled", "aborted"),
        ([*text("so far"), chunk("tripwire", reason="not allowed", processorId="p")], "tripwire", "tripwire"),
        (
            [*text("so far"), CALL, chunk("tool-call-approval", toolCallId="c1", toolName="weather", args={})],
            "suspended",
            "suspended",
        ),
    ],
)
async def test_the_other_ends_give_values(items, status, reason):
    output = ModelOutput(stream(chunk("start"), *items))
    assert await output.text == "so far"
    assert output.status == status
    assert await output.finish_reason == reason
    for name in AWAITABLES:
        await getattr(output, name)
    assert (await output).text == "so far"


async def test_a_tripwire_tells_what_it_was():
    output = await settled(ModelOutput(stream(chunk("tripwire", reason="not allowed", processorId="p"))))
    assert output.tripwire["reason"] == "not allowed"
    assert output.tripwire["processorId"] == "p"


async def test_stop_gives_the_values_so_far():
    async def endless():
        for item in text("so far"):
            yield item
        await asyncio.Event().wait()

    output = ModelOutput(endless())
    while not output.partial.text:
        await asyncio.sleep(0)
    output.stop()
    assert await output.text == "so far"
    assert await output.finish_reason == "aborted"
    assert output.status == "canceled"


async def test_get_full_output_and_partial_never_raise():
    output = ModelOutput(stream(*text("Half"), ConnectionError("peer reset")))
    assert output.partial.text == ""
    full = await output.get_full_output()
    assert (full.status, full.text, full.error["message"]) == ("failed", "Half", "peer reset")
    assert output.partial == full
    assert isinstance(output.failure, ConnectionError)


async def test_what_rests_goes_on_and_later_reads_have_the_joined_values():
    driver = Driver(
        stream(*text("May I? "), CALL, chunk("tool-call-approval", toolCallId="c1", toolName="weather", args={"city": "Bristol"}))
    )
    driver.start()
    output = RunOutput(driver)
    deferred = output.text
    handed_out = await deferred
    assert handed_out == "May I? "
    assert output.status == "suspended"
    assert not output.is_done
    assert (await output.suspend_payload)["toolCallId"] == "c1"
    driver.go_on(stream(chunk("start"), RESULT, *text("12 degrees."), finish()))
    assert not deferred.done
    assert await deferred == "May I? 12 degrees."
    assert await output.text == "May I? 12 degrees."
    assert await output.suspend_payload is None
    assert output.status == "success"


async def test_a_source_that_raises_at_once():
    output = ModelOutput(stream(RuntimeError("Boom at start")))
    with pytest.raises(StreamError, match="Boom at start"):
        await asyncio.wait_for(output, 2)


# Structured output -------------------------------------------------------------------------------------------------------


class City(pydantic.BaseModel):
    name: str
    people: int


async def test_the_object_is_an_instance_of_the_schema():
    output = ModelOutput(stream(*text('{"name": "Bristol", "people": 472465}'), finish()), schema=City)
    assert await output.object == City(name="Bristol", people=472465)
    assert await output.object is await output.object


async def test_an_object_that_is_not_valid_rejects_alone():
    output = ModelOutput(stream(*text('{"name": "Bristol", "people": "many"}'), finish()), schema=City)
    for _ in range(2):
        with pytest.raises(pydantic.ValidationError):
            await output.object
    assert output.status == "success"
    full = await output
    assert full.object is None


# Kinds -------------------------------------------------------------------------------------------------------------------


async def test_a_workflow_has_a_result():
    output = WorkflowOutput(stream(*workflow(output={"n": 1})))
    result = await output.result
    assert result.status == "success"
    assert result.steps["one"].output == {"n": 1}
    assert (await output.steps)["one"].status == "success"
    assert output.kind == "workflow"
    assert await output.usage == {}
    assert (await output).result == result


async def test_a_failing_step_is_a_value_of_the_workflow():
    output = WorkflowOutput(stream(*workflow("failed", error={"message": "no such city", "name": "Error"})))
    result = await output.result
    assert result.status == "failed"
    assert result.error["message"] == "no such city"
    assert result.steps["one"].error["message"] == "no such city"
    assert (await output.steps)["one"].status == "failed"
    assert await output.usage == {}


async def test_a_workflow_whose_source_raises_raises():
    output = WorkflowOutput(stream(ValueError("invalid input")))
    with pytest.raises(StreamError, match="invalid input"):
        await output.result


MODEL_ONLY = [name for name in AWAITABLES if name not in ("usage", "nested_usage", "steps")]


@pytest.mark.parametrize("name", [*MODEL_ONLY, "text_stream", "object_stream", "element_stream"])
async def test_a_workflow_has_no_values_of_a_model(name):
    fixed = WorkflowOutput(stream(*workflow()))
    with pytest.raises(WrongKind, match=name):
        getattr(fixed, name)
    output = RunOutput(Driver(stream(*workflow())))
    early = getattr(output, name)
    await output.get_full_output()
    with pytest.raises(WrongKind, match="workflow"):
        getattr(output, name)
    with pytest.raises(WrongKind, match="workflow"):
        await (early if name in AWAITABLES else anext(early))
    assert not hasattr(output, name)


async def test_an_agent_has_no_result():
    with pytest.raises(WrongKind, match="`text`"):
        _ = ModelOutput(stream(finish())).result
    output = RunOutput(Driver(stream(*text("hi"), finish())))
    assert output.kind is None
    early = output.result
    await output.get_full_output()
    assert output.kind == "agent"
    with pytest.raises(WrongKind):
        await early
    with pytest.raises(WrongKind):
        _ = output.result


async def test_a_model_output_of_a_workflow_says_so():
    output = ModelOutput(stream(*workflow()))
    with pytest.raises(WrongKind):
        await output.text


async def test_the_steps_of_an_agent_have_their_calls():
    step = chunk("step-finish", stepResult={"reason": "tool-calls"}, output={"usage": {"inputTokens": 3, "outputTokens": 4}})
    output = ModelOutput(
        stream(chunk("step-start"), *text("Let me see. "), CALL, RESULT, step, chunk("step-start"), *text("12."), finish())
    )
    steps = await output.steps
    assert steps[0].text == "Let me see. "
    assert [call.payload.tool_call_id for call in steps[0].tool_calls] == ["c1"]
    assert [result.payload.result for result in steps[0].tool_results] == [{"temp": 12}]
    assert steps[0].finish_reason == "tool-calls"
    assert (await output.usage)["inputTokens"] == 3


# Deferred ----------------------------------------------------------------------------------------------------------------


async def test_many_wait_and_one_that_gives_up_harms_no_other():
    go = asyncio.Event()

    async def source():
        for item in text("all"):
            yield item
        await go.wait()
        yield finish()

    output = ModelOutput(source())
    deferred = output.text
    waiters = [asyncio.ensure_future(output.text), asyncio.ensure_future(deferred), asyncio.ensure_future(deferred)]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(deferred, 0.01)
    waiters[1].cancel()
    go.set()
    assert await asyncio.gather(waiters[0], waiters[2], deferred) == ["all", "all", "all"]
    assert waiters[1].cancelled()


async def test_a_value_that_is_not_there_yet():
    go = asyncio.Event()

    async def source():
        await go.wait()
        for item in text("all"):
            yield item
        yield finish()

    output = ModelOutput(source())
    deferred = output.text
    assert not deferred.done
    assert repr(deferred) == "<text: pending>"
    with pytest.raises(NotReady, match="text"):
        _ = deferred.value
    go.set()
    assert await deferred == "all"
    assert deferred.done
    assert deferred.value == "all"
    assert deferred.result() == "all"
    assert repr(deferred) == "<text: 'all'>"


async def test_the_repr_of_a_value_that_failed_says_why():
    output = await settled(ModelOutput(stream(ConnectionError("peer reset"))))
    assert repr(output.text) == "<text: StreamError: ConnectionError: peer reset>"


async def test_lists_that_are_handed_out_are_the_callers_own():
    output = ModelOutput(stream(CALL, RESULT, finish()))
    (await output.tool_calls).clear()
    (await output.usage)["inputTokens"] = 99
    assert len(await output.tool_calls) == 1
    assert "inputTokens" not in await output.usage


async def test_the_repr_keeps_the_order_in_which_keys_came():
    output = ModelOutput([chunk("start"), {"type": "object-result", "object": {"b": 1, "a": {"z": 2, "c": 3}}}, chunk("finish")])
    await output.get_full_output()
    assert "{'b': 1, 'a': {'z': 2, 'c': 3}}" in repr(output)


@pytest.mark.parametrize("id_", [{}, {"toolCallId": None}, {"toolCallId": ["c"]}])
async def test_a_call_whose_id_is_missing_or_odd_stands_in_its_step(id_):
    call = {**id_, "toolName": "t", "args": {}}
    output = ModelOutput(stream(chunk("tool-call", **call), chunk("step-finish", stepResult={"reason": "stop"}), finish()))
    (step,) = await output.steps
    assert [told.to_dict()["payload"] for told in step.tool_calls] == [call]
    assert (await output.get_full_output()).steps == [step]

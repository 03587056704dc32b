"""Messages of errors and addresses in values are shown without the credentials in them."""

from __future__ import annotations

import pytest

from runview.draw.run import RunDrawing
from runview.draw.secrets import mask_address, mask_message
from runview.run.ending import finish
from runview.run.reduce import new_run, reduce
from tests.timing import linear

KEY = "sk-live-SECRETKEY123456"


@pytest.mark.parametrize(
    "said",
    [
        f"401 Incorrect API key provided: {KEY}",
        f"GET https://api.example/v1?api_key={KEY}&x=1",
        f"Authorization: Bearer {KEY}",
        "Authorization: Basic dXNlcjpTRUNSRVRLRVk=",
        f'{{"api_key": "{KEY}"}}',
        '{"password": "SECRETKEY with spaces"}',
        f"headers={{'authorization': 'Bearer {KEY}'}}",
        "Client(api_key='SECRETKEY')",
        "password=SECRETKEY failed",
        "access_token: SECRETKEY123",
        "ghp_SECRETKEY1234567890 was revoked",
        "eyJSECRETKEY00.SECRETKEY.SECRETKEY is expired",
    ],
)
def test_a_credential_in_a_message_is_hidden(said: str) -> None:
    masked = mask_message(said)
    assert "hidden" in masked
    assert "SECRETKEY" not in masked
    assert "dXNlcjpTRUNSRVRLRVk" not in masked


@pytest.mark.parametrize(
    "said",
    [
        "Unexpected token: } at 3",
        "unexpected token < in JSON",
        "max_tokens: 4096 reached",
        "the secret: patience",
        "task-force-one",
        "a=b&c=d",
    ],
)
def test_prose_stays(said: str) -> None:
    assert mask_message(said) == said


def test_an_address_loses_only_its_credentials() -> None:
    assert mask_address("see https://a.example/?q=1&access_token=abc&page=2#x") == (
        "see https://a.example/?q=1&access_token=hidden&page=2#x"
    )
    assert mask_address("api_key=abc") == "api_key=abc"


@pytest.mark.parametrize("unit", ["a", 'a="', "key=", "?a=", "Bearer ", "sk-", "eyJ.", "'\\", "a: "])
def test_masking_takes_linear_time(unit: str) -> None:
    count = 20_000 // len(unit)
    linear(mask_message, unit * count, unit * (10 * count))


def test_neither_the_page_nor_the_file_gets_a_credential_from_an_error() -> None:
    run = new_run()
    error = {"name": "E", "message": f"refused: {KEY}", "cause": {"message": f"Authorization: Bearer {KEY}"}}
    reduce(run, {"type": "error", "payload": {"error": error}}, 0.0)
    failed = {"toolCallId": "c", "toolName": "t", "args": {"url": f"https://a.example/?key=1&api_key={KEY}"}, "error": error}
    reduce(run, {"type": "tool-call", "payload": failed}, 0.0)
    reduce(run, {"type": "tool-error", "payload": failed}, 0.0)
    reduce(run, {"type": "runview-note", "payload": {"message": f"line 3: api_key={KEY}"}}, 0.0)
    finish(run, 1.0)
    drawing = RunDrawing(run)
    for tree in (drawing.tree(1.0), drawing.tree(1.0, saved=True), drawing.text(1.0)):
        assert "hidden" in tree.text()
        assert "SECRETKEY" not in repr(tree)

"""Runs the cases of cases.json with the installed client, and those that only code can express. Prints a JSON line for each: what it
does, and what went wrong or null. Environment: MODE is sync or async; the origin of the service, that of a wire with faults, a key, and
the cases."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import inspect
import json
import os
import re
import threading
import time
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import matchbook_client as client
from standardwebhooks.webhooks import Webhook

URL, KEY, IS_ASYNC = os.environ["MATCHBOOK_URL"], os.environ["MATCHBOOK_KEY"], os.environ["MODE"] == "async"
KINDS = {"PermissionError": "PermissionDeniedError", "ConnectionError": "ConnectionLostError"}
kept: dict[str, Any] = {}


def opened(url: str, key: str = KEY, **options: Any) -> Any:
    return (client.AsyncMatchbook if IS_ASYNC else client.Matchbook)(url, key, **options)


matchbook = opened(URL)


async def done(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def every(pages: Any) -> list[Any]:
    return [item async for item in pages] if hasattr(pages, "__aiter__") else list(pages)


async def check(does: str, work: Any) -> None:
    fault = None
    try:
        await work()
    except Exception as error:  # noqa: BLE001
        fault = f"{type(error).__name__}: {error} {getattr(error, 'field_errors', '')}"
    print(json.dumps({"does": does, "fault": fault}), flush=True)


def expect_equal(found: Any, wanted: Any) -> None:
    if found != wanted:
        raise AssertionError(f"found {found!r}, expected {wanted!r}")


def expect_part(found: Any, wanted: Any, at: str = "answer") -> None:
    """Raises unless the value has at least what is wanted."""
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            expect_part((found or {}).get(name), value, f"{at}.{name}")
    elif isinstance(wanted, list):
        for place, value in enumerate(wanted):
            expect_part(found[place], value, f"{at}[{place}]")
    elif found != wanted:
        raise AssertionError(f"{at} is {found!r}, not {wanted!r}")


def filled(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: filled(part) for name, part in value.items()}
    if isinstance(value, list):
        return [filled(part) for part in value]
    return kept[value[1:]] if isinstance(value, str) and value.startswith("$") else value


def plain(answer: Any) -> Any:
    """The answer as JSON has it."""
    if isinstance(answer, (client.Page, client.AsyncPage)):
        return {"object": "list", "has_more": answer.has_more, "data": [item.to_dict() for item in answer.data]}
    return answer.to_dict() if hasattr(answer, "to_dict") else answer


def snake(name: str) -> str:
    return re.sub(r"([A-Z])", lambda found: f"_{found[1].lower()}", name)


def call_of(one: dict[str, Any]) -> Any:
    group, name = one["call"].split(".")
    query = {re.sub("^(from)$", r"\1_", key): value for key, value in one.get("query", {}).items()}
    if any(key in query for key in ("serach",)) or "accept" in one:
        # What the types of the client do not have.
        path = {"customers.list": "/customers"}[one["call"]]
        headers = {"Accept": one["accept"]} if "accept" in one else {}
        return matchbook.request("GET", path, params=query, headers=headers)
    options = {**query, **({"if_match": one["if_match"]} if "if_match" in one else {})}
    body = [one["body"]] if "body" in one else []
    return getattr(getattr(matchbook, snake(group)), snake(name))(*one.get("path", []), *body, **options)


async def run_case(given: dict[str, Any]) -> None:
    one = filled(given)
    if "error" in one:
        return await expect_error(lambda: call_of(one), one["error"])
    answer = await done(call_of(one))
    if "bytes" in one:
        expect_equal(answer[:5].decode(), one["bytes"])
    if "text" in one:
        text = answer if isinstance(answer, str) else answer.text
        if one["text"] not in text:
            raise AssertionError(f"no {one['text']} in {text}")
    if "expect" in one:
        expect_part(plain(answer), one["expect"])
    for name, path in one.get("keep", {}).items():
        value = plain(answer)
        for step in path.split("."):
            value = value[int(step)] if step.isdigit() else value[step]
        kept[name] = value
    if "keep_etag" in one:
        response = await done(matchbook.request("GET", f"/customers/{one['path'][0]}"))
        kept[one["keep_etag"]] = response.headers["etag"]


async def refused(call: Any) -> client.MatchbookError:
    try:
        await done(call())
    except client.MatchbookError as error:
        return error
    raise AssertionError("no refusal")


async def expect_error(call: Any, wanted: dict[str, Any]) -> None:
    error = await refused(call)
    kind = KINDS.get(wanted["kind"], wanted["kind"])
    expect_equal([type(error).__name__, error.status], [kind, wanted["status"]])
    if "code" in wanted:
        expect_equal(error.code, wanted["code"])
    if "fields" in wanted:
        expect_equal(sorted(one["field"] for one in error.field_errors), wanted["fields"])
    expect_equal(error.request_id is None, False)


class Scripted:
    """A server of scripted answers: (status, headers, body); status 0 cuts the connection."""

    def __init__(self, *answers: tuple[int, dict[str, str], str]) -> None:
        requests: list[dict[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                requests.append({name.lower(): value for name, value in self.headers.items()})
                status, headers, body = answers[min(len(requests), len(answers)) - 1]
                if status == 0:
                    self.connection.close()
                    return
                self.send_response(status)
                for name, value in {"content-type": "application/json", "content-length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode())

            do_GET = do_POST = do_PATCH = answer

            def log_message(self, *_: Any) -> None:
                pass

        self.requests = requests
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.client = opened(f"http://127.0.0.1:{self.server.server_port}", "mbk_x")

    def __enter__(self) -> Scripted:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def refusal(code: str) -> str:
    return json.dumps({"error": {"code": code, "message": code, "request_id": "r"}})


async def all_pages() -> None:
    names = [f"Page {at}" for at in range(7)]
    for name in names:
        await done(matchbook.customers.create({"external_id": name, "name": name}))
    found = await every(await done(matchbook.customers.list(search="Page", limit=3)))
    expect_equal(sorted(one.name for one in found), names)
    events = await every(await done(matchbook.events.list(after=3, limit=2)))
    expect_equal([one.sequence for one in events[:5]], [4, 5, 6, 7, 8])


async def unknown_key() -> None:
    error = await refused(lambda: opened(URL, "mbk_unknown").key.get())
    expect_equal([type(error).__name__, error.status], ["AuthenticationError", 401])


async def one_key_for_all_attempts() -> None:
    again = {"retry-after": "0"}
    answers = [(0, {}, ""), (429, again, refusal("RATE_LIMITED")), (409, {}, refusal("RESOURCE_BUSY")), (200, {}, "")]
    with Scripted(*answers) as scripted:
        await done(scripted.client.invoices.issue("x"))
        keys = {one.get("idempotency-key") for one in scripted.requests}
        expect_equal([len(scripted.requests), len(keys), None in keys], [4, 1, False])
        await done(scripted.client.invoices.issue("x"))
        expect_equal(len({one["idempotency-key"] for one in scripted.requests}), 2)


async def five_repetitions() -> None:
    with Scripted((503, {"retry-after": "0"}, refusal("SERVICE_UNAVAILABLE"))) as scripted:
        error = await refused(scripted.client.customers.list)
        found = [type(error).__name__, error.code, len(scripted.requests)]
        expect_equal(found, ["ServerError", "SERVICE_UNAVAILABLE", 6])


async def refusals_that_stay() -> None:
    with Scripted((409, {}, refusal("PERIOD_LOCKED"))) as scripted:
        error = await refused(lambda: scripted.client.invoices.issue("x"))
        expect_equal([error.code, len(scripted.requests)], ["PERIOD_LOCKED", 1])


async def no_repetition_under_a_condition() -> None:
    with Scripted((0, {}, "")) as scripted:
        error = await refused(lambda: scripted.client.customers.update("x", {}, if_match='"a"'))
        expect_equal([error.code, len(scripted.requests)], ["CONNECTION_LOST", 1])


async def retry_after() -> None:
    with Scripted((429, {"retry-after": "1"}, refusal("RATE_LIMITED")), (200, {}, "")) as scripted:
        began = time.monotonic()
        await done(scripted.client.invoices.issue("x"))
        expect_equal(time.monotonic() - began >= 0.95, True)


async def unknown_parts() -> None:
    known = (await done(matchbook.customers.get("ext:acme"))).to_dict()
    strange = {**known, "object": "comet", "invoice_mail_out_option_key": "PIGEON", "new_field": {"deep": [1]}}
    with Scripted((200, {}, json.dumps(strange, ensure_ascii=True))) as scripted:
        found = await done(scripted.client.customers.get("x"))
        expect_equal([found.object_, found["new_field"]], ["comet", {"deep": [1]}])
        expect_equal(found.invoice_mail_out_option_key, "PIGEON")


async def proxy_answer() -> None:
    with Scripted((418, {"content-type": "text/html"}, "<h1>Teapot</h1>")) as scripted:
        error = await refused(scripted.client.key.get)
        expect_equal([type(error).__name__, error.code], ["MatchbookError", "HTTP_418"])


async def older_service() -> None:
    with Scripted((200, {"matchbook-version": "2026-01-01"}, "")) as scripted, warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        await done(scripted.client.invoices.issue("x"))
        await done(scripted.client.invoices.issue("x"))
        await done(opened(URL).key.get())
        expect_equal(len([one for one in found if "older" in str(one.message) or "knows the API" in str(one.message)]), 1)


async def followed_events() -> None:
    async def follow(cursor: str | None, most: int) -> tuple[list[str], str | None]:
        seen: list[str] = []
        saved: list[str] = []
        events = matchbook.events.follow(cursor=cursor, types="customer.created", save=saved.append)
        if IS_ASYNC:
            async for event in events:
                seen.append(event.data.resource.to_dict()["name"] if hasattr(event.data.resource, "to_dict") else event.data.resource["name"])
                if len(seen) == most:
                    break
            await events.aclose()
        else:
            for event in events:
                seen.append(event.data.resource.to_dict()["name"] if hasattr(event.data.resource, "to_dict") else event.data.resource["name"])
                if len(seen) == most:
                    break
        return seen, saved[-1] if saved else None

    first, _ = await follow(None, 3)
    expect_equal(first, ["Acme A/S", "Tegn ApS", "Page 0"])
    head = (await done(matchbook.request("GET", "/events", params={"limit": 1}))).headers["matchbook-cursor"]
    for name in ["Later 1", "Later 2"]:
        await done(matchbook.customers.create({"external_id": name, "name": name}))
    seen, _ = await follow(head, 2)
    expect_equal(seen, ["Later 1", "Later 2"])


SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes....").decode()
OTHER = "whsec_" + base64.b64encode(b"another one of thirty-two bytes.").decode()
BODY = '{"type":"invoice.issued","text":"ÆØÅ"}'


def signed(body: str, at: float | None = None, secret: str = SECRET) -> dict[str, str]:
    timestamp = str(int(time.time() if at is None else at))
    digest = hmac.new(base64.b64decode(secret[6:]), f"msg_1.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return {"webhook-id": "msg_1", "webhook-timestamp": timestamp, "Webhook-Signature": "v1," + base64.b64encode(digest).decode()}


async def verified_webhooks() -> None:
    expect_equal(client.verify_webhook(BODY, signed(BODY), SECRET)["text"], "ÆØÅ")
    expect_equal(client.verify_webhook(BODY.encode(), signed(BODY), [OTHER, SECRET])["text"], "ÆØÅ")
    headers = signed(BODY)
    headers["Webhook-Signature"] = "v1a,xx v1,AAAA " + headers["Webhook-Signature"]
    client.verify_webhook(BODY, headers, SECRET)


async def verified_by_the_library() -> None:
    Webhook(SECRET).verify(BODY, {name.lower(): value for name, value in signed(BODY).items()})


async def refused_webhooks() -> None:
    now = time.time()
    wrong: list[tuple[str, dict[str, str], str]] = [
        (BODY + " ", signed(BODY), SECRET),
        (BODY, signed(BODY), OTHER),
        (BODY, signed(BODY, now - 301), SECRET),
        (BODY, signed(BODY, now + 302), SECRET),
        (BODY, {**signed(BODY), "webhook-timestamp": "now"}, SECRET),
        *[(BODY, {key: value for key, value in signed(BODY).items() if key != name}, SECRET) for name in signed(BODY)],
    ]
    for given in wrong:
        try:
            client.verify_webhook(*given)
        except client.WebhookVerificationError:
            continue
        raise AssertionError(f"not refused: {given}")


async def faulty_wire() -> None:
    faulty = opened(os.environ["FAULTY_URL"], max_retries=12)
    count = int(os.environ["FAULTY_INVOICES"])
    numbers = []
    for at in range(count):
        line = {"product_id": kept["product"], "recognition_method": "on_issue", "agreed_value": 100}
        body = {"customer_id": kept["customer"], "order_reference": f"wire-{at}", "auto_send": False, "lines": [line]}
        draft = await done(faulty.invoices.create(body))
        numbers.append((await done(faulty.invoices.issue(draft.id))).ledger_invoice_number)
    expect_equal(len(set(numbers)), count)
    listed = await every(await done(matchbook.invoices.list(limit=100)))
    references = [one.order_reference for one in listed if (one.order_reference or "").startswith("wire-")]
    expect_equal([len(references), len(set(references))], [count, count])


async def main() -> None:
    with open(os.environ["CASES"], encoding="utf8") as file:
        for one in json.load(file):
            await check(one["does"], lambda one=one: run_case(one))
    await check("reads all pages of a list", all_pages)
    await check("refuses a key that is unknown", unknown_key)
    await check("keeps the key of a POST through its attempts", one_key_for_all_attempts)
    await check("repeats five times, then raises what came last", five_repetitions)
    await check("repeats no refusal that stays", refusals_that_stay)
    await check("does not repeat a change under a condition whose answer was lost", no_repetition_under_a_condition)
    await check("waits as Retry-After says", retry_after)
    await check("takes what it does not know: fields, values and types", unknown_parts)
    await check("raises by status where a proxy answers", proxy_answer)
    await check("warns once when the service is older", older_service)
    await check("follows events from a saved cursor, each once and in order", followed_events)
    await check("verifies a webhook", verified_webhooks)
    await check("signs as the library of Standard Webhooks verifies", verified_by_the_library)
    await check("refuses a webhook with another body, secret, time or without a header", refused_webhooks)
    await check("issues each invoice once over a wire that loses answers", faulty_wire)


asyncio.run(main())

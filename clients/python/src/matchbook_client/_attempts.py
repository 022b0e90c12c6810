"""The attempts of a request, without input and output: the synchronous and the asynchronous client share them."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Generator
from email.utils import parsedate_to_datetime
from typing import Any, Union

import httpx

from ._errors import MatchbookError, connection_lost, error_from

#: Refusals that pass by themselves. Nothing has changed, or the idempotency key knows what has.
_PASSING = {"RATE_LIMITED", "RESOURCE_BUSY", "REQUEST_IN_PROGRESS", "SERVICE_UNAVAILABLE", "LEDGER_UNAVAILABLE"}
#: Statuses of proxies whose service does not answer.
_PROXY = {502, 503, 504}
_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 8.0
#: A longer `Retry-After`, in seconds, is the caller's matter: the refusal is raised.
_LONGEST_RETRY_AFTER = 120.0

#: What a client is asked for: to send the request, or to sleep for seconds.
Step = Union[None, float]
Outcome = Union[httpx.Response, httpx.TransportError, None]


def attempts(request: dict[str, Any], max_retries: int) -> Generator[Step, Outcome, httpx.Response]:
    """Yields None to have the request sent and seconds to sleep; returns the answer, or raises a MatchbookError."""
    headers = request["headers"]
    if request["method"].upper() == "POST":
        # The key is made before the first attempt, so that all attempts have the same one.
        headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
    retries = 0
    while True:
        outcome = yield None
        retry_after = None
        if isinstance(outcome, httpx.Response):
            if outcome.is_success or outcome.status_code == 304:
                return outcome
            error = error_from(outcome.status_code, outcome.content)
            retry_after = _retry_after(outcome)
        else:
            assert outcome is not None
            error = connection_lost(outcome)
        pause = _pause(retries) if retry_after is None else retry_after
        if retries >= max_retries or pause > _LONGEST_RETRY_AFTER or not _passes(error, headers):
            raise error
        yield pause
        retries += 1


def _passes(error: MatchbookError, headers: dict[str, str]) -> bool:
    """Whether a repetition may succeed and can not do something twice."""
    if error.status == 0:
        # After a lost answer the change may have been made, and its ETag would no longer fit.
        return not any(name.lower() == "if-match" for name in headers)
    is_of_proxy = error.status in _PROXY and error.code == f"HTTP_{error.status}"
    return error.code in _PASSING or error.status == 429 or is_of_proxy


def _pause(retries: int) -> float:
    """Doubles from a quarter of a second, and varies by half, so that many clients do not come back at once."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0**retries) * random.uniform(0.5, 1)


def _retry_after(response: httpx.Response) -> float | None:
    text = response.headers.get("retry-after", "").strip()
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None

"""The errors that calls raise: a class for each kind of refusal, with the code and the details of the answer."""

from __future__ import annotations

import json
from typing import Any


class MatchbookError(Exception):
    """A refusal of the service, or of what stands in front of it. New codes may come at any time."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        self.message: str = error.get("message") or error["code"]
        super().__init__(self.message)
        #: The HTTP status; 0 when there was no answer.
        self.status = status
        #: The code, such as `NOT_FOUND`; `CONNECTION_LOST` when there was no answer.
        self.code: str = error["code"]
        #: The id of the request in the log of the service.
        self.request_id: str | None = error.get("request_id")
        #: What is wrong with single fields: `field`, `code` and `message` of each.
        self.field_errors: list[dict[str, str]] = error.get("field_errors") or []
        self.details: dict[str, Any] = error.get("details") or {}


class InvalidRequestError(MatchbookError):
    """400 and 422: the request is malformed, or a field of it is."""


class AuthenticationError(MatchbookError):
    """401: the key is unknown or has ended."""


class PermissionDeniedError(MatchbookError):
    """403: the scope of the key is too small."""


class NotFoundError(MatchbookError):
    """404: the account has no such resource."""


class ConflictError(MatchbookError):
    """409: the state of the resource does not allow it."""


class PreconditionFailedError(MatchbookError):
    """412: the resource has changed since it was read."""


class RateLimitError(MatchbookError):
    """429: too many requests, also after the retries."""


class ServerError(MatchbookError):
    """5xx: the service or the connected ledger failed, also after the retries."""


class ConnectionLostError(MatchbookError):
    """No answer came, also after the retries. A change may have happened: repeat it with the same idempotency key."""


_BY_STATUS: dict[int, type[MatchbookError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def error_from(status: int, content: bytes) -> MatchbookError:
    """Returns the error of an answer. A body that is no envelope, as of a proxy, gets the code `HTTP_<status>`."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else MatchbookError)
    try:
        error = json.loads(content)["error"]
        return kind(status, {**error, "code": str(error["code"])})
    except (ValueError, TypeError, KeyError):
        return kind(status, {"code": f"HTTP_{status}", "message": f"HTTP status {status}"})


def connection_lost(cause: Exception) -> ConnectionLostError:
    """Returns the error of a request without an answer."""
    error = ConnectionLostError(0, {"code": "CONNECTION_LOST", "message": f"No answer: {cause!r}"})
    error.__cause__ = cause
    return error

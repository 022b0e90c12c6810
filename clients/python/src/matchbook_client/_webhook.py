"""Verifies webhooks by the rules of Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

#: How far the time of a webhook may be from the clock, in seconds.
_TOLERANCE = 300


class WebhookVerificationError(Exception):
    """A webhook that can not be trusted: do not handle it, and answer 400."""


def verify_webhook(
    raw_body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    now: float | None = None,
) -> Any:
    """
    Returns the parsed body of a webhook. Takes the body as it was received, byte for byte, and the secrets of the endpoint (`whsec_…`),
    several while they are rotated. Raises a WebhookVerificationError.
    """
    found = {name.lower(): value for name, value in headers.items()}
    try:
        identifier, timestamp, signatures = (found[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as error:
        raise WebhookVerificationError(f"The header {error.args[0]} is missing.") from None
    is_digits = timestamp.isascii() and timestamp.isdigit()
    if not is_digits or abs((time.time() if now is None else now) - int(timestamp)) > _TOLERANCE:
        raise WebhookVerificationError("The timestamp of the webhook is too old or too new.")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    signed = f"{identifier}.{timestamp}.".encode() + body
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        if _is_signed(signed, signatures, secret):
            return json.loads(body)
    raise WebhookVerificationError("No signature of the webhook fits.")


def _is_signed(signed: bytes, signatures: str, secret: str) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    if not key:
        raise ValueError("A secret is empty.")
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    for part in signatures.split(" "):
        version, _, text = part.partition(",")
        try:
            given = base64.b64decode(text, validate=True)
        except (ValueError, binascii.Error):
            continue
        if version == "v1" and hmac.compare_digest(given, expected):
            return True
    return False

"""What makes the calls: from the parameters of an operation to its answer, for both clients."""

from __future__ import annotations

import asyncio
import importlib
import time
import warnings
from collections.abc import AsyncIterator, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

import httpx

from ._api.types import UNSET, File
from ._attempts import Outcome, attempts
from ._operations import API_VERSION

Item = TypeVar("Item")
#: What the generated code asks of its own client.
_LENIENT = SimpleNamespace(raise_on_unexpected_status=False)


class _Body:
    """A mapping as a body of the generated code."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def to_dict(self) -> dict[str, Any]:
        return dict(self._fields)


class _Base:
    def __init__(self, base_url: str, api_key: str, max_retries: int) -> None:
        origin = base_url.rstrip("/").removesuffix("/api/v1")
        self._base = f"{origin}/api/v1"
        self._key = api_key
        self._max_retries = max_retries
        self._is_checked = False

    def _request(self, method: str, path: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """The request as httpx takes it."""
        headers = {"Authorization": f"Bearer {self._key}", **given.get("headers", {})}
        return {**given, "method": method, "url": self._base + path, "headers": headers}

    def _request_of(self, module: Any, arguments: dict[str, Any], content_type: str | None) -> dict[str, Any]:
        body = arguments.get("body")
        if isinstance(body, bytes):
            arguments = {**arguments, "body": File(payload=body)}  # type: ignore[arg-type]
        elif isinstance(body, Mapping):
            arguments = {**arguments, "body": _Body(body)}
        kwargs = module._get_kwargs(**arguments)
        headers = kwargs.setdefault("headers", {})
        if isinstance(body, Mapping):
            # The generated code writes bodies of its own models alone.
            kwargs["json"] = dict(body)
            headers["Content-Type"] = "application/json"
        if content_type is not None:
            headers["Content-Type"] = content_type
        method, path = kwargs.pop("method"), kwargs.pop("url")
        return self._request(method, path, kwargs)

    def _checked(self, response: httpx.Response) -> httpx.Response:
        """Warns once if the service is older than this client."""
        version = response.headers.get("matchbook-version", "")
        if not self._is_checked and version < API_VERSION:
            text = f"The service knows the API of {version or 'an unknown day'}, this client that of {API_VERSION}."
            warnings.warn(text, stacklevel=2)
        self._is_checked = True
        return response


def _module(name: str) -> Any:
    return importlib.import_module(f"._api.api.{name}", __package__)


def _answer(module: Any, response: httpx.Response) -> Any:
    """Models for JSON, text for text, bytes for all else; None where there is nothing."""
    if not response.content:
        return None
    kind = response.headers.get("content-type", "")
    if kind.startswith("application/json"):
        return module._parse_response(client=_LENIENT, response=response)
    return response.text if kind.startswith(("text/", "application/x-ndjson")) else response.content


class Caller(_Base):
    """Makes calls and waits for their answers."""

    def __init__(self, base_url: str, api_key: str, timeout: float, max_retries: int) -> None:
        super().__init__(base_url, api_key, max_retries)
        self.http = httpx.Client(timeout=timeout)

    def call(self, name: str, arguments: dict[str, Any], content_type: str | None = None) -> Any:
        module = _module(name)
        return _answer(module, self.send(self._request_of(module, arguments, content_type)))

    def page(self, name: str, arguments: dict[str, Any]) -> Page[Any]:
        def further(cursor: str) -> Page[Any]:
            return self.page(name, _after_cursor(arguments, cursor))

        return Page(self.call(name, arguments), further)

    def request(self, method: str, path: str, **given: Any) -> httpx.Response:
        return self.send(self._request(method, path, given))

    def send(self, request: dict[str, Any]) -> httpx.Response:
        steps = attempts(request, self._max_retries)
        outcome: Outcome = None
        while True:
            try:
                pause = steps.send(outcome)
            except StopIteration as end:
                return self._checked(end.value)
            try:
                if pause is None:
                    outcome = self.http.request(**request)
                else:
                    time.sleep(pause)
            except httpx.TransportError as error:
                outcome = error


class AsyncCaller(_Base):
    """Makes calls and awaits their answers."""

    def __init__(self, base_url: str, api_key: str, timeout: float, max_retries: int) -> None:
        super().__init__(base_url, api_key, max_retries)
        self.http = httpx.AsyncClient(timeout=timeout)

    async def call(self, name: str, arguments: dict[str, Any], content_type: str | None = None) -> Any:
        module = _module(name)
        return _answer(module, await self.send(self._request_of(module, arguments, content_type)))

    async def page(self, name: str, arguments: dict[str, Any]) -> AsyncPage[Any]:
        async def further(cursor: str) -> AsyncPage[Any]:
            return await self.page(name, _after_cursor(arguments, cursor))

        return AsyncPage(await self.call(name, arguments), further)

    async def request(self, method: str, path: str, **given: Any) -> httpx.Response:
        return await self.send(self._request(method, path, given))

    async def send(self, request: dict[str, Any]) -> httpx.Response:
        steps = attempts(request, self._max_retries)
        outcome: Outcome = None
        while True:
            try:
                pause = steps.send(outcome)
            except StopIteration as end:
                return self._checked(end.value)
            try:
                if pause is None:
                    outcome = await self.http.request(**request)
                else:
                    await asyncio.sleep(pause)
            except httpx.TransportError as error:
                outcome = error


def _after_cursor(arguments: dict[str, Any], cursor: str) -> dict[str, Any]:
    """The parameters of a further page: the cursor stands for where the first one began."""
    later = {**arguments, "cursor": cursor}
    return {**later, "after": UNSET} if "after" in later else later


class _PageBase(Generic[Item]):
    def __init__(self, answer: Any, further: Any) -> None:
        self.data: list[Item] = answer.data
        self.has_more: bool = bool(answer.has_more)
        self.next_cursor: str | None = answer.next_cursor or None
        self._further = further


class Page(_PageBase[Item]):
    """A page of a list. Iterating goes through all items of this page and of the further ones."""

    def __iter__(self) -> Iterator[Item]:
        page = self
        while True:
            yield from page.data
            if not page.has_more or page.next_cursor is None:
                return
            page = page._further(page.next_cursor)


class AsyncPage(_PageBase[Item]):
    """A page of a list. `async for` goes through all items of this page and of the further ones."""

    async def __aiter__(self) -> AsyncIterator[Item]:
        page = self
        while True:
            for item in page.data:
                yield item
            if not page.has_more or page.next_cursor is None:
                return
            page = await page._further(page.next_cursor)

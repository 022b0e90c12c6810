"""The clients: a method for each operation of the API, by group and name."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any

import httpx

from ._caller import AsyncCaller, Caller
from ._errors import InvalidRequestError
from ._operations import AsyncEventsOperations, AsyncGroups, EventsOperations, Groups

if TYPE_CHECKING:
    from ._api.models import Event

#: How long the service may wait for events, in seconds.
_WAIT = 30
#: The least time between two requests without events: a service at its limit of waits answers at once.
_SHORTEST_PAUSE = 1.0


class _Place:
    """Where a reader of the events is, and whether the service can wait for further ones."""

    def __init__(self, cursor: str | None, after: int | None, filters: dict[str, str | None]) -> None:
        self.filters = {name: value for name, value in filters.items() if value is not None}
        self.where: dict[str, Any] = {"cursor": cursor} if cursor else {} if after is None else {"after": after}
        self.wait: dict[str, Any] = {"wait": _WAIT}

    def query(self) -> dict[str, Any]:
        return {**self.filters, **self.where, **self.wait, "limit": 100}

    def stop_waiting(self, error: InvalidRequestError) -> None:
        """Asks without waiting from now on, if the service is older than this client; otherwise raises the error."""
        if not self.wait or all(one.get("field") != "wait" for one in error.field_errors):
            raise error
        self.wait = {}


def _events_of(answer: httpx.Response) -> tuple[list[Event], str, bool]:
    from ._api.models import Event

    page = answer.json()
    events = [Event.from_dict(one) for one in page["data"]]
    return events, page["next_cursor"], page["has_more"]


class FollowableEvents(EventsOperations):
    def follow(
        self,
        *,
        cursor: str | None = None,
        after: int | None = None,
        types: str | None = None,
        customer: str | None = None,
        save: Callable[[str], object] | None = None,
    ) -> Iterator[Event]:
        """
        Yields events in their order, and waits for further ones. `save` gets the cursor after the events before it have been handled:
        store it with what they have changed. Raises a ConflictError with the code `FEED_RESET` when the database was restored:
        continue after `details["sequence"]`.
        """
        place = _Place(cursor, after, {"types": types, "customer": customer})
        while True:
            began = time.monotonic()
            try:
                answer = self._caller.request("GET", "/events", params=place.query())
            except InvalidRequestError as error:
                place.stop_waiting(error)
                continue
            events, next_cursor, has_more = _events_of(answer)
            yield from events
            if save is not None:
                save(next_cursor)
            place.where = {"cursor": next_cursor}
            if not events and not has_more:
                time.sleep(max(0.0, _SHORTEST_PAUSE - (time.monotonic() - began)))


class AsyncFollowableEvents(AsyncEventsOperations):
    async def follow(
        self,
        *,
        cursor: str | None = None,
        after: int | None = None,
        types: str | None = None,
        customer: str | None = None,
        save: Callable[[str], object | Awaitable[object]] | None = None,
    ) -> AsyncIterator[Event]:
        """As `follow` of the synchronous client; `save` may be a coroutine."""
        place = _Place(cursor, after, {"types": types, "customer": customer})
        while True:
            began = time.monotonic()
            try:
                answer = await self._caller.request("GET", "/events", params=place.query())
            except InvalidRequestError as error:
                place.stop_waiting(error)
                continue
            events, next_cursor, has_more = _events_of(answer)
            for event in events:
                yield event
            if save is not None:
                saved = save(next_cursor)
                if inspect.isawaitable(saved):
                    await saved
            place.where = {"cursor": next_cursor}
            if not events and not has_more:
                await asyncio.sleep(max(0.0, _SHORTEST_PAUSE - (time.monotonic() - began)))


class Matchbook(Groups):
    """
    The client. `base_url` is where the service is, `timeout` the seconds of one attempt, `max_retries` how often a call is repeated.
    Calls raise a MatchbookError.
    """

    def __init__(self, base_url: str, api_key: str, *, timeout: float = 60.0, max_retries: int = 5) -> None:
        self._caller = Caller(base_url, api_key, timeout, max_retries)
        super().__init__(self._caller)
        self.events = FollowableEvents(self._caller)

    def request(self, method: str, path: str, **given: Any) -> httpx.Response:
        """Makes a request to a path below `/api/v1`; `params`, `json`, `content` and `headers` are those of httpx."""
        return self._caller.request(method, path, **given)

    def close(self) -> None:
        self._caller.http.close()

    def __enter__(self) -> Matchbook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncMatchbook(AsyncGroups):
    """The client for asyncio. As `Matchbook`, with methods to await."""

    def __init__(self, base_url: str, api_key: str, *, timeout: float = 60.0, max_retries: int = 5) -> None:
        self._caller = AsyncCaller(base_url, api_key, timeout, max_retries)
        super().__init__(self._caller)
        self.events = AsyncFollowableEvents(self._caller)

    async def request(self, method: str, path: str, **given: Any) -> httpx.Response:
        """Makes a request to a path below `/api/v1`; `params`, `json`, `content` and `headers` are those of httpx."""
        return await self._caller.request(method, path, **given)

    async def close(self) -> None:
        await self._caller.http.aclose()

    async def __aenter__(self) -> AsyncMatchbook:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

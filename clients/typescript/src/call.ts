/** What a call takes besides its input, and what it returns. */

export interface CallOptions {
  /** The key under which a POST is done once; without it the client makes one for each call. At most 255 characters. */
  readonly idempotencyKey?: string;
  /** Changes the resource only if it has this ETag; otherwise `PreconditionFailedError`. */
  readonly ifMatch?: string;
  /** The type of the answer, where an operation has several: `text/csv`, `application/pdf`, `application/x-ndjson`. */
  readonly accept?: string;
  /** The type of a body that is no JSON, such as `text/csv`. */
  readonly contentType?: string;
  /** Ends the call, its pauses and its retries. */
  readonly signal?: AbortSignal;
}

/** A page of a list. */
export interface List<Item> {
  readonly data: readonly Item[];
  readonly next_cursor?: string | null;
  readonly has_more?: boolean;
}

/** A call in progress. Await it for the answer, or `withResponse()` for the headers as well. */
export interface Call<Answer> extends Promise<Answer> {
  /** Returns the answer and the response, whose body has been read. */
  withResponse(): Promise<{ readonly data: Answer; readonly response: Response }>;
}

/** A call for a list: await it for its first page, or read all items of all pages by `for await`. */
export interface ListCall<Item> extends Call<List<Item>>, AsyncIterable<Item> {}

/** Returns a call of what runs, whose further pages are read by `more`. */
export function callOf<Answer>(
  running: Promise<{ readonly data: Answer; readonly response: Response }>,
  more: (cursor: string) => Promise<List<unknown>>,
): Call<Answer> & AsyncIterable<unknown> {
  const answer = running.then(({ data }) => data);
  return Object.assign(answer, {
    withResponse: () => {
      // The caller gets the refusal from `running` alone.
      answer.catch(() => {});
      return running;
    },
    [Symbol.asyncIterator]: () =>
      itemsOf(answer as Promise<unknown> as Promise<List<unknown>>, more),
  });
}

async function* itemsOf(
  first: Promise<List<unknown>>,
  more: (cursor: string) => Promise<List<unknown>>,
): AsyncGenerator<unknown> {
  let page = await first;
  for (;;) {
    if (!Array.isArray(page?.data)) throw new TypeError("Only lists are read by `for await`.");
    yield* page.data;
    if (page.has_more !== true || typeof page.next_cursor !== "string") return;
    page = await more(page.next_cursor);
  }
}

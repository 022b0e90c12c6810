/** Work of a page or an action that can turn out to be long: then another thread does it, as it does for the API. */
import type { PersonContext } from "../../platform/commands/context.ts";
import type { Reply } from "../../platform/http/asked.ts";
import { freeze, thaw } from "../../platform/runtime/json.ts";
import type { Services } from "../../platform/runtime/services.ts";
import { ANYTHING, unlessLong } from "../../platform/threads/takes-long.ts";
import { pageAsked } from "./page-asked.ts";

/** Input and result are plain data, bigints included: they travel between threads. */
export interface LongWork<Input, Result> {
  /** By which the other thread finds it; no operation of the API has the same. */
  readonly name: `pages.${string}`;
  readonly is_read: boolean;
  /** Throws TakesLong, before anything is committed, where it leaves its thread. */
  work(cx: PersonContext, input: Input): Promise<Result>;
}

/** Only infers the types. */
export function defineLongWork<Input, Result>(
  work: LongWork<Input, Result>,
): LongWork<Input, Result> {
  return work;
}

/** The place of the account that a page or an action holds. */
export interface Room {
  /** Trades it for one of the account's few heavy ones, before long work begins. Throws RATE_LIMITED. */
  takeHeavyPlace(): Promise<void>;
  /** Does the work here, or by another thread where it is long. Throws what it refuses, and RATE_LIMITED. */
  runLong<Input, Result>(work: LongWork<Input, Result>, input: Input): Promise<Result>;
}

/** What a page or an action does with its place. `context` is that of the person, asked for when it is needed. */
export function roomOf(
  { heavy }: Services,
  context: () => PersonContext,
  request_id: string,
  takeHeavyPlace: () => Promise<void>,
): Room {
  return {
    takeHeavyPlace,
    async runLong({ name, is_read, work }, input) {
      const cx = context();
      if (heavy === null) return work(cx, input);
      const here = await unlessLong(async () => ({
        result: await work({ ...cx, leaves_if_long: true }, input),
      }));
      if (here !== null) return here.result;
      await takeHeavyPlace();
      const asked = pageAsked(name, cx.caller, request_id, { params: {}, query: input }, is_read);
      const { body } = await heavy.answer(asked, "computation", ANYTHING, cx);
      return thaw(Buffer.from(body as Uint8Array).toString());
    },
  };
}

/** The result of the work as the other thread hands it over. */
export async function answerLongWork(
  { work }: LongWork<never, unknown>,
  cx: PersonContext,
  input: unknown,
): Promise<Reply> {
  return { status: 200, headers: {}, body: freeze((await work(cx, input as never)) ?? null) };
}

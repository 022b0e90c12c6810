/** Runs work of a page or an action that may be long. Another thread does long work, as for the API. */
import type { PersonContext } from "../../platform/commands/context.ts";
import type { Reply } from "../../platform/http/asked.ts";
import { freeze, thaw } from "../../platform/runtime/json.ts";
import type { Services } from "../../platform/runtime/services.ts";
import { ANYTHING, READING, unlessLong } from "../../platform/threads/takes-long.ts";
import { pageAsked } from "./page-asked.ts";

/** Work that may be long. Input and result are plain data, including bigints, because they are sent between threads. */
export interface LongWork<Input, Result> {
  /** The name by which the other thread finds the work; no operation of the API has the same one. */
  readonly name: `pages.${string}`;
  readonly is_read: boolean;
  /** Set for work that only reads, which a replica may do: not for a dry run of a command. */
  readonly on_replica?: true;
  /** Does the work. Throws TakesLong, before anything is committed, where the work must move to another thread. */
  work(cx: PersonContext, input: Input): Promise<Result>;
}

/** Returns the given work; the function only lets TypeScript infer the types. */
export function defineLongWork<Input, Result>(
  work: LongWork<Input, Result>,
): LongWork<Input, Result> {
  return work;
}

/** The account's slot that a page or an action holds. */
export interface Room {
  /** Exchanges the slot for one of the account's few heavy ones, before long work begins. Throws RATE_LIMITED. */
  takeHeavyPlace(): Promise<void>;
  /** Does the work in this thread, or in another one where it is long. Throws the refusals of the work, and RATE_LIMITED. */
  runLong<Input, Result>(work: LongWork<Input, Result>, input: Input): Promise<Result>;
}

/** Returns the room of a page or an action. `context` returns the person's context, and is called only when it is needed. */
export function roomOf(
  { heavy }: Services,
  context: () => PersonContext,
  request_id: string,
  takeHeavyPlace: () => Promise<void>,
): Room {
  return {
    takeHeavyPlace,
    async runLong({ name, is_read, on_replica, work }, input) {
      const cx = context();
      if (heavy === null) return work(cx, input);
      const here = await unlessLong(async () => ({
        result: await work({ ...cx, leaves_if_long: true }, input),
      }));
      if (here !== null) return here.result;
      await takeHeavyPlace();
      const asked = pageAsked(name, cx.caller, request_id, { params: {}, query: input }, is_read);
      const bounds = on_replica ? READING : ANYTHING;
      const { body } = await heavy.answer(asked, "computation", bounds, cx);
      return thaw(Buffer.from(body as Uint8Array).toString());
    },
  };
}

/** Returns the result of the work in the form that the other thread returns. */
export async function answerLongWork(
  { work }: LongWork<never, unknown>,
  cx: PersonContext,
  input: unknown,
): Promise<Reply> {
  return { status: 200, headers: {}, body: freeze((await work(cx, input as never)) ?? null) };
}

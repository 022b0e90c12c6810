/** Forms that answer with a secret: each is carried out once, and a repeated form gets the answer without the secret. */
import type { Context } from "../../platform/commands/context.ts";
import { answerOnce } from "../../platform/http/idempotency.ts";
import { newId } from "../../platform/runtime/id.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import type { PageRequest } from "../frame/page.tsx";

/** A stored endpoint, and its secret where this form has made it. */
interface WithSecret {
  readonly document: JsonText;
  readonly secret: string | null;
}

/**
 * Does the work once for the one-time value `once` of the form. Throws what the work throws, and IDEMPOTENCY_CONFLICT for other
 * content under the same value.
 */
export async function onceOnly(
  { cx, form, url }: PageRequest,
  work: (cx: Context) => Promise<WithSecret>,
): Promise<WithSecret> {
  const { csrf: _, once, ...body } = form;
  let secret: string | null = null;
  const repeatable = {
    key: `form ${once ?? newId()}`,
    method: "POST",
    url,
    body,
    claim: newId<string>(),
    process: null,
  };
  const { text } = await answerOnce(cx, repeatable, newId(), async (own) => {
    const done = await work(own);
    // After a crash, the secret that was stored is not the one that this call has made.
    const is_resumed = own.once !== null && own.once.committed !== null;
    secret = is_resumed ? null : done.secret;
    return { status: 200, text: done.document };
  });
  return { document: text, secret };
}

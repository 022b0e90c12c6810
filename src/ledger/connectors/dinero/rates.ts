/** Reads the value in kroner of a foreign-currency document, in the document and the lists: either may contain it. */
import type { Booked, DocumentBooking } from "../../ledger.ts";
import type { CallOptions, Failure, Rejected } from "../../outcome.ts";
import { type DineroApi, readable } from "./api.ts";
import { bookedFrom, type DineroDocument, type FirstMonth, lacksKroner } from "./read-document.ts";
import { fieldOf, listOf, textOf } from "./values.ts";

const KRONER = "TotalInclVatInDkk";

/** Returns the document with its kroner from the list under a path, when the list has them; a refused list adds nothing. */
async function withKroner(
  api: DineroApi,
  path: string,
  there: DineroDocument,
  options: CallOptions,
): Promise<{ readonly state: "there"; readonly there: DineroDocument } | Failure> {
  const { object } = there;
  if (!lacksKroner(object)) return { state: "there", there };
  const guid = textOf(object, "Guid")?.toLowerCase();
  const day = textOf(object, "Date")?.slice(0, 10);
  const reference = textOf(object, "ExternalReference");
  const asked = new URLSearchParams({
    fields: `Guid,${KRONER}`,
    pageSize: "1000",
    ...(day !== undefined && { startDate: day, endDate: day }),
    ...(reference !== null && { queryFilter: `ExternalReference eq '${reference}'` }),
  });
  const answer = await api(
    { verb: path, method: "GET", version: "v1", path: `${path}?${asked}` },
    options,
  );
  if (answer.state === "refused") return { state: "there", there };
  if (answer.state !== "done") return answer;
  return readable(() => {
    const row = listOf(answer.value).find((one) => textOf(one, "Guid")?.toLowerCase() === guid);
    const kroner = row === undefined ? undefined : fieldOf(row, KRONER);
    const with_kroner = typeof kroner === "number" ? { ...object, [KRONER]: kroner } : object;
    return { state: "there", there: { ...there, object: with_kroner } };
  });
}

/** Returns the booking of a document, with its rate and kroner when they are available. */
export async function bookedWithKroner(
  api: DineroApi,
  path: string,
  there: DineroDocument,
  first_month: FirstMonth,
  options: CallOptions,
): Promise<Booked | Failure> {
  const whole = await withKroner(api, path, there, options);
  if (whole.state !== "there") return whole;
  return readable(() => bookedFrom(whole.there, first_month));
}

/**
 * Returns why a draft cannot be booked for lack of a rate, or the failure of the request; null when the draft can be booked. A
 * document without a rate of ours needs one of Dinero's, which the draft shows when Dinero has one.
 */
export async function requireRate(
  api: DineroApi,
  path: string,
  { document }: DocumentBooking,
  draft: DineroDocument,
  options: CallOptions,
): Promise<Rejected | Failure | null> {
  const has_own = document.rate_micro !== null && document.rate_micro > 0n;
  if (document.currency === document.functional_currency || has_own) return null;
  const whole = await withKroner(api, path, draft, options);
  if (whole.state !== "there") return whole;
  return lacksKroner(whole.there.object) ? { state: "rejected", code: "RATE_MISSING" } : null;
}

/**
 * Senders without the rules of deliveries, through the adapter of the product: one submits again whenever a submission was not
 * confirmed, on the wrong assumption that an error means that nothing was sent; the other one never does.
 */
import type { AccessPoint } from "../../../src/einvoice/access-point.ts";
import type { SentEinvoice } from "./compare-arrivals.ts";
import { submissionOf } from "./submission.ts";

const CALL_MS = 1_000;
const MOST_TRIES = 50;

/** Sends a number of documents; returns what was to be sent. */
export async function sendNaively(
  access_point: AccessPoint,
  count: number,
  when_in_doubt: "submits again" | "gives up",
): Promise<SentEinvoice[]> {
  const sent: SentEinvoice[] = [];
  for (let number = 1; number <= count; number += 1) {
    const submission = submissionOf();
    sent.push({
      document: `invoice ${number}`,
      instance: submission.delivery_id,
      sha256: null,
    });
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const call = { signal: AbortSignal.timeout(CALL_MS) };
      const { state } = await access_point.submit(submission, call);
      if (state === "delivered" || when_in_doubt === "gives up") break;
    }
  }
  return sent;
}

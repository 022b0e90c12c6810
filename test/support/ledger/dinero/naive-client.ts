/**
 * A client that books documents without an intent and without a look-up: a guid for each attempt, and after an error a new one.
 * It shows that the faults of a wire do harm and that the comparison detects it.
 */
import { randomUUID } from "node:crypto";
import type { LocalDocument } from "./compare.ts";
import { simulatedAccess } from "./simulation.ts";

const CALL_MS = 1_000;

/** Books an invoice of each amount, in hundredths; returns the documents that it assumes to have booked. */
export async function bookNaively(origin: string, amounts: readonly number[]) {
  const accepted: LocalDocument[] = [];
  const contact = await insist(() =>
    post(origin, "v1", "contacts", {
      Name: "Acme",
      CountryKey: "DK",
      IsPerson: false,
      IsMember: false,
      UseCvr: false,
    }),
  );
  for (const net of amounts) {
    const booked = await insist(async () => {
      const guid = randomUUID();
      const line = { BaseAmountValue: net / 100, Quantity: 1, AccountNumber: 1000, Discount: 0 };
      const made = await post(origin, "v1", "invoices", {
        Guid: guid,
        ContactGuid: contact.ContactGuid,
        Date: new Date().toISOString().slice(0, 10),
        ProductLines: [{ ...line, Unit: "hours", Description: "Consulting" }],
      });
      const path = `invoices/${guid}/book`;
      const { Number: number } = await post(origin, "v1", path, { Timestamp: made.TimeStamp });
      return { guid, number: Number(number) };
    });
    accepted.push({ kind: "invoice", net, ...booked });
  }
  return accepted;
}

/** Repeats until it succeeds, on the wrong assumption that an error means that nothing was done. */
async function insist<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      // The loop repeats the attempt.
    }
  }
}

async function post(
  origin: string,
  version: string,
  path: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const { settings } = simulatedAccess(origin);
  const token = await tokenFrom(origin);
  const url = `${origin}/${version}/${settings.organization_id}/${path}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(CALL_MS);
  const response = await fetch(url, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

async function tokenFrom(origin: string): Promise<string> {
  const { settings, secrets } = simulatedAccess(origin);
  const pair = Buffer.from(`${settings.client_id}:${secrets.client_secret}`).toString("base64");
  const form = { grant_type: "password", username: secrets.api_key, password: secrets.api_key };
  const response = await fetch(settings.token_url, {
    method: "POST",
    headers: { authorization: `Basic ${pair}` },
    body: new URLSearchParams({ ...form, scope: "read write" }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/**
 * What is taken to be so of Dinero, asked of a real organisation. It needs one that is made for trials, because the last
 * test books: DINERO_ORGANIZATION_ID, DINERO_CLIENT_ID, DINERO_CLIENT_SECRET and DINERO_API_KEY name it, and
 * DINERO_BOOKS=trial allows to book there. DINERO_SALES_ACCOUNT is an account with 25 % VAT (1000 unless told).
 * DINERO_API_URL and DINERO_TOKEN_URL name another place, such as the simulation, on which the suite itself is tried.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { dineroConnector } from "../../src/ledger/connectors/dinero/connector.ts";
import type { DocumentBooking } from "../../src/ledger/ledger.ts";
import { line, vat } from "../support/documents/documents.ts";
import { bookingsOn, mapped } from "../support/ledger/bookings.ts";
import { plainLine } from "../support/ledger/plain-line.ts";

const {
  DINERO_ORGANIZATION_ID: organization_id = "",
  DINERO_CLIENT_ID: client_id = "",
  DINERO_CLIENT_SECRET: client_secret = "",
  DINERO_API_KEY: api_key = "",
  DINERO_SALES_ACCOUNT: sales_account = "1000",
  DINERO_API_URL: api_url,
  DINERO_TOKEN_URL: token_url,
  DINERO_BOOKS,
} = process.env;
const is_named = [organization_id, client_id, client_secret, api_key].every((one) => one !== "");
const options = { signal: new AbortController().signal };

/** 0.50 at 25 %: 0.13 when halves go up, 0.12 when they go to the even; the connector takes both. */
function booking(): DocumentBooking {
  return bookingsOn([mapped(1010, "DK25", sales_account)]).invoice({
    issue_date: new Date().toISOString().slice(0, 10),
    lines: [line("Trial", 50n, [[100, 5_000n, 0, 50n]])],
    vat: [vat(50n, 13n)],
    totals: { net: 50n, vat: 13n, gross: 63n },
  });
}

describe.skipIf(!is_named)(
  "a Dinero organisation (DINERO_ORGANIZATION_ID and its keys name one)",
  () => {
    const line = plainLine({
      settings: {
        organization_id,
        client_id,
        ...(api_url !== undefined && { api_url }),
        ...(token_url !== undefined && { token_url }),
      },
      secrets: { client_secret, api_key },
    });
    const ledger = dineroConnector.open(line);

    it("tells who it is, with accounts and VAT codes", async () => {
      const check = await ledger.more.check(options);
      if (check.state !== "ok") throw new Error(JSON.stringify(check));
      const account = check.accounts.find((one) => one.account === sales_account);
      expect(check.vat_codes.find(({ code }) => code === account?.vat_code)).toMatchObject({
        rate: 2500,
      });
    });

    it("has nothing under a guid that nobody has used, of any kind", async () => {
      for (const kind of ["invoice", "credit_note", "voucher"] as const) {
        expect(await ledger.find(kind, randomUUID(), options)).toEqual({ state: "absent" });
      }
    });

    it("lists customers and products", async () => {
      expect(await ledger.more.changes(null, options)).toMatchObject({ state: "changes" });
    });

    it.skipIf(DINERO_BOOKS !== "trial")(
      "books once under a guid (DINERO_BOOKS=trial)",
      async () => {
        const made = booking();
        const booked = await ledger.ensureBooked(made, options);
        expect(booked).toMatchObject({ state: "booked", guid: made.guid });
        expect(await ledger.ensureBooked(made, options)).toEqual(booked);
        expect(await ledger.find("invoice", made.guid, options)).toEqual(booked);
        expect(await ledger.more.pdf?.("invoice", made.guid, options)).toMatchObject({
          state: "pdf",
        });
      },
    );
  },
);

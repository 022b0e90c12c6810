/**
 * The assumptions about Dinero, checked against a real organisation. It must be one for trials, because the last
 * test books: DINERO_ORGANIZATION_ID, DINERO_CLIENT_ID, DINERO_CLIENT_SECRET and DINERO_API_KEY name it, and
 * DINERO_BOOKS=trial permits booking there. DINERO_SALES_ACCOUNT is an account with 25 % VAT (1000 by default),
 * DINERO_ACCRUAL_ACCOUNT a liability account (63000), and DINERO_LOCKED_DAY a day that is locked there.
 * DINERO_API_URL and DINERO_TOKEN_URL name another server, such as the simulation, on which the suite itself is tried.
 *
 * Unpublished behaviour is tested, and the true reading is printed. DINERO_LIMIT=trial uses up the requests of a
 * minute, and DINERO_API_KEY_WITHOUT_PLAN with DINERO_ORGANIZATION_ID_WITHOUT_PLAN is a company whose plan allows no calls.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openApi } from "../../src/ledger/connectors/dinero/api.ts";
import { dineroConnector } from "../../src/ledger/connectors/dinero/connector.ts";
import { ensureContact } from "../../src/ledger/connectors/dinero/customers.ts";
import { documentBody } from "../../src/ledger/connectors/dinero/draft-document.ts";
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
  DINERO_ACCRUAL_ACCOUNT: accrual_account = "63000",
  DINERO_LOCKED_DAY: locked_day = "",
  DINERO_API_URL: api_url,
  DINERO_TOKEN_URL: token_url,
  DINERO_BOOKS,
  DINERO_LIMIT,
  DINERO_API_KEY_WITHOUT_PLAN: key_without_plan = "",
  DINERO_ORGANIZATION_ID_WITHOUT_PLAN: organization_without_plan = "",
} = process.env;
const is_named = [organization_id, client_id, client_secret, api_key].every((one) => one !== "");
const options = { signal: new AbortController().signal };

/** 0.50 at 25 %: 0.13 when halves are rounded up, 0.12 when they are rounded to even; the connector accepts both. */
function booking(change: Partial<DocumentBooking["document"]> = {}): DocumentBooking {
  return bookingsOn([mapped(1010, "DK25", sales_account)]).invoice({
    issue_date: new Date().toISOString().slice(0, 10),
    lines: [line("Trial", 50n, [[100, 5_000n, 0, 50n]])],
    vat: [vat(50n, 13n)],
    totals: { net: 50n, vat: 13n, gross: 63n },
    ...change,
  });
}

/** Prints the true reading of unpublished behaviour. */
function say(what: string, reading: unknown): void {
  process.stdout.write(`Dinero: ${what}: ${JSON.stringify(reading)}\n`);
}

describe.skipIf(!is_named)(
  "a Dinero organisation (needs one: DINERO_ORGANIZATION_ID and its keys)",
  () => {
    const lineOf = (organization_id: string, api_key: string) =>
      plainLine({
        settings: {
          organization_id,
          client_id,
          ...(api_url !== undefined && { api_url }),
          ...(token_url !== undefined && { token_url }),
        },
        secrets: { client_secret, api_key },
      });
    const line = lineOf(organization_id, api_key);
    const ledger = dineroConnector.open(line);
    /** One unmodified request, for answers that the connector does not show. */
    const ask = async (method: "GET" | "POST", path: string, body?: unknown) => {
      const token = await line.tokens.get(async () => ({ state: "unauthorized" }));
      if (token.state !== "token") throw new Error("an earlier call has asked for a token");
      const reply = await fetch(`${api_url ?? "https://api.dinero.dk"}/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token.access_token}`,
          accept: "application/json",
          "content-type": "application/json",
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, reported: text === "" ? {} : JSON.parse(text) };
    };
    /** A draft that the connector has deleted, because its total differs. */
    const deletedDraft = async (): Promise<DocumentBooking> => {
      const made = booking({ vat: [vat(50n, 50n)], totals: { net: 50n, vat: 50n, gross: 100n } });
      expect(await ledger.ensureBooked(made, options)).toMatchObject({ code: "TOTAL_MISMATCH" });
      return made;
    };

    it("reports its name, accounts and VAT codes", async () => {
      const check = await ledger.more.check(options);
      if (check.state !== "ok") throw new Error(JSON.stringify(check));
      const account = check.accounts.find((one) => one.account === sales_account);
      expect(check.vat_codes.find(({ code }) => code === account?.vat_code)).toMatchObject({
        rate: 2500,
      });
    });

    it("finds nothing under an unused guid, of any kind", async () => {
      for (const kind of ["invoice", "credit_note", "voucher"] as const) {
        expect(await ledger.find(kind, randomUUID(), options)).toEqual({ state: "absent" });
      }
    });

    it("lists customers and products", async () => {
      expect(await ledger.more.changes(null, options)).toMatchObject({ state: "changes" });
    });

    it.skipIf(DINERO_BOOKS !== "trial")(
      "books once under a guid (needs DINERO_BOOKS=trial)",
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

    it("names an absent ledger item in a place that the connector reads", async () => {
      const Id = randomUUID();
      expect(await ledger.find("voucher", Id, options)).toEqual({ state: "absent" });
      const { reported } = await ask("POST", `v1/${organization_id}/ledgeritems/status`, [{ Id }]);
      const places = ["validationErrors", "errorMessageList", "languageSpecificMessages"];
      const named = places.filter((place) =>
        JSON.stringify(reported[place] ?? null).includes("NotFound"),
      );
      say("ledgerItemNotFound stands in", named);
    });

    it.skipIf(DINERO_BOOKS !== "trial")(
      "reports a deleted draft as absent, and its guid as free or used (needs DINERO_BOOKS=trial)",
      async () => {
        const made = await deletedDraft();
        expect(await ledger.find("invoice", made.guid, options)).toEqual({ state: "absent" });
        const look = await ask("GET", `v1/${organization_id}/invoices/${made.guid}`);
        say("a look at a deleted draft", {
          status: look.status,
          code: look.reported.code,
          DeletedAt: look.reported.DeletedAt,
        });
        const again = await ledger.ensureBooked(made, options);
        // If the guid is free, a draft was created again, and deleted again because of its total.
        expect(["guid_used", "rejected"]).toContain(again.state);
        say("the guid of a deleted draft is", again.state === "guid_used" ? "used" : "free");
      },
    );

    it.skipIf(DINERO_BOOKS !== "trial" || locked_day === "")(
      "reports a locked day by a known code (needs DINERO_BOOKS=trial and DINERO_LOCKED_DAY)",
      async () => {
        const refused = await ledger.ensureBooked(booking({ issue_date: locked_day }), options);
        say("a locked day is reported as", refused);
        expect(refused).toMatchObject({ state: "rejected", code: "PERIOD_LOCKED" });
        const { voucher } = bookingsOn([
          mapped(1010, "DK25", sales_account),
          mapped(1150, "EU_SERVICES_RC", sales_account),
          mapped(8070, null, accrual_account),
        ]);
        const made = voucher({ issue_date: locked_day });
        say("an item on a locked day is", await ledger.ensureBooked(made, options));
        say("and then", await ledger.find("voucher", made.guid, options));
      },
    );

    it.skipIf(DINERO_BOOKS !== "trial")(
      "shows where a draft in euro reports its kroner (needs DINERO_BOOKS=trial)",
      async () => {
        const api = openApi(line);
        const { Guid, ...body } = documentBody(booking()) as Record<string, unknown>;
        const at = (method: "GET" | "POST" | "DELETE", path: string, more: object = {}) =>
          api({ verb: "invoices", method, version: "v1", path, ...more }, options);
        const contact = await ensureContact(api, booking().document.customer, options);
        expect(contact).toMatchObject({ state: "done" });
        const draft = { ...body, Guid, Currency: "EUR" };
        expect(await at("POST", "invoices", { body: draft })).toMatchObject({ state: "done" });
        const alone = await at("GET", `invoices/${Guid}`);
        const fields = "Guid,TotalInclVatInDkk";
        const listed = await at("GET", `invoices?fields=${fields}&pageSize=1000`);
        if (alone.state !== "done" || listed.state !== "done") throw new Error("no answer");
        const there = alone.value as Record<string, unknown>;
        const rows = (listed.value as { Collection: Record<string, unknown>[] }).Collection;
        const row = rows.find((one) => one.Guid === Guid) ?? {};
        const hasKroner = (one: Record<string, unknown>) =>
          typeof one.TotalInclVatInDkk === "number";
        say("a draft in EUR states its amount in kroner", {
          alone: hasKroner(there),
          in_lists: hasKroner(row),
        });
        await at("DELETE", `invoices/${Guid}`, { body: { Timestamp: there.TimeStamp } });
      },
    );

    it.skipIf(DINERO_LIMIT !== "trial")(
      "shows whether a 429 states the time for a retry (needs DINERO_LIMIT=trial)",
      async () => {
        for (let count = 0; count < 200; count += 1) {
          const found = await ledger.find("invoice", randomUUID(), options);
          if (found.state !== "not_started") continue;
          const { retry_after_ms } = found;
          say("the limit, and how long to wait (60000 where it is not said)", {
            after: count,
            retry_after_ms,
          });
          return;
        }
        throw new Error("200 requests met no limit");
      },
    );

    it.skipIf(key_without_plan === "")(
      "shows the code for a plan that allows no calls (needs DINERO_API_KEY_WITHOUT_PLAN)",
      async () => {
        const without_plan = dineroConnector.open(
          lineOf(organization_without_plan, key_without_plan),
        );
        const found = await without_plan.find("invoice", randomUUID(), options);
        expect(found).toMatchObject({ state: "unauthorized", reason: "subscription" });
        if (found.state === "unauthorized") say("a missing plan is reported as", found.cause);
      },
    );
  },
);

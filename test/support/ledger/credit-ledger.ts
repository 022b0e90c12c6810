/**
 * Credit notes of invoices in the scripted ledger, a simulator: calls and expectations for their tests. `useCreditLedger`
 * registers the same hooks as `useExternalLedger`.
 */
import { expect } from "vitest";
import { refusal } from "../http/refusal.ts";
import type { Json, Reply } from "../world/world.ts";
import { OPEN_INTENTS, useExternalLedger } from "./external-ledger.ts";
import { type BookStep, steps } from "./scripted-ledger.ts";

/** No answer in all rounds of one call. */
export const NO_ANSWER: readonly BookStep[] = [steps.unknown, steps.unknown, steps.unknown];

let count = 0;

export function useCreditLedger() {
  const external = useExternalLedger();
  const { world, ledger, product, draft, issue, intentOf } = external;

  /** An issued invoice of one line; the calls that issued it are removed from the record. */
  const issued = async (agreed_value = 100, fields: object = {}): Promise<Json> => {
    const lines = [{ product_id: product.id, recognition_method: "value", agreed_value }];
    const { status, body } = await issue(await draft({ lines, ...fields }));
    expect(status).toBe(200);
    ledger.forget();
    return body;
  };

  /** The body of a partial credit of the invoice's line; without an amount, of a full one. */
  const creditOf = (invoice: Json, amount?: number): Json => {
    count += 1;
    return {
      external_id: `credit ${count}`,
      invoice: invoice.id,
      credit_date: "2026-03-10",
      ...(amount === undefined
        ? { kind: "full" }
        : { kind: "partial", lines: [{ invoice_line_id: invoice.lines[0].id, amount }] }),
    };
  };

  const post = (body: Json): Promise<Reply> => world.rest("POST /credit-notes", body);
  const show = (body: Json): Promise<Json> =>
    world.done(`GET /credit-notes/ext:${body.external_id}`);
  const idOf = async (body: Json): Promise<string> => (await show(body)).id;

  /** Booked once in the ledger and issued in Matchbook, under one number and with the same totals. */
  const expectIssuedOnce = async (body: Json): Promise<void> => {
    const note = await show(body);
    const booked = ledger.documents.get(note.id);
    expect(note).toMatchObject({
      status: "issued",
      ledger_credit_note_guid: note.id,
      ledger_credit_note_number: Number(booked?.number),
    });
    expect(booked?.intent.kind).toBe("credit_note");
    const { net, gross } = await world.done(`GET /credit-notes/${note.id}/totals`);
    const totals = booked?.intent.document.totals;
    expect([net, gross].map((amount) => BigInt(Math.round(amount * 100)))).toEqual([
      totals?.net,
      totals?.gross,
    ]);
    expect(await intentOf(note.id)).toBeUndefined();
    const { data } = await world.done(`GET /audit-events?resource_id=${note.id}&limit=100`);
    const actions = data.map((event: Json) => event.action);
    expect(actions.filter((action: string) => action !== "booking_parked")).toEqual([
      "issued",
      "created",
    ]);
    expect(await post(body)).toMatchObject({ status: 200, body: note });
  };

  /** Still a draft, which can be neither sent nor credited again, with the attempt recorded. */
  const expectUnderWay = async (body: Json): Promise<void> => {
    const note = await show(body);
    expect(note).toMatchObject({
      status: "draft",
      ledger_credit_note_number: null,
      issued_at: null,
    });
    expect(await intentOf(note.id)).toBeDefined();
    expect(refusal(await world.rest(`POST /credit-notes/${note.id}/send`))).toBe(
      "409 CREDIT_NOTE_NOT_ISSUED",
    );
  };

  /** No trace is left, and its external id can be used again. */
  const expectGone = async (body: Json, invoice: Json): Promise<void> => {
    expect((await world.rest(`GET /credit-notes/ext:${body.external_id}`)).status).toBe(404);
    expect((await world.done(`GET /invoices/${invoice.id}/credit-notes`)).data).toEqual([]);
    expect(await world.sql(`select id from intents where ${OPEN_INTENTS}`)).toEqual([]);
    ledger.forget();
    const { kind, lines, ...rest } = body;
    const other = { ...rest, kind: "full" };
    expect(await post(other)).toMatchObject({ status: 201, body: { lines: [{ amount: 100 }] } });
  };

  return {
    ...external,
    issued,
    creditOf,
    post,
    show,
    idOf,
    expectIssuedOnce,
    expectUnderWay,
    expectGone,
  };
}

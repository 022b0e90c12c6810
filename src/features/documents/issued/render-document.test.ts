/** A draft is rendered once for the same content: bytes that are the same object were not rendered again. */
import { describe, expect, it } from "vitest";
import { creditNote, danish } from "../../../../test/support/documents/documents.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { renderDraft } from "./render-document.ts";

const world = useWorld();

const render = async (snapshot: DocumentSnapshot, account_id = world.account.account_id) =>
  renderDraft(await schedulerContext(world.services, account_id), snapshot);

describe("renderDraft", () => {
  it.each([
    ["an invoice", danish],
    ["a credit note", creditNote],
  ])("renders %s once while its content stays the same", async (_what, draft) => {
    const first = await render(draft());

    expect(await render(structuredClone(draft()))).toBe(first);
  });

  it("renders once for all parallel requests", async () => {
    const draft = { ...danish(), title: "Asked for by many" };

    const replies = await Promise.all(Array.from({ length: 8 }, () => render(draft)));

    expect(new Set(replies).size).toBe(1);
  });

  it.each<[string, Partial<DocumentSnapshot>]>([
    ["its title", { title: "Another" }],
    ["its day", { issue_date: "2026-11-21" }],
    ["its language", { language: "en" }],
    ["its lines", { lines: danish().lines.slice(1) }],
    ["its customer", { customer: { ...danish().customer, name: "Another" } }],
    ["its seller", { seller: null }],
    ["its text", { footer: "Thanks" }],
    ["the days that are credited", { kind: "credit_note" }],
  ])("renders again after a change of %s", async (_what, change) => {
    const before = await render(danish());

    const after = await render({ ...danish(), ...change });

    expect(after.equals(before)).toBe(false);
    expect(await render(danish())).toBe(before);
  });

  it("keeps drafts of two accounts apart, even with the same content", async () => {
    const other = await world.openAnother();

    const others = await render(danish(), other.account_id);

    expect(others).not.toBe(await render(danish()));
  });
});

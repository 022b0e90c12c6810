/**
 * From a snapshot to the bytes of its PDF. Those of a draft are kept for as long as there is room: a person looks at a
 * draft again and again, and nobody else does. What is kept is found by what the draft says, never by its id, so a
 * change of draft, customer, product, seller or day shows at once.
 */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { freeze, sha256 } from "../../../platform/runtime/json.ts";
import { Kept } from "../../../platform/runtime/kept.ts";
import { printedLogo } from "../../settings/configuration/logo.ts";
import { renderPdf } from "../printing/pdf.ts";
import { viewOf } from "../printing/view.ts";

/** Bytes of drafts that a thread keeps. */
const MOST_KEPT = 16_000_000;

/** By account and digest of the snapshot. A process renders all of them alike, so its version is no part of it. */
const drafts = new Kept<string, Buffer>(MOST_KEPT);

/** The PDF of a document under its number, rendered anew; `hours_are_own` where it is not the whole of it. */
export async function renderIssued(
  cx: Reader,
  snapshot: DocumentSnapshot,
  number: bigint,
  hours_are_own = false,
): Promise<Buffer> {
  return renderPdf(viewOf(snapshot, { number, hours_are_own }), await logoOf(cx, snapshot));
}

/** The marked PDF of a draft, rendered once for what it says, however many ask at once. Its bytes are not to be changed. */
export async function renderDraft(
  cx: Reader,
  snapshot: DocumentSnapshot,
  hours_are_own = false,
): Promise<Buffer> {
  const key = `${cx.caller.account_id} ${hours_are_own} ${sha256(freeze(snapshot)).toString("base64")}`;
  const known = drafts.get(key);
  if (known !== undefined) return known;
  // Read by each who asks: a caller that leaves takes nobody's rendering along.
  const logo = await logoOf(cx, snapshot);
  const render = () => renderPdf(viewOf(snapshot, { number: null, hours_are_own }), logo);
  return drafts.getOrMake(key, render, (bytes) => bytes.length);
}

async function logoOf(cx: Reader, { seller }: DocumentSnapshot): Promise<Buffer | null> {
  return seller?.logo === undefined ? null : printedLogo(cx, seller.logo);
}

/** What the buyer has answered to an e-invoice, as assistants read it. The buyer's own words are quoted. */
import type { AnswerCode } from "../../domain/einvoice/buyer-answer.ts";
import { quoted } from "../protocol/words.ts";

interface Answer {
  readonly code: AnswerCode;
  readonly reasons: readonly { readonly code: string; readonly text: string | null }[];
  readonly conditions: readonly { readonly term: string; readonly value: string | null }[];
  readonly note: string | null;
}

const CODES: Readonly<Record<AnswerCode, string>> = {
  AB: "received",
  IP: "in process",
  UQ: "under query",
  CA: "accepted with conditions",
  RE: "rejected",
  AP: "accepted",
  PD: "paid",
};

/** Returns the answer that is stored with a delivery: `rejected: REF "no order"; expects BT-13 "PO-2"`; undefined without one. */
export function answerText(response: string | null): string | undefined {
  if (response === null) return undefined;
  const { code, reasons, conditions, note } = JSON.parse(response) as Answer;
  const why = reasons.map((one) =>
    one.text === null ? one.code : `${one.code} ${quoted(one.text)}`,
  );
  const parts = [
    ...(why.length === 0 ? [] : [why.join(", ")]),
    ...conditions.map(({ term, value }) => `expects ${term} ${quoted(value ?? "")}`),
    ...(note === null ? [] : [quoted(note)]),
  ];
  return parts.length === 0 ? CODES[code] : `${CODES[code]}: ${parts.join("; ")}`;
}

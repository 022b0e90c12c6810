/**
 * Verifies the books of an account: both hash chains, balances, numbers, documents, vouchers, open items and e-invoices, all read in one snapshot of the
 * database, so that a booking made meanwhile is not a fault. Only the stored result changes.
 */

import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { verifyAuditTrail } from "../../settings/audit/verify.ts";
import { verifyJournal } from "../reports/verify.ts";
import { checkBalances, checkNumbers, checkOf, checkVouchers } from "./check-books.ts";
import { checkDocuments } from "./check-documents.ts";
import { checkEinvoices } from "./check-einvoices.ts";
import { checkReceivables } from "./check-receivables.ts";
import { type Check, Verification } from "./schemas.ts";

/** The heads of the two hash chains, for the log: an attacker who rewrites a chain cannot rewrite the logged heads. */
interface Heads {
  readonly audit_seq: bigint;
  readonly audit_hash: Buffer;
  readonly entry_no: bigint;
  readonly journal_hash: Buffer;
}

/** Checks the account now, stores the result, and logs the heads of its chains; faults are logged as an error. */
export async function verifyAccount(cx: Reader): Promise<Verification> {
  const { account_id } = cx.caller;
  const { heads, checks } = await reading(cx, async (inside) => {
    const found = await headsOf(inside);
    return { heads: found, checks: await checksOf(inside, found) };
  });
  const verification: Verification = {
    object: "verification",
    checked_at: timestampOf(Date.now()),
    ok: checks.every((check) => check.ok),
    checks,
  };
  await cx.rows(sql`insert into verifications (account_id, checked_at, ok, document) values (${account_id}, ${verification.checked_at}, ${verification.ok}, ${jsonText(verification)})
     on conflict (account_id) do update set checked_at = excluded.checked_at, ok = excluded.ok,
       document = excluded.document`);
  cx.log.info({ account_id, ...shownHeads(heads) }, "heads of the chains");
  if (!verification.ok) {
    const faults = checks.flatMap(({ name, faults: found }) =>
      found.slice(0, 5).map(({ at, what }) => `${name} at ${at}: ${what}`),
    );
    cx.log.error({ account_id, faults }, "the books of an account do not verify");
  }
  return verification;
}

const under_way = new Map<string, Promise<Verification>>();

/** Returns the last check of the account, or a new one when there is none or when `fresh` asks for it. */
export async function findVerification(cx: Reader, fresh: boolean): Promise<JsonText> {
  const { account_id } = cx.caller;
  const last = await cx.row<{ document: JsonText }>(
    sql`select document from verifications where account_id = ${account_id}`,
  );
  if (last !== undefined && !fresh) return last.document;
  // Parallel callers share the result: a check may take a while, and a processor core.
  let asked = under_way.get(account_id);
  if (asked === undefined) {
    asked = verifyAccount(cx).finally(() => under_way.delete(account_id));
    under_way.set(account_id, asked);
  }
  return jsonText(Verification.parse(await asked));
}

async function checksOf(cx: Reader, heads: Heads): Promise<Check[]> {
  const { account_id } = cx.caller;
  const trail = await verifyAuditTrail(cx, account_id);
  const journal = await verifyJournal(cx, account_id);
  return [
    checkOf("audit_trail", heads.audit_seq, trail ? [{ at: `${trail.at}`, what: trail.what }] : []),
    checkOf(
      "journal",
      heads.entry_no,
      journal ? [{ at: `${journal.entry_no}`, what: journal.what }] : [],
    ),
    await checkBalances(cx),
    await checkNumbers(cx),
    await checkDocuments(cx),
    await checkVouchers(cx),
    await checkReceivables(cx),
    await checkEinvoices(cx),
  ];
}

async function headsOf(cx: Reader): Promise<Heads> {
  const heads =
    await cx.row<Heads>(sql`select a.seq as audit_seq, a.hash as audit_hash, coalesce(b.next_entry_no - 1, 0) as entry_no,
       coalesce(b.head_hash, '\\x') as journal_hash
     from audit_heads a left join ledger_books b on b.account_id = a.account_id
     where a.account_id = ${cx.caller.account_id}`);
  const none = Buffer.alloc(0);
  return heads ?? { audit_seq: 0n, audit_hash: none, entry_no: 0n, journal_hash: none };
}

function shownHeads(heads: Heads) {
  return {
    audit_seq: String(heads.audit_seq),
    audit_hash: heads.audit_hash.toString("hex"),
    entry_no: String(heads.entry_no),
    journal_hash: heads.journal_hash.toString("hex"),
  };
}

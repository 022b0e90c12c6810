/**
 * Plans (spec 8.4): a dry run of the assistant's change is shown and stored. `commit` repeats the dry run and commits the
 * transaction, if the effect would still be exactly the same. A plan belongs to a person and the grant of their assistant,
 * expires after 15 minutes of the real clock, and is used once. The person may also carry it out on its page.
 */
import { randomBytes } from "node:crypto";
import { Problem, type ProblemCode } from "../../domain/base/problem.ts";
import type { Role } from "../../domain/base/user.ts";
import type { EventAction } from "../../domain/events/event-types.ts";
import { DECLINED, hasLiveGrant, planUrl } from "../../features/access/oauth/resolve-plan.ts";
import type { PersonContext, PersonReader } from "../../platform/commands/context.ts";
import type { PersonTx } from "../../platform/commands/tx.ts";
import { dryRun, transact } from "../../platform/commands/tx.ts";
import { insert, raw, type Sql, sql } from "../../platform/database/sql.ts";
import { problemFromDatabase } from "../../platform/http/problems.ts";
import { timestampOf } from "../../platform/runtime/clock.ts";
import { notingNewIds } from "../../platform/runtime/id.ts";
import { type JsonText, jsonText } from "../../platform/runtime/json.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { MOST_LINES } from "./answer-size.ts";
import { fingerprintOf, withoutNewIds } from "./fingerprint.ts";
import { firstChanges, type Shown } from "./plan-words.ts";
import { type Carried, type Delivered, kindOf, type Prepared, type Proposal } from "./proposal.ts";

const LIFE_MS = 15 * 60_000;
/** How long a plan that can no longer be committed is kept, in case the response to its commit was lost. */
const KEPT = "interval '30 days'";

interface Remembered {
  readonly plan_id: string;
  /** The page on which the person decides. */
  readonly url: string;
  readonly expires_at: string;
  readonly shown: Shown;
}

/** Makes a dry run of a proposal and stores the plan. Throws the refusals of the commands, ROLE_FORBIDDEN and OUT_OF_SCOPE. */
export async function remember(
  cx: PersonContext,
  proposal: Proposal,
  sent: unknown,
): Promise<Remembered> {
  const plan_id = newPlanId();
  const input = await proposal.settle(cx, sent, plan_id);
  await proposal.permit(cx, input);
  const { shown, fingerprint } = await dryRun(cx, (tx) => rerunProposal(proposal, tx, input));
  const expires_at = timestampOf(Date.now() + LIFE_MS);
  const { account_id, person } = cx.caller;
  const document = jsonText({
    object: "plan",
    id: plan_id,
    kind: kindOf(proposal),
    summary: shown.summary,
    user_id: person.user_id,
    grant_id: grantOf(cx),
    expires_at,
  });
  await transact(cx, async (tx) => {
    tx.write(
      sql`delete from plans where account_id = ${account_id} and expires_at < (select clock_timestamp() - ${raw(KEPT)})`,
    );
    const row = {
      account_id,
      id: plan_id,
      user_id: person.user_id,
      grant_id: grantOf(cx),
      tool: proposal.name,
      role: person.role,
      input: JSON.stringify(input),
      fingerprint,
      shown: document,
      state: "open" as const,
      expires_at,
      words: wordsOf(shown),
    };
    tx.write(insert("plans", row));
    record(tx, "created", plan_id, null, document);
  });
  return { plan_id, url: planUrl(cx, plan_id), expires_at, shown };
}

/** Returns what the page of the plan shows: as many changes and warnings as an assistant gets, so its size is limited. */
function wordsOf(shown: Shown): JsonText {
  const { changes, effects, warnings, document_warnings } = firstChanges(shown, MOST_LINES);
  return jsonText({ changes, effects, warnings, ...(document_warnings && { document_warnings }) });
}

/** The result of a commit. */
interface Committed {
  readonly plan_id: string;
  readonly kind: string;
  /** What the plan said that it does, in one sentence. */
  readonly summary: string;
  readonly resource_type: string;
  readonly ids: readonly string[];
  readonly document: JsonText | null;
  readonly delivery: Delivered | null;
}

/**
 * Carries out a plan, for an assistant or for the person on its page. Throws, in this order: PLAN_NOT_FOUND, PLAN_ALREADY_COMMITTED, PLAN_EXPIRED, INSUFFICIENT_SCOPE,
 * ROLE_FORBIDDEN or OUT_OF_SCOPE, PLAN_STALE, and the refusals of the commands. A refusal ends the plan, except
 * LEDGER_UNAVAILABLE, SERVICE_UNAVAILABLE and one by an overloaded database.
 */
export async function commitPlan(
  cx: PersonContext,
  proposals: ReadonlyMap<string, Proposal>,
  plan_id: string,
): Promise<Committed> {
  if (!PLAN_ID.test(plan_id)) throw new Problem("PLAN_NOT_FOUND");
  return endingIt(cx, plan_id, async () => {
    const { proposal, carried, summary } = await transact(cx, (tx) =>
      carriedOut(tx, proposals, plan_id),
    );
    const document = await carried
      .finish({ ...cx, leaves_if_long: false })
      .catch((error: unknown) => {
        throw carried.is_begun ? stillAsking(inDoubt(error)) : error;
      });
    if (carried.is_begun) await close(cx, plan_id, ["begun"], "committed", null);
    const { resource_type, ids } = carried;
    const delivery = (await carried.delivery?.(cx)) ?? null;
    return { plan_id, kind: kindOf(proposal), summary, resource_type, ids, document, delivery };
  });
}

async function carriedOut(
  tx: PersonTx,
  proposals: ReadonlyMap<string, Proposal>,
  plan_id: string,
): Promise<{ readonly proposal: Proposal; readonly carried: Carried; readonly summary: string }> {
  const plan = await lockPlan(tx, plan_id);
  const proposal = proposals.get(plan.tool);
  if (proposal === undefined) throw new Error(`a plan of ${plan.tool}, which no longer exists`);
  requireAllowed(tx, proposal, plan);
  const input: unknown = JSON.parse(plan.input);
  const carried = await (plan.state === "begun"
    ? goneOnWith(proposal, tx, input, plan)
    : (await unchanged(proposal, tx, input, plan)).carryOut(tx));
  const { resource_type, ids } = carried;
  const result = jsonText({
    resource_type,
    id: ids[0] ?? null,
    ...(ids.length > 1 ? { ids } : {}),
  });
  tx.write(
    sql`update plans set state = ${carried.is_begun ? "begun" : "committed"}, result = ${result} where account_id = ${tx.caller.account_id} and id = ${plan_id}`,
  );
  const shown: { readonly summary: string } = JSON.parse(plan.shown);
  const after = jsonText({ ...shown, result: JSON.parse(result) });
  if (plan.state === "open") record(tx, "committed", plan_id, plan.shown, after);
  return { proposal, carried, summary: shown.summary };
}

interface PlanRow {
  readonly tool: string;
  readonly role: Role;
  readonly input: string;
  readonly fingerprint: Buffer;
  readonly shown: JsonText;
  readonly state: "open" | "begun" | "committed" | "ended";
  readonly ended_by: string | null;
  readonly result: string | null;
  readonly is_expired: boolean;
}

/** Locks the plan: concurrent commits of the plan run one at a time. */
async function lockPlan(cx: PersonReader, plan_id: string): Promise<PlanRow> {
  const plan =
    await cx.row<PlanRow>(sql`select tool, role, input, fingerprint, shown, state, ended_by, result,
       expires_at <= clock_timestamp() as is_expired
     from plans p where ${ownPlan(cx, plan_id)}
     for no key update`);
  if (plan === undefined) throw new Problem("PLAN_NOT_FOUND");
  if (plan.state === "committed") throw alreadyCommitted(plan);
  if (plan.state === "ended") {
    const message =
      plan.ended_by === DECLINED
        ? "The person declined this plan."
        : `An earlier commit of this plan was refused with ${plan.ended_by}.`;
    throw new Problem("PLAN_EXPIRED", { message, details: { ended_by: plan.ended_by } });
  }
  // A plan that has begun a booking in a ledger can be committed after it has expired.
  if (plan.state === "open" && plan.is_expired) throw new Problem("PLAN_EXPIRED");
  return plan;
}

function alreadyCommitted(plan: PlanRow): Problem {
  return new Problem("PLAN_ALREADY_COMMITTED", { details: JSON.parse(plan.result ?? "{}") });
}

function requireAllowed(cx: PersonReader, proposal: Proposal, plan: PlanRow): void {
  const { grant, role } = cx.caller.person;
  // The scopes limit the assistant. The person may do on a page whatever their role allows.
  if (grant !== null && !grant.scopes.has(proposal.scope)) throw new Problem("INSUFFICIENT_SCOPE");
  if (plan.role === "admin" && role !== "admin") throw new Problem("ROLE_FORBIDDEN");
}

/** Prepares the planned proposal again. Throws PLAN_STALE when its effect would no longer be the same. */
async function unchanged(
  proposal: Proposal,
  tx: PersonTx,
  input: unknown,
  plan: PlanRow,
): Promise<Prepared> {
  await proposal.permit(tx, input);
  const now = await rerunProposal(proposal, tx, input).catch((thrown: unknown) => {
    const error = problemFromDatabase(thrown);
    if (!(error instanceof Problem) || error.kind === "unavailable") throw error;
    if (isTransient(error, thrown)) throw error;
    // The plan was accepted when it was made, and now the command refuses it: something has changed.
    const details = { now: { code: error.code, message: error.message, ...error.extras.details } };
    throw new Problem("PLAN_STALE", { details });
  });
  if (!now.fingerprint.equals(plan.fingerprint)) throw new Problem("PLAN_STALE");
  return now.prepared;
}

/**
 * Resumes a begun booking regardless of other changes. Throws the ledger's response if it arrived in another way:
 * PLAN_ALREADY_COMMITTED or LEDGER_REJECTED. Throws LEDGER_UNAVAILABLE while another process calls the ledger.
 */
async function goneOnWith(
  proposal: Proposal,
  tx: PersonTx,
  input: unknown,
  plan: PlanRow,
): Promise<Carried> {
  try {
    const prepared = await proposal.prepare(tx, input);
    if (prepared.resumes) return await prepared.carryOut(tx);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "INVOICE_ALREADY_ISSUED") {
      throw stillAsking(error);
    }
    // A period whose booking was refused and that another person has issued since has a different invoice.
    const { id } = JSON.parse(plan.result ?? "{}");
    const issued = error.extras.details?.invoice_id ?? id;
    if (issued === id) throw alreadyCommitted(plan);
  }
  const message =
    "The accounting system has refused the booking that this plan had begun; plan again.";
  throw new Problem("LEDGER_REJECTED", { message });
}

/** Returns the refusal for a booking that has begun and not ended: it must not suggest another plan. */
function inDoubt(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const { details } = error.extras;
  if (error.code === "LEDGER_NOT_CONNECTED") {
    const message =
      "The connection to the accounting system does not work. The booking that has begun waits for it and continues automatically; do not plan it again.";
    return new Problem("LEDGER_NOT_CONNECTED", { message });
  }
  if (error.code !== "LEDGER_REJECTED" || details?.state !== "parked") return error;
  const message = `${error.message.replace(/\.$/, "")}; do not plan it again.`;
  return new Problem("LEDGER_REJECTED", { message, details });
}

/** Returns the refusal while another process calls the ledger for the same booking: the plan has no outcome yet. */
function stillAsking(error: unknown): unknown {
  const is_elsewhere = error instanceof Problem && error.code === "INVOICE_ISSUE_IN_PROGRESS";
  return is_elsewhere ? new Problem("LEDGER_UNAVAILABLE") : error;
}

async function rerunProposal(proposal: Proposal, tx: PersonTx, input: unknown) {
  const { result: prepared, ids } = await notingNewIds(() => proposal.prepare(tx, input));
  // Waits for all SQL statements. One that fails here would also fail the commit, so it counts as a change of the plan.
  await tx.settled();
  const shown = withoutNewIds(prepared.shown, ids);
  return { prepared, shown, fingerprint: fingerprintOf([prepared.facts, shown], ids) };
}

/** Ends the plan when its commit is refused permanently. */
async function endingIt<Result>(
  cx: PersonReader,
  plan_id: string,
  commit: () => Promise<Result>,
): Promise<Result> {
  try {
    return await commit();
  } catch (thrown) {
    if (thrown instanceof TakesLong) throw thrown;
    const error = problemFromDatabase(thrown);
    const code: ProblemCode | "INTERNAL_ERROR" =
      error instanceof Problem ? error.code : "INTERNAL_ERROR";
    if (!LEAVES_IT.has(code) && !isTransient(error, thrown)) {
      // An internal error says nothing about the outcome of a booking that has begun.
      const from = error instanceof Problem ? ["open", "begun"] : ["open"];
      await close(cx, plan_id, from, "ended", code);
    }
    throw error;
  }
}

/** Whether an overloaded database caused the refusal, which then says nothing about the plan. */
function isTransient(error: unknown, thrown: unknown): boolean {
  if (!(error instanceof Problem) || error === thrown) return false;
  return error.extras.retry_after_seconds !== undefined;
}

const LEAVES_IT: ReadonlySet<string> = new Set([
  "LEDGER_UNAVAILABLE",
  "SERVICE_UNAVAILABLE",
  "PLAN_NOT_FOUND",
  "PLAN_ALREADY_COMMITTED",
]);

/** Changes only a state in `from`, so that a committed plan stays committed even if the response was lost. */
async function close(
  cx: PersonReader,
  plan_id: string,
  from: readonly string[],
  state: "committed" | "ended",
  ended_by: string | null,
): Promise<void> {
  await cx.rows(sql`update plans p set state = ${state}, ended_by = ${ended_by}
     where ${ownPlan(cx, plan_id)} and state = any(${from})`);
}

/** Selects the plan `p` if it is the caller's: of its own grant for an assistant, of any live grant for the person. */
function ownPlan({ caller: { account_id, person } }: PersonReader, plan_id: string): Sql {
  const own = sql`account_id = ${account_id} and id = ${plan_id} and user_id = ${person.user_id}`;
  return person.grant === null
    ? sql`${own} and ${hasLiveGrant()}`
    : sql`${own} and grant_id = ${person.grant.id}`;
}

function grantOf(cx: PersonReader): string {
  const { grant } = cx.caller.person;
  if (grant === null) throw new Error("only an assistant plans");
  return grant.id;
}

function record(
  tx: PersonTx,
  action: EventAction<"plan">,
  id: string,
  before: JsonText | null,
  after: JsonText,
): void {
  tx.audit("plan", id, action, { before, after });
}

const PLAN_ID = /^plan_[a-z2-7]{26}$/;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** `plan_` and 128 random bits in base32 (RFC 4648, in lower case). */
function newPlanId(): string {
  let text = "";
  let value = 0;
  let bits = 0;
  for (const byte of randomBytes(16)) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return `plan_${text}${ALPHABET[(value << (5 - bits)) & 31]}`;
}

/**
 * Calls of Tryton over JSON-RPC. Every call proves itself by HTTP Basic, so that none needs a session. A refusal comes with
 * HTTP 200 and an `error`: the server has taken back whatever the call did. Inside this folder what stops a verb is
 * thrown; `settled` makes it a value again at the port.
 */
import type { LedgerAnswer, LedgerLine } from "../../connector.ts";
import type { CallOptions, Failure, RejectCode, Rejected } from "../../outcome.ts";
import { isRow, type Row, rowsFrom, Unreadable } from "./values.ts";

/** Ends a verb with an outcome. */
export class Stopped extends Error {
  readonly outcome: Rejected | Failure;
  constructor(outcome: Rejected | Failure) {
    super(outcome.state);
    this.outcome = outcome;
  }
}

/** Tryton does not do what it was asked for; it says why in the user's language, so that only its kind can be relied on. */
export class Refused extends Error {
  readonly kind: "UserError" | "UserWarning";
  /** By which a warning is acknowledged; empty for errors. */
  readonly warning: string;
  constructor(kind: Refused["kind"], message: string, warning = "") {
    super(message);
    this.kind = kind;
    this.warning = warning;
  }
}

/** A user of one database with its preferences, and the company that it works for. */
export interface Tryton {
  /** Null while the user has no company. */
  readonly company: number | null;
  readonly context: Row;
  /** `model` and verb as in `account.invoice`, `post`; the context is added, and may be added to. */
  call(model: string, verb: string, args: readonly unknown[], context?: Row): Promise<unknown>;
  /** Records of a model, in the order of their ids unless another is given. */
  read(
    model: string,
    domain: readonly unknown[],
    fields: readonly string[],
    how?: How,
  ): Promise<readonly Row[]>;
}

interface How {
  readonly limit?: number;
  readonly order?: readonly (readonly [string, "ASC" | "DESC"])[];
  readonly context?: Row;
}

/** The address of the database, with its slash behind. Throws for settings that are not usable. */
export function databaseUrl({ settings }: Pick<LedgerLine, "settings">): string {
  const database = settings.database ?? "";
  if (!/^[\w.-]+$/.test(database)) throw new Error("The database is a name without spaces.");
  return `${serverUrl({ settings })}${database}/`;
}

export function serverUrl({ settings }: Pick<LedgerLine, "settings">): string {
  const url = new URL(settings.url ?? "");
  if (!/^https?:$/.test(url.protocol)) throw new Error("The URL begins with https:// or http://.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/`;
}

/** So many records at a time: an answer is read up to 5 MB. */
const PAGE = 1000;

/** Signs in for one verb: reads the preferences, with which every further call is made. */
export async function enter(line: LedgerLine, options: CallOptions): Promise<Tryton> {
  const preferences = await request(line, "model.res.user.get_preferences", [true, {}], options);
  if (!isRow(preferences)) throw new Unreadable("no preferences");
  const { company } = preferences;
  const call: Tryton["call"] = (model, verb, args, context = {}) =>
    request(line, `model.${model}.${verb}`, [...args, { ...preferences, ...context }], options);
  return {
    company: typeof company === "number" ? company : null,
    context: preferences,
    call,
    async read(model, domain, fields, { limit, order = [["id", "ASC"]], context } = {} as How) {
      const rows: Row[] = [];
      const page = Math.min(limit ?? PAGE, PAGE);
      for (;;) {
        const args = [domain, rows.length, page, order, fields];
        const read = rowsFrom(await call(model, "search_read", args, context));
        rows.push(...read);
        if (read.length < page || rows.length === limit) return rows;
      }
    },
  };
}

/** Deletes the draft of what was refused. A user who may not do so leaves it there: that is no reason to say anything else. */
export async function discard(tryton: Tryton, model: string, id: number): Promise<void> {
  try {
    await tryton.call(model, "delete", [[id]]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** The company, without which nothing can be booked. */
export function requireCompany({ company }: Tryton): number {
  if (company === null) throw rejected("NOT_ALLOWED", { company: "the user has no company" });
  return company;
}

export function rejected(code: RejectCode, fields: Record<string, string>): Stopped {
  return new Stopped({ state: "rejected", code, fields });
}

/** What a verb answers, or what stopped it. A refusal that nobody has explained is one of the content. */
export async function settled<Result>(
  verb: () => Promise<Result>,
): Promise<Result | Rejected | Failure> {
  try {
    return await verb();
  } catch (error) {
    if (error instanceof Stopped) return error.outcome;
    if (error instanceof Refused) {
      return { state: "rejected", code: "VALIDATION", fields: { message: error.message } };
    }
    if (error instanceof Unreadable)
      return { state: "unknown", reason: "bad_response", cause: error };
    throw error;
  }
}

/** The same for a verb that asks and changes nothing: a refusal leaves open what is there. */
export async function asked<Result>(verb: () => Promise<Result>): Promise<Result | Failure> {
  const outcome = await settled(verb);
  return isRejected(outcome)
    ? { state: "unknown", reason: "bad_response", cause: outcome }
    : outcome;
}

function isRejected(outcome: unknown): outcome is Rejected {
  return isRow(outcome) && outcome.state === "rejected";
}

/** One call. The body has exactly these three keys: with others Tryton answers refusals in another form. */
export async function request(
  line: LedgerLine,
  method: string,
  params: readonly unknown[],
  options: CallOptions,
  url = databaseUrl(line),
): Promise<unknown> {
  const known = `${line.settings.user}:${line.secrets.password}`;
  const answer = await line.request(
    {
      verb: method.replace(/^model\./, ""),
      method: "POST",
      url,
      headers: {
        "content-type": "application/json",
        authorization: `Basic ${Buffer.from(known, "utf8").toString("base64")}`,
      },
      body: JSON.stringify({ id: 1, method, params }),
    },
    options,
  );
  return resultOf(answer);
}

function resultOf(answer: LedgerAnswer): unknown {
  if (answer.state === "not_sent") throw new Stopped(notSent(answer));
  if (answer.state === "lost") {
    throw new Stopped({ state: "unknown", reason: answer.reason, cause: answer.cause });
  }
  const { status, body } = answer;
  if (status === 401 || status === 403) {
    throw new Stopped({ state: "unauthorized", reason: "credentials" });
  }
  // Too many wrong passwords: whoever knows the right one waits as well.
  if (status === 429) {
    throw new Stopped({ state: "not_started", reason: "rate_limited", retry_after_ms: 60_000 });
  }
  const content = status === 200 ? parsed(body) : null;
  if (!isRow(content)) {
    throw new Stopped({ state: "unknown", reason: "bad_response", cause: `HTTP ${status}` });
  }
  if ("error" in content) throw refusalOf(content.error);
  if (!("result" in content)) throw new Unreadable("an answer without a result");
  return content.result;
}

function notSent({
  reason,
  retry_after_ms,
  cause,
}: LedgerAnswer & { state: "not_sent" }): Rejected | Failure {
  if (reason === "not_allowed") {
    return {
      state: "rejected",
      code: "NOT_ALLOWED",
      fields: { url: "the host is not allowed" },
      cause,
    };
  }
  return {
    state: "not_started",
    reason,
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
    cause,
  };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return null;
  }
}

/** PostgreSQL's words, which Tryton passes on after it has tried several times. Nothing of the call is left. */
const CONTENTION =
  /could not obtain lock|could not serialize|deadlock detected|lock not available|lock timeout/i;

/** `["UserError", [message, description, domain]]`, `["UserWarning", [name, message, description]]`, `[text, trace]`. */
function refusalOf(error: unknown): Error {
  const [kind, detail] = Array.isArray(error) ? error : [String(error)];
  const texts = Array.isArray(detail) ? detail.map(String) : [String(detail ?? "")];
  const [first = "", second = ""] = texts;
  if (kind === "UserError") return new Refused("UserError", first.slice(0, 500));
  if (kind === "UserWarning") return new Refused("UserWarning", second.slice(0, 500), first);
  if (kind === "ConcurrencyException" || CONTENTION.test(String(kind))) {
    return new Stopped({ state: "not_started", reason: "lock_contention", retry_after_ms: 500 });
  }
  if (kind === "LoginException" || kind === "NotLogged") {
    return new Stopped({ state: "unauthorized", reason: "credentials" });
  }
  return new Stopped({
    state: "unknown",
    reason: "bad_response",
    cause: String(kind).slice(0, 500),
  });
}

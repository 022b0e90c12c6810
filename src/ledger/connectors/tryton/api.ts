/** Calls Tryton over JSON-RPC. Each verb, such as booking, signs in only once, because the password check is slow. */
import type { LedgerAnswer, LedgerTransport } from "../../connector.ts";
import { failureFrom } from "../../failure.ts";
import type { CallOptions } from "../../outcome.ts";
import { NoDatabase, refusalOf, rejected, Stopped, TrytonRefusal } from "./refusals.ts";
import { isRow, rowsFrom, type TrytonRecord, UnreadableValue } from "./values.ts";

/** A session: a user of one database with its preferences, and the company of the user. */
export interface Tryton {
  /** Null while the user has no company. */
  readonly company: number | null;
  readonly context: TrytonRecord;
  /** Calls a method. `model` and verb as in `account.invoice`, `post`; the default context is added to the given one. */
  call(
    model: string,
    verb: string,
    args: readonly unknown[],
    context?: TrytonRecord,
  ): Promise<unknown>;
  /** Reads records of a model, by default in the order of their ids. */
  read(
    model: string,
    domain: readonly unknown[],
    fields: readonly string[],
    how?: How,
  ): Promise<readonly TrytonRecord[]>;
}

interface How {
  readonly limit?: number;
  readonly order?: readonly (readonly [string, "ASC" | "DESC"])[];
  readonly context?: TrytonRecord;
}

/** Returns the URL of the database, with a slash at its end. Throws for unusable settings. */
export function databaseUrl({ settings }: Pick<LedgerTransport, "settings">): string {
  const database = settings.database ?? "";
  if (!/^[\w.-]+$/.test(database)) throw new Error("The database is a name without spaces.");
  return `${serverUrl({ settings })}${database}/`;
}

function serverUrl({ settings }: Pick<LedgerTransport, "settings">): string {
  const url = new URL(settings.url ?? "");
  if (!/^https?:$/.test(url.protocol)) throw new Error("The URL begins with https:// or http://.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/`;
}

/** Records per request: the transport reads responses of up to 5 MB. */
const PAGE = 1000;

/** Carries out one verb within its own session. Throws the reason that stops the verb, and `NoDatabase`. */
export async function inSession<Result>(
  line: LedgerTransport,
  options: CallOptions,
  verb: (tryton: Tryton) => Promise<Result>,
): Promise<Result> {
  const session = new Session(line, options);
  try {
    return await verb(await entered(session));
  } finally {
    session.end();
  }
}

/** Reads the preferences of the user, which every further call sends. */
async function entered(session: Session): Promise<Tryton> {
  const preferences = await session.call("model.res.user.get_preferences", [true, {}]);
  if (!isRow(preferences)) throw new UnreadableValue("no preferences");
  const { company } = preferences;
  const call: Tryton["call"] = (model, verb, args, context = {}) =>
    session.call(`model.${model}.${verb}`, [...args, { ...preferences, ...context }]);
  return {
    company: typeof company === "number" ? company : null,
    context: preferences,
    call,
    async read(model, domain, fields, { limit, order = [["id", "ASC"]], context } = {} as How) {
      const rows: TrytonRecord[] = [];
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

/** Deletes a refused document's draft. If the user may not delete, the draft stays and the refusal is the outcome. */
export async function discard(tryton: Tryton, model: string, id: number): Promise<void> {
  try {
    await tryton.call(model, "delete", [[id]]);
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error;
  }
}

/** Returns the company, without which nothing can be booked. */
export function requireCompany({ company }: Tryton): number {
  if (company === null) throw rejected("NOT_ALLOWED", { company: "the user has no company" });
  return company;
}

/** One sign-in, renewed when Tryton no longer knows the session. */
class Session {
  readonly #line: LedgerTransport;
  readonly #options: CallOptions;
  /** The authorization header of the calls. */
  #proof: Promise<string> | null = null;

  constructor(line: LedgerTransport, options: CallOptions) {
    this.#line = line;
    this.#options = options;
  }

  /** Returns the result of a call. A call that Tryton refuses with 401 or 403 did nothing, and is repeated in a new session. */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    this.#proof ??= this.#signIn();
    const used = this.#proof;
    const answer = await this.#send(method, params, await used);
    if (!isDenied(answer)) return resultOf(answer, this.#options);
    // The first of several parallel calls signs in again.
    if (this.#proof === used) this.#proof = this.#signIn();
    return resultOf(await this.#send(method, params, await this.#proof), this.#options);
  }

  /** Signs out in the background. A session that is left open expires. */
  end(): void {
    const proof = this.#proof;
    if (proof === null) return;
    const options: CallOptions = { signal: AbortSignal.timeout(LOGOUT_MS), urgency: "bulk" };
    proof
      .then((known) => request(this.#line, "common.db.logout", [], options, known))
      .catch(() => {});
  }

  async #signIn(): Promise<string> {
    const { user = "" } = this.#line.settings;
    const { password } = this.#line.secrets;
    const answer = await this.#send("common.db.login", [user, { password }, "en"]);
    if (answer.state === "answered" && answer.status === 404) throw new NoDatabase();
    const given = resultOf(answer, this.#options);
    if (!Array.isArray(given) || given.length !== 2) throw new UnreadableValue("no session");
    // The name is only for Tryton's log, and a colon would end it.
    const proof = [user.replaceAll(":", "."), ...given].join(":");
    return `Session ${Buffer.from(proof, "utf8").toString("base64")}`;
  }

  #send(method: string, params: readonly unknown[], proof?: string): Promise<LedgerAnswer> {
    return request(this.#line, method, params, this.#options, proof);
  }
}

const LOGOUT_MS = 5_000;
const LOCKED_OUT_MS = 60_000;

function isDenied(answer: LedgerAnswer): boolean {
  return answer.state === "answered" && (answer.status === 401 || answer.status === 403);
}

/** Reads the version of the server, which needs no sign-in. */
export async function readVersion(line: LedgerTransport, options: CallOptions): Promise<string> {
  const method = "common.server.version";
  const answer = await request(line, method, [], options, undefined, serverUrl(line));
  return String(resultOf(answer, options));
}

/** Makes one call. The body has exactly these three keys: with others, Tryton sends refusals in another form. */
function request(
  line: LedgerTransport,
  method: string,
  params: readonly unknown[],
  options: CallOptions,
  authorization?: string,
  url = databaseUrl(line),
): Promise<LedgerAnswer> {
  return line.request(
    {
      verb: method.replace(/^model\./, ""),
      method: "POST",
      url,
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      body: JSON.stringify({ id: 1, method, params }),
    },
    options,
  );
}

function resultOf(answer: LedgerAnswer, { signal }: CallOptions): unknown {
  // A call without any time left says nothing about the server.
  if (answer.state === "not_sent" && signal.aborted) {
    throw new Stopped({ state: "not_started", reason: "timeout", cause: answer.cause });
  }
  const read = failureFrom(answer, {
    notAllowed: (cause) => {
      const fields = { url: "the host is not allowed" };
      return { state: "rejected", code: "NOT_ALLOWED", fields, cause };
    },
    // Tryton locks a user out after too many wrong passwords: a caller with the right one has to wait too.
    pauseMs: () => LOCKED_OUT_MS,
  });
  if (read.state !== "answered") throw new Stopped(read);
  const { status, body } = read;
  const content = status === 200 ? parsed(body) : null;
  // Tryton denies access with 401. A 403 comes from a gateway and says nothing about the password.
  if (!isRow(content)) {
    throw new Stopped({ state: "unknown", reason: "bad_response", cause: `HTTP ${status}` });
  }
  if ("error" in content) throw refusalOf(content.error);
  if (!("result" in content)) throw new UnreadableValue("an answer without a result");
  return content.result;
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return null;
  }
}

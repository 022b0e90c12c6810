/**
 * The transport of a connector over plain fetch, for tests of connectors alone: no redirects, its own timeout, a limit on the
 * answer's size, and tokens kept in memory. The product's rate limits and circuit breakers are not included.
 */
import type {
  ConnectionSettings,
  LedgerAnswer,
  LedgerRequest,
  LedgerTransport,
  RenewedToken,
  TokenKeeper,
} from "../../../src/ledger/connector.ts";

const LARGEST_ANSWER = 5 * 1024 * 1024;
/** Codes of requests that were never sent, because no server listened. */
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"]);

interface PlainLine extends LedgerTransport {
  /** The requested verbs, in order. */
  readonly verbs: string[];
}

export function plainLine(
  access: { readonly settings: ConnectionSettings; readonly secrets: ConnectionSettings },
  timeout_ms = 10_000,
): PlainLine {
  const verbs: string[] = [];
  return {
    ...access,
    verbs,
    tokens: tokensInMemory(),
    async request(request, { signal }) {
      verbs.push(request.verb);
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]);
      try {
        return await answerTo(request, bounded);
      } catch (cause) {
        return failureFor(cause, bounded);
      }
    },
  };
}

async function answerTo(request: LedgerRequest, signal: AbortSignal): Promise<LedgerAnswer> {
  const { method, url, headers = {}, body } = request;
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    redirect: "manual",
    signal,
    ...(body !== undefined && { body }),
  });
  const content = new Uint8Array(await response.arrayBuffer());
  if (content.length > LARGEST_ANSWER) return { state: "lost", reason: "bad_response" };
  const named = new Map([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
  return { state: "answered", status: response.status, headers: named, body: content };
}

function failureFor(cause: unknown, signal: AbortSignal): LedgerAnswer {
  if (signal.aborted) return { state: "lost", reason: "timeout", cause };
  const inner = (cause as { cause?: { code?: string } }).cause;
  return NOT_SENT.has(inner?.code ?? "")
    ? { state: "not_sent", reason: "unavailable", cause }
    : { state: "lost", reason: "connection_lost", cause };
}

/** One renewal at a time; a token is used until it expires or is dropped. */
function tokensInMemory(): TokenKeeper {
  let kept: { access_token: string; until: number } | null = null;
  let refresh_token: string | null = null;
  let renewing: ReturnType<TokenKeeper["get"]> | null = null;
  return {
    get(renew) {
      if (kept !== null && kept.until > Date.now()) {
        return Promise.resolve({ state: "token", access_token: kept.access_token });
      }
      renewing ??= renew(refresh_token)
        .then((renewed) => (renewed.state === "token" ? keep(renewed) : renewed))
        .finally(() => {
          renewing = null;
        });
      return renewing;
    },
    async drop(access_token) {
      if (kept?.access_token === access_token) kept = null;
    },
  };

  function keep(renewed: RenewedToken) {
    kept = { access_token: renewed.access_token, until: Date.now() + renewed.lives_ms };
    refresh_token = renewed.refresh_token ?? refresh_token;
    return { state: "token" as const, access_token: renewed.access_token };
  }
}

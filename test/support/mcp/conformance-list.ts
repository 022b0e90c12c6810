/**
 * The expected result of every scenario of the conformance package (@modelcontextprotocol/conformance 0.2.0-alpha.12). The
 * package was written for a server with every feature, and with tools made for it (`test_*`); Matchbook lacks most of them. A
 * reason counts for a check only while the package's message matches it: a failure for any other reason is a fault.
 */
import type { Check, Outcome } from "./conformance.ts";

interface Reason {
  /** As a sentence. */
  readonly why: string;
  /** The package's message that shows the reason. */
  readonly says: RegExp;
}

/** All checks pass; or all but the named ones; or none but the wire check and the named ones. */
type Expectation =
  | "applies"
  | { readonly all_but: Readonly<Record<string, Reason>> }
  | { readonly not_for: Reason; readonly passes?: readonly string[] };

type Listing = Readonly<Record<string, Expectation>>;

const NO_FIXTURE: Reason = {
  why: "it calls a tool of the package's own example server",
  says: /There is no tool "test_\w+"|does not list the diagnostic tool 'test_\w+'|Tool 'json_schema_2020_12_tool' not found/,
};
const NO_RESOURCES: Reason = {
  why: "Matchbook has no resources",
  says: /Method not found|got -32601|data\.uri is undefined|resources\/list failed or returned no resources/,
};
const NO_PROMPTS: Reason = { why: "Matchbook has no prompts", says: /Method not found/ };
const NO_COMPLETION: Reason = { why: "there is nothing to complete", says: /Method not found/ };
const NO_LOGGING: Reason = { why: "Matchbook logs nothing to clients", says: /Method not found/ };
const NO_SESSIONS: Reason = {
  why: "Matchbook keeps no sessions, and answers JSON instead of streams",
  says: /session ID|MCP-Session-Id/,
};
const NOTHING_CHANGES: Reason = {
  why: "a catalogue changes with role and scopes only, so there is nothing to subscribe to",
  says: /advertises no subscription-delivered capability|did not declare \w+\.listChanged/,
};
const NO_QUESTIONS: Reason = {
  why: "no tool of Matchbook sends requests to the client",
  says: /There is no tool "test_\w+"|Method not found|Expected InputRequiredResult|could not get initial InputRequiredResult|instead of re-requesting/,
};
const NO_MIRRORED: Reason = {
  why: "no tool of Matchbook requires an argument repeated in a header",
  says: /no tool with x-mcp-header annotations/,
};
const NO_TASKS: Reason = {
  why: "tasks are an extension that Matchbook does not announce",
  says: /There is no tool "\w+"|extensions MUST be advertised|got -3260[12]|returned error code -32602|no task was created|fixture .* unavailable|^Skipped: /,
};
const CLIENTS_REGISTER: Reason = {
  why: "clients register, and are not known by a document that they publish (docs/decisions/0029)",
  says: /does not include "client_id_metadata_document_supported"/,
};

const IN_BOTH: Listing = {
  "tools-list": "applies",
  "dns-rebinding-protection": "applies",
  "tools-call-simple-text": { not_for: NO_FIXTURE },
  "tools-call-image": { not_for: NO_FIXTURE },
  "tools-call-audio": { not_for: NO_FIXTURE },
  "tools-call-embedded-resource": { not_for: NO_FIXTURE },
  "tools-call-mixed-content": { not_for: NO_FIXTURE },
  "tools-call-error": { not_for: NO_FIXTURE },
  "tools-call-with-progress": { not_for: NO_FIXTURE },
  "json-schema-2020-12": { not_for: NO_FIXTURE },
  "completion-complete": { not_for: NO_COMPLETION },
  "resources-list": { not_for: NO_RESOURCES },
  "resources-read-text": { not_for: NO_RESOURCES },
  "resources-read-binary": { not_for: NO_RESOURCES },
  "resources-templates-read": { not_for: NO_RESOURCES },
  "prompts-list": { not_for: NO_PROMPTS },
  "prompts-get-simple": { not_for: NO_PROMPTS },
  "prompts-get-with-args": { not_for: NO_PROMPTS },
  "prompts-get-embedded-resource": { not_for: NO_PROMPTS },
  "prompts-get-with-image": { not_for: NO_PROMPTS },
};

const OF_2025: Listing = {
  ...IN_BOTH,
  "server-initialize": "applies",
  ping: "applies",
  "logging-set-level": { not_for: NO_LOGGING },
  "tools-call-with-logging": { not_for: NO_LOGGING },
  "tools-call-sampling": { not_for: NO_FIXTURE },
  "tools-call-elicitation": { not_for: NO_FIXTURE },
  "elicitation-sep1034-defaults": { not_for: NO_FIXTURE },
  "elicitation-sep1330-enums": { not_for: NO_FIXTURE },
  "resources-subscribe": { not_for: NO_RESOURCES },
  "resources-unsubscribe": { not_for: NO_RESOURCES },
  "server-session-lifecycle": { not_for: NO_SESSIONS },
  "server-sse-multiple-streams": { not_for: NO_SESSIONS },
  "server-sse-polling": { not_for: NO_SESSIONS },
};

const OF_2026: Listing = {
  ...IN_BOTH,
  "server-stateless": {
    all_but: {
      "sep-2575-server-rejects-undeclared-capability": NO_FIXTURE,
      "sep-2575-missing-capability-http-400": NO_FIXTURE,
      "sep-2575-http-server-no-independent-requests-on-stream": NO_FIXTURE,
      "sep-2575-server-no-log-without-loglevel": NO_FIXTURE,
      "sep-2575-server-sends-subscription-ack": NOTHING_CHANGES,
      "sep-2575-server-tags-subscription-id": NOTHING_CHANGES,
      "sep-2575-server-honors-notification-filter": NOTHING_CHANGES,
      "sep-2575-server-sends-prompts-list-changed-on-subscription": NOTHING_CHANGES,
      "sep-2575-server-sends-tools-list-changed-on-subscription": NOTHING_CHANGES,
    },
  },
  "server-sse-multiple-streams": "applies",
  "http-header-validation": "applies",
  "http-custom-header-server-validation": { not_for: NO_MIRRORED },
  caching: {
    all_but: {
      "sep-2549-prompts-list-caching-hints": NO_PROMPTS,
      "sep-2549-resources-list-caching-hints": NO_RESOURCES,
      "sep-2549-resources-templates-list-caching-hints": NO_RESOURCES,
      "sep-2549-resources-read-caching-hints": NO_RESOURCES,
    },
  },
  "sep-2164-resource-not-found": {
    all_but: { "sep-2164-error-code": NO_RESOURCES, "sep-2164-data-uri": NO_RESOURCES },
  },
  "input-required-result-unsupported-methods": "applies",
  "input-required-result-basic-elicitation": { not_for: NO_QUESTIONS },
  "input-required-result-basic-sampling": { not_for: NO_QUESTIONS },
  "input-required-result-basic-list-roots": { not_for: NO_QUESTIONS },
  "input-required-result-request-state": { not_for: NO_QUESTIONS },
  "input-required-result-multiple-input-requests": { not_for: NO_QUESTIONS },
  "input-required-result-multi-round": { not_for: NO_QUESTIONS },
  "input-required-result-missing-input-response": { not_for: NO_QUESTIONS },
  "input-required-result-non-tool-request": { not_for: NO_QUESTIONS },
  "input-required-result-result-type": { not_for: NO_QUESTIONS },
  "input-required-result-tampered-state": { not_for: NO_QUESTIONS },
  "input-required-result-capability-check": { not_for: NO_QUESTIONS },
  "input-required-result-ignore-extra-params": { not_for: NO_QUESTIONS },
  // Passes, because any refusal satisfies it, also that of an unknown tool.
  "input-required-result-validate-input": "applies",
  "tasks-lifecycle": { not_for: NO_TASKS },
  "tasks-capability-negotiation": { not_for: NO_TASKS },
  "tasks-wire-fields": { not_for: NO_TASKS },
  "tasks-request-state-removal": { not_for: NO_TASKS },
  "tasks-mrtr-input": { not_for: NO_TASKS },
  "tasks-mrtr-composition": { not_for: NO_TASKS },
  "tasks-status-notifications": { not_for: NO_TASKS },
  "tasks-required-task-error": { not_for: NO_TASKS },
  "tasks-request-headers": {
    not_for: NO_TASKS,
    passes: ["tasks-headers-reject-mismatched-method"],
  },
  "tasks-dispatch-and-envelope": {
    not_for: NO_TASKS,
    passes: ["sep-2663-tasks-result-removed-method-not-found", "tasks-removed-tasks-list"],
  },
};

/** By the set of requirements that runs the scenarios; `authorization` is the package's other mode. */
export const LISTED = {
  "2025-11-25": OF_2025,
  "2026-07-28": OF_2026,
  authorization: {
    "authorization-server-metadata-endpoint": {
      all_but: { "authorization-server-metadata-cimd": CLIENTS_REGISTER },
    },
    "authorization-code-grant": "applies",
  } satisfies Listing as Listing,
} as const;

/** Scenarios of an extension (skills, which are resources), which are in no set of requirements. */
export const NEVER_RUN = [
  "sep-2640-skills-directory",
  "sep-2640-skills-enumeration",
  "sep-2640-skills-manifest",
];

/** Every message follows the schema of the protocol; scenarios of all kinds check it. */
const WIRE = "wire-schema-valid";

/** Deviations from the list, as sentences; empty when there are none. */
export function surprisesIn(outcome: Outcome, listing: Listing): string[] {
  const absent = Object.keys(listing).filter((scenario) => !outcome.has(scenario));
  return [
    ...absent.map((scenario) => `${scenario} is listed and was not run`),
    ...[...outcome].flatMap(([scenario, checks]) => {
      const expectation = listing[scenario];
      const found = expectation === undefined ? ["is not listed"] : surprises(checks, expectation);
      return found.map((surprise) => `${scenario} ${surprise}`);
    }),
  ];
}

function surprises(checks: readonly Check[], expectation: Expectation): string[] {
  const passed = new Set(checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id));
  const unmet = checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO");
  const reasonFor = (id: string): Reason | undefined => {
    if (expectation === "applies" || id === WIRE) return undefined;
    return "not_for" in expectation ? expectation.not_for : expectation.all_but[id];
  };
  const faults = unmet
    .filter((check) => !(reasonFor(check.id)?.says.test(wordsOf(check)) ?? false))
    .map((check) => `fails at ${check.id} (${check.status}): ${wordsOf(check)}`);
  if (expectation === "applies") {
    return passed.size === 0 && faults.length === 0 ? ["checks nothing"] : faults;
  }
  if ("all_but" in expectation) {
    const ids = new Set(unmet.map(({ id }) => id));
    const met = Object.entries(expectation.all_but).filter(([id]) => !ids.has(id));
    return [...faults, ...met.map(([id, { why }]) => `no longer fails at ${id}, though ${why}`)];
  }
  const { not_for, passes = [] } = expectation;
  const met = [...passed].filter((id) => id !== WIRE && !passes.includes(id));
  const failed = passes.filter((id) => !passed.has(id));
  const is_shown = checks.some((check) => not_for.says.test(wordsOf(check)));
  return [
    ...faults,
    ...met.map((id) => `passes ${id}, though ${not_for.why}`),
    ...failed.map((id) => `no longer passes ${id}`),
    ...(is_shown ? [] : [`does not show that ${not_for.why}`]),
  ];
}

function wordsOf({ errorMessage, details }: Check): string {
  return errorMessage ?? details?.message ?? details?.note ?? "";
}

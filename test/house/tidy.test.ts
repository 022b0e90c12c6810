/**
 * The rules of the code (docs/internals/layers.md). To deviate from a rule, change it here and record the reason in
 * docs/decisions; do not work around it. Each rule has an example that it must refuse, so that no rule passes without
 * checking anything.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { GROUPS, LAYERS, layerOf, SCREENS, surfaceOf } from "./layers.ts";
import { readSource, sourceFiles } from "./source-tree.ts";

const FEATURES = Object.entries(GROUPS).flatMap(([group, features]) =>
  features.map((feature) => `${group}/${feature}`),
);

/** The folders that all screens share. `browser` loads the islands of the screens, and `words` contains their texts. */
const SHARED_BY_SCREENS = ["frame", "parts", "browser", "charts", "words"];
const KNOWS_SCREENS = ["browser", "words"];

const FILES_OF_A_FEATURE_AT_MOST = 20;

/** File names with the same meaning in every feature. */
const FILE_WORDS = [
  "attention",
  "bookable",
  "csv",
  "documents",
  "present",
  "queries",
  "routes",
  "save",
  "schemas",
  "warnings",
];

/** The names of other files begin with a verb … */
const FILE_VERBS = [
  "accept",
  "activate",
  "allocate",
  "attempt",
  "authenticate",
  "authorize",
  "begin",
  "book",
  "cancel",
  "change",
  "check",
  "clean",
  "close",
  "complete",
  "connect",
  "count",
  "create",
  "draft",
  "edit",
  "end",
  "exchange",
  "explain",
  "export",
  "find",
  "forecast",
  "format",
  "include",
  "invite",
  "issue",
  "list",
  "locate",
  "mint",
  "move",
  "open",
  "preview",
  "price",
  "push",
  "queue",
  "read",
  "reconcile",
  "register",
  "render",
  "reopen",
  "report",
  "require",
  "reschedule",
  "resolve",
  "restore",
  "resume",
  "retry",
  "reverse",
  "revoke",
  "roll",
  "run",
  "schedule",
  "send",
  "sign",
  "skip",
  "store",
  "notify",
  "verify",
];

/** … except the nouns of a feature, which are listed here. */
const FILE_NOUNS: Record<string, readonly string[]> = {
  "receivables/bank-statements": ["statement-file"],
  "revenue/accruals": ["snapshot", "vouchers"],
  "access/api-keys": ["key"],
  "ledger/booking": [
    "await-turn",
    "booking-command",
    "call-ledger",
    "circuit",
    "intent-state",
    "intents",
    "refusals",
  ],
  "settings/configuration": ["accounts", "logo", "reminder-schemas"],
  "ledger/connections": ["connection", "mapping"],
  "documents/deliveries": ["document-routes", "mail-message", "mail-texts"],
  "documents/einvoice-files": ["einvoice-files"],
  "documents/issued": ["csv-columns", "issued-documents", "totals"],
  "sales/invoices": ["issue-inputs", "lines", "routing"],
  "ledger/reports": ["vat-report"],
  "access/oauth": ["client", "endpoints", "grants", "keys", "scopes", "tokens"],
  "access/people": ["factor-texts", "owner-mail", "owner-texts", "password"],
  "documents/letters": [
    "pdf-letter",
    "reminder-texts",
    "reminder-view",
    "statement-texts",
    "statement-view",
  ],
  "documents/printing": [
    "parties",
    "pdf",
    "pdf-factur-x",
    "pdf-fonts",
    "pdf-hours",
    "pdf-logo",
    "pdf-paper",
    "pdf-payment",
    "pdf-sheet",
    "pdf-table",
    "pdf-totals",
    "texts",
    "view",
    "view-parts",
    "view-vat",
  ],
  "revenue/reports": ["line-bookings", "line-months"],
  "revenue/revenue-facts": ["booked-facts", "facts-statement", "positions", "shapes"],
  "overview/studio": ["firm", "work", "year"],
  "recurring/series": ["periods", "series"],
  "work/registrations": ["my-work", "target", "work-inputs"],
};

/** The parts of a connector, with the same file name in every connector (docs/internals/connectors.md). */
const CONNECTOR_FILES = [
  "api",
  "book-document",
  "changes",
  "check",
  "connector",
  "customers",
  "draft-document",
  "lists",
  "month",
  "payments",
  "periods",
  "products",
  "rates",
  "read-document",
  "refusals",
  "sending",
  "values",
  "vouchers",
];

/** The built-in ledger stores the books itself, so it has other parts. */
const BUILTIN_FILES = ["balances", "chart", "connector", "journal", "postings"];

/** Functions that open a transaction for changes, or one that is rolled back. */
const OPENERS = ["transaction", "rolledBack", "transact", "dryRun", "txOf"];

/**
 * Files outside the platform that open a transaction, each with the reason why its work is not a command.
 */
const MAY_OPEN: Record<string, string> = {
  "src/features/ledger/booking/resume-intent.ts":
    "stores the outcome of a booking that a command has begun",
  "src/features/recurring/occurrences/bookable.ts": "records a failure after the rollback",
  "src/features/recurring/occurrences/issue-one-by-one.ts":
    "determines the due period under its locks",
  "src/features/sales/credit-notes/queue.ts":
    "postpones credit notes that the ledger could not book",
  "src/features/documents/deliveries/attempt.ts": "marks a message as being sent",
  "src/features/documents/deliveries/store-attempt.ts": "stores the outcome of a sent message",
  "src/features/documents/delivery-outcomes/check-einvoices.ts":
    "stores what a look at a sent e-invoice has found",
  "src/features/documents/delivery-outcomes/check-sends.ts":
    "stores the outcome that a ledger reports for a sent message",
  "src/features/documents/deliveries/run-due.ts":
    "ends the deliveries of a process that no longer runs",
  "src/features/integrations/batches/run-batch.ts": "runs a dry run of a command",
  "src/features/overview/imports/run-batch.ts": "runs a dry run of a command",
  "src/features/overview/studio/run-studio.ts": "counts a step together with its commands",
  "src/features/receivables/opening-items/begin.ts": "runs a dry run of a command",
  "src/features/receivables/bank-lines/preview.ts": "runs a dry run of a command",
  "src/features/receivables/payments/preview.ts": "runs a dry run of a command",
  "src/features/revenue/moving/move-ledger.ts": "runs a dry run of a command",
  "src/features/revenue/opening-contracts/create.ts": "runs a dry run of a command",
  "src/features/revenue/reports/preview-credit.ts": "runs a dry run of a command",
  "src/features/ledger/connections/roll-keys.ts": "belongs to the installation, not to an account",
  "src/ledger/transport/tokens.ts": "stores tokens before any request uses them",
  "src/features/access/accounts/create.ts": "creates the account of its caller",
  "src/assistant/protocol/plans.ts": "plans and executes the commands of a plan",
  "src/web/credit/credit-dry-run.ts": "runs a dry run of a command",
  "src/web/draft/issue-dry-run.ts": "runs a dry run of a command",
  "src/web/receivables/begin-dry-run.ts": "runs a dry run of a command",
  "src/web/receivables/use-dry-run.ts": "runs a dry run of a command",
  "src/web/payments/payment-dry-run.ts": "runs a dry run of a command",
  "src/web/payments/take-back-dry-run.ts": "runs a dry run of a command",
  "src/web/retainers/activate-dry-run.ts": "runs a dry run of a command",
  "src/web/retainers/draft-dry-run.ts": "runs a dry run of a command",
  "src/web/retainers/end-dry-run.ts": "runs a dry run of a command",
  "src/web/retainers/line-dry-run.ts": "runs a dry run of a command",
  "src/web/retainers/period-dry-run.ts": "runs a dry run of a command",
  "src/web/revenue/accrual-dry-run.ts": "runs a dry run of a command",
  "src/cli/cli-people.ts": "changes users as the operator, which no surface offers",
};

/** The folders of the domain, each with the folders that it may import. */
const DOMAIN_MAY_USE: Record<string, readonly string[]> = {
  base: [],
  events: [],
  sales: ["base"],
  einvoice: ["base", "sales"],
  series: ["base", "sales"],
  work: ["base", "sales"],
  revenue: ["base", "sales"],
  receivables: ["base", "sales"],
  webhooks: ["base"],
};

const LINES_AT_MOST = 400;
const CALENDAR = "src/domain/base/calendar.ts";
const CHECK_DIGITS = "src/domain/sales/vat-check-digits.ts";
const LINE_ID = "src/domain/series/line-id.ts";

interface Source {
  readonly path: string;
  readonly text: string;
}

interface Rule {
  readonly name: string;
  readonly applies: (path: string) => boolean;
  /** The faults of the file as text; empty without faults. */
  readonly faults: (source: Source) => string[];
  /** Examples that the rule must refuse, each with at least one fault. */
  readonly refused: readonly Source[];
}

const isTest = (path: string) => path.includes(".test.");
const isProduct = (path: string) => path.startsWith("src/") && !isTest(path);
const everywhere = () => true;

const rules: readonly Rule[] = [
  {
    name: "each layer imports only from the layers below it",
    applies: isProduct,
    faults: (source) => {
      const rank = rankOf(source.path);
      if (rank < 0) return ["belongs to no layer"];
      return importsOf(source)
        .filter((target) => /^(src|test)\//.test(target))
        .filter((target) => rankOf(target) < 0 || rankOf(target) > rank)
        .map((target) => `imports ${target}`);
    },
    refused: [
      source(
        "src/platform/runtime/clock.ts",
        'import { x } from "../../features/access/people/save.ts";',
      ),
      source("src/features/access/people/save.ts", 'import { routes } from "../../../routes.ts";'),
      source(
        "src/features/access/people/save.ts",
        'import { x } from "../../../assistant/catalogue.ts";',
      ),
      source("src/assistant/catalogue.ts", 'import { x } from "../app.ts";'),
      source("src/routes.ts", 'export { serve } from "./main.ts";'),
      source(
        "src/platform/runtime/clock.ts",
        'import { x } from "../../../test/support/world.ts";',
      ),
      source("src/stray.ts", ""),
    ],
  },
  {
    name: "each feature and its tests import only earlier features",
    applies: (path) => featureOf(path) !== undefined,
    faults: (source) => {
      const feature = featureOf(source.path) ?? "";
      const place = FEATURES.indexOf(feature);
      if (place < 0) return [`${feature} has no place in GROUPS`];
      return importsOf(source)
        .map((target) => featureOf(target))
        .filter((used) => used !== undefined && FEATURES.indexOf(used) > place)
        .map((used) => `${feature} uses ${used}`);
    },
    refused: [
      source(
        "src/features/catalogue/customers/save.ts",
        'import { x } from "../../sales/invoices/draft.ts";',
      ),
      source(
        "src/features/catalogue/customers/save.ts",
        'const x = await import("../../sales/invoices/draft.ts");',
      ),
      source(
        "src/features/sales/invoices/issue.test.ts",
        'import { x } from "../credit-notes/create.ts";',
      ),
      source("src/features/sales/hours/queries.ts", 'import { x } from "../invoices/queries.ts";'),
      source("src/features/sales/unheard-of/routes.ts", ""),
      source("src/features/routes.ts", ""),
    ],
  },
  {
    name: "no surface imports another",
    applies: (path) => isProduct(path) && surfaceOf(path) !== undefined,
    faults: (source) =>
      importsOf(source)
        .filter((target) => surfaceOf(target) !== undefined)
        .filter((target) => surfaceOf(target) !== surfaceOf(source.path))
        .map((target) => `imports ${target}`),
    refused: [
      source("src/assistant/tools/commit.ts", 'import { x } from "../../web/pages.ts";'),
      source("src/web/pages.ts", 'import { x } from "../assistant/catalogue.ts";'),
    ],
  },
  {
    name: "each screen imports only earlier screens",
    applies: (path) => isProduct(path) && path.startsWith("src/web/"),
    faults: (source) => {
      const screen = screenOf(source.path);
      // The lists of all pages import every screen.
      if (screen === undefined) return [];
      const place = SCREENS.indexOf(screen);
      if (place < 0 && !SHARED_BY_SCREENS.includes(screen)) return [`${screen} is no screen`];
      if (KNOWS_SCREENS.includes(screen)) return [];
      return importsOf(source)
        .map((target) => screenOf(target) ?? "")
        .filter((used) => SCREENS.indexOf(used) > place)
        .map((used) => `${screen} uses ${used}`);
    },
    refused: [
      source("src/web/draft/draft-page.tsx", 'import { x } from "../invoices/invoice.tsx";'),
      source("src/web/parts/list.tsx", 'import { x } from "../start/start.tsx";'),
      source("src/web/islands/keys.tsx", ""),
    ],
  },
  {
    name: "the name of a feature's file is a shared word, begins with a verb, or is a listed noun",
    applies: (path) => isProduct(path) && featureOf(path) !== undefined,
    faults: ({ path }) => {
      const name = posix.basename(path).replace(/\.tsx?$/, "");
      const nouns = FILE_NOUNS[featureOf(path) ?? ""] ?? [];
      const is_known =
        [...FILE_WORDS, ...nouns].includes(name) || FILE_VERBS.includes(name.split("-")[0] ?? "");
      return is_known ? [] : ["has a name of no kind"];
    },
    refused: [
      source("src/features/access/people/people.ts", ""),
      source("src/features/access/people/positions.ts", ""),
      source("src/features/access/people/many/queries.ts.ts", ""),
    ],
  },
  {
    name: "only open-services.ts names a connector",
    applies: (path) => isProduct(path) && path !== "src/open-services.ts",
    faults: (source) =>
      importsOf(source)
        .filter((target) => connectorOf(target) !== undefined)
        .filter((target) => connectorOf(target) !== connectorOf(source.path))
        .map((target) => `imports ${target}`),
    refused: [
      source(
        "src/features/ledger/reports/queries.ts",
        'import { x } from "../../../ledger/connectors/builtin/chart.ts";',
      ),
    ],
  },
  {
    name: "the name of a connector's file is that of its part, with one name in all connectors",
    applies: (path) => isProduct(path) && path.startsWith("src/ledger/connectors/"),
    faults: ({ path }) => {
      const name = /^src\/ledger\/connectors\/[^/]+\/([^/]+)\.ts$/.exec(path)?.[1] ?? "";
      const names = connectorOf(path) === "builtin" ? BUILTIN_FILES : CONNECTOR_FILES;
      return names.includes(name) ? [] : ["has the name of no part"];
    },
    refused: [
      source("src/ledger/connectors/dinero/contacts.ts", ""),
      source("src/ledger/connectors/tryton/journal.ts", ""),
      source("src/ledger/connectors/builtin/api.ts", ""),
      source("src/ledger/connectors/tryton/vouchers/values.ts", ""),
      source("src/ledger/connectors/values.ts", ""),
    ],
  },
  {
    name: "every change of data is a command, or its file is listed with a reason",
    applies: (path) => isProduct(path) && !path.startsWith("src/platform/"),
    faults: (source) => (source.path in MAY_OPEN ? [] : openersOf(source)),
    refused: [
      source(
        "src/features/access/people/save.ts",
        'import { type Tx, transact } from "../../../platform/commands/tx.ts";',
      ),
      source(
        "src/features/access/oauth/revoke.ts",
        'import { transaction } from "../../../platform/database/transaction.ts";',
      ),
      source("src/web/pages.ts", 'import * as tx from "../platform/commands/tx.ts";'),
    ],
  },
  {
    name: "domain is pure: nothing asynchronous, no clock, no random values, no environment",
    applies: (path) => isProduct(path) && path.startsWith("src/domain/"),
    faults: ({ text }) =>
      withoutComments(text).match(
        /\bawait\b|\basync\b|\bDate\b[.(]|\bTemporal\.Now\b|Math\.random|\bprocess\.|node:/g,
      ) ?? [],
    refused: [
      source("src/domain/a.ts", "const today = new Date();"),
      source("src/domain/a.ts", "const now = Date.now();"),
      source("src/domain/a.ts", "export async function wait() {}"),
      source("src/domain/a.ts", "const zone = process.env.TZ;"),
      source("src/domain/a.ts", "const dice = Math.random();"),
    ],
  },
  {
    name: "domain imports no packages except Temporal, check digits and hashed ids, in one file each",
    applies: (path) => isProduct(path) && path.startsWith("src/domain/"),
    faults: (source) =>
      importsOf(source)
        .filter((target) => !target.startsWith("src/domain/"))
        .filter((target) => !(source.path === CALENDAR && target === "temporal-polyfill"))
        .filter((target) => !(source.path === CHECK_DIGITS && target.startsWith("stdnum/")))
        .filter((target) => !(source.path === LINE_ID && target === "uuid"))
        .map((target) => `imports ${target}`),
    refused: [
      source("src/domain/a.ts", 'import { Temporal } from "temporal-polyfill";'),
      source(CALENDAR, 'import * as z from "zod";'),
      source(CALENDAR, 'import { validate } from "stdnum/lib/cjs/dk/cvr.js";'),
      source(CHECK_DIGITS, 'import { Temporal } from "temporal-polyfill";'),
      source(LINE_ID, 'import { Temporal } from "temporal-polyfill";'),
      source("src/domain/a.ts", 'import { v7 } from "uuid";'),
      source("src/domain/a.ts", 'import { log } from "../platform/runtime/log.ts";'),
    ],
  },
  {
    name: "each folder of the domain imports only the folders that the table permits",
    applies: (path) => isProduct(path) && path.startsWith("src/domain/"),
    faults: (source) => {
      const folder = domainFolderOf(source.path) ?? "";
      const allowed = DOMAIN_MAY_USE[folder];
      if (allowed === undefined) return ["belongs to no folder of DOMAIN_MAY_USE"];
      return importsOf(source)
        .map(domainFolderOf)
        .filter((used) => used !== undefined && used !== folder && !allowed.includes(used))
        .map((used) => `${folder} uses ${used}`);
    },
    refused: [
      source("src/domain/base/money.ts", 'import { x } from "../sales/line.ts";'),
      source("src/domain/sales/invoice.ts", 'import { x } from "../series/period.ts";'),
      source("src/domain/money.ts", ""),
    ],
  },
  {
    name: "no file or folder has a name without a subject",
    applies: everywhere,
    faults: ({ path }) =>
      path.match(/\b(utils?|helpers?|common|shared|misc|managers?|service)\b/g) ?? [],
    refused: ["src/platform/utils/a.ts", "src/mail-service.ts", "test/support/helpers.ts"].map(
      (path) => source(path, ""),
    ),
  },
  {
    name: "every file of the product begins with a comment that describes it",
    applies: isProduct,
    faults: ({ text }) =>
      /^(\/\*\*|\/\/) ?\S|^\/\*\*\n \* \S/.test(text) ? [] : ["begins without a comment"],
    refused: [source("src/a.ts", 'import { x } from "./x.ts";\n/** Late. */')],
  },
  {
    name: `no file of the product is longer than ${LINES_AT_MOST} lines`,
    applies: isProduct,
    faults: ({ text }) => {
      const lines = text.trimEnd().split("\n").length;
      return lines > LINES_AT_MOST ? [`has ${lines} lines`] : [];
    },
    refused: [source("src/a.ts", "x\n".repeat(LINES_AT_MOST + 1))],
  },
  {
    name: "no comment postpones work",
    applies: everywhere,
    faults: ({ text }) => text.match(/\b(TO[D]O|FIX[M]E)\b.*/g) ?? [],
    refused: [source("src/a.ts", `// TO${"DO"}: the rest`)],
  },
  {
    name: "time limits come from `timeLimit`: a signal made of others may forget its timeout",
    applies: isProduct,
    faults: ({ text }) => withoutComments(text).match(/AbortSignal\.any\b/g) ?? [],
    refused: [source("src/a.ts", "AbortSignal.any([signal, AbortSignal.timeout(1_000)])")],
  },
  {
    name: "no test runs alone, and a skipped one states what it needs",
    applies: isTest,
    faults: ({ text }) =>
      text.match(/\b(it|test|describe|suite)\.(only|todo|fails|skip(?!\("needs ))\b.*/g) ?? [],
    refused: [
      source("src/a.test.ts", `it.${"only"}("runs alone", () => {});`),
      source("src/a.test.ts", `describe.${"skip"}.each([1])("%s", () => {});`),
    ],
  },
  {
    name: "the title of a conditional test states what it needs",
    applies: isTest,
    faults: ({ text }) =>
      (text.match(/\.(skipIf|runIf)\(.*\n?.*/g) ?? []).filter((call) => !/\bneeds\b/.test(call)),
    refused: [source("src/a.test.ts", `it.${"skipIf"}(true)("is left out", () => {});`)],
  },
];

describe.each(rules)("$name", ({ applies, faults, refused }) => {
  it("applies to every file", () => {
    const checked = sourceFiles().filter(({ path }) => applies(path));
    expect(checked.length).toBeGreaterThan(0);
    const found = checked.flatMap((file) => faults(file).map((fault) => `${file.path}: ${fault}`));
    expect(found).toEqual([]);
  });

  it.each(refused)("refuses the example $path", (example) => {
    expect(applies(example.path)).toBe(true);
    expect(faults(example)).not.toEqual([]);
  });
});

describe("the groups of features", () => {
  it("name every feature once, and only existing ones", () => {
    const features = new Set(sourceFiles().map(({ path }) => featureOf(path)));
    expect([...FEATURES].sort()).toEqual([...features].filter((one) => one !== undefined).sort());
  });

  it("have no feature with the name of its group", () => {
    expect(Object.entries(GROUPS).filter(([group, features]) => features.includes(group))).toEqual(
      [],
    );
  });
});

describe("the files that may open a transaction", () => {
  it("all open one", () => {
    const openers = sourceFiles().filter((file) => openersOf(file).length > 0);
    const paths = new Set(openers.map(({ path }) => path));
    expect(Object.keys(MAY_OPEN).filter((path) => !paths.has(path))).toEqual([]);
  });
});

describe("the names of files", () => {
  const files = () => sourceFiles().filter(({ path }) => isProduct(path) && featureOf(path));
  const nameOf = (path: string) => posix.basename(path).replace(/\.tsx?$/, "");

  it("include every entry of the tables", () => {
    const names = new Set(files().map(({ path }) => nameOf(path)));
    const verbs = new Set([...names].map((name) => name.split("-")[0]));
    const own = new Set(files().map(({ path }) => `${featureOf(path)} ${nameOf(path)}`));
    const nouns = Object.entries(FILE_NOUNS).flatMap(([feature, of]) =>
      of.map((noun) => `${feature} ${noun}`),
    );
    expect(FILE_WORDS.filter((word) => !names.has(word))).toEqual([]);
    expect(FILE_VERBS.filter((verb) => !verbs.has(verb))).toEqual([]);
    expect(nouns.filter((noun) => !own.has(noun))).toEqual([]);
  });

  it("equal the lists of the connectors' parts", () => {
    const connectors = sourceFiles().filter(
      ({ path }) => isProduct(path) && path.startsWith("src/ledger/") && connectorOf(path),
    );
    const isOfBuiltin = (path: string) => connectorOf(path) === "builtin";
    const namesOf = (is_builtin: boolean) =>
      connectors
        .filter(({ path }) => isOfBuiltin(path) === is_builtin)
        .map(({ path }) => nameOf(path));
    expect([...new Set(namesOf(true))].sort()).toEqual(BUILTIN_FILES);
    expect([...new Set(namesOf(false))].sort()).toEqual(CONNECTOR_FILES);
  });

  it(`are at most ${FILES_OF_A_FEATURE_AT_MOST} in a feature`, () => {
    expect(overfull(files().map(({ path }) => path))).toEqual([]);
    const many = Array.from({ length: FILES_OF_A_FEATURE_AT_MOST + 1 }, (_, number) => `${number}`);
    expect(overfull(many.map((name) => `src/features/access/people/${name}.ts`))).toEqual([
      "access/people",
    ]);
  });
});

function overfull(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const feature = featureOf(path) ?? "";
    counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  return [...counts].filter(([, n]) => n > FILES_OF_A_FEATURE_AT_MOST).map(([feature]) => feature);
}

describe("the files of src/assistant/tools", () => {
  it("equal the catalogue: one file for each tool with its name", () => {
    const committed = readFileSync(join(packageRoot, "docs/mcp-tools.admin.json"), "utf8");
    const { tools } = JSON.parse(committed) as { tools: { name: string }[] };
    const files = tools.map(({ name }) => `${name.replaceAll("_", "-")}.ts`);
    expect(readdirSync(join(packageRoot, "src/assistant/tools")).sort()).toEqual(files.sort());
  });
});

function source(path: string, text: string): Source {
  return { path, text };
}

/** The imports and re-exports of a file: paths from the root for files of the repository, names for packages. */
function importsOf(source: Source): string[] {
  return readSource(source).imports.map(({ from }) => from);
}

/** The functions that a file imports to open transactions. */
function openersOf(source: Source): string[] {
  return readSource(source)
    .imports.filter(({ from }) =>
      /^src\/platform\/(database\/transaction|commands\/tx)\.ts$/.test(from),
    )
    .flatMap(({ names }) => names.filter((name) => name === "*" || OPENERS.includes(name)));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
}

/** The position of a file's layer; -1 for a file without one. */
function rankOf(path: string): number {
  return LAYERS.indexOf(layerOf(path));
}

function domainFolderOf(path: string): string | undefined {
  return /^src\/domain\/([^/]+)\//.exec(path)?.[1];
}

function featureOf(path: string): string | undefined {
  if (!path.startsWith("src/features/")) return undefined;
  return path.split("/").slice(2, -1).slice(0, 2).join("/");
}

function screenOf(path: string): string | undefined {
  return /^src\/web\/([^/]+)\//.exec(path)?.[1];
}

function connectorOf(path: string): string | undefined {
  return /^src\/(?:ledger|einvoice)\/connectors\/([^/]+)\//.exec(path)?.[1];
}

/** Reads the options of the commands that connect an account: the kind of connection, its settings, and its secrets. */
import { readFileSync } from "node:fs";
import type { ConnectorField } from "../ledger/connector.ts";
import { optionsOf, text, UsageError } from "./cli-options.ts";

/** What a connector declares for the command line. */
interface Declared {
  readonly fields: readonly ConnectorField[];
}

/** Where the commands of a connection find things. */
interface Place {
  /** The beginning of the environment variables with secrets: `MATCHBOOK_LEDGER_`. */
  readonly prefix: string;
  /** The page that lists the fields of each kind. */
  readonly page: string;
}

/** The page and the variables of connections to accounting systems. */
export const OF_LEDGERS: Place = { prefix: "MATCHBOOK_LEDGER_", page: "docs/ledgers.md" };
/** The page and the variables of connections for e-invoices. */
export const OF_EINVOICES: Place = { prefix: "MATCHBOOK_EINVOICE_", page: "docs/e-invoices.md" };

/** The connector that `--kind` names, and the options of the command with those of the connector's settings. */
interface Chosen<Connector> {
  readonly connector: Connector;
  readonly options: ReturnType<typeof optionsOf>;
}

/** Reads `--kind` first, because the other options depend on it. Throws a UsageError that lists the kinds. */
export function connectorFrom<Connector extends Declared>(
  argv: readonly string[],
  setups: ReadonlyMap<string, { readonly connector: Connector }>,
  { page }: Place,
): Chosen<Connector> {
  const connector = setups.get(namedBy("--kind", argv) ?? "")?.connector;
  if (connector === undefined) {
    const kinds = [...setups.keys()].join(", ");
    throw new UsageError(`--kind is one of: ${kinds}. ${page} lists the fields of each.`);
  }
  const options = optionsOf(argv, {
    account: { type: "string" },
    json: { type: "boolean" },
    kind: { type: "string" },
    ...connectorOptions(connector),
  });
  return { connector, options };
}

/** Returns the value of an option that decides which others there are; undefined when it is not given. */
export function namedBy(option: string, argv: readonly string[]): string | undefined {
  const at = argv.findIndex((one) => one === option || one.startsWith(`${option}=`));
  const given = argv[at];
  return given === option ? argv[at + 1] : given?.slice(option.length + 1);
}

/** Returns the options of a connector: one for each setting that is no secret, and where the secrets are. */
export function connectorOptions({ fields }: Declared) {
  const shown = fields.filter(({ is_secret }) => !is_secret);
  return {
    "secrets-from-stdin": { type: "boolean" } as const,
    ...Object.fromEntries(shown.map(({ name }) => [optionOf(name), { type: "string" }] as const)),
  };
}

function optionOf(name: string): string {
  return name.replaceAll("_", "-");
}

/** Returns the settings and secrets of a connector: those that are no secrets by options. */
export function givenTo(
  { fields }: Declared,
  options: ReturnType<typeof optionsOf>,
  { prefix }: Place,
): Record<string, string> {
  const shown = fields.filter(({ is_secret }) => !is_secret);
  const settings = shown.flatMap(({ name }) => {
    const value = text(options, optionOf(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  const secrets = secretsOf(fields, prefix, options["secrets-from-stdin"] === true);
  return { ...Object.fromEntries(settings), ...secrets };
}

/** Returns the secrets by field, from variables such as `MATCHBOOK_LEDGER_CLIENT_SECRET` or JSON on standard input. */
function secretsOf(
  fields: readonly ConnectorField[],
  prefix: string,
  from_stdin: boolean,
): Record<string, string> {
  const given: unknown = from_stdin ? parsed(readFileSync(0, "utf8")) : {};
  const found = fields.flatMap(({ name, is_secret }) => {
    const value =
      (given as Record<string, unknown>)[name] ?? process.env[`${prefix}${name.toUpperCase()}`];
    return is_secret && typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

function parsed(input: string): object {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // The text holds secrets, and is shown nowhere.
  }
  throw new UsageError("Standard input must be a JSON object of secrets by their names.");
}

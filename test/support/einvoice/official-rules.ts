/**
 * The official rules of e-invoices: schemas, EN 16931, Peppol BIS Billing and OIOUBL. They are the work of others and no part of the
 * project; EINVOICE_VALIDATOR_DIR names the folder of the program that runs them, with its packages installed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isSkippedWithout } from "../run/needs.ts";

interface Finding {
  readonly id: string;
  readonly severity: "fatal" | "warning";
  readonly text: string;
}

interface Validator {
  validate(xml: string): Promise<{ readonly findings: readonly Finding[] }>;
}

const folder = process.env.EINVOICE_VALIDATOR_DIR ?? "";
const program = join(folder, "validate.mjs");
const is_there = existsSync(program) && existsSync(join(folder, "node_modules"));

/** Whether tests of the official rules are skipped: where no folder is named. With CI=true, one that is named has to be usable. */
export const lacksOfficialRules = folder === "" || isSkippedWithout(is_there);

const NEEDED =
  "needs the official rules of e-invoices: EINVOICE_VALIDATOR_DIR, see CONTRIBUTING.md";

let opened: Promise<Validator> | undefined;

/** Returns the ids of the official rules that refuse a document, each once, in order; an XML or schema fault is `XML` or `XSD`. */
export async function refusalsOf(xml: string): Promise<string[]> {
  if (!is_there) throw new Error(NEEDED);
  opened ??= import(pathToFileURL(program).href) as Promise<Validator>;
  const { findings } = await (await opened).validate(xml);
  const fatal = findings.filter(({ severity }) => severity === "fatal");
  return [
    ...new Set(fatal.map(({ id, text }) => (id === "XSD" || id === "XML" ? `${id} ${text}` : id))),
  ].sort();
}

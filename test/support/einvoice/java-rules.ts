/**
 * A second engine for the official rules, in Java: phive for UBL, and Mustang with veraPDF for Factur-X. They are the work of others and no
 * part of the project; EINVOICE_BUILD names the folder into which their packages were fetched.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";
import { isInstalled, isSkippedWithout } from "../run/needs.ts";

const folder = process.env.EINVOICE_BUILD ?? "";
const jar = existsSync(folder)
  ? readdirSync(folder).find((name) => /^Mustang-CLI-.*\.jar$/.test(name))
  : undefined;

/** Whether tests of the second engine are skipped: where no folder is named. With CI=true, one that is named has to be usable. */
export const lacksJavaRules =
  folder === "" || isSkippedWithout(jar !== undefined && isInstalled("java"));

const NEEDED = "needs Java and the rules in Java: EINVOICE_BUILD, see CONTRIBUTING.md";
const MOST_OUTPUT = 100_000_000;

/** Validates files of Factur-X or bare CII. Returns for each, in order, `valid` or `invalid` with the report. */
export async function facturXAnswers(
  files: readonly Uint8Array[],
  extension: "pdf" | "xml",
): Promise<string[]> {
  if (jar === undefined) throw new Error(NEEDED);
  const program = join(packageRoot, "test", "support", "einvoice", "FacturX.java");
  const lines = await answersOf(["-cp", join(folder, jar), program], files, extension);
  return lines;
}

/** Validates invoices and credit notes of UBL by phive. Returns for each, in order, the ids of the rules that refuse it. */
export async function phiveRefusals(files: readonly Uint8Array[]): Promise<string[][]> {
  const classes = [join(folder, "classes"), join(folder, "lib", "*")].join(":");
  const lines = await answersOf(["-cp", classes, "Check"], files, "xml");
  return lines.map((line) => (JSON.parse(line) as { errors: string[] }).errors);
}

async function answersOf(
  command: readonly string[],
  files: readonly Uint8Array[],
  extension: string,
): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), "matchbook-einvoices-"));
  try {
    const paths = files.map((content, index) => {
      const path = join(directory, `${String(index).padStart(4, "0")}.${extension}`);
      writeFileSync(path, content);
      return path;
    });
    const { stdout } = await run("java", [...command, ...paths]);
    const lines = stdout.split("\n").filter((line) => line !== "");
    if (lines.length !== files.length)
      throw new Error(`${files.length} files, answered: ${stdout}`);
    return lines;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs a program that ends with another code where a file is refused. */
async function run(program: string, args: readonly string[]): Promise<{ stdout: string }> {
  try {
    return await promisify(execFile)(program, [...args], { maxBuffer: MOST_OUTPUT });
  } catch (error) {
    if (error instanceof Error && "stdout" in error && error.stdout !== "") {
      return { stdout: String(error.stdout) };
    }
    throw error;
  }
}

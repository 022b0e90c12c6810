/** Reads the options of a command and prints its result: only JSON on standard output, or text. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import type { CalendarDate } from "../domain/base/calendar.ts";
import { isMailAddress } from "../domain/base/mail-address.ts";
import { Problem } from "../domain/base/problem.ts";
import { faultOfPassword } from "../features/access/people/password.ts";
import { Day } from "../platform/http/schemas.ts";

/** The input cannot be parsed: the exit code is 2. */
export class UsageError extends Error {}

type Options = Readonly<Record<string, string | boolean | undefined>>;

export function optionsOf(
  argv: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
): Options {
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values as Options;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function required(options: Options, name: string): string {
  const value = text(options, name);
  if (value === undefined || value.trim() === "") throw new UsageError(`--${name} is required.`);
  return value;
}

export function password(options: Options, name: string): string | undefined {
  const value = text(options, name);
  const fault = value === undefined ? undefined : faultOfPassword(value);
  if (fault !== undefined) throw new UsageError(`--${name}: ${fault.message}`);
  return value;
}

export function mailAddress(value: string): string {
  if (!isMailAddress(value)) throw new UsageError(`${value} is not a single e-mail address.`);
  return value;
}

export function accountId(value: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) {
    throw new UsageError("--account must be the account's id.");
  }
  return value.toLowerCase();
}

/** Reads a date such as 2027-12-31 from an option; undefined when the option is not given. */
export function day(options: Options, name: string): CalendarDate | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const parsed = Day.safeParse(value);
  if (!parsed.success) throw new UsageError(`--${name} must be a date such as 2027-12-31.`);
  return parsed.data as CalendarDate;
}

/** Reads what becomes of webhooks that wait in a copy that is resumed: they are skipped, or with `continue` sent. */
export function webhooksOf(options: Options): "skip" | "continue" {
  const value = text(options, "webhooks");
  if (value === undefined) return "skip";
  if (value === "continue") return value;
  throw new UsageError("--webhooks can only be continue: without it, what waits is skipped.");
}

export function answer(options: Options, value: unknown, lines: readonly string[]): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${lines.join("\n")}\n`);
}

export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

export function messageOf(error: unknown): string {
  if (error instanceof Problem) {
    const { field_errors = [] } = error.extras;
    const fields = field_errors.map(({ field, message }) => `\n  ${field}: ${message}`);
    return `${error.code}: ${error.message}${fields.join("")}`;
  }
  return error instanceof Error ? error.message : String(error);
}

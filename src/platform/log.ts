/**
 * Structured logs, one line an event: JSON for programs, words for a person at a terminal. Credentials are redacted
 * wherever they could appear.
 */
import { type DestinationStream, type Logger, pino } from "pino";

/** What the product uses of a logger. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

/** With `terminal`, lines are written there for a person to read; else as JSON to standard output. */
export function openLog(level: string, terminal?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: {
      paths: [
        "authorization",
        "*.authorization",
        "*.*.authorization",
        "password",
        "*.password",
        "*.cookie",
      ],
      censor: "[redacted]",
    },
  };
  if (terminal === undefined) return pino(options);
  return pino(options, { write: (line) => terminal.write(readableLine(line)) });
}

/** The log of one request, whose lines name it. Most requests leave none but their own, so that it is made for the first. */
export function logOfRequest(log: Logger | Log, request_id: string): Log {
  let own: Log | undefined;
  const named = (): Log => {
    own ??= "child" in log ? log.child({ request_id }) : log;
    return own;
  };
  const leave =
    (level: keyof Log) =>
    (...line: unknown[]): void =>
      (named()[level] as (...line: unknown[]) => void)(...line);
  return {
    debug: leave("debug") as Log["debug"],
    info: leave("info") as Log["info"],
    warn: leave("warn") as Log["warn"],
    error: leave("error") as Log["error"],
  };
}

/** Members that a person does not need, or that have a place of their own in the line. */
const PLACED: ReadonlySet<string> = new Set(["level", "time", "msg", "request_id", "err"]);

/** From `{"level":40,"time":…,"msg":"…"}` to `09:30:01  warning: …  name=value`, with the stack of an error below it. */
export function readableLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as {
    readonly level: number;
    readonly time: number;
    readonly msg?: string;
    readonly err?: { readonly stack?: string; readonly message?: string };
  } & Record<string, unknown>;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const weight = level >= 50 ? "error: " : level >= 40 ? "warning: " : "";
  const facts = Object.entries(rest)
    .filter(([name]) => !PLACED.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const stack = err?.stack ?? err?.message;
  return `${[clock, `${weight}${msg ?? ""}`, ...facts].join("  ")}\n${stack ? `${stack}\n` : ""}`;
}

/**
 * Structured logs, one line an event: JSON for programs, words for a person at a terminal. Credentials are redacted
 * wherever they could appear.
 */
import { isMainThread } from "node:worker_threads";
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
  if (level === "silent") return pino(options);
  if (terminal === undefined) return pino(options, standardOutput());
  return pino(options, { write: (line) => terminal.write(readableLine(line)) });
}

/** How long a line may wait for others, in milliseconds, and how many characters may. */
const GATHERING_MS = 100;
const MOST_GATHERED = 16_384;

/** How lines of the level `info` begin. */
const INFO = '{"level":30,';

/**
 * A destination that gathers lines of the level `info` for a moment, so that not every request is a write of its own.
 * Whatever weighs more, or is there for somebody who looks for a fault, is written at once, behind what was gathered.
 */
export function gatheringLines(write: (lines: string) => void): {
  write(line: string): void;
  /** Writes what was gathered. */
  flush(): void;
} {
  let gathered = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered === "") return;
    const lines = gathered;
    gathered = "";
    write(lines);
  };
  return {
    flush,
    write(line) {
      gathered += line;
      if (!line.startsWith(INFO) || gathered.length > MOST_GATHERED) return flush();
      timer ??= setTimeout(flush, GATHERING_MS).unref();
    },
  };
}

let output: DestinationStream | undefined;

/** Lines of the thread that serves are gathered, and written when the process ends, also by a fault. */
function standardOutput(): DestinationStream {
  const direct = pino.destination({ dest: 1, sync: true });
  if (!isMainThread) return direct;
  if (output !== undefined) return output;
  const gathering = gatheringLines((lines) => direct.write(lines));
  process.on("exit", gathering.flush);
  output = gathering;
  return output;
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

/** Structured logs, one line per event: JSON, or readable text at a terminal. Credentials are redacted everywhere. */
import { isMainThread } from "node:worker_threads";
import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";
import { stackInSources } from "./source-places.ts";

/** The methods of a logger that the product uses. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

/** Opens the log. With `terminal`, lines are written there in readable form; otherwise as JSON to standard output. */
export function openLog(level: string, terminal?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    serializers: { err: inSources },
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

/** Converts an error to what the log has of it, with a stack that leads to the sources. */
function inSources(error: Error): object {
  const converted = stdSerializers.err(error);
  // A thrown value that is no error stays as it is.
  if (!(error instanceof Error)) return converted;
  return { ...converted, stack: stackInSources(converted.stack) };
}

/** The longest time in milliseconds that a line may wait for other lines, and the most characters that may wait. */
const GATHERING_MS = 100;
const MOST_BUFFERED = 16_384;

/** The beginning of lines of the level `info`. */
const INFO = '{"level":30,';

/**
 * Returns a destination that buffers lines of the level `info` for a moment, so that not every request causes a write. Lines of
 * all other levels (warnings, errors, and those for debugging) are written immediately, after the buffered ones.
 */
export function gatheringLines(write: (lines: string) => void): {
  write(line: string): void;
  /** Writes the buffered lines. */
  flush(): void;
} {
  let buffered = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (buffered === "") return;
    const lines = buffered;
    buffered = "";
    write(lines);
  };
  return {
    flush,
    write(line) {
      buffered += line;
      if (!line.startsWith(INFO) || buffered.length > MOST_BUFFERED) return flush();
      timer ??= setTimeout(flush, GATHERING_MS).unref();
    },
  };
}

let output: DestinationStream | undefined;

/** Buffers the lines of the serving thread and writes them when the process ends, also after a crash. */
function standardOutput(): DestinationStream {
  const direct = pino.destination({ dest: 1, sync: true });
  if (!isMainThread) return direct;
  if (output !== undefined) return output;
  const gathering = gatheringLines((lines) => direct.write(lines));
  process.on("exit", gathering.flush);
  output = gathering;
  return output;
}

/** Returns a log whose lines have the request's id. The logger is created at first use: most requests need none. */
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

/** Members that a reader does not need, or that have a fixed place in the line. */
const PLACED: ReadonlySet<string> = new Set(["level", "time", "msg", "request_id", "err"]);

/** Converts `{"level":40,"time":…,"msg":"…"}` to `09:30:01  warning: …  name=value`, with the stack of an error below it. */
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

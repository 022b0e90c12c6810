/** Settings from the environment, read once at start. Every setting has a default that works on a fresh machine. */
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import * as z from "zod";
import { isMailAddress } from "../../domain/base/mail-address.ts";
import type { AllowedHosts } from "../../domain/webhooks/endpoint-url.ts";
import type { MailLimits } from "../mail/transports.ts";
import { keysFrom, type SealingKey } from "../security/sealing.ts";

export interface Config {
  readonly host: string;
  readonly port: number;
  /** The public origin without a trailing slash. */
  readonly base_url: string;
  /** The data directory, absolute; contains the bundled database and, unless set otherwise, the outbox. */
  readonly data_dir: string;
  readonly database_url: string | null;
  /** The connection string of the role that migrates, if it is not that of `database_url`, which then owns nothing. */
  readonly migration_database_url: string | null;
  /** The connection string of a hot standby of `database_url` for long reads; null without one. */
  readonly replica_url: string | null;
  readonly database_connections: number;
  readonly outbox_dir: string;
  readonly smtp_url: string | null;
  readonly mail_from: string;
  readonly mail_limits: MailLimits | null;
  readonly rate_limit: RateLimit;
  readonly in_flight: InFlight;
  readonly metrics_token: string | null;
  /** Addresses or networks whose X-Forwarded-For header is trusted when attempts are counted. */
  readonly trusted_proxies: readonly string[];
  /** URI schemes without a period that assistants may use in their redirect URIs. */
  readonly oauth_schemes: readonly string[];
  /** The keys for secrets at rest; the first one seals. Empty when a key file in the data directory has the key. */
  readonly secret_keys: readonly SealingKey[];
  /** `host` or `host:port` of accounting systems, in addition to those that a connector knows. */
  readonly ledger_hosts: readonly string[];
  /** Where receivers of e-invoices are looked up: `production`, `test` or a DNS zone; null asks nothing. */
  readonly einvoice_lookup: string | null;
  /** The DNS server of these look-ups, an IP address with an optional port; null for those of the system. */
  readonly einvoice_dns: string | null;
  /** `host` or `host:port` of access points and of publishers of receivers that need no public address. */
  readonly einvoice_hosts: readonly string[];
  /** What webhooks may reach besides public addresses over https. */
  readonly webhook_hosts: AllowedHosts;
  readonly log_level: string;
  /** False for a process that is started without background work; no environment variable sets it. */
  readonly background: boolean;
}

/** Tokens per second and the size of the bucket; null switches the limit off. */
export type RateLimit = { readonly per_second: number; readonly burst: number } | null;

/** Limits of an account's simultaneous requests: all, heavy, and waiting in addition. Null switches the limit off. */
export type InFlight = {
  readonly requests: number;
  readonly heavy: number;
  readonly queue: number;
} | null;

// Not parsed as a URL: only libpq accepts an empty host, which means the socket.
const connectionString = z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgresql://");

const hosts = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim().toLowerCase()))
  .refine((parts) => parts.every(isHost), "must be hosts, or hosts with ports, with commas")
  .default([]);

const Environment = z.object({
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  MATCHBOOK_DATA_DIR: z.string().min(1).default("data"),
  DATABASE_URL: connectionString.optional(),
  MATCHBOOK_MIGRATION_DATABASE_URL: connectionString.optional(),
  MATCHBOOK_REPLICA_URL: connectionString.optional(),
  MATCHBOOK_DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(10),
  MATCHBOOK_OUTBOX_DIR: z.string().min(1).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .refine(isMailAddress, "must be one e-mail address")
    .default("invoices@localhost.localdomain"),
  MATCHBOOK_MAIL_LIMITS: z
    .string()
    .regex(/^(off|[1-9]\d{0,8}:[1-9]\d{0,8}:[1-9]\d{0,8})$/, "must be `off` or as `50:5:1000`")
    .default("50:5:1000"),
  MATCHBOOK_RATE_LIMIT: z
    .string()
    .regex(/^(off|[1-9]\d*(:[1-9]\d*)?)$/, "must be `off`, `50` or `50:100`")
    .default("50:100"),
  MATCHBOOK_IN_FLIGHT: z
    .string()
    .regex(/^(off|[1-9]\d{0,3}:[1-9]\d{0,2}:\d{1,4})$/, "must be `off` or as `16:2:32`")
    .default("16:2:32"),
  MATCHBOOK_METRICS_TOKEN: z.string().min(16).optional(),
  MATCHBOOK_TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .refine((parts) => parts.every(isNetwork), "must be IP addresses or networks with commas")
    .default([]),
  MATCHBOOK_OAUTH_SCHEMES: z
    .string()
    .regex(/^[a-z][a-z0-9+-]*(, ?[a-z][a-z0-9+-]*)*$/, "must be schemes with commas, or `none`")
    .transform((text) => (text === "none" ? [] : text.split(",").map((part) => part.trim())))
    .default(["cursor", "vscode", "vscode-insiders", "claude", "windsurf", "zed"]),
  MATCHBOOK_SECRET_KEY: z
    .string()
    .transform((text, check): readonly SealingKey[] => {
      const keys = keysFrom(text);
      if (keys !== undefined) return keys;
      const message = "must be 32 bytes in base64 or as 64 hexadecimal digits, or `id:key,id:key`";
      // The value of the setting is never shown.
      check.issues.push({ code: "custom", message, input: "" });
      return z.NEVER;
    })
    .default([]),
  MATCHBOOK_LEDGER_HOSTS: hosts,
  MATCHBOOK_EINVOICE_LOOKUP: z
    .string()
    .regex(
      /^(off|production|test|([a-z0-9-]+\.)+[a-z0-9-]+)$/,
      "must be `off`, `production`, `test` or a DNS zone",
    )
    .default("off"),
  MATCHBOOK_EINVOICE_DNS: z
    .string()
    .refine(isServer, "must be an IP address, which may have a port, as 127.0.0.1:5353")
    .optional(),
  MATCHBOOK_EINVOICE_HOSTS: hosts,
  MATCHBOOK_WEBHOOK_HOSTS: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim().toLowerCase()))
    .refine(
      (parts) => parts.every((part) => (part.includes("/") ? isNetwork(part) : isHost(part))),
      "must be hosts, hosts with ports, or networks, with commas",
    )
    .default([]),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** Reads the settings. Throws an Error that names all wrong ones. Empty variables are absent, as in compose files. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The settings are not valid. ${faults.join("; ")}`);
  }
  const settings = parsed.data;
  if (settings.MATCHBOOK_MIGRATION_DATABASE_URL !== undefined && !settings.DATABASE_URL) {
    throw new Error(
      "The settings are not valid. MATCHBOOK_MIGRATION_DATABASE_URL: goes with DATABASE_URL; the bundled database has its roles",
    );
  }
  if (settings.MATCHBOOK_REPLICA_URL !== undefined && !settings.DATABASE_URL) {
    throw new Error(
      "The settings are not valid. MATCHBOOK_REPLICA_URL: goes with DATABASE_URL; the bundled database has no replica",
    );
  }
  const data_dir = resolve(settings.MATCHBOOK_DATA_DIR);
  return {
    host: settings.HOST,
    port: settings.PORT,
    base_url: requireSafeOrigin(settings.BASE_URL ?? `http://localhost:${settings.PORT}`),
    data_dir,
    database_url: settings.DATABASE_URL ?? null,
    migration_database_url: settings.MATCHBOOK_MIGRATION_DATABASE_URL ?? null,
    replica_url: settings.MATCHBOOK_REPLICA_URL ?? null,
    database_connections: settings.MATCHBOOK_DATABASE_CONNECTIONS,
    outbox_dir: resolve(settings.MATCHBOOK_OUTBOX_DIR ?? join(data_dir, "outbox")),
    smtp_url: settings.SMTP_URL ?? null,
    mail_from: settings.MAIL_FROM,
    mail_limits: mailLimitsFrom(settings.MATCHBOOK_MAIL_LIMITS),
    rate_limit: rateLimitFrom(settings.MATCHBOOK_RATE_LIMIT),
    in_flight: inFlightFrom(settings.MATCHBOOK_IN_FLIGHT),
    metrics_token: settings.MATCHBOOK_METRICS_TOKEN ?? null,
    trusted_proxies: settings.MATCHBOOK_TRUSTED_PROXIES,
    oauth_schemes: settings.MATCHBOOK_OAUTH_SCHEMES,
    secret_keys: settings.MATCHBOOK_SECRET_KEY,
    ledger_hosts: settings.MATCHBOOK_LEDGER_HOSTS,
    einvoice_lookup: lookupFrom(settings.MATCHBOOK_EINVOICE_LOOKUP),
    einvoice_dns: settings.MATCHBOOK_EINVOICE_DNS ?? null,
    einvoice_hosts: settings.MATCHBOOK_EINVOICE_HOSTS,
    webhook_hosts: {
      hosts: settings.MATCHBOOK_WEBHOOK_HOSTS.filter((part) => !part.includes("/")),
      networks: settings.MATCHBOOK_WEBHOOK_HOSTS.filter((part) => part.includes("/")),
    },
    log_level: settings.LOG_LEVEL,
    background: true,
  };
}

/** Returns the origin. Plain http is allowed for loopback only: with other hosts it would send keys unencrypted (spec 12.3). */
function requireSafeOrigin(text: string): string {
  const url = new URL(text);
  const is_loopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol === "http:" && !is_loopback) {
    throw new Error("The settings are not valid. BASE_URL: must be https, except on localhost");
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new Error("The settings are not valid. BASE_URL: must be an origin without a path");
  }
  return url.origin;
}

/** Whether the text is an IP address, or one with a prefix length. */
function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = isIP(address) === 6 ? 128 : 32;
  const is_prefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return isIP(address) !== 0 && is_prefix && rest.length === 0;
}

/** Whether the text is a host: `books.example`, `books.example:8000`, `127.0.0.1:8000` or `[::1]:8000`. */
function isHost(text: string): boolean {
  return /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?$/.test(text);
}

/** Whether the text is an IP address with an optional port: `127.0.0.1`, `127.0.0.1:53` or `[::1]:53`. */
function isServer(text: string): boolean {
  const [, bracketed, plain] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+))(?::[1-9]\d{0,4})?$/.exec(text) ?? [];
  return isIP(bracketed ?? "") === 6 || isIP(plain ?? text) !== 0;
}

function lookupFrom(text: string): string | null {
  return text === "off" ? null : text;
}

function rateLimitFrom(text: string): RateLimit {
  if (text === "off") return null;
  const [per_second = 50, burst] = text.split(":").map(Number);
  return { per_second, burst: burst ?? 2 * per_second };
}

function inFlightFrom(text: string): InFlight {
  if (text === "off") return null;
  const [requests = 0, heavy = 0, queue = 0] = text.split(":").map(Number);
  return { requests, heavy, queue };
}

function mailLimitsFrom(text: string): MailLimits | null {
  if (text === "off") return null;
  const [people = 0, document = 0, all = 0] = text.split(":").map(Number);
  return { people, document, all };
}

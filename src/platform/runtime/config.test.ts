/** Settings: their defaults, and the messages for wrong ones (spec 11.8 and 12.3). */
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

describe("readConfig", () => {
  it("returns the defaults without any setting", () => {
    expect(readConfig({})).toEqual({
      host: "127.0.0.1",
      port: 3000,
      base_url: "http://localhost:3000",
      data_dir: resolve("data"),
      database_url: null,
      migration_database_url: null,
      replica_url: null,
      database_connections: 10,
      outbox_dir: resolve("data", "outbox"),
      smtp_url: null,
      mail_from: "invoices@localhost.localdomain",
      mail_limits: { people: 50, document: 5, all: 1000 },
      rate_limit: { per_second: 50, burst: 100 },
      in_flight: { requests: 16, heavy: 2, queue: 32 },
      metrics_token: null,
      trusted_proxies: [],
      oauth_schemes: ["cursor", "vscode", "vscode-insiders", "claude", "windsurf", "zed"],
      secret_keys: [],
      ledger_hosts: [],
      einvoice_lookup: null,
      einvoice_dns: null,
      einvoice_hosts: [],
      webhook_hosts: { hosts: [], networks: [] },
      log_level: "info",
      background: true,
    });
  });

  it("reads every setting", () => {
    expect(
      readConfig({
        HOST: "0.0.0.0",
        PORT: "8080",
        BASE_URL: "https://books.example/",
        MATCHBOOK_DATA_DIR: "/var/lib/matchbook",
        DATABASE_URL: "postgres://db.example/books",
        MATCHBOOK_MIGRATION_DATABASE_URL: "postgres://owner@db.example/books",
        MATCHBOOK_REPLICA_URL: "postgres://standby.example/books",
        MATCHBOOK_DATABASE_CONNECTIONS: "25",
        MATCHBOOK_OUTBOX_DIR: "/var/spool/outbox",
        SMTP_URL: "smtps://mail.example:465",
        MAIL_FROM: "billing@books.example",
        MATCHBOOK_MAIL_LIMITS: "20:2:500",
        MATCHBOOK_RATE_LIMIT: "10:15",
        MATCHBOOK_IN_FLIGHT: "8:1:4",
        MATCHBOOK_METRICS_TOKEN: "0123456789abcdef",
        MATCHBOOK_TRUSTED_PROXIES: "10.0.0.1, fd00::/8",
        MATCHBOOK_OAUTH_SCHEMES: "zed, acme-editor",
        MATCHBOOK_SECRET_KEY: `a:${"0".repeat(64)}`,
        MATCHBOOK_LEDGER_HOSTS: "Books.example, 127.0.0.1:8000",
        MATCHBOOK_EINVOICE_LOOKUP: "production",
        MATCHBOOK_EINVOICE_DNS: "127.0.0.1:5353",
        MATCHBOOK_EINVOICE_HOSTS: "Smp.example, 127.0.0.1:8080",
        MATCHBOOK_WEBHOOK_HOSTS: "N8n.internal, 127.0.0.1:5678, 10.0.0.0/8, fd00::/8",
        LOG_LEVEL: "warn",
      }),
    ).toEqual({
      host: "0.0.0.0",
      port: 8080,
      base_url: "https://books.example",
      data_dir: resolve("/var/lib/matchbook"),
      database_url: "postgres://db.example/books",
      migration_database_url: "postgres://owner@db.example/books",
      replica_url: "postgres://standby.example/books",
      database_connections: 25,
      outbox_dir: resolve("/var/spool/outbox"),
      smtp_url: "smtps://mail.example:465",
      mail_from: "billing@books.example",
      mail_limits: { people: 20, document: 2, all: 500 },
      rate_limit: { per_second: 10, burst: 15 },
      in_flight: { requests: 8, heavy: 1, queue: 4 },
      metrics_token: "0123456789abcdef",
      trusted_proxies: ["10.0.0.1", "fd00::/8"],
      oauth_schemes: ["zed", "acme-editor"],
      secret_keys: [{ id: "a", key: Buffer.alloc(32) }],
      ledger_hosts: ["books.example", "127.0.0.1:8000"],
      einvoice_lookup: "production",
      einvoice_dns: "127.0.0.1:5353",
      einvoice_hosts: ["smp.example", "127.0.0.1:8080"],
      webhook_hosts: {
        hosts: ["n8n.internal", "127.0.0.1:5678"],
        networks: ["10.0.0.0/8", "fd00::/8"],
      },
      log_level: "warn",
      background: true,
    });
  });

  it("treats an empty variable as absent and ignores unknown variables", () => {
    expect(readConfig({ PORT: "", BASE_URL: "", HOME: "/root" })).toEqual(readConfig({}));
  });

  it("derives the public origin from the port and the outbox from the data directory", () => {
    const config = readConfig({ PORT: "4321", MATCHBOOK_DATA_DIR: "elsewhere" });

    expect(config.base_url).toBe("http://localhost:4321");
    expect(config.outbox_dir).toBe(join(resolve("elsewhere"), "outbox"));
  });

  it.each([
    ["off", null],
    ["20", { per_second: 20, burst: 40 }],
    ["1:1", { per_second: 1, burst: 1 }],
  ])("reads a rate limit of %s", (text, rate_limit) => {
    expect(readConfig({ MATCHBOOK_RATE_LIMIT: text }).rate_limit).toEqual(rate_limit);
  });

  it("has no limit for requests in progress if it is off", () => {
    expect(readConfig({ MATCHBOOK_IN_FLIGHT: "off" }).in_flight).toBeNull();
  });

  it("has no limits for mail if they are off", () => {
    expect(readConfig({ MATCHBOOK_MAIL_LIMITS: "off" }).mail_limits).toBeNull();
  });

  it.each(["127.0.0.1", "127.0.0.1:5353", "::1", "[::1]", "[::1]:53"])(
    "accepts the DNS server %s",
    (text) => {
      expect(readConfig({ MATCHBOOK_EINVOICE_DNS: text }).einvoice_dns).toBe(text);
    },
  );

  it("asks nothing about receivers if look-ups are off, and takes a zone of its own", () => {
    expect(readConfig({ MATCHBOOK_EINVOICE_LOOKUP: "off" }).einvoice_lookup).toBeNull();
    const { einvoice_lookup } = readConfig({ MATCHBOOK_EINVOICE_LOOKUP: "sml.example" });
    expect(einvoice_lookup).toBe("sml.example");
  });

  it("permits no scheme without a period if the list is `none`", () => {
    expect(readConfig({ MATCHBOOK_OAUTH_SCHEMES: "none" }).oauth_schemes).toEqual([]);
  });

  it.each([
    "http://localhost:3000",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
    "https://books.example",
  ])("accepts the public origin %s", (BASE_URL) => {
    expect(readConfig({ BASE_URL }).base_url).toBe(BASE_URL);
  });

  it.each<[string, string]>([
    ["BASE_URL", "http://books.example"],
    ["MATCHBOOK_IN_FLIGHT", "16"],
    ["MATCHBOOK_IN_FLIGHT", "0:2:32"],
    ["BASE_URL", "http://localhost.books.example"],
    ["BASE_URL", "https://books.example/path"],
    ["BASE_URL", "https://books.example/?a=b"],
    ["BASE_URL", "ftp://books.example"],
    ["BASE_URL", "books"],
    ["PORT", "http"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["MATCHBOOK_DATABASE_CONNECTIONS", "1"],
    ["DATABASE_URL", "mysql://db.example/books"],
    ["DATABASE_URL", "db.example/books"],
    ["MATCHBOOK_MIGRATION_DATABASE_URL", "postgres://goes-with.example/DATABASE_URL"],
    ["MATCHBOOK_REPLICA_URL", "postgres://goes-with.example/DATABASE_URL"],
    ["SMTP_URL", "https://mail.example"],
    ["MAIL_FROM", "Books <billing@books.example>"],
    ["MATCHBOOK_TRUSTED_PROXIES", "all-proxies"],
    ["MATCHBOOK_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["MATCHBOOK_MAIL_LIMITS", "50"],
    ["MATCHBOOK_SECRET_KEY", "hunter2"],
    ["MATCHBOOK_LEDGER_HOSTS", "https://books.example"],
    ["MATCHBOOK_EINVOICE_LOOKUP", "on"],
    ["MATCHBOOK_EINVOICE_LOOKUP", "https://sml.example"],
    ["MATCHBOOK_EINVOICE_DNS", "dns.example"],
    ["MATCHBOOK_EINVOICE_DNS", "127.0.0.1:0"],
    ["MATCHBOOK_EINVOICE_HOSTS", "https://smp.example"],
    ["MATCHBOOK_WEBHOOK_HOSTS", "http://n8n.internal"],
    ["MATCHBOOK_WEBHOOK_HOSTS", "10.0.0.0/33"],
    ["MATCHBOOK_WEBHOOK_HOSTS", "n8n.internal/8"],
    ["MATCHBOOK_MAIL_LIMITS", "50:0:1000"],
    ["MATCHBOOK_RATE_LIMIT", "fast"],
    ["MATCHBOOK_RATE_LIMIT", "0"],
    ["MATCHBOOK_RATE_LIMIT", "5:0"],
    ["MATCHBOOK_METRICS_TOKEN", "short"],
    ["MATCHBOOK_OAUTH_SCHEMES", "cursor://"],
    ["MATCHBOOK_OAUTH_SCHEMES", "cursor,,zed"],
    ["LOG_LEVEL", "loud"],
  ])("refuses %s=%s and names the setting", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  it.each(["postgres://db.example/books", "postgresql://ida:a%2Fb@/books?host=/run/postgresql"])(
    "accepts the database %s",
    (DATABASE_URL) => {
      expect(readConfig({ DATABASE_URL }).database_url).toBe(DATABASE_URL);
    },
  );

  it("does not include the password of a refused database URL", () => {
    const DATABASE_URL = "mysql://ida:secret@db.example/books";
    expect(() => readConfig({ DATABASE_URL })).toThrow(/^(?!.*secret).*DATABASE_URL/);
  });

  it("names all wrong settings in one error", () => {
    expect(() => readConfig({ PORT: "x", LOG_LEVEL: "loud" })).toThrow(/PORT.*LOG_LEVEL/);
  });
});

/**
 * Programs that tests need in addition to Node and PostgreSQL. A test whose program is missing is skipped, and its title says
 * what it needs; with CI=true it is not skipped, so that it fails.
 */
import { spawnSync } from "node:child_process";

/** The Debian packages of each program. */
const PACKAGES = {
  "bean-check": "beancount",
  bash: "bash",
  curl: "curl",
  dnsmasq: "dnsmasq-base",
  etcd: "etcd-server",
  haproxy: "haproxy",
  hledger: "hledger",
  java: "openjdk-17-jdk-headless maven",
  patroni: "patroni",
  pdftotext: "poppler-utils",
  proftpd: "proftpd-core proftpd-mod-crypto",
  sshd: "openssh-server",
  trytond: "tryton-server tryton-modules-account-invoice python3-psycopg2",
} as const;

type Program = keyof typeof PACKAGES;

const is_installed = new Map<Program, boolean>();

/** Whether the program can be started on this machine. */
export function isInstalled(program: Program): boolean {
  const known = is_installed.get(program);
  if (known !== undefined) return known;
  const argument = program === "pdftotext" ? "-v" : "--version";
  const found = spawnSync(program, [argument]).error === undefined;
  is_installed.set(program, found);
  return found;
}

/** Whether tests are skipped because a needed program is missing; never with CI=true. */
export function isSkippedWithout(is_installed: boolean): boolean {
  return !is_installed && process.env.CI !== "true";
}

/** Whether tests that need the programs are skipped. */
export function lacks(...programs: readonly Program[]): boolean {
  return isSkippedWithout(programs.every(isInstalled));
}

/** Why a test that needs the program is skipped; undefined when it runs. */
export function whyWithout(program: Program): string | undefined {
  if (!lacks(program)) return undefined;
  return `needs the program ${program} (Debian: apt-get install --no-install-recommends ${PACKAGES[program]})`;
}

/** A session with an SFTP server, opened when it is first needed and closed when it was idle for some seconds. */
import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import type { SFTPWrapper } from "ssh2";

interface SessionFacts {
  /** Connects to the host. Rejects with an AddressRefused for a host that is not allowed. */
  readonly connect: (signal: AbortSignal) => Promise<Socket>;
  readonly username: string;
  /** `SHA256:` and the base64 of the hash of the host's key, without `=`. */
  readonly host_key: string;
  readonly password: string | undefined;
  readonly private_key: string | undefined;
}

export interface SftpSession {
  /** Does the work in the session, which is opened again after it has ended. */
  use<Result>(work: (sftp: SFTPWrapper) => Promise<Result>): Promise<Result>;
}

/** The sign-in failed: `unauthorized` for refused credentials, `unavailable` for a host with another key. */
export class SignInFailed extends Error {
  readonly connection: "unauthorized" | "unavailable";
  constructor(connection: "unauthorized" | "unavailable", message: string) {
    super(message);
    this.connection = connection;
  }
}

const READY_MS = 10_000;
const IDLE_MS = 5_000;

interface Opened {
  readonly sftp: SFTPWrapper;
  readonly end: () => void;
}

export function sftpSession(facts: SessionFacts): SftpSession {
  let opening: Promise<Opened> | null = null;
  let users = 0;
  let idle: NodeJS.Timeout | undefined;
  const forget = (one: Promise<Opened> | null): void => {
    if (opening === one) opening = null;
  };
  const current = (): Promise<Opened> => {
    if (opening !== null) return opening;
    const one: Promise<Opened> = openSession(facts, () => forget(one));
    one.catch(() => forget(one));
    opening = one;
    return one;
  };
  const close = (): void => {
    const one = opening;
    forget(one);
    one?.then(({ end }) => end()).catch(() => undefined);
  };
  return {
    async use(work) {
      clearTimeout(idle);
      users += 1;
      try {
        return await work((await current()).sftp);
      } finally {
        users -= 1;
        if (users === 0) idle = setTimeout(close, IDLE_MS).unref();
      }
    },
  };
}

async function openSession(facts: SessionFacts, ended: () => void): Promise<Opened> {
  const { username, host_key, password, private_key } = facts;
  const sock = await facts.connect(AbortSignal.timeout(READY_MS));
  // The package is loaded only where it is used: it takes longer than the start of the program may.
  const { default: SftpClient } = await import("ssh2-sftp-client");
  const client = new SftpClient("matchbook", { error: ended, end: ended, close: ended });
  let is_other_host = false;
  try {
    const sftp = await client.connect({
      sock,
      username,
      ...(password !== undefined && { password }),
      ...(private_key !== undefined && { privateKey: private_key }),
      readyTimeout: READY_MS,
      keepaliveInterval: IDLE_MS,
      hostVerifier: (key: Buffer) => {
        is_other_host = fingerprintOf(key) !== host_key;
        return !is_other_host;
      },
    });
    // A session that idles must not keep the process from ending.
    sock.unref();
    const end = (): void => void client.end().catch(() => undefined);
    return { sftp, end };
  } catch (error) {
    sock.destroy();
    throw signInFault(error, is_other_host);
  }
}

function fingerprintOf(key: Buffer): string {
  const hash = createHash("sha256").update(key).digest("base64");
  return `SHA256:${hash.replace(/=+$/, "")}`;
}

function signInFault(error: unknown, is_other_host: boolean): unknown {
  if (is_other_host) {
    const text = "The host has another key than the one that was given.";
    return new SignInFailed("unavailable", text);
  }
  const message = error instanceof Error ? error.message : "";
  if (/authentication methods failed|privateKey/i.test(message)) {
    return new SignInFailed("unauthorized", "The host refused the credentials.");
  }
  return error;
}

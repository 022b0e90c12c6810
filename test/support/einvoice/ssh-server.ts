/** OpenSSH's server on this machine, for one key of its own and one of a user, in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

export interface SshServer {
  readonly port: number;
  readonly user: string;
  /** The fingerprint of the host's key. */
  readonly host_key: string;
  /** The private key of the user. */
  readonly private_key: string;
  /** The folder that is served. */
  readonly dir: string;
  /** Ends the server and its sessions, and starts it again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the server on a free port of loopback. Its sessions can do nothing but SFTP. */
export async function openSshServer(): Promise<SshServer> {
  const root = await mkdtemp(join(tmpdir(), "matchbook-sshd-"));
  const [host, own] = [join(root, "host"), join(root, "user")];
  for (const file of [host, own]) makeKey(file);
  const dir = join(root, "files");
  mkdirSync(dir);
  const port = await freePort();
  const user = userInfo().username;
  const config = join(root, "sshd_config");
  await writeFile(
    config,
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${host}`,
      `AuthorizedKeysFile ${own}.pub`,
      `PidFile ${root}/pid`,
      `AllowUsers ${user}`,
      "StrictModes no",
      "PasswordAuthentication no",
      "KbdInteractiveAuthentication no",
      "PermitRootLogin yes",
      "Subsystem sftp internal-sftp",
      "ForceCommand internal-sftp",
    ].join("\n"),
  );
  // As root, the server separates its privileges in this folder, which its service would make.
  if (process.getuid?.() === 0 && !existsSync("/run/sshd")) mkdirSync("/run/sshd", { mode: 0o755 });
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    server = spawn(sshd(), ["-D", "-e", "-f", config], { stdio: "ignore" });
    while (!(await greets(port))) await setTimeout(20);
  };
  const stop = async (): Promise<void> => {
    const running = server;
    server = undefined;
    if (running !== undefined) await endWithFamily(running);
  };
  await start();
  return {
    port,
    user,
    host_key: await hostKeyOf(host),
    private_key: await readFile(own, "utf8"),
    dir,
    start,
    stop,
    async close() {
      await stop();
      await rm(root, { recursive: true });
    },
  };
}

/** The server insists on being started by its absolute path. */
function sshd(): string {
  return existsSync("/usr/sbin/sshd")
    ? "/usr/sbin/sshd"
    : execFileSync("which", ["sshd"], { encoding: "utf8" }).trim();
}

/** Makes a key and its public half in two files. */
export function makeKey(file: string): void {
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
}

/** Returns the fingerprint of a key that `makeKey` has made, as `ssh-keygen -lf` shows it. */
export async function hostKeyOf(file: string): Promise<string> {
  const key = (await readFile(`${file}.pub`, "utf8")).split(" ")[1] ?? "";
  const hash = createHash("sha256").update(Buffer.from(key, "base64")).digest("base64");
  return `SHA256:${hash.replace(/=+$/, "")}`;
}

/** Ends a server with its sessions, and waits for its end. */
export async function endWithFamily(server: ChildProcess): Promise<void> {
  const is_ended = server.exitCode !== null || server.signalCode !== null;
  if (server.pid === undefined || is_ended) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  for (const pid of familyOf(server.pid)) end(pid);
  await ended;
}

/** A process and all that it has started: a session is not in the group of the server. It may have ended meanwhile. */
function familyOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    return [pid, ...children.filter((one) => one !== "").flatMap((one) => familyOf(Number(one)))];
  } catch {
    return [];
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Whether a server of SSH greets on the port. */
export function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (is_greeted: boolean): void => {
      socket.destroy();
      resolve(is_greeted);
    };
    socket.once("data", () => end(true));
    socket.once("error", () => end(false));
    socket.once("close", () => end(false));
  });
}

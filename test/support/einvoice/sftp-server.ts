/**
 * ProFTPD's SFTP server on this machine, for one user who signs in with a password. The user is virtual: a line of a file in a
 * temporary folder, so that the users of the system stay as they are. OpenSSH's server has no such users.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { endWithFamily, freePort, greets, hostKeyOf, makeKey } from "./ssh-server.ts";

export interface SftpServer {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The fingerprint of the host's key. */
  readonly host_key: string;
  /** The folder that is served. */
  readonly dir: string;
  close(): Promise<void>;
}

/** Starts the server on a free port of loopback. It offers no other way to sign in than a password. */
export async function openSftpServer(): Promise<SftpServer> {
  const root = await mkdtemp(join(tmpdir(), "matchbook-proftpd-"));
  const [host, users, config] = [join(root, "host"), join(root, "users"), join(root, "config")];
  makeKey(host);
  const dir = join(root, "files");
  mkdirSync(dir);
  const [user, password] = ["operator", "Rugbrød-4711-på-bordet"];
  addUser({ users, user, password, dir });
  const port = await freePort();
  await writeFile(
    config,
    [
      "LoadModule mod_sftp.c",
      "ServerType standalone",
      // Without these two it listens on all addresses of the machine.
      "SocketBindTight on",
      "UseIPv6 off",
      "DefaultAddress 127.0.0.1",
      `Port ${port}`,
      // The one who runs the tests, so that it needs no privileges.
      `User ${userInfo().username}`,
      `Group ${execFileSync("id", ["-gn"]).toString().trim()}`,
      `PidFile ${root}/pid`,
      "ControlsEngine off",
      "ScoreboardFile none",
      "SystemLog none",
      "WtmpLog off",
      "TransferLog none",
      "DelayEngine off",
      "UseReverseDNS off",
      "RequireValidShell off",
      "RootLogin on",
      "AuthPAM off",
      "AuthOrder mod_auth_file.c",
      `AuthUserFile ${users}`,
      "SFTPEngine on",
      `SFTPHostKey ${host}`,
      "SFTPAuthMethods password",
    ].join("\n"),
  );
  const server = spawn("proftpd", ["-n", "-c", config], { stdio: "ignore" });
  await started(server, port);
  return {
    port,
    user,
    password,
    host_key: await hostKeyOf(host),
    dir,
    async close() {
      await endWithFamily(server);
      await rm(root, { recursive: true });
    },
  };
}

interface VirtualUser {
  /** The file of the server's users, which this makes. */
  readonly users: string;
  readonly user: string;
  readonly password: string;
  readonly dir: string;
}

/** Writes a user whose files belong to the one who runs the tests. */
function addUser({ users, user, password, dir }: VirtualUser): void {
  const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()];
  const own = [`--name=${user}`, `--uid=${uid}`, `--gid=${gid}`, `--home=${dir}`];
  const all = ["--passwd", `--file=${users}`, ...own, "--shell=/bin/false", "--sha512", "--stdin"];
  execFileSync("ftpasswd", all, { input: password, stdio: ["pipe", "ignore", "ignore"] });
}

/** Waits until the server greets. Throws if it ends before, as without the package that has mod_sftp. */
async function started(server: ChildProcess, port: number): Promise<void> {
  let is_ended = false;
  server.once("exit", () => {
    is_ended = true;
  });
  while (!(await greets(port))) {
    if (is_ended) throw new Error("proftpd has not started: proftpd-mod-crypto may be missing");
    await setTimeout(20);
  }
}

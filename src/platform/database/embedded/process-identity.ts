/**
 * Checks whether a process that a file names is still the same process. A process id alone is not enough: in a container, the
 * next start gets the same small ids, so a stale file would name another living process, or even the reader itself.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";

/** A process: its id and its start time, in the form that the system reports (empty where it reports none). */
export interface ProcessIdentity {
  readonly pid: number;
  readonly born: string;
}

/** Returns the process with the id, or undefined. A dead process that its parent has not collected counts as none. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !answersToSignals(pid)) {
    return undefined;
  }
  if (process.platform === "linux") {
    return identifyOnLinux(pid);
  }
  return { pid, born: process.platform === "win32" ? "" : askPs(pid, "lstart=") };
}

/** Whether this very process still runs, and not merely one with the same id. */
export function isStillRunning(identity: ProcessIdentity): boolean {
  const current = identifyProcess(identity.pid);
  if (current === undefined) {
    return false;
  }
  return current.born === "" || identity.born === "" || current.born === identity.born;
}

/**
 * Whether the process is a database server on this data directory: `unknown` where the system does not report it. A server's
 * working directory is its data directory, which is compared by inode because one folder has several names.
 */
export function runsInDirectory(pid: number, directory: string): "yes" | "no" | "unknown" {
  if (identifyProcess(pid) === undefined) {
    return "no";
  }
  if (process.platform === "win32") {
    return "unknown";
  }
  if (process.platform !== "linux") {
    return askPs(pid, "command=").includes(directory) ? "yes" : "no";
  }
  try {
    const actual = statSync(`/proc/${pid}/cwd`);
    const expected = statSync(directory);
    return actual.dev === expected.dev && actual.ino === expected.ino ? "yes" : "no";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "no" : "unknown";
  }
}

function answersToSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function identifyOnLinux(pid: number): ProcessIdentity | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    // /proc may hide the processes of other users; this process received a signal, so it lives.
    return { pid, born: "" };
  }
  // The name in parentheses may contain spaces, so fields are counted after the last parenthesis: state, 18 more, then the start.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : { pid, born: fields[19] ?? "" };
}

function askPs(pid: number, column: string): string {
  try {
    return execFileSync("ps", ["-ww", "-o", column, "-p", String(pid)], {
      encoding: "utf8",
    }).trim();
  } catch {
    return "";
  }
}

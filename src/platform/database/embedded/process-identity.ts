/**
 * Tells whether a process that a file names is still the same process. A number alone is not enough: in a container the
 * next start gets the same small numbers, so a stale file would name a living stranger, or even the reader itself.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";

/** A process: its number and when it began, in whatever form the system tells (empty where it does not). */
export interface ProcessIdentity {
  readonly pid: number;
  readonly born: string;
}

/** The process that has the number now, or undefined when none runs (a dead one that nobody has collected counts as none). */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !answersToSignals(pid)) {
    return undefined;
  }
  if (process.platform === "linux") {
    return identifyOnLinux(pid);
  }
  return { pid, born: process.platform === "win32" ? "" : askPs(pid, "lstart=") };
}

/** Whether this very process still runs, not merely one that has the same number. */
export function isStillRunning(identity: ProcessIdentity): boolean {
  const current = identifyProcess(identity.pid);
  if (current === undefined) {
    return false;
  }
  return current.born === "" || identity.born === "" || current.born === identity.born;
}

/**
 * Whether the process is a database server on this data directory: `unknown` where the system does not tell. A server's
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
    const theirs = statSync(`/proc/${pid}/cwd`);
    const ours = statSync(directory);
    return theirs.dev === ours.dev && theirs.ino === ours.ino ? "yes" : "no";
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
    // /proc may hide the processes of other users: it answered to a signal, so it lives.
    return { pid, born: "" };
  }
  // The name in parentheses may hold spaces, so the fields are counted after the last one: state, then 18 more, then the start.
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

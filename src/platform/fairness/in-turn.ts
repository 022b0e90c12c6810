/**
 * Does work that waits in many accounts, a few tasks in parallel and round robin: first one task of each account, then the next
 * of each. An account with slow work takes only its own share of the parallel tasks, so the others continue.
 */
import { setTimeout as delay } from "node:timers/promises";
import { RoundRobin } from "./round-robin.ts";

/** A task that waits. */
interface Waiting {
  readonly account_id: string;
  readonly id: string;
}

/** The accounts and tasks that `find` leaves out: accounts that already have their share, and tasks that this round has begun. */
interface Except {
  readonly accounts: readonly string[];
  readonly ids: readonly string[];
}

interface TaskSource<Task extends Waiting> {
  /** Returns a few tasks of each account after the given one, the oldest first; accounts in the order of their ids. */
  readonly find: (after: string, except: Except) => Promise<readonly Task[]>;
  /** Does a task. An exception ends the round. */
  readonly work: (task: Task) => Promise<void>;
  readonly isStopped: () => boolean;
}

/** The number of tasks that run in parallel, and how many of them may belong to one account. */
const AT_ONCE = 4;
const OF_ONE = 2;
/** The maximum number of tasks in a round. */
const MOST = 1000;
/** While slow tasks run, the round looks for new work after this time. */
const LOOK_MS = 500;

/**
 * Works until no task waits, then waits for the running tasks; returns how many tasks were done. A round ends after a maximum of
 * tasks, and the next round resumes with the accounts after these.
 */
export async function workInTurn<Task extends Waiting>(
  source: TaskSource<Task>,
  accounts: RoundRobin = new RoundRobin(),
): Promise<number> {
  const round = new Round(source, accounts);
  while (await round.goOn());
  return round.end();
}

class Round<Task extends Waiting> {
  private readonly source: TaskSource<Task>;
  private readonly accounts: RoundRobin;
  private readonly under_way = new Map<string, Promise<void>>();
  private readonly busy: string[] = [];
  private readonly begun: string[] = [];
  private queue: Task[] = [];
  private failure: { readonly error: unknown } | null = null;

  constructor(source: TaskSource<Task>, accounts: RoundRobin) {
    this.source = source;
    this.accounts = accounts;
  }

  /** Begins a task, or waits until one can begin; false when the round is over. */
  async goOn(): Promise<boolean> {
    if (this.failure !== null || this.begun.length >= MOST || this.source.isStopped()) return false;
    if (this.under_way.size >= AT_ONCE) {
      await Promise.race(this.under_way.values());
      return true;
    }
    const at = this.queue.findIndex(({ account_id }) => !this.hasItsShare(account_id));
    const [task] = at < 0 ? [] : this.queue.splice(at, 1);
    if (task !== undefined) {
      this.begin(task);
      return true;
    }
    // A task that ends during this look may make room for more tasks of its account.
    const is_last_look = this.under_way.size === 0;
    if (await this.look()) return true;
    if (this.under_way.size > 0) await this.rest();
    return !is_last_look;
  }

  /** Waits for the running tasks. Throws what a task threw. */
  async end(): Promise<number> {
    await Promise.all(this.under_way.values());
    if (this.failure !== null) throw this.failure.error;
    return this.begun.length;
  }

  /** Waits until a task ends or it is time to look again. */
  private async rest(): Promise<void> {
    const timer = new AbortController();
    const looked = delay(LOOK_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([...this.under_way.values(), looked]);
    timer.abort();
  }

  /** Looks for tasks of the accounts whose turns are next; false when there are none. Accounts that have their share keep their tasks. */
  private async look(): Promise<boolean> {
    const accounts = [...new Set(this.busy)].filter((account) => this.hasItsShare(account));
    const except = { accounts, ids: this.begun };
    const found = await this.accounts.next((after) => this.source.find(after, except));
    this.queue = [...found, ...this.queue];
    return found.length > 0;
  }

  private hasItsShare(account_id: string): boolean {
    return this.busy.filter((busy) => busy === account_id).length >= OF_ONE;
  }

  private begin(task: Task): void {
    const { account_id, id } = task;
    this.begun.push(id);
    this.busy.push(account_id);
    const work = async (): Promise<void> => {
      try {
        await this.source.work(task);
      } catch (error) {
        this.failure ??= { error };
      } finally {
        this.under_way.delete(id);
        this.busy.splice(this.busy.indexOf(account_id), 1);
      }
    };
    this.under_way.set(id, work());
  }
}

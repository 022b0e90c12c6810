/**
 * Plays a scenario of test/data/scenarios over real HTTP in a separate sandbox account, whose clock is set to each
 * step's `at`. Names that a step saved are used as `$name` in later calls and bodies.
 */
import { expect } from "vitest";
import type { OpenedAccount } from "../../src/features/access/accounts/create.ts";
import type { Json, World } from "../support/world/world.ts";

export interface Scenario {
  readonly title: string;
  /** The sections of the specification that it plays. */
  readonly rule?: string;
  /** The scenario whose steps are played first. */
  readonly starts_from?: string;
  readonly steps: readonly Step[];
  /** The expected state after the last step; other values are not asserted. */
  readonly expected?: Readonly<Record<string, Json>>;
}

interface Step {
  /** The time of the test clock; unchanged when omitted. */
  readonly at?: string;
  /** `POST /customers`. */
  readonly call: string;
  readonly body?: Json;
  /** `201`, or `409 PERIOD_LOCKED`; any success when omitted. */
  readonly answers?: string;
  /** Name to path in the answer: `{"line": "lines[0].id"}`. */
  readonly saves?: Readonly<Record<string, string>>;
  /** Calls after the step whose answers are kept under a name, because a later step changes them. */
  readonly asks?: Readonly<Record<string, string>>;
  /** The name under which the answer is kept. */
  readonly as?: string;
  /** The reason of the answer, for the reader. */
  readonly because?: string;
}

export class Player {
  readonly account_id: string;
  readonly #world: World;
  readonly #key: string;
  readonly #scenarioOf: (id: string) => Scenario;
  readonly #names = new Map<string, Json>();
  readonly #kept = new Map<string, Json>();
  /** The codes of refusals that steps expect, in order. */
  readonly refusals: string[] = [];
  #at: string | undefined;

  private constructor(world: World, account: OpenedAccount, scenarioOf: (id: string) => Scenario) {
    this.account_id = account.account_id;
    this.#world = world;
    this.#key = account.keys.read_write;
    this.#scenarioOf = scenarioOf;
  }

  static async open(world: World, scenarioOf: (id: string) => Scenario): Promise<Player> {
    return new Player(world, await world.openAnother({ sandbox: true }), scenarioOf);
  }

  /** Plays the scenario that precedes it, then its own steps in order. Throws for an unexpected answer. */
  async play({ starts_from, steps }: Scenario): Promise<void> {
    if (starts_from !== undefined) await this.play(this.#scenarioOf(starts_from));
    for (const [index, step] of steps.entries()) await this.#playStep(step, index + 1);
  }

  async #playStep(step: Step, place: number): Promise<void> {
    if (step.at !== undefined) await this.#moveClock(step.at);
    const { status, body } = await this.#send(step.call, step.body);
    const what = `step ${place}: ${step.call} answered ${status} ${JSON.stringify(body)}`;
    const [expected, code] = step.answers?.split(" ") ?? [];
    if (expected === undefined) expect(status, what).toBeLessThan(300);
    else expect(status, what).toBe(Number(expected));
    if (code !== undefined) {
      expect(body.error.code, what).toBe(code);
      this.refusals.push(code);
    }
    for (const [name, path] of Object.entries(step.saves ?? {})) this.save(name, at(body, path));
    if (step.as !== undefined) this.#kept.set(step.as, body);
    for (const [name, call] of Object.entries(step.asks ?? {})) {
      this.#kept.set(name, await this.ask(call));
    }
  }

  /** The answer to a step, or to a call after a step, under its name. */
  kept(name: string): Json {
    if (!this.#kept.has(name)) throw new Error(`nothing was kept as ${name}`);
    return this.#kept.get(name);
  }

  /** The value that a step saved under a name; undefined if no step did. */
  named(name: string): Json | undefined {
    return this.#names.get(name);
  }

  /** A call after the last step, with the saved names; throws unless it succeeds. */
  async ask(call: string, sent?: Json): Promise<Json> {
    const { status, body } = await this.#send(call, sent);
    expect(status, `${call} answered ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  }

  save(name: string, value: Json): void {
    if (value === undefined) throw new Error(`there is nothing to save as ${name}`);
    this.#names.set(name, value);
  }

  async #moveClock(moment: string): Promise<void> {
    if (moment === this.#at) return;
    await this.#world.done("PUT /test-clock", { now: moment }, this.#key);
    this.#at = moment;
  }

  #send(call: string, body: Json) {
    return this.#world.rest(this.#named(call), this.#named(body), this.#key);
  }

  /** The value with every `$name` replaced; a text that is only a name becomes the saved value. */
  #named(value: Json): Json {
    if (Array.isArray(value)) return value.map((entry) => this.#named(entry));
    if (value !== null && typeof value === "object") {
      const entries = Object.entries(value).map(([key, entry]) => [key, this.#named(entry)]);
      return Object.fromEntries(entries);
    }
    if (typeof value !== "string") return value;
    const alone = /^\$(\w+)$/.exec(value)?.[1];
    if (alone !== undefined) return this.#valueOf(alone);
    return value.replace(/\$(\w+)/g, (_, name) => String(this.#valueOf(name)));
  }

  #valueOf(name: string): Json {
    if (!this.#names.has(name)) throw new Error(`nothing was saved as $${name}`);
    return this.#names.get(name);
  }
}

/** The value at a path such as `data[0].id`; the whole value for an empty path. */
export function at(value: Json, path: string): Json {
  return path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((inner, key) => inner?.[key], value);
}

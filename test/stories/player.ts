/**
 * Plays a scenario of the design's file over real HTTP: an account of its own, a sandbox whose clock
 * is put to each step's `at`. Names that a step saved are used as `$name` in later calls and bodies.
 */
import { expect } from "vitest";
import type { OpenedAccount } from "../../src/features/accounts/create.ts";
import type { Json, World } from "../support/world.ts";

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
  readonly expected: Readonly<Record<string, Json>>;
}

export interface Step {
  readonly n: number;
  /** What the clock shows; as before when left out. */
  readonly at?: string;
  /** Plays another scenario's steps first. */
  readonly setup?: string;
  /** `POST /customers`. */
  readonly call?: string;
  readonly body?: Json;
  /** Any success when left out. */
  readonly expect_status?: number;
  /** The code of a refusal. */
  readonly expect_code?: string;
  /** Name to path in the answer: `{"line": "lines[0].id"}`. */
  readonly save?: Readonly<Record<string, string>>;
}

export class Player {
  readonly account_id: string;
  readonly #world: World;
  readonly #key: string;
  readonly #scenarios: ReadonlyMap<string, Scenario>;
  readonly #names = new Map<string, Json>();
  readonly #answers = new Map<number, Json>();
  readonly #asked = new Map<string, Json>();
  /** The codes of refusals that steps expect, in order. */
  readonly refusals: string[] = [];
  #at: string | undefined;

  private constructor(world: World, account: OpenedAccount, scenarios: readonly Scenario[]) {
    this.account_id = account.account_id;
    this.#world = world;
    this.#key = account.keys.read_write;
    this.#scenarios = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  }

  static async open(world: World, scenarios: readonly Scenario[]): Promise<Player> {
    return new Player(world, await world.openAnother({ sandbox: true }), scenarios);
  }

  /**
   * Plays the steps in order; `saves` adds to what a step saves, `asks` are calls after a step whose answers
   * are kept. Throws where an answer is not the expected one.
   */
  async play(
    steps: readonly Step[],
    saves: Readonly<Record<number, Step["save"]>> = {},
    asks: Readonly<Record<number, Readonly<Record<string, string>>>> = {},
  ): Promise<void> {
    for (const step of steps) {
      if (step.setup !== undefined) await this.#setUp(step.setup);
      if (step.at !== undefined) await this.#moveClock(step.at);
      if (step.call === undefined) continue;
      const { status, body } = await this.#send(step.call, step.body);
      const what = `step ${step.n}: ${step.call} answered ${status} ${JSON.stringify(body)}`;
      if (step.expect_status === undefined) expect(status, what).toBeLessThan(300);
      else expect(status, what).toBe(step.expect_status);
      if (step.expect_code !== undefined) {
        expect(body.error.code, what).toBe(step.expect_code);
        this.refusals.push(body.error.code);
      }
      for (const [name, path] of Object.entries({ ...step.save, ...saves[step.n] })) {
        this.save(name, at(body, path));
      }
      this.#answers.set(step.n, body);
      for (const [name, ask] of Object.entries(asks[step.n] ?? {})) {
        this.#asked.set(name, await this.ask(ask));
      }
    }
  }

  /** What was asked in the middle of the story, under its name. */
  asked(name: string): Json {
    if (!this.#asked.has(name)) throw new Error(`nothing was asked as ${name}`);
    return this.#asked.get(name);
  }

  /** What a step saved under a name; undefined when none did. */
  named(name: string): Json | undefined {
    return this.#names.get(name);
  }

  /** What a step was answered. */
  answer(n: number): Json {
    if (!this.#answers.has(n)) throw new Error(`step ${n} has not been played`);
    return this.#answers.get(n);
  }

  /** A call after the story, with its names; throws unless it succeeds. */
  async ask(call: string, sent?: Json): Promise<Json> {
    const { status, body } = await this.#send(call, sent);
    expect(status, `${call} answered ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  }

  save(name: string, value: Json): void {
    if (value === undefined) throw new Error(`there is nothing to save as ${name}`);
    this.#names.set(name, value);
  }

  async #setUp(id: string): Promise<void> {
    const scenario = this.#scenarios.get(id);
    if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
    await this.play(scenario.steps);
    this.#answers.clear();
  }

  async #moveClock(moment: string): Promise<void> {
    if (moment === this.#at) return;
    await this.#world.done("PUT /test-clock", { now: moment }, this.#key);
    this.#at = moment;
  }

  #send(call: string, body: Json) {
    return this.#world.rest(this.#named(call), this.#named(body), this.#key);
  }

  /** The value with every `$name` in it replaced; a text that is one name becomes what was saved. */
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

/** The value at a path such as `data[0].id`; the whole for an empty one. */
export function at(value: Json, path: string): Json {
  return path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((inner, key) => inner?.[key], value);
}

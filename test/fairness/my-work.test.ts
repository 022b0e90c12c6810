/**
 * The list of a person's waiting work is limited, however much waits: in its answer, in processor time, and in its effect on
 * other accounts.
 */
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, calendarDate } from "../../src/domain/base/calendar.ts";
import { type Agent, agentOf, MCP_HEADERS } from "../support/mcp/mcp.ts";
import { slowness } from "../support/run/slowness.ts";
import { besideSmallRequests, is_counted, TRIED_AGAIN } from "./processor.ts";
import { type Account, type Answered, processorSeconds, useAccounts } from "./two-accounts.ts";

const MOST_BYTES = 256 * 1024;
const MOST_WAIT_MS = 250;
const PAUSE_MS = 1000;

const accounts = useAccounts();
let light: Account;
beforeAll(async () => {
  accounts.world.clock.set(new Date().toISOString());
  light = await accounts.open();
});

/** A person whose lines wait in every week of a series until today. */
async function openWaiting(lines: number, weeks: number): Promise<Agent> {
  const { id, customer_id, product_id, key } = await accounts.open();
  const world = { ...accounts.world, origin: accounts.program.origin };
  const agent = await agentOf(world, { account_id: id });
  const today = calendarDate(new Date().toISOString().slice(0, 10));
  if (today === undefined) throw new Error("there is no today");
  const series = {
    customer_id,
    frequency: "weekly",
    start_date: addDays(today, -7 * (weeks - 1)),
    issue_timing: { mode: "manual" },
    lines: Array.from({ length: lines }, (_, n) => ({
      product_id,
      recognition_method: "value",
      agreed_value: 1000 + ((n * 7) % lines),
      assignees: [{ user_id: agent.user_id }],
    })),
  };
  const { id: series_id } = await accounts.world.done("POST /recurring-series", series, key);
  await accounts.world.done(`POST /recurring-series/${series_id}/activate`, {}, key);
  return agent;
}

/** Calls again after each refusal for lack of a free place, as a compliant client does. */
async function callMyWork(agent: Agent): Promise<Answered> {
  for (;;) {
    const answered = await callOnce(agent);
    if (dataOf(answered).error?.code !== "RATE_LIMITED") return answered;
    await delay(PAUSE_MS);
  }
}

async function callOnce({ token }: Agent): Promise<Answered> {
  const response = await fetch(`${accounts.program.origin}/api/mcp`, {
    method: "POST",
    headers: { ...MCP_HEADERS, authorization: `Bearer ${token}` },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_my_work", arguments: {} },
    }),
  });
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, body, headers: response.headers };
}

const dataOf = ({ body }: Answered) =>
  JSON.parse(Buffer.from(body).toString()).result.structuredContent;

describe("get_my_work", () => {
  it.each([
    [100, 10],
    [150, 150],
    [500, 440],
  ])(
    "answers within a second for %i lines in each of %i weeks",
    TRIED_AGAIN,
    async (lines, weeks) => {
      const agent = await openWaiting(lines, weeks);
      // A computing thread takes seconds to start.
      await callMyWork(agent);
      const before = await processorSeconds(accounts);
      const answered = await callMyWork(agent);
      const seconds = ((await processorSeconds(accounts)) - before) / slowness();
      expect(answered.body.byteLength).toBeLessThanOrEqual(MOST_BYTES);
      expect(dataOf(answered)).toMatchObject({ in_scope: lines * weeks, shown: 20 });
      expect(seconds).toBeLessThanOrEqual(1);
    },
  );

  it.skipIf(!is_counted)(
    `${is_counted ? "" : "needs /proc: "}delays another account by at most 250 ms of processor time in eight parallel calls`,
    TRIED_AGAIN,
    async () => {
      const agent = await openWaiting(500, 440);
      const { result, longest_wait } = await besideSmallRequests(accounts.program, light, () =>
        Promise.all(Array.from({ length: 8 }, () => callMyWork(agent))),
      );
      for (const answered of result) {
        expect(dataOf(answered)).toMatchObject({ in_scope: 220_000, shown: 20 });
      }
      expect(longest_wait).toBeLessThanOrEqual(MOST_WAIT_MS);
    },
  );
});

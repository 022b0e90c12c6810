/**
 * A world with a second program on the same database whose wire can be cut at a chosen statement, and with the scripted ledger.
 * Program and database are real; only the network is simulated.
 */
import { afterAll, beforeAll } from "vitest";
import { type App, openApp } from "../../../src/app.ts";
import {
  sendDueDeliveries,
  settleAbandonedDeliveries,
} from "../../../src/features/documents/deliveries/run-due.ts";
import { ledgerWork } from "../../../src/features/ledger/booking/run-due.ts";
import { bookables } from "../../../src/features/revenue/accruals/list-bookables.ts";
import { noteSendError } from "../../../src/features/sales/credit-notes/bookable.ts";
import { builtinLedger } from "../../../src/ledger/connectors/builtin/connector.ts";
import { openLog } from "../../../src/platform/runtime/log.ts";
import { openScriptedLedger, type ScriptedLedger } from "../ledger/scripted-ledger.ts";
import { type UsedWorld, useWorld } from "../world/world.ts";
import type { DatabaseProxy } from "./proxy.ts";
import { openDatabaseProxy } from "./proxy.ts";

type Moment = "before" | "after";

interface FragileWorld {
  readonly world: UsedWorld;
  readonly ledger: ScriptedLedger;
  /** POST through the program whose connections are cut; returns the status. */
  post(path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<number>;
  /**
   * Makes one call after the other, each on a new target, with the connection lost one statement later each time, until a call
   * needs no more statements. Yields the result of each call except the last.
   */
  lostAtEveryStatement<Target>(
    moment: Moment,
    prepare: () => Promise<Target>,
    call: (target: Target) => Promise<number>,
  ): AsyncGenerator<{ target: Target; statement: number; status: number }>;
  connect(kind: "builtin" | "scripted"): Promise<void>;
  /** Simulates the passing of time: every lease has run out and everything is due. */
  letTimePass(): Promise<void>;
  settleOne(): Promise<boolean>;
  workUntilDone(): Promise<void>;
}

export function useFragileWorld(): FragileWorld {
  const ledger = openScriptedLedger();
  const ledgers = new Map([ledger.connection, builtinLedger].map((one) => [one.kind, one]));
  const world = useWorld({ overrides: { ledgers } });
  let proxy: DatabaseProxy;
  let fragile: App;
  let port = 0;
  beforeAll(async () => {
    proxy = await openDatabaseProxy(world.serving_url);
    // The statements of each second bypass the wire, so that only statements of the call are counted.
    const { config, clock, background } = world.services;
    fragile = openApp(config, proxy.url, openLog("silent"), { ledgers, clock, background });
    await fragile.server.listen({ host: "127.0.0.1", port: 0 });
    const address = fragile.server.server.address();
    port = typeof address === "object" ? (address?.port ?? 0) : 0;
  });
  afterAll(async () => {
    await fragile.close();
    await proxy.close();
  });

  const letTimePass = async (): Promise<void> => {
    const past = "clock_timestamp() - interval '1 second'";
    await world.sql(
      `update deliveries set lease_until = ${past}, next_attempt_at = ${past}
       where state in ('queued', 'sending', 'failed_temporary')`,
    );
    await world.sql(`update intents set lease_until = ${past}, next_attempt_at = ${past},
        called_at = called_at - interval '30 seconds' where state in ('booking', 'unknown', 'pending')`);
  };
  const settleOne = async () => {
    const left = ledgerWork(world.services, bookables, noteSendError);
    const found = await left.run(() => false);
    await left.ended();
    return found;
  };
  return {
    world,
    ledger,
    async post(path, body, headers = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${world.account.keys.read_write}`,
          ...(body ? { "content-type": "application/json" } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      await response.arrayBuffer();
      return response.status;
    },
    async *lostAtEveryStatement(moment, prepare, call) {
      for (let statement = 1; ; statement += 1) {
        const target = await prepare();
        proxy.cutAt(statement, moment);
        const status = await call(target);
        await proxy.settled();
        if (!proxy.wasCut()) {
          if (status >= 300) throw new Error(`a call with an intact connection answered ${status}`);
          return;
        }
        yield { target, statement, status };
      }
    },
    async connect(kind) {
      await world.sql("update accounts set ledger_kind = $1", [kind]);
    },
    letTimePass,
    settleOne,
    async workUntilDone() {
      for (let round = 0; round < 5; round += 1) {
        await letTimePass();
        const found = [
          await settleOne(),
          await settleAbandonedDeliveries(world.services, noteSendError),
          await sendDueDeliveries(world.services, noteSendError),
        ];
        if (!found.some(Boolean)) return;
      }
      throw new Error("the worker found something to do in every round");
    },
  };
}

/**
 * The cluster of `deploy/cluster` under load, while its parts are killed, cut off, filled and restarted (`npm run test:cluster`).
 * Every invoice that a client wants is there once in the end, under the number that the client was given, and no number is
 * missing. Prints for each step how long no client got an answer.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, type Ended, runMatchbook } from "../support/run/matchbook.ts";
import { isInstalled, isSkippedWithout } from "../support/run/needs.ts";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startProgram,
} from "../support/run/program.ts";
import { LoadClients } from "./clients.ts";
import { type ClusterNode, postgresPrograms } from "./cluster-node.ts";
import { type DatabaseCluster, startCluster } from "./database-cluster.ts";
import { errorsOf, killIn, logOf, until } from "./processes.ts";

const CLIENTS = 8;
/** Time under load after each step, in which all is whole again. */
const CALM_MS = 3_000;
/** PostgreSQL refuses changes as long as it finds no room, and ends when it finds none for its log. Then the disk is freed. */
const FULL_MS = 20_000;

const has_programs =
  isInstalled("patroni") &&
  isInstalled("etcd") &&
  isInstalled("haproxy") &&
  postgresPrograms() !== undefined;
const PACKAGES = "patroni etcd-server haproxy postgresql";

const began = performance.now();
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const print = (text: string): boolean => process.stdout.write(`${text}\n`);

describe.skipIf(isSkippedWithout(has_programs))(
  `a cluster of three nodes (needs Debian's packages ${PACKAGES})`,
  () => {
    let folder: string;
    let cluster: DatabaseCluster;
    let program: BuiltProgram;
    let clients: LoadClients;
    const apps: RunningProgram[] = [];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "matchbook-cluster-"));
      chmodSync(folder, 0o711);
      process.once("exit", endAtOnce);
      program = await buildProgram();
      cluster = await startCluster(folder);
      try {
        await cluster.whole();
        // So little log is kept that the disk of a node is full soon after it was filled.
        await limitLog();
        expect(await matchbook("migrate")).toMatchObject({ exit: 0 });
        for (const index of [0, 1] as const) apps[index] = await startApp(index);
        clients = new LoadClients(CLIENTS, await openAccount());
        await delay(CALM_MS);
      } catch (error) {
        for (const { folder: of_node } of cluster.nodes) print(logOf(of_node));
        throw error;
      }
      print(`the cluster serves after ${seconds(performance.now() - began)}`);
    });
    afterAll(async () => {
      await program.end();
      await cluster?.end();
      rmSync(folder, { recursive: true, force: true });
      rmSync(program.folder, { recursive: true, force: true });
      process.off("exit", endAtOnce);
    });

    /** A run that ends in any other way leaves no server behind either. */
    function endAtOnce(): void {
      while (killIn(folder) > 0);
      for (const { disk } of cluster?.nodes ?? []) disk?.unmount();
      rmSync(folder, { recursive: true, force: true });
    }

    const environment = () => ({
      DATABASE_URL: cluster.urlOf("matchbook_serve"),
      MATCHBOOK_MIGRATION_DATABASE_URL: cluster.urlOf("matchbook"),
      MATCHBOOK_DATA_DIR: folder,
      MATCHBOOK_RATE_LIMIT: "off",
      BASE_URL: cluster.origin,
      LOG_LEVEL: "error",
    });

    const matchbook = (...args: string[]): Promise<Ended> =>
      runMatchbook({ folder, environment: environment(), timeout_ms: 180_000 }, ...args);

    const startApp = (index: 0 | 1): Promise<RunningProgram> =>
      startProgram(program, { ...environment(), PORT: String(cluster.app_ports[index]) });

    async function limitLog(): Promise<void> {
      const parameters = { min_wal_size: "32MB", max_wal_size: "64MB" };
      const leader = await cluster.leader();
      const changed = await fetch(`http://127.0.0.1:${leader.api_port}/config`, {
        method: "PATCH",
        body: JSON.stringify({ postgresql: { parameters } }),
      });
      expect(changed.status).toBe(200);
    }

    async function openAccount() {
      const made = await matchbook(
        ...[
          "account",
          "create",
          "--name",
          "Studio",
          "--admin-email",
          "ida@studio.example",
          "--json",
        ],
      );
      const { read_write: key } = answerOf(made).keys as { read_write: string };
      const post = async (path: string, body: object): Promise<string> => {
        const response = await fetch(`${cluster.origin}/api/v1${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        expect(response.status).toBe(201);
        return (await response.json()).id;
      };
      await until("both processes are ready", isReady, 30_000);
      const customer_id = await post("/customers", { name: "Acme" });
      const product_id = await post("/products", { name: "Work" });
      return { origin: cluster.origin, key, customer_id, product_id };
    }

    async function isReady(): Promise<boolean> {
      return (await fetch(`${cluster.origin}/readyz`)).status === 200;
    }

    /** Does what the step is about, waits until all is whole again and clients are answered, and prints the longest silence. */
    async function step(name: string, act: () => Promise<string | undefined>): Promise<void> {
      const from = performance.now();
      const found = await act();
      await cluster.whole();
      const whole_at = performance.now();
      await until(
        "clients are answered again",
        async () => clients.answersSince(whole_at) > CLIENTS,
        60_000,
      );
      await delay(CALM_MS);
      const silence = seconds(clients.longestSilence(from));
      print(
        `${name}: no answer for ${silence}; whole after ${seconds(whole_at - from)}, ${clients.answersSince(from)} answers${found ? `; ${found}` : ""}`,
      );
      if (clients.wrong.length > 0) printErrors();
      expect(clients.wrong).toEqual([]);
    }

    /** Prints what the servers and the service have written about errors. */
    function printErrors(): void {
      for (const node of cluster.nodes) print(`${node.name} wrote\n${errorsOf(node.folder)}`);
      for (const app of apps) print(app.output().split("\n").slice(-20).join("\n"));
    }

    /** Resolves when another node leads than the given one, with how long that took. */
    async function newLeader(old: ClusterNode, from: number): Promise<string> {
      const { name } = await cluster.leader(cluster.nodes.filter((node) => node !== old));
      return `${name} leads after ${seconds(performance.now() - from)}`;
    }

    it("survives the death of the leader", () =>
      step("leader killed", async () => {
        const leader = await cluster.leader();
        const from = performance.now();
        await leader.kill();
        const found = await newLeader(leader, from);
        leader.start();
        return found;
      }));

    it("survives the death of a process of the service", () =>
      step("process of the service killed", async () => {
        await apps[0]?.kill();
        await delay(CALM_MS);
        apps[0] = await startApp(0);
        return undefined;
      }));

    it("survives that the leader is cut off", () =>
      step("leader cut off from etcd and the other nodes", async () => {
        const leader = await cluster.leader();
        const from = performance.now();
        leader.cut();
        const found = await newLeader(leader, from);
        await delay(CALM_MS);
        leader.heal();
        return found;
      }));

    it("survives a full disk of the leader", async (context) => {
      const leader = await cluster.leader();
      const { disk } = leader;
      if (disk === null) {
        print("full disk: not tried, because no small disk can be mounted here");
        context.skip("needs root that may mount a tmpfs");
        return;
      }
      await step("disk of the leader full", async () => {
        disk.fill();
        const full_at = performance.now();
        const hasMoved = async () => {
          const leads = await Promise.all(
            cluster.nodes.map((node) => node !== leader && node.is("leader")),
          );
          return leads.includes(true);
        };
        const isOver = async () => performance.now() - full_at > FULL_MS || (await hasMoved());
        await until("the full disk has led to something", isOver, FULL_MS * 2);
        const found = (await hasMoved())
          ? await newLeader(leader, full_at)
          : `the leader stayed, and the disk was freed after ${seconds(FULL_MS)}`;
        disk.free();
        return found;
      });
    });

    it.each([0, 1, 2])("survives the restart of node %i", async (index) => {
      const node = cluster.nodes[index];
      if (node === undefined) throw new Error("no such node");
      const role = (await node.is("leader"))
        ? "leads"
        : (await node.is("synchronous"))
          ? "is the second"
          : "follows";
      await step(`${node.name} restarted, which ${role}`, async () => {
        await node.stop();
        node.start();
        return undefined;
      });
    });

    it("has every invoice once, under its number, without a gap", async () => {
      await clients.finish();
      print(
        `repeated: ${[...clients.repeated].map(([why, count]) => `${count} ${why}`).join(", ")}`,
      );
      expect(clients.wrong).toEqual([]);
      const { wanted } = clients;
      const rows = await rowsAt(cluster.urlOf("matchbook"));
      expect(wanted.filter(({ answered }) => answered === null)).toEqual([]);
      const given = wanted.map(({ title, answered }) => ({ title, ...answered }));
      const byTitle = (a: { title: string }, b: { title: string }) => (a.title < b.title ? -1 : 1);
      expect(rows.toSorted(byTitle)).toEqual(given.toSorted(byTitle));
      const numbers = rows.map(({ number }) => number).sort((a, b) => a - b);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
      expect((await matchbook("verify")).exit).toBe(0);
      print(
        `${rows.length} invoices, none lost, none twice, no gap; ${seconds(performance.now() - began)} in all`,
      );
    });

    it("has the same invoices on all nodes", async () => {
      const rows = await rowsAt(cluster.urlOf("matchbook"));
      for (const { port } of cluster.nodes) {
        const url = new URL(cluster.urlOf("matchbook"));
        url.port = String(port);
        await expect.poll(() => rowsAt(url.href)).toEqual(rows);
      }
    });
  },
);

interface IssuedRow {
  readonly title: string;
  readonly id: string;
  readonly number: number;
}

/** All invoices of the database, also those that were not issued, without a number. */
async function rowsAt(url: string): Promise<IssuedRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<IssuedRow>(
      `select i.title, i.id, d.number::int as number from invoices i
       left join issued_documents d on d.account_id = i.account_id and d.document_id = i.id
       order by d.number`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

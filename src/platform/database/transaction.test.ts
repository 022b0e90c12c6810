/**
 * Statements sent together with the BEGIN before them and the COMMIT after them. After any failure a transaction is
 * stored completely or not at all, and the error states the cause.
 */
import { createServer, type Server, Socket } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type DatabaseProxy, openDatabaseProxy } from "../../../test/support/database/proxy.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import {
  closeDatabase,
  type Database,
  databaseErrorCode,
  openDatabase,
  type Reads,
} from "./database.ts";
import { raw, sql } from "./sql.ts";
import { type Transaction, transaction } from "./transaction.ts";

let proxy: DatabaseProxy;
/** One connection through a proxy that can cut or delay it. */
let db: Database;
const world = useWorld();
beforeAll(async () => {
  await world.sql("create table marks (n int primary key)");
  await world.sql("create table later (n int unique deferrable initially deferred)");
  proxy = await openDatabaseProxy(world.serving_url);
  db = openDatabase(proxy.url, 1, () => {});
});
afterEach(async () => {
  proxy.slowBy(0);
  await world.sql("truncate marks, later");
});
afterAll(async () => {
  await closeDatabase(db);
  await proxy.close();
});

const marking = (n: number) => sql`insert into marks values (${n})`;
const dividing = (by: number) => sql`select 1 / ${by}::int as result`;
const raising = (code: string) =>
  sql`do $$ begin raise exception 'on purpose' using errcode = '${raw(code)}'; end $$`;
const mark = (tx: Reads, n: number) => tx.rows(marking(n));
const divide = (tx: Reads, by: number) => tx.rows(dividing(by));
const raise = (tx: Reads, code: string) => tx.rows(raising(code));
/** The stored marks after the server has finished, including those sent over a connection that is now cut. */
const marks = async (): Promise<number[]> => {
  await proxy.settled();
  return (await world.sql("select n from marks order by n")).map((row) => row.n);
};
const codeOf = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(() => "no error", databaseErrorCode);

/** Runs a transaction with its repetitions, and counts the attempts. */
async function attempts(work: (tx: Transaction, attempt: number) => Promise<unknown>) {
  let count = 0;
  const code = await codeOf(
    transaction(db, (tx) => {
      count += 1;
      return work(tx, count);
    }),
  );
  return { code, count };
}

describe("a written statement", () => {
  it("is part of the transaction without being awaited", async () => {
    const result = await transaction(db, async (tx) => {
      await mark(tx, 1);
      tx.write(marking(2));
      tx.write(marking(3));
      return "done";
    });

    expect(result).toBe("done");
    expect(await marks()).toEqual([1, 2, 3]);
  });

  it.each([0, 1, 2])(
    "rolls back the transaction with its error if it fails as number %i of three",
    async (failing) => {
      proxy.slowBy(3);

      const failed = transaction(db, async (tx) => {
        await mark(tx, 9);
        for (const n of [0, 1, 2]) {
          tx.write(n === failing ? dividing(0) : marking(n));
        }
      });

      expect(await codeOf(failed)).toBe("22012");
      expect(await marks()).toEqual([]);
    },
  );

  it("determines the error if an awaited statement fails as a consequence", async () => {
    const failed = transaction(db, async (tx) => {
      tx.write(dividing(0));
      await mark(tx, 1);
    });

    expect(await codeOf(failed)).toBe("22012");
    expect(await marks()).toEqual([]);
  });

  it("stores nothing if the work fails before its answer", async () => {
    proxy.slowBy(3);

    const failed = transaction(db, async (tx) => {
      tx.write(marking(1));
      tx.write(marking(2));
      throw new Error("refused");
    });

    await expect(failed).rejects.toThrow("refused");
    expect(await db.rows(sql`select n from marks`)).toEqual([]);
  });

  it("can be awaited with all statements before it", async () => {
    const settled = await transaction(db, async (tx) => {
      tx.write(marking(1));
      await tx.settled();
      tx.write(dividing(0));
      return codeOf(tx.settled());
    }).catch((error: unknown) => databaseErrorCode(error));

    expect(settled).toBe("22012");
    expect(await marks()).toEqual([]);
  });

  it("is followed by the last statements of the same transaction", async () => {
    await transaction(db, async (tx) => {
      tx.last(async () => {
        const rows = await tx.rows<{ n: number }>(sql`select n from marks order by n`);
        tx.write(marking(10 + rows.length));
      });
      tx.write(marking(1));
      tx.write(marking(2));
    });
    expect(await marks()).toEqual([1, 2, 12]);
  });

  it("is refused after the end of the transaction", async () => {
    let late: Transaction | undefined;
    await transaction(db, async (tx) => {
      late = tx;
    });

    await expect(late?.rows(marking(1))).rejects.toThrow("after the end of its transaction");
    late?.write(marking(2));
    expect(await marks()).toEqual([]);
  });
});

describe("statements awaited together", () => {
  it("return their results in the given order", async () => {
    const results = await transaction(db, (tx) =>
      Promise.all([mark(tx, 1), divide(tx, 1), Promise.resolve("x"), divide(tx, -1)]),
    );
    expect(results).toEqual([[], [{ result: 1 }], "x", [{ result: -1 }]]);
  });

  it("throw the error of the first failed statement", async () => {
    const failed = transaction(db, async (tx) => {
      const slow = mark(tx, 1).then(() => mark(tx, 2));
      return Promise.all([slow, divide(tx, 0), mark(tx, 3)]);
    });

    expect(await codeOf(failed)).toBe("22012");
    expect(await marks()).toEqual([]);
  });

  it("store nothing if one fails while others are in progress", async () => {
    proxy.slowBy(3);
    const failed = transaction(db, async (tx) => {
      const refused = mark(tx, 1).then(() => Promise.reject(new Error("refused")));
      const following = mark(tx, 2).then(() => mark(tx, 3));
      return Promise.all([refused, following]);
    });
    await expect(failed).rejects.toThrow("refused");
    expect(await marks()).toEqual([]);
  });
});

describe("a transaction is repeated, with at most four attempts, after a deadlock", () => {
  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ["in a statement", (tx) => raise(tx, "40P01")],
    ["in one of several", (tx) => Promise.all([mark(tx, 7), raise(tx, "40P01"), mark(tx, 8)])],
    ["in a statement sent with the commit", async (tx) => tx.write(raising("40P01"))],
    [
      "in a written statement before others",
      async (tx) => {
        tx.write(raising("40001"));
        await mark(tx, 8);
      },
    ],
  ])("%s", async (_what, fail) => {
    const twice = await attempts(async (tx, attempt) => {
      await mark(tx, attempt);
      if (attempt < 3) await fail(tx);
    });
    expect(twice).toEqual({ code: "no error", count: 3 });
    expect(await marks()).toEqual([3]);

    const always = await attempts(async (tx, attempt) => {
      await mark(tx, 10 + attempt);
      await fail(tx);
    });
    expect(always.count).toBe(4);
    expect(["40P01", "40001"]).toContain(always.code);
    expect(await marks()).toEqual([3]);
  });

  it("on the same connection, for which other transactions wait", async () => {
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const waiting = begun.then(() =>
      transaction(db, async (other) => {
        await first;
        await mark(other, 9);
      }),
    );
    const first = attempts(async (tx, attempt) => {
      begin();
      await mark(tx, attempt);
      if (attempt === 1) await raise(tx, "40P01");
    });

    expect(await first).toEqual({ code: "no error", count: 2 });
    await waiting;
    expect(await marks()).toEqual([2, 9]);
  });

  it("but not after a refusal of the COMMIT", async () => {
    const refused = await attempts(async (tx) => {
      await mark(tx, 1);
      for (const _ of [1, 2]) await tx.rows(sql`insert into later values (5)`);
    });

    expect(refused).toEqual({ code: "23505", count: 1 });
    expect(await marks()).toEqual([]);
  });

  it("but not after a failure that the work has caught, which is thrown", async () => {
    const swallowed = transaction(db, async (tx) => {
      await mark(tx, 1);
      await divide(tx, 0).catch(() => {});
    });

    expect(await codeOf(swallowed)).toBe("22012");
    expect(await marks()).toEqual([]);
  });
});

describe("a lost connection", () => {
  /** The number of messages: BEGIN, two statements and the COMMIT. */
  const COMMIT = 4;

  it.each<["before" | "after", number[]]>([
    ["before", []],
    ["after", [1, 2]],
  ])(
    "%s the COMMIT reaches the server causes one error, and all or nothing is stored",
    async (moment, expected) => {
      proxy.cutAt(COMMIT, moment);

      const lost = await attempts(async (tx) => {
        await mark(tx, 1);
        tx.write(marking(2));
      });

      expect(proxy.wasCut()).toBe(true);
      expect(lost).toEqual({ code: undefined, count: 1 });
      expect(await marks()).toEqual(expected);
    },
  );

  it.each([1, 2, 3])(
    "at statement %i stores nothing, and the next transaction has a new connection",
    async (n) => {
      for (const moment of ["before", "after"] as const) {
        proxy.cutAt(n, moment);
        const lost = await attempts((tx) => Promise.all([mark(tx, 1), mark(tx, 2)]));
        expect(proxy.wasCut()).toBe(true);
        expect(lost).toEqual({ code: undefined, count: 1 });
        expect(await marks()).toEqual([]);

        await transaction(db, (tx) => mark(tx, 5));
        expect(await marks()).toEqual([5]);
        await world.sql("truncate marks");
      }
    },
  );
});

describe("BEGIN", () => {
  it("is sent in one packet with the first statements, and COMMIT with the last", async () => {
    const wire = await openWire();
    const watched = openDatabase(wire.url, 1, () => {});
    try {
      // From the second transaction on, the statements are prepared.
      for (const n of [1, 2]) {
        await transaction(watched, async (tx) => {
          if (n === 2) wire.packets.length = 0;
          await Promise.all([mark(tx, 10 + n), divide(tx, 1)]);
          tx.write(marking(20 + n));
        });
      }
    } finally {
      await closeDatabase(watched);
      await wire.close();
    }

    // The parts of a prepared statement: Bind, Describe, Execute, Sync.
    expect(wire.packets.slice(0, 2)).toEqual(["Q:begin BDES BDES", "BDES BDES"]);
    expect(await marks()).toEqual([11, 12, 21, 22]);
  });

  it("closes the connection if the server refuses it", async () => {
    const wire = await openWire();
    const watched = openDatabase(wire.url, 1, () => {});
    try {
      await transaction(watched, (tx) => divide(tx, 1));
      wire.garble("begin");

      await expect(transaction(watched, (tx) => divide(tx, 1))).rejects.toThrow();

      await transaction(watched, (tx) => mark(tx, 1));
      expect(wire.connections()).toBe(2);
      expect(await marks()).toEqual([1]);
    } finally {
      await closeDatabase(watched);
      await wire.close();
    }
  });
});

/** A wire that records the messages in each packet of the client, and can corrupt a word of the next packet. */
async function openWire() {
  const { host, port, user, password, database } = new pg.Client({
    connectionString: world.database_url,
  });
  const packets: string[] = [];
  let connections = 0;
  let spoiled: string | null = null;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    connections += 1;
    const upstream = new Socket();
    upstream.connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    let is_start = true;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk: Buffer) => {
      if (!is_start) packets.push(describePacket(chunk));
      is_start = false;
      const place = spoiled === null ? -1 : chunk.indexOf(spoiled);
      if (place >= 0) {
        chunk.write("x", place);
        spoiled = null;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => client.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const at = typeof address === "object" ? address?.port : 0;
  const credentials = `${encodeURIComponent(user ?? "")}:${encodeURIComponent(password ?? "")}`;
  return {
    url: `postgresql://${credentials}@127.0.0.1:${at}/${database}`,
    packets,
    connections: () => connections,
    garble(word: string) {
      spoiled = word;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `Q:begin BDES`: simple statements by their text, the messages of prepared ones by their letters. */
function describePacket(packet: Buffer): string {
  const parts: string[] = [];
  let letters = "";
  for (let at = 0; at < packet.length; ) {
    const type = String.fromCharCode(packet[at] ?? 0);
    const length = packet.readInt32BE(at + 1);
    if (type === "Q") parts.push(`Q:${packet.toString("utf8", at + 5, at + length)}`);
    else letters += type;
    if (type === "S") {
      parts.push(letters);
      letters = "";
    }
    at += 1 + length;
  }
  return [...parts, letters].join(" ").trim();
}

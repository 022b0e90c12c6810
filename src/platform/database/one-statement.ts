/**
 * Sends reads that need nothing of each other as one statement. Each read stays a statement of its own in the code: its rows are
 * the same as if it were sent alone, because each value travels as PostgreSQL's text and is parsed by its type.
 */
import { columnsOf, parserOf, REPLANNED, type Reads, readsOf } from "./database.ts";
import { joined, raw, type Sql, sql } from "./sql.ts";

interface Asked {
  readonly statement: Sql;
  readonly answer: (rows: unknown[]) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Returns the same reader, whose reads travel as one statement when they are asked for in one turn (`Promise.all`). Only for
 * reads: none of them may lock or write. Their types are learned when they are sent for the first time, each alone.
 */
export function asOneStatement<Cx extends Reads>(cx: Cx): Cx {
  let waiting: Asked[] = [];
  const send = (): void => {
    const asked = waiting;
    waiting = [];
    void answerAll(cx, asked);
  };
  const ask = (statement: Sql): Promise<unknown[]> =>
    new Promise((answer, fail) => {
      if (waiting.length === 0) queueMicrotask(send);
      waiting.push({ statement, answer, fail });
    });
  return { ...cx, ...readsOf(ask) };
}

async function answerAll(cx: Reads, asked: readonly Asked[]): Promise<void> {
  const alone = ({ statement, answer, fail }: Asked): void => {
    cx.rows(statement).then(answer, fail);
  };
  const fitting: Asked[] = [];
  for (const one of asked) {
    if (mayJoin(one.statement)) fitting.push(one);
    else alone(one);
  }
  const known = fitting.map(({ statement }) => columnsOf(statement.text));
  if (fitting.length < 2 || known.some((columns) => columns === undefined)) {
    fitting.forEach(alone);
    return;
  }
  try {
    const whole = joinedReads(fitting.map(({ statement }, at) => [statement, known[at] ?? []]));
    const found: unknown = await cx.row(whole);
    const row = found as Readonly<Record<string, readonly Texts[] | null>>;
    for (const [at, { answer }] of fitting.entries()) {
      answer((row[`read_${at}`] ?? []).map((texts) => rowFrom(known[at] ?? [], texts)));
    }
  } catch (error) {
    for (const { fail } of fitting) fail(error);
  }
}

/** Whether a read can be a part of another statement: one that numbers its own values, or has its own plan, cannot. */
function mayJoin({ text, parts, values }: Sql): boolean {
  return !text.startsWith(REPLANNED) && parts.length === values.length + 1;
}

/** The values of a row, as PostgreSQL writes them. */
type Texts = readonly (string | null)[];

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Returns one statement whose row has a column for each read: the list of its rows, each a list of texts. */
function joinedReads(reads: readonly (readonly [Sql, readonly Column[]])[]): Sql {
  const parts = reads.map(([statement, columns], at) => {
    const texts = raw(columns.map(({ name }) => `r."${name}"::text`).join(", "));
    return sql`(select json_agg(json_build_array(${texts})) from (${statement}) as r) as ${raw(`read_${at}`)}`;
  });
  return sql`select ${joined(parts, ", ")}`;
}

function rowFrom(columns: readonly Column[], texts: Texts): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [at, { name, dataTypeID }] of columns.entries()) {
    const text = texts[at] ?? null;
    row[name] = text === null ? null : parserOf(dataTypeID)(text);
  }
  return row;
}

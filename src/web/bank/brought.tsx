/** What files of the bank brought: the statements of the last ones, and a list of all. */
import type * as z from "zod";
import type { BankAccount } from "../../domain/receivables/bank-account.ts";
import {
  listStatements,
  statementsBroughtWith,
} from "../../features/receivables/bank-statements/queries.ts";
import type { BankStatementResource } from "../../features/receivables/bank-statements/schemas.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOfNumber, moneyOfNumber } from "../parts/format.ts";
import { List, Older } from "../parts/list.tsx";
import { Day, Pill } from "../parts/values.tsx";
import { fileWords } from "./file-words.ts";

type Statement = z.output<typeof BankStatementResource>;
type Accounts = readonly Pick<BankAccount, "id" | "name" | "currency">[];

/** The files of one drop that are shown. */
const MOST_BROUGHT = 20;

/** Returns a card with what the files of the address brought; null without any. */
export async function broughtCard({ cx, query, reader }: PageRequest, accounts: Accounts) {
  const words = fileWords(reader.language);
  const ids = (query.brought ?? "")
    .split(",")
    .slice(0, MOST_BROUGHT)
    .filter((id) => Uuid.safeParse(id).success);
  if (ids.length === 0) return null;
  const statements = await statementsBroughtWith(cx, ids);
  if (statements.length === 0) return null;
  return (
    <Card title={words.brought} id="brought">
      <div class="pad stack bank-brought">
        {query.known === "1" && <p class="notice">{words.known_file}</p>}
        {statements.map((statement) => (
          <Brought statement={statement} accounts={accounts} />
        ))}
      </div>
    </Card>
  );
}

function Brought({ statement, accounts }: { statement: Statement; accounts: Accounts }) {
  const { language } = useReader();
  const words = fileWords(language);
  const { opening_balance, closing_balance, from, to, new_lines, known_lines } = statement;
  const account = accounts.find(({ id }) => id === statement.bank_account_id);
  const currency = account?.currency ?? "DKK";
  return (
    <div>
      <p>
        <span class="strong">{account?.name ?? ""}</span>, <Days from={from} to={to} />:{" "}
        {words.brought_lines(new_lines, known_lines)}
        {opening_balance !== null && closing_balance !== null && (
          <span class="small soft bank-why">
            {words.balances(
              moneyOfNumber(language, opening_balance, currency),
              moneyOfNumber(language, closing_balance, currency),
            )}
          </span>
        )}
      </p>
      {statement.warnings.map(({ code, message }) => (
        <p class="note-warn">
          {Object.hasOwn(words.warnings, code)
            ? words.warnings[code as keyof typeof words.warnings]
            : message}
        </p>
      ))}
    </div>
  );
}

/** Shows the first and the last day of a statement; one day alone where they are the same. */
function Days({ from, to }: Pick<Statement, "from" | "to">) {
  if (from === to) return <Day day={from} />;
  return (
    <>
      <Day day={from} /> – <Day day={to} />
    </>
  );
}

/** Returns the list of all statements, the last imported first. */
export async function statementsTab({ cx, query, reader }: PageRequest, accounts: Accounts) {
  const { words: all, language } = reader;
  const words = fileWords(language);
  const { data, next_cursor } = pageFrom<Statement>(
    await listStatements(cx, { limit: 50, cursor: query.cursor }),
  );
  const of = new Map(accounts.map((account) => [account.id, account]));
  return (
    <>
      <List
        label={words.imports}
        rows={data}
        empty={<p>{words.no_imports}</p>}
        columns={[
          {
            head: words.account,
            fold: "lead",
            cell: ({ id, bank_account_id }) => (
              <a class="link" href={`/bank?tab=statements&brought=${id}`}>
                {of.get(bank_account_id)?.name ?? "–"}
              </a>
            ),
          },
          {
            head: words.days,
            cell: ({ from, to }) => <Days from={from} to={to} />,
          },
          { head: words.lines, kind: "number", cell: ({ lines }) => lines },
          { head: words.new_lines, kind: "number", cell: ({ new_lines }) => new_lines },
          { head: words.known_lines, kind: "number", cell: ({ known_lines }) => known_lines },
          {
            head: words.closing,
            kind: "number",
            fold: "end",
            cell: ({ closing_balance, bank_account_id }) =>
              closing_balance === null
                ? "–"
                : amountOfNumber(
                    language,
                    closing_balance,
                    of.get(bank_account_id)?.currency ?? "DKK",
                  ),
          },
          {
            head: words.notes,
            cell: ({ warnings }) =>
              warnings.length === 0 ? "" : <Pill kind="warn">{words.gap}</Pill>,
          },
        ]}
      />
      <Older address="/bank?tab=statements" cursor={next_cursor} text={all.older} />
    </>
  );
}

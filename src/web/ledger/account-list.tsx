/** The island of the chart of accounts. A name is edited in its place: saved when a person leaves the field, reset by Escape. */
import { useRef, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf } from "../parts/format.ts";
import { InPlace } from "../parts/in-place.tsx";
import { type Column, List } from "../parts/list.tsx";
import { accountType, vatCodeInWords } from "./words.ts";

interface ListedAccount {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly vat_code: string | null;
}

interface Props {
  readonly rows: readonly ListedAccount[];
  /** By account number, as text in minor units; null until they are computed. */
  readonly balances: Readonly<Record<string, string>> | null;
  readonly currency: string;
  /** Whether Matchbook keeps the books: otherwise it knows no balances. */
  readonly has_books: boolean;
}

function AccountList({ rows, balances: first, currency, has_books }: Props) {
  const { words: all, language } = useReader();
  const words = all.ledger;
  const { answer: balances, is_lost } = useAnswer<Readonly<Record<string, string>>>(
    "/app/ledger/account-balances",
    {},
    has_books ? first : {},
  );
  const balance: Column<ListedAccount> = {
    head: words.balance,
    kind: "number",
    fold: "end",
    cell: ({ number }) =>
      balances === null ? "…" : amountOf(language, BigInt(balances[number] ?? "0"), currency),
  };
  return (
    <>
      <List
        label={words.tabs.accounts}
        rows={rows}
        empty={null}
        columns={[
          {
            head: words.name,
            fold: "lead",
            cell: (account) => <Name key={account.number} {...account} />,
          },
          { head: words.number, kind: "number", cell: ({ number }) => number },
          { head: words.type, cell: ({ type }) => accountType(words, type) },
          { head: words.vat_code, cell: ({ vat_code }) => vatCodeInWords(words, vat_code) },
          ...(has_books ? [balance] : []),
        ]}
      />
      {is_lost && (
        <p class="notice bad" role="status">
          {words.lost}
        </p>
      )}
    </>
  );
}

function Name({ number, name: first }: ListedAccount) {
  const words = useReader().words.ledger;
  const is_alive = useAlive();
  const [name, setName] = useState(first);
  const stored = useRef(first);
  if (!is_alive) return <span>{name}</span>;
  return (
    <InPlace
      id={`account-${number}`}
      label={words.name_of(number)}
      shown={name}
      input={{ maxLength: 255 }}
      read={(typed) => ({ value: typed.trim() })}
      isStored={(value) => value === stored.current}
      save={async (value) => {
        const sent = { number, name: value, seen_name: stored.current };
        const answer = await send<{ readonly name: string }>("/app/ledger/rename", sent);
        if ("done" in answer) {
          stored.current = answer.done.name;
          setName(answer.done.name);
        }
        return answer;
      }}
    />
  );
}

export const island = islandOf<Props>({ name: "account-list", View: AccountList });

/**
 * The island of the reconciliation of a month: documents and accruals beside the accounts, and beside a connected accounting
 * system, which is asked after the page has loaded.
 */
import type * as z from "zod";
import type { ReconciliationResource } from "../../features/ledger/reconciliation/schemas.ts";
import type { Reconciliation } from "../../features/revenue/accruals/schemas.ts";
import { islandOf } from "../browser/island.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOfNumber, monthOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";

export type AccrualsCompared = z.output<typeof Reconciliation>;
export type LedgerCompared = z.output<typeof ReconciliationResource>;

interface Props {
  readonly month: string;
  /** Whether the books of the month are open: its vouchers are not all booked. */
  readonly is_open: boolean;
  readonly currency: string;
  /** The name of the connected accounting system; null for the built-in ledger. */
  readonly elsewhere: string | null;
  /** Null until it is computed. */
  readonly accruals: AccrualsCompared | null;
  /** Null until the accounting system has answered. */
  readonly ledger: LedgerCompared | null;
}

function ReconciliationView(props: Props) {
  const { month, is_open, currency, elsewhere } = props;
  const words = useReader().words.ledger;
  const { answer, is_lost } = useAnswer<AccrualsCompared>(
    "/app/ledger/reconciliation",
    { month },
    props.accruals,
  );
  return (
    <div class="stack">
      {elsewhere !== null && <Connected {...props} elsewhere={elsewhere} />}
      {answer === null ? (
        <p class="card pad soft" role="status">
          {is_lost ? words.lost : words.adding_up}
        </p>
      ) : (
        <Accruals
          compared={answer}
          currency={currency}
          has_books={elsewhere === null}
          open_month={is_open ? month : null}
        />
      )}
    </div>
  );
}

interface Compared {
  readonly label: string;
  readonly account_number: number | null;
  readonly sub_ledger: number;
  readonly ledger: number | null;
  readonly difference: number | null;
}

/** Shows the three comparisons of the accruals: roles, documents and earnings. */
function Accruals(props: {
  compared: AccrualsCompared;
  currency: string;
  has_books: boolean;
  open_month: string | null;
}) {
  const { compared, currency, has_books, open_month } = props;
  const words = useReader().words.ledger;
  const { roles, documents, earnings } = compared;
  const parts: readonly [id: string, title: string, rows: readonly Compared[]][] = [
    [
      "roles",
      words.role_balances,
      roles.map((row) => ({ ...row, label: words.roles[row.account_role] })),
    ],
    [
      "documents",
      words.documents_compared,
      documents.map((row) => ({ ...row, label: words.of[row.of] })),
    ],
    [
      "earnings",
      words.earnings_compared,
      earnings.map((row) => ({ ...row, label: words.of.revenue })),
    ],
  ];
  return (
    <>
      {parts.map(([id, title, rows]) => (
        <Part
          key={id}
          id={id}
          title={title}
          rows={rows}
          currency={currency}
          has_books={has_books}
          open_month={id === "earnings" ? open_month : null}
        />
      ))}
    </>
  );
}

function Part(props: {
  id: string;
  title: string;
  rows: readonly Compared[];
  currency: string;
  has_books: boolean;
  /** The month whose missing vouchers explain the differences; null where they need another explanation. */
  open_month: string | null;
}) {
  const { id, title, rows, currency, has_books, open_month } = props;
  const { words: all, language } = useReader();
  const words = all.ledger;
  const amount = (value: number | null) =>
    value === null ? "–" : amountOfNumber(language, value, currency);
  const differing = rows.filter(({ difference }) => difference !== null && difference !== 0).length;
  return (
    <Card title={title} id={id} hint={has_books ? words.differences(differing) : ""}>
      {open_month !== null && has_books && differing > 0 && (
        <p class="pad soft">
          {words.open_month(monthOf(language, open_month))}{" "}
          <a class="link" href={`/close/${open_month}`}>
            {words.open_close}
          </a>
        </p>
      )}
      <List
        label={title}
        rows={rows}
        empty={<p class="soft">{words.nothing_compared}</p>}
        columns={[
          {
            head: words.account,
            fold: "lead",
            cell: ({ label, account_number }) => (
              <>
                <span>{label}</span> <span class="quiet">{account_number}</span>
              </>
            ),
          },
          { head: words.by_documents, kind: "number", cell: (row) => amount(row.sub_ledger) },
          ...(has_books
            ? [
                {
                  head: words.in_ledger,
                  kind: "number" as const,
                  cell: (row: Compared) => amount(row.ledger),
                },
                {
                  head: words.difference,
                  kind: "number" as const,
                  fold: "end" as const,
                  cell: ({ difference }: Compared) =>
                    difference === 0 ? (
                      amount(difference)
                    ) : (
                      <strong class="bad">{amount(difference)}</strong>
                    ),
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
}

/** Shows the comparison with the accounting system: the counts, each difference, and the accounts. */
function Connected({ month, currency, elsewhere, ledger }: Props & { elsewhere: string }) {
  const words = useReader().words.ledger;
  const { answer, is_lost } = useAnswer<LedgerCompared>("/app/ledger/compare", { month }, ledger);
  if (answer === null) {
    return (
      <p class="card pad soft" role="status">
        {is_lost ? words.no_answer(elsewhere) : words.asking(elsewhere)}
      </p>
    );
  }
  const { documents } = answer;
  const counts = words.counts(documents.here, documents.there, documents.agreeing, elsewhere);
  return (
    <>
      <Findings compared={answer} currency={currency} elsewhere={elsewhere} counts={counts} />
      <Accounts compared={answer} currency={currency} elsewhere={elsewhere} />
    </>
  );
}

type Finding = LedgerCompared["findings"][number];

function Findings(props: {
  compared: LedgerCompared;
  currency: string;
  elsewhere: string;
  counts: string;
}) {
  const { compared, currency, elsewhere, counts } = props;
  const { words: all, language } = useReader();
  const words = all.ledger;
  const name = ({ kind, document_id, number_here, number_there }: Finding) => {
    const number = number_here ?? number_there;
    const text = number === null ? words.kind_of[kind] : words.document_of[kind](`${number}`);
    if (document_id === null || kind === "voucher") return text;
    return (
      <a href={`/${kind === "invoice" ? "invoices" : "credit-notes"}/${document_id}`}>{text}</a>
    );
  };
  return (
    <Card title={words.compared_with(elsewhere)} id="compared" hint={counts}>
      <List
        label={words.compared_with(elsewhere)}
        rows={compared.findings}
        empty={<p class="soft">{words.all_agree}</p>}
        columns={[
          { head: words.document, fold: "lead", cell: name },
          {
            head: words.finding,
            cell: (finding) => (
              <>
                <Pill kind={finding.is_explained ? "warn" : "bad"}>
                  {words.findings[finding.code](elsewhere)}
                </Pill>{" "}
                {finding.code === "in_doubt" && <a href="/ledger/queue">{words.tabs.queue}</a>}
              </>
            ),
          },
          {
            head: words.difference,
            kind: "number",
            fold: "end",
            cell: ({ difference }) =>
              difference === null ? "–" : amountOfNumber(language, difference, currency),
          },
        ]}
      />
    </Card>
  );
}

function Accounts(props: { compared: LedgerCompared; currency: string; elsewhere: string }) {
  const { compared, currency, elsewhere } = props;
  const { words: all, language } = useReader();
  const words = all.ledger;
  const amount = (value: number) => amountOfNumber(language, value, currency);
  return (
    <Card title={words.accounts_in(elsewhere)} id="accounts">
      <List
        label={words.accounts_in(elsewhere)}
        rows={compared.accounts}
        empty={<p class="soft">{words.nothing_compared}</p>}
        columns={[
          { head: words.account, fold: "lead", cell: (row) => row.ledger_account },
          { head: words.moved_here, kind: "number", cell: (row) => amount(row.moved_here) },
          {
            head: words.moved_in(elsewhere),
            kind: "number",
            cell: (row) => amount(row.moved_there),
          },
          { head: words.difference, kind: "number", cell: (row) => amount(row.difference) },
          {
            head: words.balance,
            kind: "number",
            fold: "end",
            cell: (row) => amount(row.balance_there),
          },
        ]}
      />
    </Card>
  );
}

export const island = islandOf<Props>({ name: "reconciliation-view", View: ReconciliationView });

/** The accounts of the connected system beside ours, as a form: a person sets those that the connection could not propose. */
import type { VNode } from "preact";
import { changeMapping, readMapping } from "../../features/ledger/connections/change-mapping.ts";
import { findCurrent, type MappingRow } from "../../features/ledger/connections/queries.ts";
import { reportedIn } from "../../features/ledger/connections/schemas.ts";
import { wholeChart } from "../../features/ledger/reports/queries.ts";
import { run } from "../../platform/commands/command.ts";
import { Form, Submit } from "../frame/form.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, refusedBy } from "../frame/submitted.ts";
import { FormFaults } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { type Column, List } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import { type Refusal, refusalOf } from "../words/refusal.ts";
import { vatCodeInWords } from "./words.ts";

const ACTION = "/ledger/connection/mapping";

/** A pair that bookings may need, with its account in the system; empty texts where it has none. */
interface Pair {
  readonly key: string;
  readonly account_number: number;
  readonly vat_code: string;
  readonly ledger_account: string;
  readonly ledger_vat_code: string;
  /** Whether no booking can use it, and why where a row exists. */
  readonly is_open: boolean;
  readonly reason: string | null;
}

async function pairsOf({ cx }: PageRequest): Promise<readonly Pair[]> {
  const { rows, open } = await readMapping(cx);
  const keyOf = ({ account_number, vat_code }: Pick<MappingRow, "account_number" | "vat_code">) =>
    `${account_number}-${vat_code}`;
  const mapped = new Map(rows.map((row) => [keyOf(row), row]));
  const missing = new Map(open.map((one) => [keyOf(one), one]));
  const all = new Map(
    [...mapped, ...missing].map(([key, { account_number, vat_code }]) => [
      key,
      { account_number, vat_code },
    ]),
  );
  return [...all]
    .map(([key, pair]): Pair => {
      const row = mapped.get(key);
      return {
        key,
        ...pair,
        ledger_account: row?.ledger_account ?? "",
        ledger_vat_code: row?.ledger_vat_code ?? "",
        is_open: missing.has(key),
        reason: missing.get(key)?.reason ?? null,
      };
    })
    .sort((a, b) => a.account_number - b.account_number || (a.vat_code < b.vat_code ? -1 : 1));
}

/** Stores the accounts that the form has changed. Returns the faults by field; null where it is stored. */
export async function saveMapping(request: PageRequest): Promise<Faults | null> {
  const { cx, form } = request;
  const changed = (await pairsOf(request)).flatMap((pair) => {
    const account = form[`account-${pair.key}`]?.trim() ?? "";
    const code = form[`code-${pair.key}`]?.trim() ?? "";
    const is_same = account === pair.ledger_account && code === pair.ledger_vat_code;
    if (account === "" || is_same) return [];
    const { account_number, vat_code, key } = pair;
    const row = {
      account_number,
      vat_code,
      ledger_account: account,
      ledger_vat_code: code || null,
    };
    return [{ key, row }];
  });
  if (changed.length === 0) return null;
  try {
    await run(changeMapping, cx, { rows: changed.map(({ row }) => row) });
    return null;
  } catch (thrown) {
    const refused = refusedBy(thrown);
    const errors = refused.extras.field_errors;
    if (errors === undefined) return new Map([["", refusalOf(refused)]]);
    return new Map(
      errors.map((error) => {
        const [, at = "0", field = ""] = /^rows\[(\d+)\]\.(\w+)$/.exec(error.field) ?? [];
        const name = field === "ledger_vat_code" ? "code" : "account";
        return [`${name}-${changed[Number(at)]?.key}`, error];
      }),
    );
  }
}

/** Returns the form. The accounts of the system are those that its last check has reported. */
export async function mappingOf(
  request: PageRequest,
  faults: Faults,
  system: string,
): Promise<VNode> {
  const { cx, form, csrf, reader } = request;
  const { words: all } = reader;
  const words = all.connection;
  const [pairs, chart, current] = await Promise.all([
    pairsOf(request),
    wholeChart(cx, false),
    findCurrent(cx),
  ]);
  const { accounts, vat_codes } =
    current === undefined ? { accounts: [], vat_codes: [] } : reportedIn(current);
  // Where no account decides the VAT, each line has the VAT code of its row.
  const has_codes = accounts.every(({ vat_code }) => vat_code === null) && vat_codes.length > 0;
  const open = pairs.filter(({ is_open }) => is_open).length;
  const names = new Map(chart.map(({ number, name }) => [number, name]));
  return (
    <Card title={words.mapping} id="mapping" hint={words.open(open)}>
      <FormFaults faults={faults} words={all.see_fields} />
      <Form action={ACTION} csrf={csrf(ACTION)}>
        <Choices
          id={ACCOUNTS}
          choices={accounts.map(({ account, name }) => ({ value: account, name }))}
        />
        <Choices id={CODES} choices={vat_codes.map(({ code, name }) => ({ value: code, name }))} />
        <Pairs {...{ pairs, names, has_codes, system, faults, typed: form }} />
        <Submit text={all.save} />
      </Form>
    </Card>
  );
}

const ACCOUNTS = "remote-accounts";
const CODES = "remote-codes";

/** The accounts or codes of the system, which browsers offer while a person types. */
function Choices(props: {
  id: string;
  choices: readonly { readonly value: string; readonly name: string }[];
}) {
  return (
    <datalist id={props.id}>
      {props.choices.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </datalist>
  );
}

interface PairsProps {
  readonly pairs: readonly Pair[];
  readonly names: ReadonlyMap<number, string>;
  readonly has_codes: boolean;
  readonly system: string;
  readonly faults: Faults;
  readonly typed: TypedFields;
}

function Pairs({ pairs, names, has_codes, system, faults, typed }: PairsProps) {
  const { words: all } = useReader();
  const words = all.connection;
  const field = (name: string, stored: string, label: string, list: string) => (
    <RemoteField
      value={typed[name] ?? stored}
      fault={faults.get(name)}
      {...{ name, label, list }}
    />
  );
  const code: Column<Pair> = {
    head: words.code_in(system),
    cell: ({ key, vat_code, account_number, ledger_vat_code }) =>
      vat_code === ""
        ? "–"
        : field(`code-${key}`, ledger_vat_code, words.code_of(account_number, system), CODES),
  };
  return (
    <List
      label={words.mapping}
      rows={pairs}
      empty={null}
      columns={[
        {
          head: words.in_matchbook,
          cell: ({ account_number }) => (
            <>
              <span class="quiet">{account_number}</span>{" "}
              <span>{names.get(account_number) ?? ""}</span>
            </>
          ),
        },
        {
          head: all.ledger.vat_code,
          cell: ({ vat_code }) =>
            vat_code === "" ? words.role : vatCodeInWords(all.ledger, vat_code),
        },
        {
          head: words.account_in(system),
          cell: ({ key, account_number, ledger_account }) =>
            field(
              `account-${key}`,
              ledger_account,
              words.account_of(account_number, system),
              ACCOUNTS,
            ),
        },
        ...(has_codes ? [code] : []),
        { head: words.state, cell: (pair) => <PairState pair={pair} /> },
      ]}
    />
  );
}

function PairState({ pair: { is_open, reason } }: { pair: Pair }) {
  const words = useReader().words.connection;
  if (!is_open) return <Pill kind="ok">{words.is_mapped}</Pill>;
  return <Pill kind="warn">{reason === null ? words.is_open : words.other_rate}</Pill>;
}

function RemoteField(props: {
  name: string;
  value: string;
  label: string;
  list: string;
  fault: Refusal | undefined;
}) {
  const { name, value, label, list, fault } = props;
  const { words: all } = useReader();
  return (
    <>
      <input
        class="input"
        id={name}
        name={name}
        list={list}
        value={value}
        aria-label={label}
        maxLength={64}
        autocomplete="off"
        {...(fault && { "aria-invalid": "true", "aria-describedby": `${name}-fault` })}
      />
      {fault !== undefined && (
        <span class="fault" id={`${name}-fault`}>
          {all.connection.mapping_faults[fault.code] ?? all.refused(fault)}
        </span>
      )}
    </>
  );
}

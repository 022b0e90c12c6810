/**
 * The island of the company: the fields beside the head of an invoice, which follows the typing. Without scripts it is a form
 * beside the stored head.
 */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { isColor } from "../../domain/base/color.ts";
import { hasBankAccount, missingOfSeller } from "../../domain/sales/completeness.ts";
import type { Seller } from "../../domain/sales/document.ts";
import { FIK_CREDITOR, type FikCardType, fikCardTypes, fikLine } from "../../domain/sales/fik.ts";
import { islandOf } from "../browser/island.ts";
import { Form, Submit } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import { type CheckNote, noteOf } from "../parts/field-checks.ts";
import { RareFields, type TypedFields } from "../parts/fields.tsx";
import { Select, type SelectOption } from "../parts/select.tsx";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";
import type { enCompany } from "./company-words.ts";
import { type LogoShown, SellerLogoCard } from "./seller-logo.tsx";

/** The names of the fields, which are their paths in the configuration. */
type Name = keyof typeof enCompany.fields;

interface CompanyProps {
  readonly typed: TypedFields;
  /** The faults of the form that was sent, as entries, because props are JSON. */
  readonly faults: readonly (readonly [string, Refusal])[];
  readonly action: string;
  readonly csrf: string;
  readonly countries: readonly SelectOption[];
  readonly domestic_country: string;
  /** The currency of the books, in which most invoices are. */
  readonly currency: string;
  readonly account_name: string;
  readonly logo: LogoShown;
  /** Fields whose labels the server passes, by name. */
  readonly further: readonly (readonly [string, EntryMore])[];
}

/** The fields of the bank, with their longest texts. */
const BANK: readonly (readonly [Name, number])[] = [
  ["seller.bank_registration_number", 20],
  ["seller.bank_account_number", 40],
  ["seller.iban", 42],
  ["seller.swift", 11],
];

function CompanyForm(props: CompanyProps) {
  const { words: all, language } = useReader();
  const words = all.company;
  const [typed, setTyped] = useState(props.typed);
  const [left, setLeft] = useState(props.typed);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [logo, setLogo] = useState(props.logo.sha256);
  const faults: Faults = new Map(props.faults.filter(([name]) => !changed.has(name)));
  const seller = sellerFrom(typed);
  const notes = notesOf(left, props.domestic_country, language);
  const select = (name: Name, options: readonly SelectOption[]) => (
    <Select
      name={name}
      label={words.fields[name]}
      value={typed[name] ?? ""}
      options={options}
      faults={faults}
    />
  );
  const entry = (name: Name, more: EntryMore = {}) => {
    // A number is checked when its field is left: a text that has changed since has no note.
    const note = typed[name] === left[name] ? notes.get(name) : undefined;
    return (
      <Entry
        name={name}
        label={words.fields[name]}
        value={typed[name] ?? ""}
        faults={faults}
        note={note && all.entries.notes[note]}
        {...more}
      />
    );
  };
  return (
    <div class="company">
      <div
        class="card pad"
        onInput={({ target }) => {
          const { name, value } = target as HTMLInputElement;
          setTyped((before) => ({ ...before, [name]: value }));
          setChanged((before) => new Set([...before, name]));
        }}
        onFocusOut={() => setLeft(typed)}
      >
        <FormFaults faults={faults} words={all.see_fields} />
        <Form action={props.action} csrf={props.csrf}>
          <Fields entry={entry} select={select} shown={props} />
          <Submit text={all.save} />
        </Form>
      </div>
      <div class="stack">
        <Letterhead seller={seller} account_name={props.account_name} logo={logo} />
        <Missing
          seller={seller}
          domestic_country={props.domestic_country}
          currency={props.currency}
        />
        <SellerLogoCard {...props.logo} sha256={logo} onStored={setLogo} />
      </div>
    </div>
  );
}

interface EntryMore {
  /** In place of the label in the texts of the page. */
  readonly label?: string;
  readonly type?: "email" | "tel";
  readonly hint?: string;
  readonly most?: number;
}

/** Shows the fields in their groups; `entry` and `select` render one by its name. */
function Fields(props: {
  entry(name: Name, more?: EntryMore): VNode;
  select(name: Name, options: readonly SelectOption[]): VNode;
  shown: CompanyProps;
}) {
  const { entry, select, shown } = props;
  const words = useReader().words.company;
  return (
    <>
      <fieldset class="fields">
        <legend>{words.who}</legend>
        {entry("seller.name")}
        {entry("seller.vat_number", { most: 40 })}
        {entry("seller.street")}
        {entry("seller.zip_code", { most: 20 })}
        {entry("seller.city")}
        {select("seller.country_key", [["", words.country_of_account], ...shown.countries])}
        {entry("seller.email", { type: "email", most: 254 })}
        {entry("seller.phone", { type: "tel" })}
      </fieldset>
      <fieldset class="fields">
        <legend>{words.bank}</legend>
        {BANK.map(([name, most]) => entry(name, { most }))}
        {entry("seller.fik_creditor_number", { hint: words.fik_hint, most: 12 })}
        {select(
          "seller.fik_card_type",
          fikCardTypes.map((type) => [type, words.fik_card_types[type]]),
        )}
      </fieldset>
      <RareFields
        names={shown.further.map(([name]) => name)}
        typed={shown.typed}
        faults={new Map(shown.faults)}
      >
        {shown.further.map(([name, more]) => entry(name as Name, more))}
      </RareFields>
    </>
  );
}

function sellerFrom(typed: TypedFields): Seller {
  const text = (name: string) => typed[name]?.trim() || null;
  const accent = text("seller.accent_color");
  const creditor = (typed["seller.fik_creditor_number"] ?? "").replaceAll(/\s/g, "");
  return {
    name: text("seller.name"),
    street: text("seller.street"),
    zip_code: text("seller.zip_code"),
    city: text("seller.city"),
    country_key: text("seller.country_key"),
    vat_number: text("seller.vat_number"),
    email: text("seller.email"),
    phone: text("seller.phone"),
    bank_registration_number: text("seller.bank_registration_number"),
    bank_account_number: text("seller.bank_account_number"),
    iban: text("seller.iban"),
    swift: text("seller.swift"),
    ...(FIK_CREDITOR.test(creditor) && {
      fik_creditor_number: creditor,
      fik_card_type: (text("seller.fik_card_type") ?? "71") as FikCardType,
    }),
    ...(accent !== null && isColor(accent) && { accent_color: accent }),
  };
}

/** Returns what is wrong with numbers, by field. A wrong check digit is only noted, and saved. */
function notesOf(
  typed: TypedFields,
  domestic_country: string,
  language: Language,
): ReadonlyMap<string, CheckNote> {
  const country = typed["seller.country_key"] || domestic_country;
  const notes = (
    [
      ["seller.vat_number", "vat_number"],
      ["seller.iban", "iban"],
      ["seller.fik_creditor_number", "fik_creditor"],
    ] as const
  ).map(
    ([name, check]) => [name, noteOf(check, typed[name] ?? "", { country, language })] as const,
  );
  return new Map(notes.flatMap(([name, note]) => (note === null ? [] : [[name, note] as const])));
}

/** Shows the head of an invoice with the typed values. */
function Letterhead(props: { seller: Seller; account_name: string; logo: string | null }) {
  const words = useReader().words.company;
  const { seller, logo } = props;
  const { bank_registration_number, bank_account_number, iban, swift } = seller;
  const { fik_creditor_number: fik, fik_card_type: card_type = "71" } = seller;
  const place = [seller.zip_code, seller.city].filter(Boolean).join(" ");
  const account =
    bank_account_number === null
      ? null
      : words.bank_registration(bank_registration_number ?? "", bank_account_number);
  const slip = fik && fikLine(fik, card_type, 1n);
  const lines = [seller.street, place, seller.vat_number, seller.email, seller.phone];
  return (
    <Card title={words.letterhead} id="letterhead">
      <div class="pad letterhead">
        {logo !== null && <img src={`/settings/company/logo?v=${logo}`} alt={words.logo} />}
        <svg class="accent" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width="100" height="1" fill={seller.accent_color ?? "currentColor"} />
        </svg>
        <p class="strong">{seller.name ?? props.account_name}</p>
        {lines.map((line) => line && <p>{line}</p>)}
        {[account, iban && `IBAN ${iban}`, swift && `BIC ${swift}`, slip].map(
          (line) => line && <p class="soft">{line}</p>,
        )}
      </div>
    </Card>
  );
}

function Missing(props: { seller: Seller; domestic_country: string; currency: string }) {
  const { seller, domestic_country } = props;
  const words = useReader().words.company;
  const missing = missingOfSeller(seller, domestic_country).map(
    (field) => words.fields[field as Name],
  );
  const all = [...missing, ...(hasBankAccount(seller, props.currency) ? [] : [words.no_account])];
  return (
    <Card title={words.missing} id="missing">
      <div class="pad">
        {all.length === 0 ? (
          <p>{words.complete}</p>
        ) : (
          <>
            <p class="soft">{words.missing_means}</p>
            <ul>
              {all.map((field) => (
                <li>{field}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Card>
  );
}

export const island = islandOf<CompanyProps>({ name: "company-form", View: CompanyForm });

/** The texts of mails of documents, on the page of invoicing: a folded form for each kind and language, with its preview. */
import {
  type MailFacts,
  type MailKind,
  type MailLanguage,
  mailKinds,
  mailLanguages,
  mailParts,
} from "../../domain/sales/mail-text.ts";
import { mailTexts } from "../../features/documents/deliveries/mail-texts.ts";
import { formatDay, formatMoney } from "../../features/documents/printing/format.ts";
import { Island } from "../frame/island.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { Card } from "../parts/facts.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { Pill } from "../parts/values.tsx";
import type { FieldKinds } from "./configuration-form.ts";
import { island as mailTextForm } from "./mail-text-form.tsx";

/** The address of the forms. */
export const MAIL_TEXT = "/settings/invoicing/mail-text";

const FORMS = mailKinds.flatMap((kind) => mailLanguages.map((language) => ({ kind, language })));
type MailForm = (typeof FORMS)[number];

const namesOf = ({ kind, language }: MailForm) =>
  mailParts.map((part) => `mail_texts.${language}.${kind}.${part}`);

/** How the fields of all forms are read. */
export const MAIL_TEXT_KINDS: FieldKinds = Object.fromEntries(
  FORMS.flatMap(namesOf).map((name) => [name, "text"] as const),
);

interface ShownTexts {
  readonly request: PageRequest;
  readonly typed: TypedFields;
  readonly faults: Faults;
  /** What the example names. */
  readonly sender: string;
  readonly currency: string;
  readonly due_date: string;
}

/** Shows the forms; one with a text of the account or a fault is open. */
export function MailTexts(props: ShownTexts) {
  const { request, typed, faults } = props;
  const words = useReader().words.mail_card;
  return (
    <Card title={words.title} id="mail-texts">
      <div class="pad">
        <p class="soft">{words.lead}</p>
        {FORMS.map((form) => {
          const { kind, language } = form;
          const names = namesOf(form);
          const is_own = names.some((name) => (typed[name] ?? "") !== "");
          const is_wrong = names.some((name) => faults.has(name));
          const [subject = "", body = ""] = names.map((name) => typed[name] ?? "");
          return (
            <details class="mail-texts" open={is_own || is_wrong}>
              <summary>
                {words.kinds[kind][language]} {is_own && <Pill kind="ok">{words.own}</Pill>}
              </summary>
              <Island
                of={mailTextForm}
                with={{
                  kind,
                  language,
                  typed: { subject, body },
                  usual: {
                    subject: mailTexts[language].subject[kind],
                    body: mailTexts[language].body[kind],
                  },
                  facts: exampleFacts(props, kind, language),
                  faults: [...faults].filter(([name]) => names.includes(name)),
                  action: MAIL_TEXT,
                  csrf: request.csrf(MAIL_TEXT),
                }}
              />
            </details>
          );
        })}
      </div>
    </Card>
  );
}

/** The amount of the example, in hundredths. */
const EXAMPLE_AMOUNT = 12_500_00n;

/** Returns the facts of the example, in the language of the document. */
function exampleFacts(
  { request, sender, currency, due_date }: ShownTexts,
  kind: MailKind,
  language: MailLanguage,
): MailFacts {
  return {
    number: kind === "invoice" ? "47" : "12",
    customer: request.reader.words.mail_card.example_customer,
    amount: `${formatMoney(EXAMPLE_AMOUNT, 2, language)} ${currency}`,
    due_date: formatDay(due_date, language),
    sender,
  };
}

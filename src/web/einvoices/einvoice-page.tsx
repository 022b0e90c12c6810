/**
 * The e-invoice of an invoice or a credit note as a person reads it: every value comes from the bytes of the file, with the number
 * of its term, and the amounts are compared with the books. For admins: the attached hours are those of all users.
 */
import { Problem } from "../../domain/base/problem.ts";
import type { BusinessTerm } from "../../domain/einvoice/business-terms.ts";
import { termValue } from "../../domain/einvoice/business-terms.ts";
import { sentencesOf } from "../../domain/einvoice/missing.ts";
import { readBack } from "../../features/documents/einvoice-files/read-back.ts";
import { findIssued } from "../../features/documents/issued/issued-documents.ts";
import { einvoiceOfCreditNote } from "../../features/sales/credit-notes/documents.ts";
import { einvoiceOfInvoice } from "../../features/sales/invoices/documents.ts";
import { defineFile } from "../frame/define-file.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { FactList, Facts, Warnings } from "../parts/facts.tsx";
import type { Language } from "../words/words.ts";
import { einvoiceWords, termName } from "./term-words.ts";

export const einvoicePages: readonly WebPage[] = [
  ...pagesOf("/invoices", "invoices.get_einvoice", einvoiceOfInvoice),
  ...pagesOf("/credit-notes", "credit_notes.get_einvoice", einvoiceOfCreditNote),
];

function pagesOf(
  documents: "/invoices" | "/credit-notes",
  operation: string,
  einvoiceOf: typeof einvoiceOfInvoice,
): WebPage[] {
  const path = `${documents}/:id/einvoice` as const;
  const file = defineFile(
    `${path}.xml`,
    operation,
    (cx, ref) => einvoiceOf(cx, ref, undefined),
    (answer) => answer,
  );
  const page = definePage(`GET ${path}`, "admin", (request) =>
    show(request, documents, einvoiceOf),
  );
  return [
    { ...page, is_heavy: true },
    { ...file, access: "admin" },
  ];
}

async function show(
  { cx, id, reader }: PageRequest,
  documents: string,
  einvoiceOf: typeof einvoiceOfInvoice,
): Promise<PageAnswer> {
  const words = einvoiceWords(reader.language);
  const file = await einvoiceOf(cx, id, undefined).catch(incompleteFrom);
  if ("missing" in file) return lacking(file.missing, reader.language, `${documents}/${id}`);
  const content = Buffer.from(file.content);
  const issued = await findIssued(cx, id);
  const back = issued && (await readBack(content, issued.snapshot, cx.signal));
  if (!back) throw new Error(`the e-invoice of ${id} cannot be read`);
  const { read, faults } = back;
  const here = `${documents}/${id}`;
  const shown = (
    <div class="document">
      <div class="stack">
        <Warnings title={words.differs} sentences={faults} />
        <Terms title={words.document} id="document" terms={read.document} />
        <Terms title={words.seller} id="seller" terms={read.seller} />
        <Terms title={words.buyer} id="buyer" terms={read.buyer} />
        {read.lines.map((line, at) => (
          <Terms title={words.line(String(at + 1))} id={`line-${at + 1}`} terms={line} />
        ))}
        {read.vat.map((one, at) => (
          <Terms title={words.vat} id={`vat-${at + 1}`} terms={one} />
        ))}
        <Terms title={words.totals} id="totals" terms={read.totals} />
        <Terms title={words.payment} id="payment" terms={read.payment} />
      </div>
      <div class="stack">
        <Facts title={words.file} id="file">
          <FactList
            facts={[
              { name: words.name, value: <code>{file.filename}</code> },
              { name: words.size, value: String(content.length) },
              { name: words.sha256, value: <code class="request">{file.etag}</code> },
              { name: words.amounts, value: faults.length === 0 ? words.agrees : words.differs },
              ...(read.attachments.length === 0
                ? []
                : [{ name: words.attachments, value: read.attachments.join(", ") }]),
            ]}
          />
          <p class="links">
            <a class="link" href={`${here}/einvoice.xml`}>
              {words.download}
            </a>
          </p>
        </Facts>
        <details class="card pad">
          <summary>{words.raw}</summary>
          <pre class="request">{content.toString()}</pre>
        </details>
      </div>
    </div>
  );
  return {
    title: words.title(termValue(read.document, "BT-1") ?? ""),
    lead: words.lead,
    content: shown,
    actions: (
      <a class="button" href={here}>
        {words.back}
      </a>
    ),
  };
}

interface Lacking {
  readonly missing: readonly { readonly rule: string; readonly message: string }[];
}

/** Returns the broken rules of a document that cannot be an e-invoice. Throws every other error. */
function incompleteFrom(error: unknown): Lacking {
  if (!(error instanceof Problem) || error.code !== "EINVOICE_INCOMPLETE") throw error;
  const { rules } = error.extras.details as { readonly rules: Lacking["missing"] };
  return { missing: rules };
}

function lacking(missing: Lacking["missing"], language: Language, here: string): PageAnswer {
  const words = einvoiceWords(language);
  const content = (
    <Facts title={words.missing} id="missing">
      <ul>
        {missing.map(({ rule, message }) => (
          <li>
            {sentencesOf(message)?.[language] ?? message}{" "}
            <small class="quiet">
              <bdi>{rule}</bdi>
            </small>
          </li>
        ))}
      </ul>
    </Facts>
  );
  const back = (
    <a class="button" href={here}>
      {words.back}
    </a>
  );
  return { title: words.none, lead: words.none_lead, content, actions: back };
}

/** Shows terms with their names; the number of each is beside its value. Nothing where there is none. */
function Terms(props: { title: string; id: string; terms: readonly BusinessTerm[] }) {
  const { language } = useReader();
  if (props.terms.length === 0) return null;
  return (
    <Facts title={props.title} id={props.id}>
      <FactList
        facts={props.terms.map(({ term, value, qualifier }) => ({
          name: termName(term, language),
          value: (
            <bdi>
              {value}
              {qualifier === null ? null : <i class="quiet"> {qualifier}</i>}{" "}
              <small class="quiet">{term}</small>
            </bdi>
          ),
        }))}
      />
    </Facts>
  );
}

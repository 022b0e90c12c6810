/** The REST routes that invoices and credit notes share: totals, PDF, sending again, and the attempts to send. */
import type { ProblemCode } from "../../../domain/base/problem.ts";
import type { EinvoiceFormat } from "../../../domain/einvoice/einvoice-format.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { defineRoute, type ReplyFile } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { EinvoiceQuery } from "../einvoice-files/schemas.ts";
import {
  Delivery,
  DeliveryList,
  DeliveryQuery,
  SendDocumentBody,
  Totals,
} from "../issued/schemas.ts";
import { listDeliveries } from "./queries.ts";
import type { defineSending } from "./send.ts";

/** A kind of document, with its sentences in the documentation. */
interface DocumentKind {
  /** The table, and the prefix of the operations. */
  readonly table: "invoices" | "credit_notes";
  readonly path: "/invoices" | "/credit-notes";
  /** `an invoice`. */
  readonly one: `${"a" | "an"} ${string}`;
  readonly many: string;
  readonly totals_summary: string;
  readonly pdf_summary: string;
  readonly send: {
    readonly summary: string;
    readonly description?: string;
    readonly command: ReturnType<typeof defineSending>;
    readonly refuses: readonly ProblemCode[];
  };
  /** Throw NOT_FOUND. */
  totalsOf(cx: Reader, ref: string): Promise<JsonText>;
  pdfOf(cx: Reader, ref: string): Promise<ReplyFile>;
  /** Throws NOT_FOUND, `not_issued`, EINVOICE_INCOMPLETE, EINVOICE_BY_LEDGER. */
  einvoiceOf(cx: Reader, ref: string, format: EinvoiceFormat | undefined): Promise<ReplyFile>;
  readonly not_issued: ProblemCode;
}

/** The routes of one kind of document, in the order of the interface. */
export function documentRoutes({ table, path, one, many, ...kind }: DocumentKind) {
  const { command, ...send } = kind.send;
  return [
    defineRoute(`GET ${path}/:ref/totals`, {
      operation: `${table}.get_totals`,
      summary: kind.totals_summary,
      access: "read",
      params: RefParams,
      replies: { 200: Totals },
      refuses: ["NOT_FOUND"],
      handle: (cx, { params }) => kind.totalsOf(cx, params.ref),
    }),

    defineRoute(`GET ${path}/:ref/pdf`, {
      operation: `${table}.get_pdf`,
      summary: kind.pdf_summary,
      access: "read",
      heavy: {
        field: "ref",
        narrow: `Divide its lines between several ${many}.`,
        needs_primary: true,
      },
      params: RefParams,
      replies: { 200: { content_type: "application/pdf" } },
      refuses: ["NOT_FOUND", "LEDGER_UNAVAILABLE"],
      handle: async (cx, { params }) => ({ status: 200, file: await kind.pdfOf(cx, params.ref) }),
    }),

    einvoiceRoute({ table, path, one, many, ...kind }),

    defineRoute(`POST ${path}/:ref/send`, {
      ...send,
      operation: `${table}.send`,
      access: "issue",
      params: RefParams,
      body: SendDocumentBody,
      body_is_optional: true,
      replies: { 200: Delivery },
      refuses: [
        ...send.refuses,
        "EINVOICE_NOT_CONNECTED",
        "EINVOICE_BY_LEDGER",
        "EINVOICE_UNDER_WAY",
        "EINVOICE_INCOMPLETE",
      ],
      handle: (cx, { params, body }) => run(command, cx, { ...params, ...body }),
    }),

    defineRoute(`GET ${path}/:ref/deliveries`, {
      operation: `${table}.list_deliveries`,
      summary: `List the attempts to send ${one}`,
      access: "read",
      params: RefParams,
      query: DeliveryQuery,
      replies: { 200: DeliveryList },
      refuses: ["NOT_FOUND"],
      async handle(cx, { params, query }) {
        const { id } = await getStored(cx, table, params.ref);
        return listDeliveries(cx, id, query);
      },
    }),
  ];
}

function einvoiceRoute({ table, path, one, many, not_issued, einvoiceOf }: DocumentKind) {
  return defineRoute(`GET ${path}/:ref/einvoice`, {
    operation: `${table}.get_einvoice`,
    summary: `The e-invoice of ${one}`,
    description:
      "XML, or with `format=factur-x` the PDF with the same data attached. Without a format it is the file that was sent last, else the one that would be sent now. Made when it is first asked for, from the document as it was issued, and never changed. `ETag` is its SHA-256.",
    access: "read",
    heavy: {
      field: "ref",
      narrow: `Divide its lines between several ${many}.`,
      needs_primary: true,
    },
    params: RefParams,
    query: EinvoiceQuery,
    replies: {
      200: { content_type: "application/xml", other_content_types: ["application/pdf"] },
    },
    refuses: ["NOT_FOUND", not_issued, "EINVOICE_INCOMPLETE", "EINVOICE_BY_LEDGER"],
    handle: async (cx, { params, query }) => ({
      status: 200,
      file: await einvoiceOf(cx, params.ref, query.format),
    }),
  });
}

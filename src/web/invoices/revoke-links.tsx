/** Revokes the links that the mails of an invoice or a credit note contain, after a confirmation. For admins. */
import { notFound } from "../../domain/base/problem.ts";
import { findIssued } from "../../features/documents/issued/issued-documents.ts";
import { revokeCreditNoteLinks } from "../../features/sales/credit-notes/documents.ts";
import { revokeInvoiceLinks } from "../../features/sales/invoices/documents.ts";
import { run } from "../../platform/commands/command.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";

export const revokeLinksPages: readonly WebPage[] = [
  ...revokePages("/invoices", revokeInvoiceLinks),
  ...revokePages("/credit-notes", revokeCreditNoteLinks),
];

function revokePages(
  documents: "/invoices" | "/credit-notes",
  command: typeof revokeInvoiceLinks,
): WebPage[] {
  const path = `${documents}/:id/revoke-links` as const;
  return [
    definePage(`GET ${path}`, "admin", (request) => confirmation(request, documents)),
    definePage(`POST ${path}`, "admin", async ({ cx, id: ref }) => {
      await run(command, cx, { ref });
      return { redirect: `${documents}/${ref}`, notice: { done: "links_revoked" } };
    }),
  ];
}

async function confirmation(
  { cx, id, reader, csrf }: PageRequest,
  documents: string,
): Promise<PageAnswer> {
  const issued = await findIssued(cx, id);
  if (issued === undefined) throw notFound("document", id);
  const words = reader.words.document_links;
  const here = `${documents}/${id}`;
  const action = `${here}/revoke-links`;
  const content = (
    <div class="card confirm">
      <dl class="will">
        <dt>{words.ends}</dt>
        <dd>{words.revoke_effect}</dd>
        <dt>{words.later}</dt>
        <dd>{words.revoke_again}</dd>
      </dl>
      <Form action={action} csrf={csrf(action)}>
        <Submit text={words.revoke_now} back={{ href: here, text: reader.words.issuing.not_yet }} />
      </Form>
    </div>
  );
  return { title: words.revoke_title, content };
}

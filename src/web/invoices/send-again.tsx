/** Sends an issued document again, to its customer's address or to another one. */
import { Problem } from "../../domain/base/problem.ts";
import { SendBody } from "../../features/documents/issued/schemas.ts";
import { sendCreditNote } from "../../features/sales/credit-notes/documents.ts";
import { sendInvoice } from "../../features/sales/invoices/documents.ts";
import { run } from "../../platform/commands/command.ts";
import { fieldErrorsFrom } from "../../platform/http/problems.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import { Form } from "../frame/form.tsx";
import { defineLongWork, type LongWork } from "../frame/long-work.ts";
import { definePage, type PageRequest, type WebPage } from "../frame/page.tsx";
import { NO_FAULTS } from "../frame/submitted.ts";
import { Entry } from "../parts/entry.tsx";

export const sendingInvoice = defineLongWork({
  name: "pages.send_invoice",
  is_read: false,
  work: (cx, sending: Sending) => run(sendInvoice, cx, sending),
});
export const sendingCreditNote = defineLongWork({
  name: "pages.send_credit_note",
  is_read: false,
  work: (cx, sending: Sending) => run(sendCreditNote, cx, sending),
});

export const sendPages: readonly WebPage[] = [
  sendPage("/invoices", sendingInvoice),
  sendPage("/credit-notes", sendingCreditNote),
];

interface Sending {
  readonly ref: string;
  readonly address?: string | undefined;
}

function sendPage(
  documents: "/invoices" | "/credit-notes",
  sending: LongWork<Sending, JsonText>,
): WebPage {
  return definePage(`POST ${documents}/:id/send`, "admin", async ({ runLong, id: ref, form }) => {
    const typed = form.address?.trim() || undefined;
    const sent = SendBody.safeParse(typed === undefined ? {} : { address: typed });
    if (!sent.success) {
      throw new Problem("VALIDATION_FAILED", { field_errors: fieldErrorsFrom(sent.error) });
    }
    await runLong(sending, { ref, address: sent.data.address });
    return { redirect: `${documents}/${ref}` };
  });
}

/** The form, closed at first, below the attempts. */
export function SendAgain({ request, document }: { request: PageRequest; document: string }) {
  const { words } = request.reader;
  const action = `${document}/send`;
  return (
    <details>
      <summary>{words.send_again.open}</summary>
      <Form action={action} csrf={request.csrf(action)}>
        <Entry
          name="address"
          label={words.send_again.address}
          hint={words.send_again.hint}
          type="email"
          value=""
          faults={NO_FAULTS}
        />
        <p class="buttons">
          <button type="submit" class="button">
            {words.send_again.send}
          </button>
        </p>
      </Form>
    </details>
  );
}

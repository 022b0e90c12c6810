/** Sending an issued document once more, to where its customer gets them or to another address. */
import { Problem } from "../domain/base/problem.ts";

import { sendCreditNote } from "../features/credit-notes/documents.ts";
import { SendBody } from "../features/documents/schemas.ts";
import { sendInvoice } from "../features/invoices/documents.ts";
import type { Command } from "../platform/command.ts";
import { run } from "../platform/command.ts";
import { fieldErrorsFrom } from "../platform/http/problems.ts";
import type { JsonText } from "../platform/json.ts";
import { Form } from "./frame/form.tsx";
import { definePage, type Page, type PageRequest } from "./frame/page.tsx";
import { NO_FAULTS } from "./frame/submitted.ts";
import { Entry } from "./parts/entry.tsx";

export const sendPages: readonly Page[] = [
  sendPage("/invoices", sendInvoice),
  sendPage("/credit-notes", sendCreditNote),
];

interface Sending {
  readonly ref: string;
  readonly address?: string | undefined;
}

function sendPage<Plan, Committed>(
  documents: "/invoices" | "/credit-notes",
  command: Command<Sending, Plan, Committed, JsonText>,
): Page {
  return definePage(`POST ${documents}/:id/send`, "admin", async ({ cx, id: ref, form }) => {
    const typed = form.address?.trim() || undefined;
    const sent = SendBody.safeParse(typed === undefined ? {} : { address: typed });
    if (!sent.success) {
      throw new Problem("VALIDATION_FAILED", { field_errors: fieldErrorsFrom(sent.error) });
    }
    await run(command, cx, { ref, address: sent.data.address });
    return { redirect: `${documents}/${ref}` };
  });
}

/** The form, which stands closed below the attempts. */
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

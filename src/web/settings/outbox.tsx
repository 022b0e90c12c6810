/** The outbox of a sandbox, or of an installation without a mail server, for admins: the mails with documents, and each as it reads. */
import { notFound } from "../../domain/base/problem.ts";
import {
  findOutboxMail,
  listOutbox,
  type OutboxMail,
} from "../../features/documents/delivery-outcomes/list-outbox.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { FactList, Facts } from "../parts/facts.tsx";
import { List } from "../parts/list.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";

const DEVELOPER = "/settings/developer";
export const OUTBOX = `${DEVELOPER}/outbox`;

export const outboxPages: readonly WebPage[] = [
  definePage(`GET ${OUTBOX}`, "hidden", outbox),
  definePage(`GET ${OUTBOX}/:id`, "hidden", mailPage),
];

/** Whether mail of the account is written to the outbox folder. */
export function hasOutbox(cx: PersonContext): boolean {
  return cx.mail.transportFor(cx.caller).kind === "outbox";
}

async function outbox({ cx, query, reader }: PageRequest): Promise<PageAnswer> {
  const words = reader.words.developer;
  if (!hasOutbox(cx)) throw notFound("outbox", "");
  const { mails, next } = await listOutbox(cx, Uuid.safeParse(query.before).data ?? null);
  const content = (
    <>
      <SettingsTabs current={DEVELOPER} />
      <List
        label={words.outbox}
        rows={mails}
        empty={<p class="quiet">{words.outbox_empty}</p>}
        columns={[
          {
            head: words.document,
            fold: "lead",
            cell: (mail) => (
              <a class="link" href={`${OUTBOX}/${mail.id}`}>
                <Document {...mail} />
              </a>
            ),
          },
          { head: words.to, cell: ({ address }) => address ?? "–" },
          { head: words.at, fold: "end", cell: ({ at }) => <Moment at={at} /> },
        ]}
      />
      {next !== null && (
        <p>
          <a class="button" href={`${OUTBOX}?before=${next}`} rel="next">
            {reader.words.older}
          </a>
        </p>
      )}
    </>
  );
  return { title: words.outbox, lead: words.outbox_lead, content };
}

async function mailPage({ cx, id, reader }: PageRequest): Promise<PageAnswer> {
  const words = reader.words.developer;
  const mail = hasOutbox(cx) ? await findOutboxMail(cx, id) : undefined;
  if (mail === undefined) throw notFound("delivery", id);
  const { kind, document_id, from, from_name, address, at, attachments, file } = mail;
  const paths = {
    invoice: "/invoices",
    credit_note: "/credit-notes",
    statement: null,
    reminder: null,
  };
  const path = paths[kind];
  const linked = (end: string) => (path === null ? {} : { href: `${path}/${document_id}${end}` });
  const content = (
    <>
      <SettingsTabs current={DEVELOPER} />
      <div class="settings">
        <Facts title={words.mail} id="mail">
          <FactList
            facts={[
              {
                name: words.from,
                value: (
                  <>
                    {from_name} <code>{from}</code>
                  </>
                ),
              },
              { name: words.to, value: address ?? "–" },
              { name: words.at, value: <Moment at={at} /> },
              { name: words.document, value: <Document {...mail} />, ...linked("") },
              {
                name: words.attached,
                value: <code>{attachments.join(", ")}</code>,
                ...linked("/pdf"),
              },
              { name: words.file, value: <code class="request">{file}</code> },
            ]}
          />
          <article class="mail" lang={mail.language}>
            <h3>{mail.subject}</h3>
            <p class="mail-text">{mail.text.trimEnd()}</p>
          </article>
        </Facts>
      </div>
      <p>
        <a class="button" href={OUTBOX}>
          {words.back_to_outbox}
        </a>
      </p>
    </>
  );
  return { title: words.mail_with(words.documents[kind](String(mail.number))), content };
}

function Document({ kind, number }: Pick<OutboxMail, "kind" | "number">) {
  const words = useReader().words.developer;
  return <>{words.documents[kind](String(number))}</>;
}

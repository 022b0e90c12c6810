/**
 * One attempt to send a document, for admins: its state, its events in order, the buyer's answer in words, and the form by
 * which a person says what became of it.
 */
import type * as z from "zod";
import { isResolvable, resolutions } from "../../domain/einvoice/einvoice-delivery.ts";
import { listEvents, readDelivery } from "../../features/documents/delivery-outcomes/queries.ts";
import { resolvingDelivery } from "../../features/documents/delivery-outcomes/resolve.ts";
import {
  type DeliveryEvent,
  ResolveBody,
} from "../../features/documents/delivery-outcomes/schemas.ts";
import { findIssued } from "../../features/documents/issued/issued-documents.ts";
import type { Delivery } from "../../features/documents/issued/schemas.ts";
import { noteSendError } from "../../features/sales/credit-notes/bookable.ts";
import { run } from "../../platform/commands/command.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { Form, Moment, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { DeliveryPill } from "../parts/delivery.tsx";
import { EINVOICE_FORMATS } from "../parts/einvoice-format-names.ts";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { Card, FactList, Facts } from "../parts/facts.tsx";
import { Select } from "../parts/select.tsx";
import { deliveryWords } from "./delivery-words.ts";

const PATH = "/deliveries/:id";
const FIELDS = ["outcome", "reason"];
const MOST_OF_REASON = 500;

const FORMATS: Readonly<Record<string, string>> = EINVOICE_FORMATS;

type Shown = z.output<typeof Delivery>;
type HistoryEvent = z.output<typeof DeliveryEvent>;

const resolveDelivery = resolvingDelivery(noteSendError);

export const deliveryPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", (request) => show(request, NO_FAULTS, 200)),
  definePage(`POST ${PATH}/resolve`, "hidden", resolve),
];

async function resolve(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, form } = request;
  const typed = { outcome: form.outcome, reason: form.reason?.trim() };
  const blames = { DELIVERY_NOT_RESOLVABLE: "" };
  const outcome = await submitted(ResolveBody, typed, FIELDS, blames, (sent) =>
    run(resolveDelivery, cx, { id, ...sent }),
  );
  if ("faults" in outcome) return show(request, outcome.faults, outcome.status);
  return { redirect: `/deliveries/${id}`, notice: { done: "delivery_resolved" } };
}

async function show(request: PageRequest, faults: Faults, status: number): Promise<PageAnswer> {
  const { cx, id, reader } = request;
  const words = deliveryWords(reader.language);
  const delivery = JSON.parse(await readDelivery(cx, id)) as Shown;
  const { data: events } = pageFrom<HistoryEvent>(await listEvents(cx, id));
  const issued = await findIssued(cx, delivery.document_id);
  const kind = issued?.snapshot.kind;
  const documents = { invoice: "/invoices", credit_note: "/credit-notes" };
  const document =
    kind === undefined || !(kind in documents)
      ? null
      : `${documents[kind]}/${delivery.document_id}`;
  const content = (
    <div class="document">
      <div class="stack">
        <Card title={words.timeline} id="timeline">
          <ol class="pad record-list timeline">
            {events.map((event) => (
              <EventLine event={event} />
            ))}
          </ol>
        </Card>
        {delivery.response !== undefined && <Answer response={delivery.response} />}
      </div>
      <div class="stack">
        <Facts title={words.facts} id="facts">
          <FactList facts={factsOf(delivery, words, document)} />
        </Facts>
        {isResolvable(delivery.state) && <Resolving request={request} faults={faults} />}
      </div>
    </div>
  );
  return { title: words.title, lead: words.lead, content, status };
}

function factsOf(
  { state, channel, address, format, file_sha256, delivered_at, send_error }: Shown,
  words: ReturnType<typeof deliveryWords>,
  document: string | null,
) {
  return [
    { name: words.state, value: <DeliveryPill state={state} /> },
    { name: words.channel, value: words[channel] },
    { name: words.to, value: address ?? "–" },
    ...(document === null
      ? []
      : [{ name: words.document, value: words.open_document, href: document }]),
    ...(format === undefined ? [] : [{ name: words.format, value: FORMATS[format] ?? format }]),
    ...(file_sha256 === undefined
      ? []
      : [{ name: words.hash, value: <code class="request">{file_sha256}</code> }]),
    ...(delivered_at === undefined
      ? []
      : [{ name: words.delivered_at, value: <Moment at={delivered_at} /> }]),
    ...(send_error === null
      ? []
      : [{ name: words.reason, value: <span lang="en">{send_error}</span> }]),
  ];
}

function EventLine({ event: { at, kind, code, text, source } }: { event: HistoryEvent }) {
  const words = deliveryWords(useReader().language);
  const beside = [code, text].filter((part) => part !== null);
  return (
    <li>
      <span>
        {words.kinds[kind]} <span class="quiet small">{words.sources[source] ?? source}</span>
      </span>
      <span class="quiet small">
        <Moment at={at} />
      </span>
      {beside.length > 0 && <small lang="en">{beside.join(" · ")}</small>}
    </li>
  );
}

function Answer({ response }: { response: NonNullable<Shown["response"]> }) {
  const words = deliveryWords(useReader().language);
  const { code, at, reasons, wants, conditions, note } = response;
  const named = (names: Readonly<Record<string, string>>, one: string) => names[one] ?? one;
  const why = reasons.map((one) =>
    [named(words.reasons, one.code), one.text].filter((part) => part !== null).join(": "),
  );
  return (
    <Facts title={words.answer} id="answer">
      <FactList
        facts={[
          {
            name: words.answered[code],
            value: <Moment at={at} />,
          },
          ...(why.length === 0 ? [] : [{ name: words.why, value: why.join("; ") }]),
          ...(wants.length === 0
            ? []
            : [
                {
                  name: words.wants,
                  value: wants.map((one) => named(words.actions, one)).join(", "),
                },
              ]),
          ...conditions.map(({ term, value }) => ({
            name: words.expects,
            value: `${term} ${value ?? ""}`,
          })),
          ...(note === null ? [] : [{ name: words.note, value: note }]),
        ]}
      />
      <p class="tiny quiet">{words.no_effect}</p>
    </Facts>
  );
}

function Resolving({ request, faults }: { request: PageRequest; faults: Faults }) {
  const { id, form, reader, csrf } = request;
  const words = deliveryWords(reader.language);
  const action = `/deliveries/${id}/resolve`;
  return (
    <Facts title={words.resolve} id="resolve">
      <p class="tiny quiet">{words.resolve_hint}</p>
      <FormFaults faults={faults} words={reader.words.see_fields} />
      <Form action={action} csrf={csrf(action)}>
        <Select
          name="outcome"
          label={words.outcome}
          value={form.outcome ?? resolutions[0]}
          options={resolutions.map((one) => [one, words.outcomes[one]] as const)}
          faults={faults}
        />
        <Entry
          name="reason"
          label={words.reason}
          value={form.reason ?? ""}
          most={MOST_OF_REASON}
          faults={faults}
          is_required
        />
        <Submit text={words.resolve_now} is_secondary />
      </Form>
    </Facts>
  );
}

/** One webhook endpoint, for admins: its settings, and what was sent to it with the state of each delivery. */
import type * as z from "zod";
import { calendarDate } from "../../domain/base/calendar.ts";
import { ALL_EVENT_TYPES } from "../../domain/events/event-types.ts";
import { isSentTo } from "../../domain/webhooks/circuit.ts";
import { findFailures } from "../../features/integrations/webhook-deliveries/find-failures.ts";
import { listDeliveries } from "../../features/integrations/webhook-deliveries/queries.ts";
import { WebhookDeliveryResource } from "../../features/integrations/webhook-deliveries/schemas.ts";
import type { WebhookEndpointResource } from "../../features/integrations/webhooks/schemas.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { timestampOf } from "../../platform/runtime/clock.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Form, Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { NO_FAULTS } from "../frame/submitted.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { DayEntry } from "../parts/day-entry.tsx";
import { Card, FactList, Facts } from "../parts/facts.tsx";
import { List, Older } from "../parts/list.tsx";
import { Select, type SelectOption } from "../parts/select.tsx";
import { Pill } from "../parts/values.tsx";
import { DeveloperTabs } from "../settings/developer-tabs.tsx";
import { endpointAt, hostOf, WEBHOOKS } from "./addresses.ts";
import { readEndpoint } from "./change-state.tsx";
import { EndpointState, EndpointTypes } from "./endpoint-facts.tsx";
import { reasonInWords } from "./endpoint-state.ts";
import { typeInWords } from "./type-words.ts";
import { webhookWords } from "./webhook-words.ts";

const DELIVERIES_A_PAGE = 25;
const STATES = WebhookDeliveryResource.shape.status.options;

export const DELIVERY_PILLS = {
  pending: "warn",
  delivered: "ok",
  dead: "bad",
  skipped: "hot",
} as const satisfies Record<(typeof STATES)[number], string>;

export type ShownDelivery = z.output<typeof WebhookDeliveryResource>;

export const endpointPage: WebPage = definePage(`GET ${WEBHOOKS}/:id`, "hidden", show);

/** The filters of an address; those that cannot be read are empty. */
interface DeliveryFilter {
  readonly status: string;
  readonly event_type: string;
  readonly from: string;
  readonly to: string;
}

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const words = webhookWords(reader.language);
  const endpoint = await readEndpoint(cx, request.id);
  const here = endpointAt(endpoint.id);
  const status = STATES.find((one) => one === query.status);
  const event_type = ALL_EVENT_TYPES.find(({ type }) => type === query.event_type)?.type;
  const from = calendarDate(dayAsked(request, query.from));
  const to = calendarDate(dayAsked(request, query.to));
  const { cursor } = query;
  const page = pageFrom<ShownDelivery>(
    await listDeliveries(cx, endpoint.id, {
      ...{ limit: DELIVERIES_A_PAGE, status, event_type, from, to },
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  const filter = {
    ...{ status: status ?? "", event_type: event_type ?? "", from: from ?? "", to: to ?? "" },
  };
  const chosen = Object.entries(filter).filter(([, value]) => value !== "");
  const address = chosen.length === 0 ? here : `${here}?${new URLSearchParams(chosen)}`;
  const failures = await findFailures(cx, endpoint.failing_since === null ? [] : [endpoint.id]);
  const content = (
    <>
      <DeveloperTabs current={WEBHOOKS} />
      <div class="stack">
        <Facts title={words.settings} id="settings">
          <p>
            <EndpointState
              endpoint={endpoint}
              failure={failures.get(endpoint.id)}
              now={timestampOf(Date.now())}
            />
          </p>
          <Settings endpoint={endpoint} />
          <Acts request={request} endpoint={endpoint} />
        </Facts>
        <Card title={words.deliveries} id="deliveries" hint={words.deliveries_hint}>
          <Filters here={here} filter={filter} today={todayFor(request)} />
          <Deliveries here={here} rows={page.data} is_filtered={chosen.length > 0} />
          <div class="pad">
            <Older address={address} cursor={page.next_cursor} text={reader.words.older} />
          </div>
        </Card>
      </div>
    </>
  );
  const actions = (
    <a class="button" href={WEBHOOKS}>
      {words.to_webhooks}
    </a>
  );
  return { title: words.made_title(hostOf(endpoint)), content, actions };
}

function Settings({ endpoint }: { endpoint: WebhookEndpointResource }) {
  const words = webhookWords(useReader().language);
  const { url, description, external_id, format, payload, ordering, max_per_second } = endpoint;
  const headers = Object.keys(endpoint.headers);
  const { secret_expires_at } = endpoint;
  const overlaps = secret_expires_at !== null && Date.parse(secret_expires_at) > Date.now();
  return (
    <FactList
      facts={[
        { name: words.address, value: <code class="request">{url}</code> },
        ...(description === null ? [] : [{ name: words.description, value: description }]),
        { name: words.events, value: <EndpointTypes chosen={endpoint.event_types} /> },
        { name: words.format, value: words.formats[format] },
        ...(format === "text" ? [] : [{ name: words.payload, value: words.payloads[payload] }]),
        {
          name: words.ordering,
          value: `${words.orderings[ordering]}; ${words.per_second(max_per_second)}`,
        },
        ...(headers.length === 0
          ? []
          : [{ name: words.headers, value: <code>{headers.join(", ")}</code> }]),
        ...(external_id === null
          ? []
          : [{ name: words.external_id, value: <code>{external_id}</code> }]),
        { name: words.through, value: words.sequence(endpoint.through) },
        { name: words.made_at, value: <Moment at={endpoint.created_at} /> },
        ...(overlaps
          ? [{ name: words.secret_overlaps, value: <Moment at={secret_expires_at} /> }]
          : []),
      ]}
    />
  );
}

/** What can be done with the endpoint. */
function Acts({ request, endpoint }: { request: PageRequest; endpoint: WebhookEndpointResource }) {
  const words = webhookWords(useReader().language);
  const here = endpointAt(endpoint.id);
  const pause = `${here}/pause`;
  return (
    <div class="row">
      <a class="button" href={`${here}/edit`}>
        {words.change}
      </a>
      <ConfirmLink href={`${here}/test`}>{words.test}</ConfirmLink>
      <ConfirmLink href={`${here}/replay`}>{words.replay}</ConfirmLink>
      <a class="button" href={`${here}/secret`}>
        {words.new_secret}
      </a>
      {isSentTo(endpoint) ? (
        <Form action={pause} csrf={request.csrf(pause)}>
          <button type="submit" class="button">
            {words.pause}
          </button>
        </Form>
      ) : (
        <ConfirmLink href={`${here}/enable`}>{words.enable}</ConfirmLink>
      )}
      <ConfirmLink href={`${here}/delete`}>{words.delete}</ConfirmLink>
    </div>
  );
}

function Filters(props: { here: string; filter: DeliveryFilter; today: string }) {
  const { here, filter, today } = props;
  const reader = useReader();
  const words = webhookWords(reader.language);
  return (
    <search class="pad">
      <form method="get" action={here} class="audit-filters">
        <Select
          name="status"
          label={words.delivery_state}
          value={filter.status}
          options={[
            ["", words.all_states],
            ...STATES.map((one): SelectOption => [one, words.delivery_states[one]]),
          ]}
          faults={NO_FAULTS}
        />
        <Select
          name="event_type"
          label={words.type}
          value={filter.event_type}
          options={[
            ["", words.every_kind],
            ...ALL_EVENT_TYPES.map(({ type }): SelectOption => [type, typeInWords(reader, type)]),
          ]}
          faults={NO_FAULTS}
        />
        {(["from", "to"] as const).map((name) => (
          <DayEntry
            name={name}
            label={words[name]}
            value={filter[name]}
            today={today}
            empty={reader.words.days.any}
            faults={NO_FAULTS}
          />
        ))}
        <div class="row">
          <button type="submit" class="button">
            {words.show}
          </button>
          {Object.values(filter).some((value) => value !== "") && (
            <a href={here}>{words.show_all}</a>
          )}
        </div>
      </form>
    </search>
  );
}

function Deliveries(props: { here: string; rows: readonly ShownDelivery[]; is_filtered: boolean }) {
  const { here, rows, is_filtered } = props;
  const reader = useReader();
  const words = webhookWords(reader.language);
  return (
    <List
      label={words.deliveries}
      rows={rows}
      empty={<p class="quiet">{is_filtered ? words.none_found : words.no_deliveries}</p>}
      columns={[
        {
          head: words.type,
          fold: "lead",
          cell: ({ id, event_type }) => (
            <a class="link" href={`${here}/deliveries/${id}`}>
              {typeInWords(reader, event_type)}
            </a>
          ),
        },
        {
          head: words.delivery_state,
          fold: "end",
          cell: ({ status }) => (
            <Pill kind={DELIVERY_PILLS[status]}>{words.delivery_states[status]}</Pill>
          ),
        },
        {
          head: words.sequence_head,
          kind: "number",
          cell: ({ sequence }) => sequence ?? words.is_test,
        },
        { head: words.answer, cell: (delivery) => <LastAnswer {...delivery} /> },
        {
          head: words.attempts,
          kind: "number",
          fold: "none",
          cell: ({ attempts }) => attempts.length,
        },
        { head: words.at, cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  );
}

function LastAnswer({ attempts }: ShownDelivery) {
  const words = webhookWords(useReader().language);
  const last = attempts.at(-1);
  if (last === undefined) return <>–</>;
  return <>{reasonInWords(words, last)}</>;
}

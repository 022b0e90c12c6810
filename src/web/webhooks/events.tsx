/** The feed of events, for admins: in the words of the activity page with the sequence of each, and one as JSON. */
import { notFound, Problem } from "../../domain/base/problem.ts";
import { namesEventTypes } from "../../domain/events/event-types.ts";
import { listRecorded } from "../../features/integrations/events/list-recorded.ts";
import { getEvent } from "../../features/integrations/events/queries.ts";
import { namesOf } from "../../features/settings/audit/find-names.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { Ref } from "../../platform/http/schemas.ts";
import { eventFrom, idsIn, type ShownEvent, shownEvent } from "../activity/words.ts";
import { Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isId } from "../frame/reference.ts";
import { type Faults, NO_FAULTS } from "../frame/submitted.ts";
import { Entry } from "../parts/entry.tsx";
import { List } from "../parts/list.tsx";
import { Select, type SelectOption } from "../parts/select.tsx";
import { wayTo } from "../parts/ways.ts";
import { DeveloperTabs } from "../settings/developer-tabs.tsx";
import { EVENTS } from "./addresses.ts";
import { eventWords } from "./event-words.ts";
import { typeGroups, typeInWords } from "./type-words.ts";

const EVENTS_A_PAGE = 50;
const ORDERS = ["newest", "sequence"] as const;
const SEQUENCE = /^\d{1,15}$/;
const LONGEST_ID = 128;

export const eventPages: readonly WebPage[] = [
  definePage(`GET ${EVENTS}`, "hidden", feed),
  definePage(`GET ${EVENTS}/:id`, "hidden", one),
];

/** The filters of an address; those that cannot be read are empty. */
interface FeedFilter {
  readonly order: (typeof ORDERS)[number];
  /** The sequence after which, or before which, the page begins. */
  readonly from: string;
  readonly type: string;
  readonly customer: string;
  readonly resource: string;
}

function filterIn({ query }: PageRequest): FeedFilter {
  const { type = "", from = "", customer = "", resource = "" } = query;
  return {
    order: ORDERS.find((order) => order === query.order) ?? "newest",
    from: SEQUENCE.test(from) ? from : "",
    type: namesEventTypes(type) ? type : "",
    customer: customer.trim(),
    resource: resource.trim().slice(0, LONGEST_ID),
  };
}

interface FoundEvent extends ShownEvent {
  readonly event_id: string;
  readonly sequence: string;
}

async function feed(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader } = request;
  const words = eventWords(reader.language);
  const filter = filterIn(request);
  const page = await pageOf(cx, filter);
  const events = page?.events ?? [];
  const recorded = events.map(({ payload }) => eventFrom(payload));
  const names = await namesOf(cx, recorded.flatMap(idsIn), null, reader.words.activity.names);
  const rows = recorded.map((event, at) => ({
    ...shownEvent(event, names, reader),
    event_id: events[at]?.id ?? "",
    sequence: String(events[at]?.seq),
    name: `${event.resource_type}.${event.action}`,
  }));
  const next = page?.next ?? null;
  const content = (
    <>
      <DeveloperTabs current={EVENTS} />
      <Filters filter={filter} has_customer={page !== null} />
      <List
        label={words.title}
        rows={rows}
        empty={<p class="quiet">{next === null ? words.none : words.none_yet}</p>}
        columns={[
          { head: words.sequence, kind: "number", cell: ({ sequence }) => sequence },
          { head: words.at, fold: "end", cell: ({ at }) => <Moment at={at} /> },
          {
            head: words.type,
            fold: "lead",
            cell: ({ name, event_id }) => (
              <a class="link" href={`${EVENTS}/${event_id}`}>
                {typeInWords(reader, name)}
              </a>
            ),
          },
          { head: words.what, cell: (event) => <What event={event} /> },
        ]}
      />
      {next !== null && (
        <p>
          <a class="button" href={addressOf({ ...filter, from: String(next) })} rel="next">
            {words.more[filter.order]}
          </a>
        </p>
      )}
    </>
  );
  return { title: words.title, lead: words.lead, content };
}

/** Returns the page of the feed that the filters name; null where there is no such customer. */
async function pageOf(cx: PersonContext, { order, from, type, customer, resource }: FeedFilter) {
  if (customer !== "" && !Ref.safeParse(customer).success) return null;
  try {
    return await listRecorded(cx, {
      ...{ order, limit: EVENTS_A_PAGE, from: from === "" ? null : BigInt(from) },
      types: type === "" ? undefined : [type],
      customer: customer === "" ? undefined : customer,
      resource_id: resource === "" ? undefined : resource,
    });
  } catch (error) {
    if (error instanceof Problem && error.kind === "absent") return null;
    throw error;
  }
}

function addressOf(filter: Partial<FeedFilter>): string {
  const chosen = Object.entries(filter).filter(([, value]) => value !== "" && value !== "newest");
  return chosen.length === 0 ? EVENTS : `${EVENTS}?${new URLSearchParams(chosen)}`;
}

function Filters({ filter, has_customer }: { filter: FeedFilter; has_customer: boolean }) {
  const reader = useReader();
  const words = eventWords(reader.language);
  const faults: Faults = has_customer
    ? NO_FAULTS
    : new Map([["customer", { code: "NOT_FOUND", message: words.no_customer }]]);
  return (
    <search>
      <form method="get" action={EVENTS} class="audit-filters">
        <Select
          name="type"
          label={words.type}
          value={filter.type}
          options={[["", words.every_type], ...typeOptions(reader)]}
          faults={NO_FAULTS}
        />
        <Entry
          name="customer"
          label={words.customer}
          value={filter.customer}
          faults={faults}
          note={has_customer ? undefined : words.no_customer}
          hint={words.customer_hint}
        />
        <Entry
          name="resource"
          label={words.resource}
          value={filter.resource}
          most={LONGEST_ID}
          faults={NO_FAULTS}
        />
        <Select
          name="order"
          label={words.order}
          value={filter.order}
          options={ORDERS.map((order) => [order, words.orders[order]] as const)}
          faults={NO_FAULTS}
        />
        <Entry
          name="from"
          label={words.from}
          value={filter.order === "sequence" ? filter.from : ""}
          most={15}
          faults={NO_FAULTS}
        />
        <div class="row">
          <button type="submit" class="button">
            {words.show}
          </button>
          {addressOf(filter) !== EVENTS && <a href={EVENTS}>{words.show_all}</a>}
        </div>
      </form>
    </search>
  );
}

/** Returns the choices of a type: all of each kind of resource, and each type. */
function typeOptions(reader: ReturnType<typeof useReader>): SelectOption[] {
  const words = eventWords(reader.language);
  return typeGroups(reader).flatMap(({ kind, name, types }) => [
    [`${kind}.*`, words.all_of(name)] as const,
    ...types.map(({ type }) => [type, typeInWords(reader, type)] as const),
  ]);
}

/** Shows an event in the words of the activity page. */
function What({ event }: { event: FoundEvent }) {
  const { activity: words } = useReader().words;
  const { who, action, type, label, id, resource_type, resource_id, is_in_english } = event;
  const way = wayTo(resource_type, resource_id, true);
  const named = label !== null && (
    <strong {...(is_in_english ? { lang: "en" } : {})}>{label}</strong>
  );
  return (
    <>
      {who} {action} {type}{" "}
      {way === null ? named : <a href={way}>{named === false ? words.open : named}</a>}{" "}
      {id !== null && <code>{id}</code>}
    </>
  );
}

interface FeedEvent {
  readonly sequence: number;
  readonly type: string;
  readonly resource_id: string;
  readonly customer_id: string | null;
}

async function one({ cx, id, reader }: PageRequest): Promise<PageAnswer> {
  if (!isId(id)) throw notFound("event", id);
  const words = eventWords(reader.language);
  const event = JSON.parse(await getEvent(cx, id)) as FeedEvent;
  const { sequence, type, resource_id, customer_id } = event;
  const content = (
    <>
      <DeveloperTabs current={EVENTS} />
      <p class="row">
        <a class="link" href={addressOf({ resource: resource_id })}>
          {words.of_resource}
        </a>
        {customer_id !== null && (
          <a class="link" href={addressOf({ customer: customer_id })}>
            {words.of_customer}
          </a>
        )}
      </p>
      <div class="card pad">
        <pre>{JSON.stringify(event, null, 2)}</pre>
      </div>
    </>
  );
  const actions = (
    <a class="button" href={EVENTS}>
      {words.back}
    </a>
  );
  return { title: words.one(String(sequence), typeInWords(reader, type)), content, actions };
}

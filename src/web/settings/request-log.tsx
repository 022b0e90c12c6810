/** The last requests of an API key, for admins: what was asked, how it ended and how long it took. Bodies are never kept. */
import { notFound } from "../../domain/base/problem.ts";
import {
  findKey,
  listRequests,
  REQUEST_ENDS,
  type RequestEnd,
  type ShownRequest,
  statusesOf,
} from "../../features/access/api-keys/list-requests.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { List, Tabs } from "../parts/list.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { Pill } from "../parts/values.tsx";

const DEVELOPER = "/settings/developer";
const KEYS = `${DEVELOPER}/keys`;
const REQUESTS_A_PAGE = 50;

export const requestLogPages: readonly WebPage[] = [
  definePage(`GET ${KEYS}/:id`, "hidden", requestsOfKey),
];

/** Returns the address of the requests of a key. */
export function requestsOf(key_id: string, end: RequestEnd | null = null): string {
  return `${KEYS}/${key_id}${end === null ? "" : `?status=${end}`}`;
}

async function requestsOfKey({ cx, id, query, reader }: PageRequest): Promise<PageAnswer> {
  const words = reader.words.developer;
  const key = await findKey(cx, id);
  if (key === undefined) throw notFound("api_key", id);
  const end = REQUEST_ENDS.find((one) => one === query.status) ?? null;
  const before = Uuid.safeParse(query.before).data ?? null;
  const { requests, next } = await listRequests(cx, {
    key_id: id,
    statuses: statusesOf(end),
    path: null,
    from: null,
    to: null,
    before,
    limit: REQUESTS_A_PAGE,
  });
  const here = requestsOf(id, end);
  const content = (
    <>
      <SettingsTabs current={DEVELOPER} />
      <Tabs
        label={words.status}
        current={here}
        tabs={[
          { href: requestsOf(id), word: words.all },
          ...REQUEST_ENDS.map((one) => ({ href: requestsOf(id, one), word: words.ends[one] })),
        ]}
      />
      <Requests rows={requests} />
      {next !== null && (
        <p>
          <a class="button" href={`${here}${end === null ? "?" : "&"}before=${next}`} rel="next">
            {reader.words.older}
          </a>
        </p>
      )}
      <p>
        <a class="button" href={DEVELOPER}>
          {words.back}
        </a>
      </p>
    </>
  );
  return { title: words.requests_of(key.name, key.prefix), lead: words.lead, content };
}

function Requests({ rows }: { rows: readonly ShownRequest[] }) {
  const words = useReader().words.developer;
  return (
    <List
      label={words.requests}
      rows={rows}
      empty={<p class="quiet">{words.none}</p>}
      columns={[
        {
          head: words.request,
          fold: "lead",
          cell: ({ method, path }) => (
            <code class="request" title={`${method} ${path}`}>
              {method} {path}
            </code>
          ),
        },
        { head: words.status, fold: "end", cell: (request) => <Status {...request} /> },
        { head: words.at, cell: ({ at }) => <Moment at={at} /> },
        { head: words.duration, kind: "number", cell: ({ milliseconds }) => `${milliseconds} ms` },
        {
          head: words.request_id,
          fold: "none",
          cell: ({ request_id }) => <code class="request tiny">{request_id}</code>,
        },
      ]}
    />
  );
}

function Status({ status, refusal }: ShownRequest) {
  const kind = status >= 500 ? "bad" : status >= 400 ? "warn" : "ok";
  return (
    <>
      <Pill kind={kind}>{status}</Pill> {refusal !== null && <code class="tiny">{refusal}</code>}
    </>
  );
}

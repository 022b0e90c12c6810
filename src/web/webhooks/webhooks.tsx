/** The webhooks of an account, for admins: where its events are sent, and how that goes. */

import { isSentTo } from "../../domain/webhooks/circuit.ts";
import { findFailures } from "../../features/integrations/webhook-deliveries/find-failures.ts";
import { listEndpoints } from "../../features/integrations/webhooks/queries.ts";
import type { WebhookEndpointResource } from "../../features/integrations/webhooks/schemas.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { timestampOf } from "../../platform/runtime/clock.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { List } from "../parts/list.tsx";
import { DeveloperTabs } from "../settings/developer-tabs.tsx";
import { addPages } from "./add-endpoint.tsx";
import { endpointAt, hostOf, WEBHOOKS } from "./addresses.ts";
import { changeEndpointPages } from "./change-endpoint.tsx";
import { changeStatePages } from "./change-state.tsx";
import { deliveryPages } from "./delivery-page.tsx";
import { EndpointState, EndpointTypes } from "./endpoint-facts.tsx";
import { endpointPage } from "./endpoint-page.tsx";
import { webhookWords } from "./webhook-words.ts";

/** An account has at most 20 endpoints. */
const MOST_ENDPOINTS = 20;
/** So many kinds of resources are named in a row. */
const MOST_KINDS = 4;

export const webhookPages: readonly WebPage[] = [
  definePage(`GET ${WEBHOOKS}`, "hidden", list),
  ...addPages,
  endpointPage,
  ...changeEndpointPages,
  ...changeStatePages,
  ...deliveryPages,
];

async function list(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader, csrf } = request;
  const words = webhookWords(reader.language);
  const found = await listEndpoints(cx, { limit: MOST_ENDPOINTS });
  const { data: endpoints } = pageFrom<WebhookEndpointResource>(found);
  const failing = endpoints.filter(({ failing_since }) => failing_since !== null);
  const failures = await findFailures(
    cx,
    failing.map(({ id }) => id),
  );
  const now = timestampOf(Date.now());
  const content = (
    <>
      <DeveloperTabs current={WEBHOOKS} />
      <List
        label={words.title}
        rows={endpoints}
        empty={<p>{words.none}</p>}
        columns={[
          { head: words.address, cell: (endpoint) => <Address endpoint={endpoint} /> },
          {
            head: words.events,
            cell: ({ event_types }) => <EndpointTypes chosen={event_types} most={MOST_KINDS} />,
          },
          {
            head: words.state,
            cell: (endpoint) => (
              <EndpointState endpoint={endpoint} failure={failures.get(endpoint.id)} now={now} />
            ),
          },
          { head: "", cell: (endpoint) => <Acts endpoint={endpoint} csrf={csrf} /> },
        ]}
      />
    </>
  );
  const actions = (
    <>
      <a class="button" href={`${WEBHOOKS}/slack`}>
        {words.to_slack}
      </a>
      <a class="button main" href={`${WEBHOOKS}/new`}>
        {words.add}
      </a>
    </>
  );
  return { title: words.title, lead: words.lead, content, actions };
}

function Address({ endpoint }: { endpoint: WebhookEndpointResource }) {
  const { id, url, description } = endpoint;
  return (
    <>
      <a class="link" href={endpointAt(id)}>
        {description ?? hostOf(endpoint)}
      </a>
      <div>
        <code class="request tiny">{url}</code>
      </div>
    </>
  );
}

function Acts({
  endpoint,
  csrf,
}: {
  endpoint: WebhookEndpointResource;
  csrf: PageRequest["csrf"];
}) {
  const words = webhookWords(useReader().language);
  const here = endpointAt(endpoint.id);
  const host = hostOf(endpoint);
  return (
    <div class="row">
      <ConfirmLink href={`${here}/test`} class="button small" label={words.test_named(host)}>
        {words.test}
      </ConfirmLink>
      {isSentTo(endpoint) ? (
        <Form action={`${here}/pause`} csrf={csrf(`${here}/pause`)}>
          <button type="submit" class="button small" aria-label={words.pause_named(host)}>
            {words.pause}
          </button>
        </Form>
      ) : (
        <ConfirmLink href={`${here}/enable`} class="button small" label={words.enable_named(host)}>
          {words.enable}
        </ConfirmLink>
      )}
      <ConfirmLink href={`${here}/delete`} class="button small" label={words.delete_named(host)}>
        {words.delete}
      </ConfirmLink>
    </div>
  );
}

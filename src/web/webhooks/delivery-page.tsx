/** One delivery to a webhook endpoint, for admins: the request and the answer to each attempt, side by side. */
import { notFound, type Problem } from "../../domain/base/problem.ts";
import {
  getDelivery,
  presentDelivery,
} from "../../features/integrations/webhook-deliveries/queries.ts";
import { retryDelivery } from "../../features/integrations/webhook-deliveries/retry-delivery.ts";
import { sendTest } from "../../features/integrations/webhook-deliveries/send-test.ts";
import { run } from "../../platform/commands/command.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { Fault, Form, Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isId } from "../frame/reference.ts";
import { refusedBy } from "../frame/submitted.ts";
import { FactList, Facts } from "../parts/facts.tsx";
import { Pill } from "../parts/values.tsx";
import { DeveloperTabs } from "../settings/developer-tabs.tsx";
import { refusalOf } from "../words/refusal.ts";
import { EVENTS, endpointAt, WEBHOOKS } from "./addresses.ts";
import { readEndpoint } from "./change-state.tsx";
import { DELIVERY_PILLS, type ShownDelivery } from "./endpoint-page.tsx";
import { reasonInWords } from "./endpoint-state.ts";
import { typeInWords } from "./type-words.ts";
import { webhookWords } from "./webhook-words.ts";

const ONE = `${WEBHOOKS}/:id/deliveries/:delivery` as const;

export const deliveryPages: readonly WebPage[] = [
  definePage(`GET ${ONE}`, "hidden", (request) => show(request, null)),
  definePage(`POST ${ONE}/redeliver`, "hidden", sendAgain),
];

/** Returns the delivery of a page. Throws NOT_FOUND, also for one of another endpoint. */
async function deliveryOf({ cx, id, named }: PageRequest) {
  const { delivery: delivery_id = "" } = named;
  const endpoint = await readEndpoint(cx, id);
  const row = isId(delivery_id) ? await getDelivery(cx, delivery_id) : undefined;
  if (row === undefined || row.endpoint_id !== endpoint.id) {
    throw notFound("webhook_delivery", delivery_id);
  }
  const shown = JSON.parse(presentDelivery(row)) as ShownDelivery;
  return { endpoint, delivery: shown, is_test: row.is_test };
}

/** Sends a delivery again; of a test, a new one is sent. */
async function sendAgain(request: PageRequest): Promise<PageAnswer> {
  const { cx } = request;
  const { endpoint, delivery, is_test } = await deliveryOf(request);
  try {
    const text = is_test
      ? await sendTest(cx, endpoint.id, delivery.event_type)
      : await run(retryDelivery, cx, { id: delivery.id });
    const { id } = JSON.parse(text) as { readonly id: string };
    const redirect = `${endpointAt(endpoint.id)}/deliveries/${id}`;
    return { redirect, notice: { done: "webhook_sent_again" } };
  } catch (thrown) {
    return show(request, refusedBy(thrown));
  }
}

async function show(request: PageRequest, refused: Problem | null): Promise<PageAnswer> {
  const { reader, csrf } = request;
  const words = webhookWords(reader.language);
  const { endpoint, delivery, is_test } = await deliveryOf(request);
  const back = endpointAt(endpoint.id);
  const again = `${back}/deliveries/${delivery.id}/redeliver`;
  const content = (
    <>
      <DeveloperTabs current={WEBHOOKS} />
      {refused !== null && <Fault text={reader.words.refused(refusalOf(refused))} />}
      <div class="stack">
        <Facts title={words.state} id="state">
          <FactList facts={factsOf(delivery, is_test, words)} />
          <Form action={again} csrf={csrf(again)}>
            <button type="submit" class="button">
              {words.send_again}
            </button>
          </Form>
        </Facts>
        <div class="sides">
          <Request {...delivery} />
          <Answers {...delivery} />
        </div>
      </div>
    </>
  );
  const actions = (
    <a class="button" href={back}>
      {words.back_to_endpoint}
    </a>
  );
  return {
    title: words.delivery_title(typeInWords(reader, delivery.event_type)),
    lead: <code class="request">{endpoint.url}</code>,
    content,
    actions,
    status: refused === null ? 200 : statusOfKind[refused.kind],
  };
}

function factsOf(
  { status, sequence, event_id, created_at, next_attempt_at }: ShownDelivery,
  is_test: boolean,
  words: ReturnType<typeof webhookWords>,
) {
  return [
    {
      name: words.delivery_state,
      value: <Pill kind={DELIVERY_PILLS[status]}>{words.delivery_states[status]}</Pill>,
    },
    ...(status === "pending"
      ? [
          {
            name: words.next_attempt,
            value: next_attempt_at === null ? words.next_soon : <Moment at={next_attempt_at} />,
          },
        ]
      : []),
    {
      name: words.type,
      value: is_test || sequence === null ? words.is_test : words.sequence(sequence),
    },
    {
      name: words.event_id,
      value: <code class="request">{event_id}</code>,
      ...(is_test ? {} : { href: `${EVENTS}/${event_id}` }),
    },
    { name: words.at, value: <Moment at={created_at} /> },
  ];
}

function Request({ request: { headers, body } }: ShownDelivery) {
  const words = webhookWords(useReader().language);
  return (
    <Facts title={words.request} id="request">
      {headers !== null && <Text label={words.request_headers} text={headersIn(headers, words)} />}
      {body === null ? (
        <p class="quiet">{words.not_made}</p>
      ) : (
        <Text label={words.request_body} text={indented(body)} />
      )}
    </Facts>
  );
}

/** Shows the last attempt with its answer, and the earlier ones folded. */
function Answers({ attempts }: ShownDelivery) {
  const words = webhookWords(useReader().language);
  const [last, ...earlier] = attempts.toReversed();
  return (
    <Facts title={words.answer} id="answer">
      {last === undefined ? <p class="quiet">{words.no_attempt}</p> : <Attempt {...last} />}
      {earlier.length > 0 && (
        <details>
          <summary>{words.earlier(earlier.length)}</summary>
          {earlier.map((attempt) => (
            <Attempt {...attempt} />
          ))}
        </details>
      )}
    </Facts>
  );
}

function Attempt(attempt: ShownDelivery["attempts"][number]) {
  const words = webhookWords(useReader().language);
  const { at, duration_ms, status, response_headers, response_body } = attempt;
  const is_delivered = status !== null && status >= 200 && status < 300;
  return (
    <div class="attempt">
      <p>
        <Pill kind={is_delivered ? "ok" : "bad"}>{reasonInWords(words, attempt)}</Pill>{" "}
        <Moment at={at} />{" "}
        <span class="quiet small">
          <bdi>{duration_ms} ms</bdi>
        </span>
      </p>
      {status !== null && (
        <>
          <Text label={words.answer_headers} text={headersIn(response_headers, words)} />
          {response_body === null || response_body === "" ? (
            <p class="quiet small">{words.no_body}</p>
          ) : (
            <Text label={words.answer_body} text={indented(response_body)} />
          )}
        </>
      )}
    </div>
  );
}

/** A longer text is folded. */
const LONG_TEXT = 6_000;

/** Shows foreign text as it is, under its name. */
function Text({ label, text }: { label: string; text: string }) {
  if (text.length > LONG_TEXT) {
    return (
      <details>
        <summary>{label}</summary>
        <pre>{text}</pre>
      </details>
    );
  }
  return (
    <>
      <h3>{label}</h3>
      <pre>{text}</pre>
    </>
  );
}

function headersIn(
  headers: Readonly<Record<string, string | null>>,
  { hidden_value }: ReturnType<typeof webhookWords>,
): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value ?? hidden_value}`)
    .join("\n");
}

/** Returns JSON in lines for people; other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

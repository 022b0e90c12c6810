/** What an admin does with a webhook endpoint beside its settings: sends a test, pauses, enables and deletes it. */
import { notFound } from "../../domain/base/problem.ts";
import { ALL_EVENT_TYPES } from "../../domain/events/event-types.ts";
import { isFor } from "../../domain/webhooks/event-order.ts";
import { sendTest } from "../../features/integrations/webhook-deliveries/send-test.ts";
import {
  enableEndpoint,
  pauseEndpoint,
} from "../../features/integrations/webhooks/change-status.ts";
import { showEndpoint } from "../../features/integrations/webhooks/queries.ts";
import { deleteEndpoint } from "../../features/integrations/webhooks/save.ts";
import type { WebhookEndpointResource } from "../../features/integrations/webhooks/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { type Faults, NO_FAULTS, refusedBy } from "../frame/submitted.ts";
import { FormFaults } from "../parts/entry.tsx";
import { Select } from "../parts/select.tsx";
import { refusalOf } from "../words/refusal.ts";
import { endpointAt, hostOf, WEBHOOKS } from "./addresses.ts";
import { typeInWords } from "./type-words.ts";
import { webhookWords } from "./webhook-words.ts";

const ONE = `${WEBHOOKS}/:id` as const;

export const changeStatePages: readonly WebPage[] = [
  definePage(`GET ${ONE}/test`, "hidden", (request) => testForm(request, NO_FAULTS, 200)),
  definePage(`POST ${ONE}/test`, "hidden", test),
  definePage(`POST ${ONE}/pause`, "hidden", async ({ cx, id }) => {
    const { id: ref } = await readEndpoint(cx, id);
    await run(pauseEndpoint, cx, { ref });
    return { redirect: WEBHOOKS, notice: { done: "webhook_paused" } };
  }),
  definePage(`GET ${ONE}/enable`, "hidden", enableForm),
  definePage(`POST ${ONE}/enable`, "hidden", async ({ cx, id, form }) => {
    const { id: ref } = await readEndpoint(cx, id);
    await run(enableEndpoint, cx, { ref, skip: form.skip === "on" });
    return { redirect: endpointAt(ref), notice: { done: "webhook_enabled" } };
  }),
  definePage(`GET ${ONE}/delete`, "hidden", deleteForm),
  definePage(`POST ${ONE}/delete`, "hidden", async ({ cx, id }) => {
    const { id: ref } = await readEndpoint(cx, id);
    await run(deleteEndpoint, cx, { ref });
    return { redirect: WEBHOOKS, notice: { done: "webhook_deleted" } };
  }),
];

/** Returns the endpoint of a page, which names it by its id alone. Throws NOT_FOUND. */
export async function readEndpoint(
  cx: PersonContext,
  id: string,
): Promise<WebhookEndpointResource> {
  if (!isId(id)) throw notFound("webhook_endpoint", id);
  return JSON.parse(await showEndpoint(cx, id)) as WebhookEndpointResource;
}

async function test(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const { id } = await readEndpoint(cx, request.id);
  try {
    const delivery = JSON.parse(await sendTest(cx, id, form.type)) as { readonly id: string };
    return { redirect: `${endpointAt(id)}/deliveries/${delivery.id}` };
  } catch (thrown) {
    const problem = refusedBy(thrown);
    const [fault] = problem.extras.field_errors ?? [];
    const faults: Faults = new Map([[fault?.field ?? "", fault ?? refusalOf(problem)]]);
    return testForm(request, faults, statusOfKind[problem.kind]);
  }
}

async function testForm(request: PageRequest, faults: Faults, status: number): Promise<PageAnswer> {
  const { cx, id, form, reader, csrf } = request;
  const words = webhookWords(reader.language);
  const endpoint = await readEndpoint(cx, id);
  const here = endpointAt(endpoint.id);
  const action = `${here}/test`;
  const first = ALL_EVENT_TYPES.find(({ type, resource_type }) => {
    const of = { resource_type, resource_id: "", action: type.slice(resource_type.length + 1) };
    return isFor(endpoint, of);
  });
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={reader.words.see_fields} />
      <p>{words.test_text}</p>
      <Form action={action} csrf={csrf(action)}>
        <Select
          name="type"
          label={words.test_type}
          value={form.type ?? first?.type ?? ""}
          options={ALL_EVENT_TYPES.map(({ type }) => [type, typeInWords(reader, type)] as const)}
          faults={faults}
        />
        <Submit text={words.test_now} back={{ href: here, text: words.not_yet }} />
      </Form>
    </div>
  );
  return { title: words.test_title(hostOf(endpoint)), content, status };
}

async function enableForm({ cx, id, reader, csrf }: PageRequest): Promise<PageAnswer> {
  const words = webhookWords(reader.language);
  const endpoint = await readEndpoint(cx, id);
  const here = endpointAt(endpoint.id);
  const action = `${here}/enable`;
  const content = (
    <div class="card confirm">
      <p>
        {words.enable_text} {endpoint.backlog > 0 && `${words.waits(endpoint.backlog)}.`}
      </p>
      <Form action={action} csrf={csrf(action)}>
        <label class="choice">
          <input type="checkbox" name="skip" />
          <span>{words.enable_skip}</span>
        </label>
        <Submit text={words.enable_now} back={{ href: here, text: words.not_yet }} />
      </Form>
    </div>
  );
  return { title: words.enable_title(hostOf(endpoint)), content };
}

async function deleteForm({ cx, id, reader, csrf }: PageRequest): Promise<PageAnswer> {
  const words = webhookWords(reader.language);
  const endpoint = await readEndpoint(cx, id);
  const here = endpointAt(endpoint.id);
  const action = `${here}/delete`;
  const content = (
    <div class="card confirm">
      <dl class="will">
        <dt>{words.ends}</dt>
        <dd>{words.delete_ends}</dd>
        <dt>{words.goes}</dt>
        <dd>{words.delete_goes}</dd>
      </dl>
      <Form action={action} csrf={csrf(action)}>
        <Submit text={words.delete_now} back={{ href: here, text: words.not_yet }} />
      </Form>
    </div>
  );
  return { title: words.delete_title(hostOf(endpoint)), content };
}

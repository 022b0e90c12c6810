/** Adds a webhook endpoint, for admins: of a program, or of a chat. Its secret is shown once. */

import { mintSecret } from "../../features/integrations/webhooks/mint-secret.ts";
import { createEndpoint } from "../../features/integrations/webhooks/save.ts";
import {
  WebhookEndpointCreate,
  type WebhookEndpointResource,
} from "../../features/integrations/webhooks/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { newToken } from "../../platform/security/sessions/token.ts";
import { defineGuarded } from "../frame/define-guarded.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS } from "../frame/submitted.ts";
import { FormFaults } from "../parts/entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { DeveloperTabs } from "../settings/developer-tabs.tsx";
import { endpointAt, hostOf, WEBHOOKS } from "./addresses.ts";
import { EndpointFields, NEW_ENDPOINT, submittedEndpoint } from "./endpoint-form.tsx";
import { NewSecret } from "./new-secret.tsx";
import { onceOnly } from "./once-only.ts";
import { webhookWords } from "./webhook-words.ts";

const FORMS = [
  { path: `${WEBHOOKS}/new`, is_chat: false },
  { path: `${WEBHOOKS}/slack`, is_chat: true },
] as const;

/** What chats are usually sent. */
const FOR_CHATS: TypedFields = { "type.invoice.issued": "on" };

export const addPages: readonly WebPage[] = FORMS.flatMap((of) => [
  definePage(`GET ${of.path}`, "hidden", async (request) =>
    show(request, of, {
      typed: of.is_chat ? FOR_CHATS : NEW_ENDPOINT,
      faults: NO_FAULTS,
      status: 200,
    }),
  ),
  defineGuarded(`POST ${of.path}`, "hidden", (request) => add(request, of)),
]);

type FormOf = (typeof FORMS)[number];

async function add(request: PageRequest, of: FormOf): Promise<PageAnswer> {
  const { form } = request;
  const outcome = await submittedEndpoint(WebhookEndpointCreate, form, (body) =>
    onceOnly(request, async (cx) => {
      const secret = mintSecret();
      const { created, document } = await run(createEndpoint, cx, { ...body, secret });
      return { document, secret: created ? secret : null };
    }),
  );
  if ("faults" in outcome) return show(request, of, { typed: form, ...outcome });
  const { document, secret } = outcome.done;
  return made(request, JSON.parse(document) as WebhookEndpointResource, secret);
}

function show(
  { reader, csrf }: PageRequest,
  { path, is_chat }: FormOf,
  { typed, faults, status }: { typed: TypedFields; faults: Faults; status: number },
): PageAnswer {
  const words = webhookWords(reader.language);
  const content = (
    <>
      <DeveloperTabs current={WEBHOOKS} />
      <div class="card pad">
        <FormFaults faults={faults} words={reader.words.see_fields} />
        <Form action={path} csrf={csrf(path)}>
          <input type="hidden" name="once" value={newToken()} />
          <EndpointFields typed={typed} faults={faults} is_chat={is_chat} />
          <Submit
            text={is_chat ? words.slack_now : words.add_now}
            back={{ href: WEBHOOKS, text: words.not_yet }}
          />
        </Form>
      </div>
    </>
  );
  return {
    title: is_chat ? words.slack_title : words.add_title,
    lead: is_chat ? words.slack_lead : words.add_lead,
    content,
    status,
  };
}

/** Shows the secret of a new endpoint, which no other page does. */
function made(
  { reader }: PageRequest,
  endpoint: WebhookEndpointResource,
  secret: string | null,
): PageAnswer {
  const words = webhookWords(reader.language);
  const content = (
    <>
      <DeveloperTabs current={WEBHOOKS} />
      <NewSecret
        secret={secret}
        text={secret === null ? words.made_before : words.made}
        format={endpoint.format}
      />
      <p class="buttons">
        <a class="button" href={WEBHOOKS}>
          {words.to_webhooks}
        </a>
        <a class="button main" href={endpointAt(endpoint.id)}>
          {words.to_endpoint}
        </a>
      </p>
    </>
  );
  const status = secret === null ? 409 : 200;
  return { title: words.made_title(hostOf(endpoint)), content, status };
}

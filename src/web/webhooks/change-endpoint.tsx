/** Changes the settings of a webhook endpoint, gives it a new secret and replays events to it. For admins. */
import { queueReplay } from "../../features/integrations/webhook-deliveries/queue-replay.ts";
import { WebhookReplayInput } from "../../features/integrations/webhook-deliveries/schemas.ts";
import { rotateSecret } from "../../features/integrations/webhooks/change-secret.ts";
import { mintSecret } from "../../features/integrations/webhooks/mint-secret.ts";
import { changeEndpoint } from "../../features/integrations/webhooks/save.ts";
import {
  SecretRotation,
  WebhookEndpointUpdate,
} from "../../features/integrations/webhooks/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { newToken } from "../../platform/security/sessions/token.ts";
import { defineGuarded } from "../frame/define-guarded.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { Entry, FormFaults } from "../parts/entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { Select } from "../parts/select.tsx";
import { DeveloperTabs } from "../settings/developer-tabs.tsx";
import { endpointAt, hostOf, WEBHOOKS } from "./addresses.ts";
import { readEndpoint } from "./change-state.tsx";
import { EndpointFields, submittedEndpoint, typedOf } from "./endpoint-form.tsx";
import { NewSecret } from "./new-secret.tsx";
import { onceOnly } from "./once-only.ts";
import { webhookWords } from "./webhook-words.ts";

const ONE = `${WEBHOOKS}/:id` as const;
const REPLAYS = WebhookReplayInput.shape.only.unwrap().options;

export const changeEndpointPages: readonly WebPage[] = [
  definePage(`GET ${ONE}/edit`, "hidden", async (request) =>
    editForm(request, typedOf(await readEndpoint(request.cx, request.id)), NO_FAULTS, 200),
  ),
  defineGuarded(`POST ${ONE}/edit`, "hidden", edit),
  definePage(`GET ${ONE}/secret`, "hidden", (request) => secretForm(request, NO_FAULTS, 200)),
  defineGuarded(`POST ${ONE}/secret`, "hidden", makeSecret),
  definePage(`GET ${ONE}/replay`, "hidden", (request) => replayForm(request, NO_FAULTS, 200)),
  definePage(`POST ${ONE}/replay`, "hidden", replay),
];

async function edit(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const { id: ref } = await readEndpoint(cx, request.id);
  const outcome = await submittedEndpoint(WebhookEndpointUpdate, form, (changes) =>
    run(changeEndpoint, cx, { ref, changes }),
  );
  if ("faults" in outcome) return editForm(request, form, outcome.faults, outcome.status);
  return { redirect: endpointAt(ref), notice: { done: "webhook_saved" } };
}

async function editForm(
  { cx, id, reader, csrf }: PageRequest,
  typed: TypedFields,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const words = webhookWords(reader.language);
  const endpoint = await readEndpoint(cx, id);
  const here = endpointAt(endpoint.id);
  const action = `${here}/edit`;
  const content = (
    <>
      <DeveloperTabs current={WEBHOOKS} />
      <div class="card pad">
        <FormFaults faults={faults} words={reader.words.see_fields} />
        <Form action={action} csrf={csrf(action)}>
          <EndpointFields typed={typed} faults={faults} is_chat={false} />
          <Submit text={reader.words.save} back={{ href: here, text: words.not_yet }} />
        </Form>
      </div>
    </>
  );
  const title = words.change_title(hostOf(endpoint));
  return { title, lead: words.change_lead, content, status };
}

async function makeSecret(request: PageRequest): Promise<PageAnswer> {
  const { form, reader } = request;
  const endpoint = await readEndpoint(request.cx, request.id);
  const { id: ref } = endpoint;
  const typed = { overlap_hours: wholeNumberFrom(form.overlap_hours) };
  const outcome = await submitted(SecretRotation, typed, ["overlap_hours"], {}, (sent) =>
    onceOnly(request, async (cx) => {
      const secret = mintSecret();
      return { document: await run(rotateSecret, cx, { ...sent, ref, secret }), secret };
    }),
  );
  if ("faults" in outcome) return secretForm(request, outcome.faults, outcome.status);
  const words = webhookWords(reader.language);
  const { secret } = outcome.done;
  const content = (
    <>
      <DeveloperTabs current={WEBHOOKS} />
      <NewSecret
        secret={secret}
        text={secret === null ? words.secret_made_before : words.secret_made}
        format={endpoint.format}
      />
      <p class="buttons">
        <a class="button main" href={endpointAt(ref)}>
          {words.back_to_endpoint}
        </a>
      </p>
    </>
  );
  const status = secret === null ? 409 : 200;
  return { title: words.made_title(hostOf(endpoint)), content, status };
}

async function secretForm(
  { cx, id, form, reader, csrf }: PageRequest,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const words = webhookWords(reader.language);
  const endpoint = await readEndpoint(cx, id);
  const here = endpointAt(endpoint.id);
  const action = `${here}/secret`;
  const content = (
    <>
      <DeveloperTabs current={WEBHOOKS} />
      <div class="card pad">
        <FormFaults faults={faults} words={reader.words.see_fields} />
        <p>{words.new_secret_text}</p>
        <Form action={action} csrf={csrf(action)}>
          <input type="hidden" name="once" value={newToken()} />
          <Entry
            name="overlap_hours"
            label={words.overlap_hours}
            value={form.overlap_hours ?? "24"}
            most={3}
            faults={faults}
            is_required
          />
          <Submit text={words.new_secret_now} back={{ href: here, text: words.not_yet }} />
        </Form>
      </div>
    </>
  );
  return { title: words.new_secret_title(hostOf(endpoint)), content, status };
}

async function replay(request: PageRequest): Promise<PageAnswer> {
  const { cx, form } = request;
  const { id: ref } = await readEndpoint(cx, request.id);
  const typed = {
    only: form.only,
    after: wholeNumberFrom(form.after),
    through: wholeNumberFrom(form.through),
  };
  const outcome = await submitted(WebhookReplayInput, typed, ["after", "through"], {}, (sent) =>
    run(queueReplay, cx, { ...sent, ref }),
  );
  if ("faults" in outcome) return replayForm(request, outcome.faults, outcome.status);
  const of = String(outcome.done.queued);
  return { redirect: endpointAt(ref), notice: { done: "webhook_replayed", of } };
}

async function replayForm(
  { cx, id, form, reader, csrf }: PageRequest,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const words = webhookWords(reader.language);
  const endpoint = await readEndpoint(cx, id);
  const here = endpointAt(endpoint.id);
  const action = `${here}/replay`;
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={reader.words.see_fields} />
      <p>{words.replay_text}</p>
      <Form action={action} csrf={csrf(action)}>
        <Select
          name="only"
          label={words.replay_only}
          value={form.only ?? "dead"}
          options={REPLAYS.map((one) => [one, words.replays[one]] as const)}
          faults={faults}
        />
        <Entry
          name="after"
          label={words.replay_after}
          hint={words.replay_after_hint}
          value={form.after ?? ""}
          most={15}
          faults={faults}
        />
        <Entry
          name="through"
          label={words.replay_through}
          hint={words.replay_through_hint}
          value={form.through ?? ""}
          most={15}
          faults={faults}
        />
        <Submit text={words.replay_now} back={{ href: here, text: words.not_yet }} />
      </Form>
    </div>
  );
  return { title: words.replay_title(hostOf(endpoint)), content, status };
}

/** Returns the number in a field; undefined for an empty one. A text that is no whole number stays, and the schema refuses it. */
function wholeNumberFrom(typed = ""): number | string | undefined {
  const text = typed.trim();
  if (text === "") return undefined;
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** The form of a webhook endpoint: what it shows of one, what was typed, and what is sent. */
import type { ComponentChildren } from "preact";
import type * as z from "zod";
import { ALL_EVENT_TYPES } from "../../domain/events/event-types.ts";
import type {
  WebhookEndpointCreate,
  WebhookEndpointResource,
} from "../../features/integrations/webhooks/schemas.ts";
import type { Fields } from "../../platform/http/form.ts";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { Entry, Labelled } from "../parts/entry.tsx";
import { fieldsOf, RareFields, type TypedFields } from "../parts/fields.tsx";
import { typeGroups } from "./type-words.ts";
import { webhookWords } from "./webhook-words.ts";

const MOST_HEADERS = 5;
const LONGEST_URL = 2_048;
const LONGEST_HEADER_VALUE = 1_024;
const EVERY_TYPE = "*";
const RARE = ["external_id", "payload", "ordering", "max_per_second", "headers"];
/** The fields of the form that faults are shown at. */
const FIELDS = ["url", "description", "event_types", "format", ...RARE];

const boxOf = (type: string): string => `type.${type}`;
const headerNameOf = (row: number): string => `header.${row}.name`;
const headerValueOf = (row: number): string => `header.${row}.value`;
const ROWS = Array.from({ length: MOST_HEADERS }, (_, row) => row);

/** Every type that can be chosen: all, all of a kind, and each. */
const CHOICES: readonly string[] = [
  EVERY_TYPE,
  ...new Set(ALL_EVENT_TYPES.flatMap(({ type, resource_type }) => [`${resource_type}.*`, type])),
];

/** The values of a new endpoint. */
export const NEW_ENDPOINT: TypedFields = {
  format: "standard",
  payload: "full",
  ordering: "resource",
  max_per_second: "50",
};

/** Returns an endpoint as the form shows it: of its headers the names alone. */
export function typedOf(endpoint: WebhookEndpointResource): TypedFields {
  const { url, description, external_id, format, payload, ordering, max_per_second } = endpoint;
  const names = Object.keys(endpoint.headers).map((name, row) => [headerNameOf(row), name]);
  const boxes = endpoint.event_types.map((type) => [boxOf(type), "on"]);
  return {
    ...{ url, format, payload, ordering },
    description: description ?? "",
    external_id: external_id ?? "",
    max_per_second: String(max_per_second),
    ...Object.fromEntries([...names, ...boxes]),
  };
}

type Sent = z.input<typeof WebhookEndpointCreate>;

/** The field for the code of a refusal. */
const BLAMES = { EXTERNAL_ID_CONFLICT: "external_id" } as const;

/** Validates what was typed and runs `work`, as `submitted`; faults are those of the fields of the form. */
export async function submittedEndpoint<Value, Result>(
  schema: z.ZodType<Value>,
  form: Fields,
  work: (value: Value) => Promise<Result>,
): ReturnType<typeof submitted<Value, Result>> {
  const repeated = repeatedHeader(form);
  if (repeated.size > 0) return { faults: repeated, status: 422 };
  const sent = sentFrom(form);
  const outcome = await submitted(schema, sent, faultFieldsOf(sent), BLAMES, work);
  return "faults" in outcome ? { ...outcome, faults: onFields(outcome.faults) } : outcome;
}

/** Returns what the form sends. An empty value of a header keeps the one that is set. */
function sentFrom(form: Fields): Record<keyof Omit<Sent, "after">, unknown> {
  const text = (name: string) => (form[name] ?? "").trim() || null;
  const rows = ROWS.filter((row) => text(headerNameOf(row)) !== null);
  return {
    url: text("url") ?? "",
    description: text("description"),
    external_id: text("external_id"),
    event_types: CHOICES.filter((type) => form[boxOf(type)] === "on"),
    format: form.format,
    payload: form.payload,
    ordering: form.ordering,
    headers: Object.fromEntries(
      rows.map((row) => [text(headerNameOf(row)), text(headerValueOf(row))]),
    ),
    max_per_second: form.max_per_second === undefined ? undefined : Number(form.max_per_second),
  };
}

/** Returns the fault of a header that was typed twice: an object cannot have both. No faults without one. */
function repeatedHeader(form: Fields): Faults {
  const names = ROWS.map((row) => form[headerNameOf(row)]?.trim().toLowerCase() ?? "");
  const is_repeated = names.some((name, at) => name !== "" && names.indexOf(name) < at);
  return is_repeated
    ? new Map([["headers", { code: "duplicate", message: "Each header once." }]])
    : NO_FAULTS;
}

/** Returns the names of fields in faults, for `submitted`: each type and each header has its own. */
function faultFieldsOf(sent: ReturnType<typeof sentFrom>): string[] {
  const types = (sent.event_types as readonly string[]).map((_, at) => `event_types[${at}]`);
  const headers = Object.keys(sent.headers as object).map((name) => `headers.${name}`);
  return [...FIELDS, ...types, ...headers];
}

/** Returns the faults by the fields of the form: those of a type at all types, those of a header at all headers. */
function onFields(faults: Faults): Faults {
  return new Map(
    [...faults].map(([name, fault]) => [
      name.replace(/^(event_types|headers)[.[].*$/, "$1"),
      fault,
    ]),
  );
}

interface FormProps {
  readonly typed: TypedFields;
  readonly faults: Faults;
}

/** Shows the fields of an endpoint; those of a chat have neither content nor headers. */
export function EndpointFields({ typed, faults, is_chat }: FormProps & { is_chat: boolean }) {
  const { language } = useReader();
  const words = webhookWords(language);
  const { entry, select } = fieldsOf(typed, faults);
  return (
    <>
      <div class="fields wide-fields">
        <Url typed={typed} faults={faults} hint={is_chat ? words.slack_hint : words.url_hint} />
        {entry("description", words.description)}
      </div>
      <Types typed={typed} faults={faults} />
      {is_chat ? (
        <input type="hidden" name="format" value="text" />
      ) : (
        <RareFields names={rareNames(typed)} typed={typed} faults={faults}>
          {select("format", words.format, Object.entries(words.formats))}
          {select("payload", words.payload, Object.entries(words.payloads))}
          {select("ordering", words.ordering, Object.entries(words.orderings))}
          <Entry
            name="max_per_second"
            label={words.max_per_second}
            value={typed.max_per_second ?? ""}
            most={3}
            faults={faults}
          />
          {entry("external_id", words.external_id)}
          <Headers typed={typed} faults={faults} />
        </RareFields>
      )}
    </>
  );
}

/** The fields that let the rare ones be open from the start: those that differ from the defaults. */
function rareNames(typed: TypedFields): string[] {
  const changed = Object.keys(NEW_ENDPOINT).filter(
    (name) => typed[name] !== undefined && typed[name] !== NEW_ENDPOINT[name],
  );
  return [...changed, "external_id", "headers", headerNameOf(0)];
}

function Url({ typed, faults, hint }: FormProps & { hint: string }) {
  const { language } = useReader();
  const words = webhookWords(language);
  const code = faults.get("url")?.code;
  const note =
    code === "not_allowed"
      ? words.url_not_allowed
      : code === "invalid_format"
        ? words.url_invalid
        : undefined;
  return (
    <Entry
      name="url"
      label={words.url}
      value={typed.url ?? ""}
      most={LONGEST_URL}
      faults={faults}
      hint={hint}
      note={note}
      is_required
    />
  );
}

/** Shows a check box for each type, by the kind of its resource. */
function Types({ typed, faults }: FormProps) {
  const reader = useReader();
  const words = webhookWords(reader.language);
  const isChosen = (type: string) => typed[boxOf(type)] === "on";
  const fault = faults.get("event_types");
  const sentence =
    fault?.code === "too_short" ? words.types_missing : fault && reader.words.refused(fault);
  return (
    <fieldset
      class="event-types"
      {...(sentence === undefined ? {} : { "aria-describedby": "event_types-fault" })}
    >
      <legend>{words.types}</legend>
      {sentence !== undefined && (
        <p class="fault" id="event_types-fault">
          {sentence}
        </p>
      )}
      <Choice type={EVERY_TYPE} is_chosen={isChosen(EVERY_TYPE)}>
        {words.every_type} <span class="small quiet">{words.every_type_hint}</span>
      </Choice>
      <div class="type-groups">
        {typeGroups(reader).map(({ name, all, types }) => {
          const names = [...(all === null ? [] : [all]), ...types.map(({ type }) => type)];
          const count = names.filter(isChosen).length;
          return (
            <details open={count > 0}>
              <summary>
                {name} {count > 0 && <span class="small quiet">{words.chosen(count)}</span>}
              </summary>
              {all !== null && (
                <Choice type={all} is_chosen={isChosen(all)}>
                  {words.all_of(name)}
                </Choice>
              )}
              {types.map((one) => (
                <Choice type={one.type} is_chosen={isChosen(one.type)}>
                  {one.name}
                </Choice>
              ))}
            </details>
          );
        })}
      </div>
      <p class="tiny quiet">{words.types_hint}</p>
    </fieldset>
  );
}

function Choice(props: { type: string; is_chosen: boolean; children: ComponentChildren }) {
  return (
    <label class="choice">
      <input type="checkbox" name={boxOf(props.type)} checked={props.is_chosen} />
      <span>{props.children}</span>
    </label>
  );
}

/** Shows the names of the headers that are set, and rows for others. Their values are no part of a page, also after a refusal. */
function Headers({ typed, faults }: FormProps) {
  const reader = useReader();
  const words = webhookWords(reader.language);
  const fault = faults.get("headers");
  return (
    <fieldset class="fields pairs whole">
      <legend>{words.headers}</legend>
      <p class="tiny quiet whole">
        {words.headers_hint} {(typed[headerNameOf(0)] ?? "") !== "" && words.header_kept}
      </p>
      {fault !== undefined && <p class="fault whole">{reader.words.refused(fault)}</p>}
      {ROWS.map((row) => (
        <>
          <Entry
            name={headerNameOf(row)}
            label={words.header_name(row + 1)}
            value={typed[headerNameOf(row)] ?? ""}
            most={64}
            faults={faults}
          />
          <Labelled
            name={headerValueOf(row)}
            label={words.header_value(row + 1)}
            faults={faults}
            field={(said) => (
              <input
                class="input"
                id={headerValueOf(row)}
                name={headerValueOf(row)}
                type="password"
                maxLength={LONGEST_HEADER_VALUE}
                autocomplete="new-password"
                {...said}
              />
            )}
          />
        </>
      ))}
    </fieldset>
  );
}

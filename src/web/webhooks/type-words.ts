/** The types of events in words: the kind of resource and what happened to it, as the form and the list of endpoints show them. */
import { groupedBy } from "../../domain/base/group.ts";
import {
  ALL_EVENT_TYPES,
  type EventAction,
  type EventResource,
} from "../../domain/events/event-types.ts";
import { NAMED_IN_FULL } from "../../domain/webhooks/event-order.ts";
import { kindOf } from "../activity/words.ts";
import type { PageReader } from "../frame/reader.ts";

type AnyAction = { [Resource in EventResource]: EventAction<Resource> }[EventResource];

/** What happened, as a participle: the activity page has whole sentences of it. English uses the names of the actions. */
const IN_DANISH: Readonly<Record<AnyAction, string>> = {
  accepted: "taget imod",
  activated: "aktiveret",
  allocated: "udlignet",
  answered: "besvaret",
  begun: "begyndt",
  booked: "bogført",
  booking_adopted: "bogføring bekræftet",
  booking_parked: "bogføring afventer",
  booking_refused: "bogføring afvist",
  booking_released: "bogføring opgivet",
  brought_back: "hentet frem",
  cancelled: "annulleret",
  checked: "kontrolleret",
  close_begun: "lukning begyndt",
  closed: "lukket",
  committed: "udført",
  completed: "fuldført",
  completion_removed: "fuldførelse fjernet",
  connected: "forbundet",
  created: "oprettet",
  deactivated: "deaktiveret",
  declined: "afslået",
  deleted: "slettet",
  delivered: "leveret",
  disabled: "slået fra",
  disconnected: "afbrudt",
  ended: "afsluttet",
  ends_soon: "slutter snart",
  factor_added: "totrinsbekræftelse tilføjet",
  factor_removed: "totrinsbekræftelse fjernet",
  factors_reset: "totrinsbekræftelse nulstillet",
  failed: "mislykket",
  failed_permanent: "mislykket for altid",
  failed_temporary: "mislykket, prøves igen",
  failing: "fejler",
  ignored: "lagt til side",
  invited: "inviteret",
  issue_refused: "udstedelse afvist",
  issued: "udstedt",
  joined: "kommet med",
  line_added: "linje tilføjet",
  line_changed: "linje ændret",
  line_removed: "linje fjernet",
  lines_reordered: "linjer i ny rækkefølge",
  links_revoked: "links tilbagekaldt",
  mapped: "konti tildelt",
  moved: "flyttet",
  password_changed: "adgangskode skiftet",
  put_away: "lagt væk",
  queued: "sat i kø",
  recovered: "virker igen",
  recovery_codes_made: "gendannelseskoder lavet",
  refused: "afvist",
  refused_by_ledger: "afvist af regnskabssystemet",
  ready: "klar til lukning",
  rejected: "afvist af modtageren",
  released: "udligning ophævet",
  reopened: "genåbnet",
  reopening_refused: "genåbning afvist",
  resolved: "afklaret",
  restored: "åben igen",
  reversed: "tilbageført",
  revoked: "tilbagekaldt",
  secret_rotated: "ny hemmelighed",
  sending: "under afsendelse",
  sign_in_link_made: "loginlink lavet",
  signed_in: "logget ind",
  signed_out: "logget ud",
  skipped: "sprunget over",
  unknown: "uvist, om den nåede frem",
  unskipped: "taget med igen",
  updated: "ændret",
  written_to_outbox: "lagt i udbakken",
};

/** The types of one kind of resource. */
interface TypeGroup {
  readonly kind: EventResource;
  /** The kind with a capital. */
  readonly name: string;
  /** `invoice.*`; null where the types are sent only when each is named. */
  readonly all: string | null;
  readonly types: readonly { readonly type: string; readonly name: string }[];
}

/** Returns all types by the kind of their resource, in the order of the table. */
export function typeGroups(reader: PageReader): TypeGroup[] {
  return [...groupedBy(ALL_EVENT_TYPES, (one) => one.resource_type)].map(([kind, types]) => ({
    kind,
    name: kindOf(kind, reader.words.activity),
    all: NAMED_IN_FULL.includes(kind) ? null : `${kind}.*`,
    types: types.map(({ type }) => ({ type, name: actionIn(reader, type) })),
  }));
}

/** Returns a type in words, as `Invoice: issued`. */
export function typeInWords(reader: PageReader, type: string): string {
  return `${kindOf(type.split(".")[0] ?? "", reader.words.activity)}: ${actionIn(reader, type)}`;
}

/** Returns chosen types by the kind of their resource, as `Invoice: issued, created`. `all` is the word for all of a kind. */
export function typesInWords(
  reader: PageReader,
  chosen: readonly string[],
  all: string,
): readonly string[] {
  const by_kind = groupedBy(chosen, (type) => type.split(".")[0] ?? "");
  return [...by_kind].map(([kind, types]) => {
    const names = types.map((type) => (type === `${kind}.*` ? all : actionIn(reader, type)));
    return `${kindOf(kind, reader.words.activity)}: ${names.join(", ")}`;
  });
}

function actionIn({ language }: PageReader, type: string): string {
  const action = type.slice(type.indexOf(".") + 1);
  const known: Readonly<Record<string, string>> = IN_DANISH;
  return (language === "da" ? known[action] : undefined) ?? action.replaceAll("_", " ");
}

/** The texts of the pages of events, in both languages. Only the server has them. */
import type { Language } from "../words/words.ts";

const enEvents = {
  title: "Events",
  lead: "Every change of the account in the order of commits, as programs get them from GET /events and webhooks.",
  order: "Order",
  orders: { newest: "The newest first", sequence: "By sequence" },
  from: "From no.",
  type: "Type",
  every_type: "All types",
  all_of: (kind: string) => `${kind}: all`,
  customer: "Customer",
  customer_hint: "Its id, or ext: and its external id.",
  no_customer: "There is no such customer.",
  resource: "Id of the resource",
  show: "Show",
  show_all: "Show everything",
  none: "There are no such events.",
  none_yet: "There are none among those examined so far.",
  more: { newest: "Older", sequence: "Later" },
  sequence: "No.",
  at: "When",
  what: "What",
  one: (sequence: string, type: string) => `Event no. ${sequence}: ${type}`,
  of_resource: "Events of this resource",
  of_customer: "Events of this customer",
  back: "Back to the events",
};

const daEvents: typeof enEvents = {
  title: "Hændelser",
  lead: "Alle kontoens ændringer i den rækkefølge, de er gemt i, som programmer får dem fra GET /events og webhooks.",
  order: "Rækkefølge",
  orders: { newest: "De nyeste først", sequence: "Efter nummer" },
  from: "Fra nr.",
  type: "Slags",
  every_type: "Alle slags",
  all_of: (kind) => `${kind}: alle`,
  customer: "Kunde",
  customer_hint: "Kundens id, eller ext: og kundens eksterne id.",
  no_customer: "Der er ingen sådan kunde.",
  resource: "Postens id",
  show: "Vis",
  show_all: "Vis alt",
  none: "Der er ingen sådanne hændelser.",
  none_yet: "Der er ingen blandt dem, der er gennemgået indtil nu.",
  more: { newest: "Ældre", sequence: "Senere" },
  sequence: "Nr.",
  at: "Hvornår",
  what: "Hvad",
  one: (sequence, type) => `Hændelse nr. ${sequence}: ${type}`,
  of_resource: "Postens hændelser",
  of_customer: "Kundens hændelser",
  back: "Tilbage til hændelserne",
};

export function eventWords(language: Language): typeof enEvents {
  return language === "da" ? daEvents : enEvents;
}

/** The pages of resources, by the kind of resource that audit events and plans name. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Folders of pages under the id of the resource. */
const FOLDERS: Readonly<Record<string, string>> = {
  customer: "/customers",
  invoice: "/invoices",
  credit_note: "/credit-notes",
  recurring_series: "/retainers",
};
const FOLDERS_OF_ADMINS: Readonly<Record<string, string>> = {
  product: "/products",
  user: "/people",
  webhook_endpoint: "/settings/developer/webhooks",
};
const PLACES: Readonly<Record<string, string>> = {
  oauth_grant: "/assistants",
  work_registration: "/hours",
};
const PLACES_OF_ADMINS: Readonly<Record<string, string>> = {
  api_key: "/settings/developer",
  configuration: "/settings/company",
  exchange_rate: "/settings/vat",
};

/** Returns the page of a resource; null where it has none, or none that the person may visit. */
export function wayTo(resource_type: string, id: string | null, is_admin: boolean): string | null {
  const folder = entryOf(FOLDERS, FOLDERS_OF_ADMINS, resource_type, is_admin);
  if (folder !== null) return id !== null && UUID.test(id) ? `${folder}/${id}` : null;
  if (resource_type === "period_close") return is_admin && id !== null ? `/close/${id}` : null;
  return entryOf(PLACES, PLACES_OF_ADMINS, resource_type, is_admin);
}

function entryOf(
  all: Readonly<Record<string, string>>,
  of_admins: Readonly<Record<string, string>>,
  name: string,
  is_admin: boolean,
): string | null {
  if (Object.hasOwn(all, name)) return all[name] ?? null;
  return is_admin && Object.hasOwn(of_admins, name) ? (of_admins[name] ?? null) : null;
}

/** The addresses of the pages of webhooks and events, which the settings for developers link to. */
const DEVELOPER = "/settings/developer";
export const WEBHOOKS = `${DEVELOPER}/webhooks`;
export const EVENTS = `${DEVELOPER}/events`;

/** Returns the host of an endpoint, by which the pages name it. */
export function hostOf({ url }: { readonly url: string }): string {
  return new URL(url).host;
}

/** Returns the address of the page of an endpoint. */
export function endpointAt(id: string): string {
  return `${WEBHOOKS}/${id}`;
}

/** The page to which a sign-in leads on. */
import { ownPath } from "../../platform/http/form.ts";
import type { PageRequest } from "../frame/page.tsx";
import { HOME } from "../start/start.tsx";

/** Returns the path that the form or the address names; our own start page for any address outside this service. */
export function nextOf(request: PageRequest): string {
  const { base_url } = request.services.config;
  return ownPath(request.form.next ?? request.query.next, base_url) ?? HOME;
}

/** Checks ids in addresses. */
import { Uuid } from "../../platform/http/schemas.ts";

export function isId(text: string | undefined): text is string {
  return Uuid.safeParse(text).success;
}

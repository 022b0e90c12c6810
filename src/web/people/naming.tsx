/** What names a person: drafts with lines of theirs and keys that they made, each with the link to its cure. */
import { listKeysOf, type ShownKey } from "../../features/access/api-keys/mint.ts";
import { draftsNaming, type NamingDraft } from "../../features/access/people/list-team.ts";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Facts } from "../parts/facts.tsx";

interface Naming {
  readonly drafts: readonly NamingDraft[];
  readonly keys: readonly ShownKey[];
}

/** Returns the drafts and live keys that name a person. */
export async function namingOf({ cx }: PageRequest, user_id: string): Promise<Naming> {
  return { drafts: await draftsNaming(cx, user_id), keys: await listKeysOf(cx, user_id) };
}

/** Shows them; nothing where there are none. */
export function NamingLists({ drafts, keys }: Naming) {
  const words = useReader().words.people;
  if (drafts.length === 0 && keys.length === 0) return null;
  return (
    <Facts title={words.naming} id="naming">
      {drafts.length > 0 && (
        <>
          <p>{words.drafts_named}</p>
          <ul>
            {drafts.map(({ id, title, customer_name }) => (
              <li>
                <a class="link" href={`/invoices/${id}`}>
                  {title === null ? customer_name : `${customer_name}: ${title}`}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {keys.length > 0 && (
        <>
          <p>{words.keys_made}</p>
          <ul>
            {keys.map(({ name, prefix }) => (
              <li>
                <a class="link" href="/settings/developer">
                  {name} <code>{prefix}…</code>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Facts>
  );
}

/** Defines pages that return a file: a document of the API, or a file that only the pages make. */
import type { PersonContext } from "../../platform/commands/context.ts";
import { fileReply } from "../../platform/http/answer.ts";
import type { ReplyFile } from "../../platform/http/route.ts";
import { definePage, type PageRequest, type WebPage } from "./page.tsx";

/**
 * Defines a page with the file of the resource that `:id` names. `operation` is the API's operation, which makes the file where
 * there are other threads. `allow` admits only people who see the resource.
 */
export function defineFile(
  path: `/${string}`,
  operation: string,
  make: (cx: PersonContext, ref: string) => Promise<ReplyFile>,
  allow: (answer: WebPage["handle"]) => WebPage["handle"],
): WebPage {
  const file: WebPage["handle"] = async ({ cx, id: ref }) => ({
    file: {
      operation,
      params: { ref },
      query: {},
      lane: "computation",
      make: async () => fileReply(200, await make(cx, ref)),
    },
  });
  return { ...definePage(`GET ${path}`, "person", allow(file)), is_heavy: true };
}

/** Defines a page with a file, `name` in `page-files.ts`. `queryOf` returns its query, or `back` to redirect to. */
export function definePageFile<Query>(
  path: `/${string}`,
  name: string,
  make: (cx: PersonContext, query: Query) => Promise<ReplyFile>,
  queryOf: (request: PageRequest) => Query | { readonly back: string },
): WebPage {
  const file: WebPage["handle"] = async (request) => {
    const query = queryOf(request);
    if (typeof query === "object" && query !== null && "back" in query) {
      return { redirect: query.back };
    }
    return {
      file: {
        operation: name,
        params: {},
        query,
        lane: "computation",
        make: async () => fileReply(200, await make(request.cx, query)),
      },
    };
  };
  return { ...definePage(`GET ${path}`, "person", file), is_heavy: true };
}

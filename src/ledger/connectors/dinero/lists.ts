/** Reads lists of Dinero, page by page, with the named fields. */
import type { CallOptions, Failure } from "../../outcome.ts";
import { badResponse, type DineroApi, readable } from "./api.ts";
import { type DineroObject, listOf } from "./values.ts";

const PAGE_SIZE = 1000;
/** The maximum number of pages; a longer list is treated as an unreadable response. */
const PAGES_AT_MOST = 500;

interface ListRead {
  readonly state: "list";
  readonly rows: readonly DineroObject[];
  /** The time of the first page's response, by Dinero's clock. */
  readonly date: string | null;
}

/** Reads all rows of all pages. */
export async function readList(
  api: DineroApi,
  path: string,
  query: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<ListRead | Failure> {
  const rows: DineroObject[] = [];
  let date: string | null = null;
  for (let page = 0; page < PAGES_AT_MOST; page += 1) {
    const asked = new URLSearchParams({
      ...query,
      page: String(page),
      pageSize: String(PAGE_SIZE),
    });
    const read = await readAll(api, path, asked, options);
    if (read.state !== "list") return read;
    rows.push(...read.rows);
    if (page === 0) date = read.date;
    if (read.rows.length < PAGE_SIZE) return { state: "list", rows, date };
  }
  return badResponse(new Error(`${path} has no end`));
}

/** Reads a list without pages. */
export async function readAll(
  api: DineroApi,
  path: string,
  query: URLSearchParams,
  options: CallOptions,
  is_of_all = false,
): Promise<ListRead | Failure> {
  const asked = query.size === 0 ? path : `${path}?${query}`;
  const answer = await api(
    { verb: path, method: "GET", version: "v1", path: asked, is_of_all },
    options,
  );
  if (answer.state === "refused") return badResponse(answer.refusal);
  if (answer.state !== "done") return answer;
  return readable(() => ({ state: "list", rows: listOf(answer.value), date: answer.date }));
}

/** Lists of Dinero, page by page, with the named fields. */
import type { CallOptions, Failure } from "../../outcome.ts";
import { badResponse, type DineroApi, readable } from "./api.ts";
import { type DineroObject, listOf } from "./values.ts";

const PAGE_SIZE = 1000;
/** A list with more pages is treated as an unreadable answer. */
const PAGES_AT_MOST = 500;

interface ListRead {
  readonly state: "list";
  readonly rows: readonly DineroObject[];
  /** The time of the first page's answer, by Dinero's clock. */
  readonly date: string | null;
}

/** All rows of all pages. */
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

/** A list without pages. */
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

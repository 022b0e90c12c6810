/**
 * Answers requests that have passed the checks of their route (`mount.ts`). Both the request and the reply are plain data, except
 * for the lines of a file, so that another thread can do the work.
 */
import * as z from "zod";
import type { Context } from "../commands/context.ts";
import { type JsonText, jsonText } from "../runtime/json.ts";
import type { Services } from "../runtime/services.ts";
import type { CheckedRequest, Conditions, Input, Reply } from "./asked.ts";
import { underConditions, withTag } from "./conditional.ts";
import { CSV_PAGE, CSV_TYPE, columnsOf, csvLines, itemOfList, LINES_TYPE } from "./csv.ts";
import { answerOnce } from "./idempotency.ts";
import type { ReplyFile, ReplyStream, Route, RouteAnswer } from "./route.ts";

/** Answers a request. Throws the refusals of the route's handler. */
export async function answer(
  services: Services,
  route: Route,
  cx: Context,
  asked: CheckedRequest,
): Promise<Reply> {
  const { once, input, as_csv, as_lines } = asked;
  if (once !== null) {
    const { status, text, is_repeated } = await answerOnce(
      cx,
      once,
      asked.request_id,
      async (own) => {
        const first = await answerOf(route, own, input);
        const text = textOf(route, first, services);
        const kept = ("kept" in first && first.kept) || text;
        return { status: first.status, text, kept };
      },
    );
    const replayed: Readonly<Record<string, string>> = is_repeated
      ? { "idempotent-replayed": "true" }
      : {};
    return { status, headers: { "content-type": JSON_TYPE, ...replayed }, body: text };
  }
  if (as_lines && route.lines) {
    const stream = await route.lines.read(cx, input);
    return streamReply(200, { ...stream, content_type: LINES_TYPE });
  }
  if (!as_csv) {
    const answered = await underConditions(route, cx, asked, (own) => answerOf(route, own, input));
    return withTag(route, asked.conditions, replyOf(route, answered, services));
  }
  const first = await answerOf(route, cx, pageFrom(input, undefined));
  return csvOf(route, cx, input, first);
}

async function answerOf(route: Route, cx: Context, input: Input): Promise<RouteAnswer> {
  const answered = await route.handle(cx, input);
  return typeof answered === "string" ? { status: 200, text: answered } : answered;
}

/** Returns the same request with a page of many rows; a list without pages ignores the page size. */
function pageFrom(input: Input, cursor: string | undefined): Input {
  if (input.query === undefined) return input;
  // A CSV has no columns for included data, so reading it would be wasted.
  const include = undefined;
  // A sequence is where the first page begins.
  const begun = cursor === undefined ? {} : { after: undefined };
  const query = { ...(input.query as object), limit: CSV_PAGE, cursor, include, ...begun };
  return { ...input, query };
}

/** Returns the rows of the first page and of all later pages, without holding all of them in memory. */
function csvOf(route: Route, cx: Context, input: Input, first: RouteAnswer): Reply {
  const item = route.csv_item ?? itemOfList(route.replies[200]);
  if (item === undefined) throw new Error(`${route.path} is no list`);
  const name = route.path.split("/").filter((part) => part !== "" && !part.startsWith(":"));
  return {
    status: 200,
    headers: attachment(CSV_TYPE, `${name.join("-")}.csv`),
    body: csvLines(columnsOf(item), pagesOf(route, cx, input, first)),
  };
}

async function* pagesOf(
  route: Route,
  cx: Context,
  input: Input,
  first: RouteAnswer,
): AsyncGenerator<JsonText> {
  let page = first;
  for (;;) {
    if (!("text" in page)) throw new Error(`${route.path} answers no stored text`);
    yield page.text;
    const { next_cursor, has_more } = JSON.parse(page.text) as {
      readonly next_cursor: string | null;
      readonly has_more: boolean;
    };
    if (next_cursor === null || !has_more) return;
    page = await answerOf(route, cx, pageFrom(input, next_cursor));
  }
}

function replyOf(route: Route, answered: RouteAnswer, services: Services): Reply {
  const { status } = answered;
  if ("file" in answered) return fileReply(status, answered.file);
  if ("stream" in answered) {
    return streamReply(status, answered.stream);
  }
  if (!("text" in answered) && !("json" in answered)) return { status, headers: {}, body: null };
  const own = "headers" in answered ? answered.headers : {};
  const headers = { ...own, "content-type": JSON_TYPE };
  const wait = "wait" in answered && answered.wait !== undefined ? { wait: answered.wait } : {};
  return { status, headers, body: textOf(route, answered, services), ...wait };
}

function streamReply(
  status: number,
  { content_type, filename, lines, headers = {} }: ReplyStream,
): Reply {
  const own =
    filename === undefined ? { "content-type": content_type } : attachment(content_type, filename);
  return { status, headers: { ...headers, ...own }, body: lines };
}

/** Returns the reply for a file that browsers show inline. */
export function fileReply(
  status: number,
  { content_type, content, filename, etag }: ReplyFile,
): Reply {
  const headers = {
    "content-type": content_type,
    "content-disposition": `inline; filename="${filename}"`,
    ...(etag !== undefined && { etag: `"${etag}"` }),
  };
  return { status, headers, body: content };
}

/** Returns the reply for stored text that was read without the handler. */
export function storedReply(
  route: Route,
  text: JsonText,
  services: Services,
  conditions: Conditions | null,
): Reply {
  return withTag(route, conditions, replyOf(route, { status: 200, text }, services));
}

function attachment(content_type: string, filename: string): Reply["headers"] {
  return {
    "content-type": content_type,
    "content-disposition": `attachment; filename="${filename}"`,
  };
}

const JSON_TYPE = "application/json; charset=utf-8";

/** Returns the response body, as the route declares it. */
function textOf(route: Route, answered: RouteAnswer, services: Services): JsonText {
  const shape = route.replies[answered.status];
  const has_body = "text" in answered || "json" in answered;
  if (!(shape instanceof z.ZodType) || !has_body) {
    throw new Error(`${route.method} ${route.path} declares no ${answered.status}`);
  }
  if ("json" in answered) return jsonText(shape.parse(answered.json));
  // Stored text was checked when it was written; tests check it again before it is sent.
  if (services.checks_replies) shape.parse(JSON.parse(answered.text));
  return answered.text;
}

/**
 * The order of a retainer's lines in its open periods. Buttons move a line in the form; nothing is stored before the order is
 * saved. A draft that fits in one form has its order there.
 */
import { linesAt, type PlacedContent } from "../../domain/series/series.ts";
import { moveSeriesLines } from "../../features/recurring/series/move-lines.ts";
import { firstOpen } from "../../features/recurring/series/series.ts";
import { run } from "../../platform/commands/command.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { Fault, Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { requireSeen } from "../frame/seen.ts";
import { refusedBy } from "../frame/submitted.ts";
import { withVersion } from "../frame/with-version.ts";
import { List } from "../parts/list.tsx";
import { periodName } from "../parts/period.ts";
import { refusalOf } from "../words/refusal.ts";
import { orderAfter, orderIn } from "./lines-order.ts";
import { mayChangeLines, RETAINERS, type SeenRetainer, seenRetainer } from "./seen-retainer.ts";

const PATH = `${RETAINERS}/:id/lines/order`;

export const moveLinesPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "person", show),
  definePage(`POST ${PATH}`, "person", move),
];

const moveSeen = withVersion(moveSeriesLines, "recurring_series");

/** The lines in their stored order, and the version of the retainer that has it. */
interface Stored extends SeenRetainer {
  readonly lines: readonly PlacedContent[];
  readonly version: string;
}

async function storedOf({ cx, id }: PageRequest): Promise<Stored | null> {
  // The version is read first: a change in between is refused, and not overwritten.
  await requireSeen(cx, "recurring_series", id);
  const version = await versionOf(cx, "recurring_series", id);
  const seen = await seenRetainer(cx, id);
  const open = firstOpen(seen.series);
  if (!mayChangeLines(seen.series) || open === undefined) return null;
  return { ...seen, version, lines: linesAt(seen.series.lines, open.index, "effective") };
}

async function show(request: PageRequest): Promise<PageAnswer> {
  const stored = await storedOf(request);
  if (stored === null) return { redirect: `${RETAINERS}/${request.id}` };
  return form(request, stored, orderIn(undefined, stored.lines.length), undefined, 200);
}

/** Shows the order after a button that moves a line, or saves it. */
async function move(request: PageRequest): Promise<PageAnswer> {
  const { cx, id: ref, form: sent, reader } = request;
  const stored = await storedOf(request);
  const here = `${RETAINERS}/${ref}`;
  if (stored === null) return { redirect: here };
  const { lines, title } = stored;
  const order = orderIn(sent.order, lines.length);
  const moved = orderAfter(order, sent.do);
  // The places are those of the version that was shown.
  if (moved !== undefined && sent.seen === stored.version) {
    return form(request, stored, moved, undefined, 200);
  }
  try {
    const ids = order.map((place) => lines[place]?.line_id ?? "");
    await run(moveSeen, cx, { ref, order: ids, seen: sent.seen ?? "" });
    return { redirect: here, notice: { done: "retainer_saved", of: title } };
  } catch (thrown) {
    const refused = refusedBy(thrown);
    const fault = reader.words.refused(refusalOf(refused));
    const fresh = orderIn(undefined, lines.length);
    return form(request, stored, fresh, fault, statusOfKind[refused.kind]);
  }
}

function form(
  request: PageRequest,
  { series, lines, version, title }: Stored,
  order: readonly number[],
  fault: string | undefined,
  status: number,
): PageAnswer {
  const { reader, csrf } = request;
  const { retainer_lines: words, retainer } = reader.words;
  const back = `${RETAINERS}/${series.id}`;
  const action = `${back}/lines/order`;
  const open = firstOpen(series);
  const rows = order.flatMap((place) => lines[place] ?? []);
  const content = (
    <>
      <Fault text={fault} />
      {open !== undefined && (
        <p class="soft">{words.order_means(periodName(reader.language, open.key))}</p>
      )}
      <Form action={action} csrf={csrf(action)}>
        <input type="hidden" name="seen" value={version} />
        <input type="hidden" name="order" value={order.join(" ")} />
        <Lines rows={rows} />
        <Submit text={words.order_save} back={{ href: back, text: retainer.skipping.not_yet }} />
      </Form>
    </>
  );
  return { title: words.order_title, lead: title, content, status };
}

function Lines({ rows }: { rows: readonly PlacedContent[] }) {
  const { words: all } = useReader();
  const places = rows.map((line, place) => ({ line, place }));
  return (
    <List
      label={all.retainer_lines.order_title}
      rows={places}
      empty={null}
      columns={[
        {
          head: all.retainer.line,
          fold: "lead",
          cell: ({ line, place }) => (
            <>
              <span class="quiet num">{place + 1}</span> <span>{namedLine(line)}</span>
            </>
          ),
        },
        {
          head: "",
          kind: "number",
          fold: "end",
          cell: ({ place }) => (
            <span class="buttons">
              {place > 0 && <Move verb="up" number={place + 1} />}
              {place < rows.length - 1 && <Move verb="down" number={place + 1} />}
            </span>
          ),
        },
      ]}
    />
  );
}

const namedLine = ({ content }: PlacedContent): string =>
  content.description_override ?? content.product_name;

const ARROWS = { up: "↑", down: "↓" } as const;

function Move({ verb, number }: { verb: keyof typeof ARROWS; number: number }) {
  const words = useReader().words.draft;
  return (
    <button
      type="submit"
      class="button small"
      name="do"
      value={`${verb} ${number}`}
      aria-label={words[verb](number)}
    >
      {ARROWS[verb]}
    </button>
  );
}

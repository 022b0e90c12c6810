/** Shows the customer's unbilled hours, which a person moves to a line by hours, and the drafts in which hours wait. */
import { useEffect, useState } from "preact/hooks";
import { firstReason, send } from "../browser/send.ts";
import { Fault } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { dayOf, hoursOf } from "../parts/format.ts";
import { draftFacts } from "./draft-state.ts";
import type { DraftStored } from "./draft-stored.ts";
import type { ProductFacts } from "./draft-sums.ts";
import type { TypedDraft } from "./draft-typed.ts";
import type { Draft } from "./use-draft.ts";

/** The response of `/app/drafts/unbilled`; hours are in 1/100. */
export interface UnbilledHours {
  readonly work: readonly {
    readonly id: string;
    readonly user_name: string;
    readonly date: string;
    readonly hours: number;
    readonly note: string | null;
    readonly period: string | null;
    readonly number: string | null;
  }[];
  readonly drafts: readonly {
    readonly id: string;
    readonly title: string | null;
    readonly hours: number;
    readonly since: string;
  }[];
}

type Props = Pick<Draft, "state" | "dispatch">;

export function Unbilled({ state, dispatch }: Props) {
  const { words: all } = useReader();
  const words = all.unbilled;
  const [is_open, setOpen] = useState(false);
  const [found, setFound] = useState<UnbilledHours | "lost" | null>(null);
  const { stored } = state;
  const { id } = stored;
  useEffect(() => {
    if (!is_open) return;
    let is_left = false;
    void send<UnbilledHours>("/app/drafts/unbilled", { id }).then((answer) => {
      if (!is_left) setFound("done" in answer ? answer.done : "lost");
    });
    return () => {
      is_left = true;
    };
  }, [is_open, stored]);
  return (
    <details class="unbilled" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="button bare small">{words.add}</summary>
      {found === null && <p class="quiet">{all.beside.asking}</p>}
      {found === "lost" && <p>{all.beside.lost}</p>}
      {found !== null && found !== "lost" && (
        <>
          <Movable found={found} state={state} dispatch={dispatch} />
          <Elsewhere drafts={found.drafts} />
        </>
      )}
    </details>
  );
}

function Movable({ found, state, dispatch }: Props & { readonly found: UnbilledHours }) {
  const { words: all, language } = useReader();
  const words = all.unbilled;
  const [left_out, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState("");
  const [is_sending, setSending] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const { id, typed } = state.stored;
  const { products } = draftFacts(state);
  const lines = linesByHours(typed);
  const line_id = lines.some((line) => line.id === chosen) ? chosen : lines[0]?.id;
  const picked = found.work.filter((one) => !left_out.has(one.id));
  const sum = picked.reduce((hours, one) => hours + BigInt(one.hours), 0n);
  if (found.work.length === 0) return <p class="quiet">{words.none}</p>;

  async function take(): Promise<void> {
    if (line_id === undefined || is_sending) return;
    setSending(true);
    setRefused(null);
    const work = picked.map((one) => one.id);
    const sent = { id, line_id, work, language };
    const answer = await send<DraftStored>("/app/drafts/take-hours", sent);
    setSending(false);
    if ("done" in answer) return dispatch({ kind: "refresh", stored: answer.done });
    setRefused("refused" in answer ? all.refused(firstReason(answer.refused)) : all.beside.lost);
    // Some of the hours may have been moved.
    const now = await send<DraftStored>("/app/drafts/read", { id, language });
    if ("done" in now) dispatch({ kind: "refresh", stored: now.done });
  }

  return (
    <fieldset disabled={is_sending}>
      <legend class="small">{words.legend}</legend>
      <Fault text={refused ?? undefined} />
      <Picked
        work={found.work}
        left_out={left_out}
        toggle={(one) => setLeftOut(toggled(left_out, one))}
      />
      {line_id === undefined ? (
        <p class="quiet small">{words.no_line}</p>
      ) : (
        <div class="row">
          <label class="field">
            <span>{words.onto}</span>
            <select
              class="input"
              value={line_id}
              onInput={({ currentTarget }) => setChosen(currentTarget.value)}
            >
              {lines.map((line) => (
                <option key={line.id} value={line.id}>
                  {`${all.draft.line(line.index + 1)}: ${line.text || nameOf(products, line.product_id)}`}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            class="button small"
            disabled={picked.length === 0}
            onClick={() => void take()}
          >
            {words.take(hoursOf(language, sum))}
          </button>
        </div>
      )}
    </fieldset>
  );
}

/** Returns the stored lines that bill hours, with their positions. */
function linesByHours({ lines }: TypedDraft) {
  return lines.flatMap((line, index) =>
    line.method === "hours" && line.id !== null ? [{ ...line, id: line.id, index }] : [],
  );
}

/** Shows each registration with its origin; all of them are picked at first. */
function Picked(props: {
  work: UnbilledHours["work"];
  left_out: ReadonlySet<string>;
  toggle(id: string): void;
}) {
  const { work, left_out, toggle } = props;
  const { words: all, language } = useReader();
  const words = all.unbilled;
  return (
    <ul>
      {work.map(({ id, date, user_name, note, number, period, hours }) => (
        <li key={id}>
          <label class="row small">
            <input type="checkbox" checked={!left_out.has(id)} onInput={() => toggle(id)} />
            <span>
              {[dayOf(language, date), user_name, note].filter(Boolean).join(", ")}
              <small class="quiet">
                {number === null ? words.dropped(period ?? "–") : words.credited(number)}
              </small>
            </span>
            <span class="num">{hoursOf(language, hours)}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}

/** Shows hours that other drafts bill; they are not moved from those drafts. */
function Elsewhere({ drafts }: Pick<UnbilledHours, "drafts">) {
  const { words: all, language } = useReader();
  const words = all.unbilled;
  if (drafts.length === 0) return null;
  return (
    <>
      <p class="small quiet">{words.elsewhere}</p>
      <ul>
        {drafts.map(({ id, title, hours, since }) => (
          <li key={id} class="row small">
            <a class="link" href={`/invoices/${id}`}>
              {title ?? all.invoices.untitled}
            </a>
            <ConfirmLink class="link quiet" href={`/invoices/${id}/hours`}>
              {words.since(hoursOf(language, hours), dayOf(language, since))}
            </ConfirmLink>
          </li>
        ))}
      </ul>
    </>
  );
}

function toggled(some: ReadonlySet<string>, one: string): ReadonlySet<string> {
  const next = new Set(some);
  if (!next.delete(one)) next.add(one);
  return next;
}

function nameOf(products: readonly ProductFacts[], id: string): string {
  return products.find((product) => product.id === id)?.name ?? "–";
}

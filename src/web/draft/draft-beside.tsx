/** Next to a draft: its warnings, and as tabs the document, the e-mail and the journal entry that issuing the saved draft would make. */
import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { Warnings, WithCure } from "../parts/facts.tsx";
import { Paper } from "../parts/paper.tsx";
import { Entry, Mail } from "./draft-ahead.tsx";
import type { DraftStored, IssueAhead } from "./draft-stored.ts";

const TABS = ["paper", "mail", "books"] as const;
type Tab = (typeof TABS)[number];
/** The tabs of a person who does not see the whole account, and so not its books. */
const OWN_TABS = ["paper", "mail"] as const satisfies readonly Tab[];

export function Beside({ stored, is_saved }: { stored: DraftStored; is_saved: boolean }) {
  const { words } = useReader();
  const is_alive = useAlive();
  const [chosen, setChosen] = useState<Tab>("paper");
  const ahead = useAhead(stored, chosen !== "paper");
  const tabs = stored.own_months === null ? TABS : OWN_TABS;
  return (
    <>
      {stored.ready && <p class="notice">{stored.ready}</p>}
      <Warnings title={words.invoice.warnings} sentences={stored.warnings} />
      {is_alive && (
        <div class="row">
          <TabList tabs={tabs} chosen={chosen} choose={setChosen} />
          <p class="tiny quiet">{is_saved ? words.beside.seen : words.beside.waits}</p>
        </div>
      )}
      <div>
        {tabs.map((tab) => (
          <div
            key={tab}
            id={`beside-${tab}`}
            hidden={tab !== chosen}
            {...(is_alive
              ? { role: "tabpanel" as const, "aria-labelledby": `tab-${tab}`, tabIndex: 0 }
              : {})}
          >
            {tab === "paper" ? (
              <Paper view={stored.view} label={words.draft.paper} />
            ) : (
              <Ahead tab={tab} {...ahead} />
            )}
          </div>
        ))}
      </div>
    </>
  );
}

/** Shows the tabs as one tab stop. The arrow keys cycle through the tabs and show the tab that they reach. */
function TabList(props: { tabs: readonly Tab[]; chosen: Tab; choose: (tab: Tab) => void }) {
  const { tabs, chosen, choose } = props;
  const { words } = useReader();
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const next = reached(event.key, tabs, chosen);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  }

  return (
    <div
      ref={list}
      class="switcher"
      role="tablist"
      aria-label={words.beside.label}
      onKeyDown={onKeyDown}
    >
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-selected={tab === chosen}
          aria-controls={`beside-${tab}`}
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => choose(tab)}
        >
          {words.beside.tabs[tab]}
        </button>
      ))}
    </div>
  );
}

/** Returns the tab to which a key leads from another tab. */
function reached(key: string, tabs: readonly Tab[], from: Tab): Tab | undefined {
  const at = tabs.indexOf(from);
  const places: Readonly<Record<string, number>> = {
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at - 1 + tabs.length) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  };
  return tabs[places[key] ?? -1];
}

interface Asked {
  /** Null before the first response. */
  readonly ahead: IssueAhead | null;
  readonly state: "asking" | "answered" | "lost";
  ask(): void;
}

/** Returns the effect of issuing the stored draft. Requests it when a tab that needs it is open, and again after each save. */
function useAhead(stored: DraftStored, is_wanted: boolean): Asked {
  const { id } = stored;
  const [answer, setAnswer] = useState<Omit<Asked, "ask">>({ ahead: null, state: "asking" });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (!is_wanted) return;
    let is_left = false;
    setAnswer(({ ahead }) => ({ ahead, state: "asking" }));
    void send<IssueAhead>("/app/drafts/ahead", { id }).then((answer) => {
      if (is_left) return;
      if ("done" in answer) setAnswer({ ahead: answer.done, state: "answered" });
      else setAnswer(({ ahead }) => ({ ahead, state: "lost" }));
    });
    return () => {
      is_left = true;
    };
  }, [stored, is_wanted, times]);
  return { ...answer, ask: () => setTimes(times + 1) };
}

/** Shows the last effect until a newer response arrives. */
function Ahead({ tab, ahead, state, ask }: Asked & { readonly tab: "mail" | "books" }) {
  const { words: all } = useReader();
  const words = all.beside;
  return (
    <div class="card pad ahead" aria-busy={state === "asking"}>
      {state === "lost" && (
        <p class="row" role="status">
          {words.lost}
          <button type="button" class="button small" onClick={ask}>
            {words.again}
          </button>
        </p>
      )}
      {ahead === null && state === "asking" && <p class="quiet">{words.asking}</p>}
      {ahead !== null && "refused" in ahead && (
        <div class="note-warn">
          <p>
            <WithCure text={`${words.refused} ${all.refused(ahead.refused)}`} cure={ahead.cure} />
          </p>
        </div>
      )}
      {ahead !== null && "resumes" in ahead && <p>{all.issuing.resumes}</p>}
      {ahead !== null && "mail" in ahead && (
        <Made tab={tab} mail={ahead.mail} entry={ahead.entry} />
      )}
    </div>
  );
}

type Makes = Extract<IssueAhead, { readonly mail: unknown }>;

function Made({ tab, mail, entry }: Makes & { readonly tab: "mail" | "books" }) {
  return tab === "mail" ? <Mail {...mail} /> : <Entry entry={entry} />;
}

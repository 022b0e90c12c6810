/** The island of an explanation: it copies the sentence, closes without a reload, and loads what the page left out. */
import { useEffect, useRef, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { sentenceOf } from "./explanation-sentence.ts";
import type { ExplanationShown } from "./explanation-shown.ts";
import { ExplanationView } from "./explanation-view.tsx";

interface OfLine {
  readonly asked: {
    readonly line_id: string;
    readonly month: string;
    readonly language: "en" | "da";
  };
  /** Null where the account has too many lines: then the island asks for it. */
  readonly shown: ExplanationShown | null;
  /** The address of the page without the explanation. */
  readonly back: string;
}

function ExplanationPanel({ asked, shown, back }: OfLine) {
  const { words: all, language } = useReader();
  const words = all.explanation;
  const [loaded, setLoaded] = useState(shown);
  const [waiting, setWaiting] = useState<string | null>(all.revenue.adding_up);
  const [is_closed, setClosed] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const is_alive = useAlive();
  useEffect(() => {
    setLoaded(shown);
    setClosed(false);
    if (shown !== null) return;
    void send<ExplanationShown>("/app/revenue/explain", asked).then((answer) => {
      if ("done" in answer) setLoaded(answer.done);
      // A line outside of the view has no panel.
      else setWaiting("refused" in answer ? null : all.revenue.lost);
    });
  }, [asked.line_id, asked.month]);
  const close = (event: Event): void => {
    event.preventDefault();
    setClosed(true);
    history.replaceState(null, "", back);
    document.querySelector<HTMLElement>("a.why[aria-current]")?.focus();
  };
  if (is_closed || (loaded === null && waiting === null)) return <div hidden />;
  const title = loaded === null ? words.title : (loaded.text ?? all.revenue.removed);
  return (
    <aside
      class="card explain"
      id="panel"
      aria-labelledby="explained"
      ref={panel}
      onKeyDown={(event) => {
        if (event.key === "Escape") close(event);
      }}
    >
      <header>
        <h2 id="explained">{title}</h2>
        <a class="button bare small end" href={back} onClick={close} aria-label={words.close}>
          ✕
        </a>
      </header>
      {loaded === null ? (
        <p class="pad quiet" role="status">
          {waiting}
        </p>
      ) : (
        <>
          <ExplanationView shown={loaded} />
          {is_alive && <CopySentence sentence={sentenceOf(language, loaded)} />}
        </>
      )}
    </aside>
  );
}

function CopySentence({ sentence }: { sentence: string }) {
  const words = useReader().words.explanation;
  const [is_copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(sentence);
    setCopied(true);
  };
  return (
    <p class="copy">
      <button type="button" class="button small" onClick={() => void copy().catch(() => {})}>
        {words.copy}
      </button>
      <span class="tiny quiet" role="status">
        {is_copied ? words.copied : ""}
      </span>
    </p>
  );
}

export const island = islandOf<OfLine>({ name: "explanation-panel", View: ExplanationPanel });

/** The facts about something: names and values under a heading. */
import type { ComponentChildren } from "preact";

export function Facts(props: { title: string; id: string; children: ComponentChildren }) {
  return (
    <section class="card" aria-labelledby={props.id}>
      <header>
        <h2 id={props.id}>{props.title}</h2>
      </header>
      <div class="pad">{props.children}</div>
    </section>
  );
}

export function FactList(props: {
  facts: readonly { readonly name: string; readonly value: ComponentChildren }[];
}) {
  return (
    <dl class="fact-list">
      {props.facts.map(({ name, value }) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** Sentences that need attention; nothing where there is none. */
export function Warnings(props: { title: string; sentences: readonly string[] }) {
  if (props.sentences.length === 0) return null;
  return (
    <section class="note-warn" aria-label={props.title}>
      <ul>
        {props.sentences.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

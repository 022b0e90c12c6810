/** Cards with a heading, and lists of facts: names and values. */
import type { ComponentChildren } from "preact";
import { useReader } from "../frame/reader.ts";
import type { Cure } from "./cures.ts";

/** Shows a section under a heading, whose id is `id`. The hint is next to the heading. */
export function Card(props: {
  title: string;
  id: string;
  hint?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card" aria-labelledby={props.id}>
      <header>
        <h2 id={props.id}>{props.title}</h2>
        {props.hint && <span class="end tiny quiet">{props.hint}</span>}
      </header>
      {props.children}
    </section>
  );
}

export function Facts(props: { title: string; id: string; children: ComponentChildren }) {
  return (
    <Card {...props}>
      <div class="pad">{props.children}</div>
    </Card>
  );
}

interface NamedFact {
  readonly name: string;
  readonly value: ComponentChildren;
  /** The page to which the value leads. */
  readonly href?: string;
}

export function FactList({ facts }: { facts: readonly NamedFact[] }) {
  return (
    <dl class="fact-list">
      {facts.map(({ name, value, href }) => (
        <>
          <dt>{name}</dt>
          <dd>
            {href === undefined ? (
              value
            ) : (
              <a class="link" href={href}>
                {value}
              </a>
            )}
          </dd>
        </>
      ))}
    </dl>
  );
}

/** A sentence that needs attention, with the link that leads to its cure; null where the person can do nothing about it. */
export interface CuredText {
  readonly text: string;
  readonly cure: Cure | null;
}

/** Shows sentences that need attention; nothing where there is none. */
export function Warnings(props: { title: string; sentences: readonly (string | CuredText)[] }) {
  if (props.sentences.length === 0) return null;
  return (
    <section class="note-warn" aria-label={props.title}>
      <ul>
        {props.sentences.map((sentence) => (
          <li>{typeof sentence === "string" ? sentence : <WithCure {...sentence} />}</li>
        ))}
      </ul>
    </section>
  );
}

/** Shows a sentence and the link to its cure behind it. */
export function WithCure({ text, cure }: CuredText) {
  const { words } = useReader();
  if (cure === null) return <>{text}</>;
  const name = words.cures[cure.name];
  return (
    <>
      {text}{" "}
      <a class="link" href={cure.href} aria-label={`${name}: ${text}`}>
        {name}
      </a>
    </>
  );
}

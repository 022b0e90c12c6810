/**
 * The island of the text of a mail: subject and text beside the mail of an example, which follows the typing. Without scripts it
 * is a form beside the stored text.
 */
import { useState } from "preact/hooks";
import {
  filledMailText,
  type MailFacts,
  type MailKind,
  type MailLanguage,
  placeholdersOf,
  unknownPlaceholder,
} from "../../domain/sales/mail-text.ts";
import { islandOf } from "../browser/island.ts";
import { Form, Submit } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { Entry, FormFaults, Labelled } from "../parts/entry.tsx";
import type { Refusal } from "../words/refusal.ts";

interface MailTextProps {
  readonly kind: MailKind;
  readonly language: MailLanguage;
  /** The stored texts, or those that were sent; empty for the usual ones. */
  readonly typed: TypedMail;
  readonly usual: TypedMail;
  /** The facts of the example. */
  readonly facts: MailFacts;
  /** The refusals of both fields, by field. */
  readonly faults: readonly (readonly [string, Refusal])[];
  readonly action: string;
  readonly csrf: string;
}

interface TypedMail {
  readonly subject: string;
  readonly body: string;
}

function MailTextView(props: MailTextProps) {
  const { kind, language, usual, facts, action, csrf } = props;
  const { words: all } = useReader();
  const words = all.mail_texts;
  const [typed, setTyped] = useState(props.typed);
  const [left, setLeft] = useState(props.typed);
  const is_changed = typed.subject !== props.typed.subject || typed.body !== props.typed.body;
  const faults: Faults = new Map(is_changed ? [] : props.faults);
  const noteOf = (part: keyof TypedMail) => {
    const unknown = typed[part] === left[part] ? unknownPlaceholder(kind, left[part]) : null;
    return unknown === null ? undefined : words.unknown(unknown);
  };
  const shown = (part: keyof TypedMail) =>
    filledMailText(kind, typed[part].trim() || usual[part], facts);
  const name = `mail_texts.${language}.${kind}`;
  return (
    <div class="mail-text">
      <div onFocusOut={() => setLeft(typed)}>
        <Form action={action} csrf={csrf}>
          <FormFaults faults={faults} words={all.see_fields} />
          <Entry
            name={`${name}.subject`}
            label={words.subject}
            hint={words.empty_hint}
            value={typed.subject}
            most={200}
            faults={faults}
            note={noteOf("subject")}
            more={{
              onInput: ({ currentTarget: { value } }) => setTyped({ ...typed, subject: value }),
            }}
          />
          <Labelled
            name={`${name}.body`}
            label={words.body}
            hint={words.empty_hint}
            faults={faults}
            note={noteOf("body")}
            field={(said) => (
              <textarea
                class="input"
                id={`${name}.body`}
                name={`${name}.body`}
                rows={8}
                maxLength={2000}
                value={typed.body}
                onInput={({ currentTarget: { value } }) => setTyped({ ...typed, body: value })}
                {...said}
              />
            )}
          />
          <Submit text={all.save} />
        </Form>
        <Placeholders kind={kind} />
      </div>
      <Preview language={language} subject={shown("subject")} body={shown("body")} />
    </div>
  );
}

function Placeholders({ kind }: { kind: MailKind }) {
  const words = useReader().words.mail_texts;
  return (
    <>
      <p class="tiny quiet">{words.placeholders}</p>
      <ul class="tiny placeholders">
        {placeholdersOf[kind].map((placeholder) => (
          <li>
            <code>{`{${placeholder}}`}</code> {words.means[placeholder]}
          </li>
        ))}
      </ul>
    </>
  );
}

function Preview(props: { language: MailLanguage; subject: string; body: string }) {
  const { language, subject, body } = props;
  const paragraphs = body.trim().split(/\n{2,}/);
  return (
    <article class="mail-preview" aria-label={useReader().words.mail_texts.preview} lang={language}>
      <p class="strong">{subject}</p>
      {paragraphs.map((paragraph) => (
        <p>{paragraph}</p>
      ))}
    </article>
  );
}

export const island = islandOf<MailTextProps>({ name: "mail-text-form", View: MailTextView });

/** The frame of every page: title, who is signed in, the menu. Plain HTML and one stylesheet; no script. */
import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Person } from "../../platform/context.ts";

export const STYLESHEET_PATH = "/assets/matchbook.css";
export const ICON_PATH = "/assets/matchbook.svg";

interface Frame {
  readonly title: string;
  /** Who is signed in; null on pages for strangers. */
  readonly person: (Person & { readonly account_name: string }) | null;
  /** The form that signs out, made by the frame; null for strangers. */
  readonly sign_out_csrf: string | null;
}

/** A whole page as text. Everything in it that is not ours is escaped by the renderer. */
export function renderPage(frame: Frame, content: VNode): string {
  return `<!doctype html>${renderToString(<Document {...frame}>{content}</Document>)}`;
}

function Document(props: Frame & { children: ComponentChildren }) {
  const { title, person, sign_out_csrf } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} – Matchbook`}</title>
        <link rel="stylesheet" href={STYLESHEET_PATH} />
        <link rel="icon" type="image/svg+xml" href={ICON_PATH} />
      </head>
      <body>
        <header>
          <strong>Matchbook</strong>
          {person && <Menu person={person} sign_out_csrf={sign_out_csrf} />}
        </header>
        <main>
          <h1>{title}</h1>
          {props.children}
        </main>
      </body>
    </html>
  );
}

function Menu(props: {
  person: Person & { readonly account_name: string };
  sign_out_csrf: string | null;
}) {
  const { person } = props;
  return (
    <nav>
      <a href="/settings/assistants">My assistants</a>
      <a href="/settings/activity">Activity</a>
      {person.role === "admin" && <a href="/settings/developer">Developer settings</a>}
      <a href="/settings/password">Password</a>
      <span>
        {`${person.name}, ${person.account_name} · `}
        <a href="/choose-account">Switch account</a>
      </span>
      <form method="post" action="/sign-out">
        <input type="hidden" name="csrf" value={props.sign_out_csrf ?? ""} />
        <button type="submit" class="plain">
          Sign out
        </button>
      </form>
    </nav>
  );
}

/** A form that carries the proof of where it came from. */
export function Form(props: { action: string; csrf: string; children: ComponentChildren }) {
  return (
    <form method="post" action={props.action}>
      <input type="hidden" name="csrf" value={props.csrf} />
      {props.children}
    </form>
  );
}

export function Field(props: {
  label: string;
  name: string;
  type?: "text" | "email" | "password" | "date";
  value?: string;
  autocomplete?: string;
  most?: number;
  is_optional?: boolean;
}) {
  return (
    <label>
      {props.label}
      <input
        name={props.name}
        type={(props.type ?? "text") as "text"}
        value={props.value}
        autocomplete={props.autocomplete ?? "off"}
        maxLength={props.most ?? 254}
        required={!props.is_optional}
      />
    </label>
  );
}

/** A password that is known already, or one that is chosen now. */
export function Password(props: { label: string; name: string; is_new?: boolean }) {
  const autocomplete = props.is_new ? "new-password" : "current-password";
  return <Field {...props} type="password" autocomplete={autocomplete} most={200} />;
}

/** The one button of a form. */
export function Submit({ text }: { text: string }) {
  return (
    <p class="buttons">
      <button type="submit">{text}</button>
    </p>
  );
}

/** What went wrong with a form, above it. */
export function Fault({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="fault" role="alert">
      {text}
    </p>
  );
}

/** A moment for people: the minute, in UTC. */
export function Moment({ at }: { at: string | null }) {
  return at === null ? (
    <span class="quiet">never</span>
  ) : (
    <time datetime={at}>{`${at.slice(0, 10)} ${at.slice(11, 16)} UTC`}</time>
  );
}

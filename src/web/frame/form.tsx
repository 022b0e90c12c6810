/** Forms and their elements. */
import type { ComponentChildren } from "preact";
import { momentOf } from "../parts/format.ts";
import { useReader } from "./reader.ts";

/** A form with its CSRF token. */
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
  type?: "text" | "email" | "password";
  value?: string;
  autocomplete?: string;
  most?: number;
  is_optional?: boolean;
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        class="input"
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

/** A field for a known password, or for a new one. */
export function Password(props: { label: string; name: string; is_new?: boolean }) {
  const autocomplete = props.is_new ? "new-password" : "current-password";
  return <Field {...props} type="password" autocomplete={autocomplete} most={200} />;
}

/** The login to which a password belongs. The hidden field is only for password managers. */
export function Login({ email }: { email: string }) {
  return <input hidden name="username" value={email} autocomplete="username" readOnly />;
}

/** The only button of a form, after the way out of it. A secondary one is not the usual next step. */
export function Submit(props: {
  text: string;
  is_secondary?: boolean;
  back?: { readonly href: string; readonly text: string };
}) {
  const { text, is_secondary, back } = props;
  return (
    <p class="buttons">
      {back !== undefined && (
        <a class="button" href={back.href}>
          {back.text}
        </a>
      )}
      <button type="submit" class={is_secondary ? "button" : "button main"}>
        {text}
      </button>
    </p>
  );
}

/** The fault of a form, above it. */
export function Fault({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
}

/** A moment for people: the minute in the account's time zone. The tooltip has the seconds. */
export function Moment({ at }: { at: string | null }) {
  const { words, language, time_zone } = useReader();
  if (at === null) return <span class="quiet">{words.never}</span>;
  const { text, exact } = momentOf(language, at, time_zone);
  return (
    <time class="moment" datetime={at} title={exact}>
      {text}
    </time>
  );
}

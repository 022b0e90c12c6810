/** A link to the page that confirms an action. With scripts the page opens in a dialog over the present one (`browser/dialog.ts`). */
import type { ComponentChildren } from "preact";

/** `label` names the link where its text alone does not. */
export function ConfirmLink(props: {
  href: string;
  class?: string;
  label?: string;
  children: ComponentChildren;
}) {
  const { href, label, children } = props;
  return (
    <a
      class={props.class ?? "button"}
      href={href}
      data-dialog
      {...(label === undefined ? {} : { "aria-label": label })}
    >
      {children}
    </a>
  );
}

/**
 * A button with a panel below it. Escape closes the panel, and so does a press or the focus outside of it. A press on a text of the
 * panel gives the focus to what is around the popover, which is no step outside.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  readonly class: string;
  /** The name of the button; it contains the visible text. */
  readonly label: string;
  readonly face: ComponentChildren;
  /** Renders the panel, which exists only while it is open. */
  panel(close: () => void): ComponentChildren;
}

export function Popover({ class: own, label, face, panel }: Props) {
  const [is_open, setOpen] = useState(false);
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!is_open) return;
    const leave = ({ target, type }: Event) => {
      const [own, other] = [place.current, target as Node];
      const is_around = type === "focusin" && other.contains(own);
      if (!own?.contains(other) && !is_around) setOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
    };
  }, [is_open]);

  function close(): void {
    setOpen(false);
    place.current?.querySelector("summary")?.focus();
  }

  return (
    <details
      ref={place}
      class={`popover ${own}`}
      open={is_open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !is_open) return;
        event.stopPropagation();
        close();
      }}
    >
      <summary aria-label={label}>{face}</summary>
      {is_open && <div class="panel">{panel(close)}</div>}
    </details>
  );
}

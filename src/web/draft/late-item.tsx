/**
 * An item of a long list that the server has rendered. Its content is a tree of its own, which begins to work when it is needed: at
 * the first event in it, at a change of it, or in a pause of the browser. Until then it stays as the server has sent it.
 */
import { type ComponentProps, hydrate, render, type VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ReaderOf, useReader } from "../frame/reader.ts";

interface Props extends Omit<ComponentProps<"li">, "content"> {
  /** The same object as long as nothing has changed. */
  readonly content: VNode;
  /** Whether the content may wait. */
  readonly is_late: boolean;
}

/** Tells Preact to leave the content of an element alone. */
const LEFT_ALONE = { __html: "" };

/** What makes an item work, by its element, as long as it does not. */
const asleep = new Map<Element, () => void>();

export function LateItem({ content, is_late, ...own }: Props): VNode {
  const reader = useReader();
  const place = useRef<HTMLLIElement>(null);
  const first = useRef(content);
  const shown = useRef<VNode | null>(null);
  const draw = (way: typeof render, item: Element, what: VNode) => {
    way(<ReaderOf value={reader}>{what}</ReaderOf>, item);
    shown.current = what;
  };

  useLayoutEffect(() => {
    const item = place.current;
    if (item === null) return;
    // A new item has nothing from the server.
    if (item.hasChildNodes()) asleep.set(item, () => draw(hydrate, item, first.current));
    if (!is_late) wake(item);
    return () => {
      asleep.delete(item);
      render(null, item);
    };
  }, []);
  useLayoutEffect(() => {
    const item = place.current;
    if (item === null || (asleep.has(item) && content === first.current)) return;
    wake(item);
    if (shown.current !== content) draw(render, item, content);
  }, [content]);

  if (typeof document === "undefined") return <li {...own}>{content}</li>;
  return <li {...own} ref={place} dangerouslySetInnerHTML={LEFT_ALONE} />;
}

function wake(item: Element): void {
  asleep.get(item)?.();
  asleep.delete(item);
}

/** What a person or a program can do to an item. */
const EVENTS = ["pointerdown", "focus", "keydown", "input", "click", "toggle", "drop"] as const;
const ITEMS_IN_A_PAUSE = 5;
const PAUSE_MS = 30;

/** Makes the items of a list work: one at the first event in it, before its content gets the event, and the rest in pauses. */
export function wakeItems(list: HTMLElement): void {
  const wakeAround = ({ target }: Event) => {
    const item = [...list.children].find((one) => one.contains(target as Node));
    if (item !== undefined) wake(item);
  };
  for (const name of EVENTS) list.addEventListener(name, wakeAround, { capture: true });
  const inPause = () => {
    for (const item of [...asleep.keys()].slice(0, ITEMS_IN_A_PAUSE)) wake(item);
    if (asleep.size > 0) later(inPause);
  };
  later(inPause);
}

function later(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run);
  else setTimeout(run, PAUSE_MS);
}

/** Opens the palette and the list of keys: by keys, and by a link that without scripts leads to the search page. */
import type { PaletteProps } from "../frame/finder.tsx";
import { browserReader } from "./browser-reader.ts";
import { forgetOpened, keepOpened } from "./opened.ts";
import { afterKey, type PendingKey, usesSingleKeys } from "./single-keys.ts";

/** Listens to the link and the keys. For the pages of a signed-in person. */
export function listen(link: HTMLAnchorElement): void {
  const props = JSON.parse(link.dataset.palette ?? "{}") as PaletteProps;
  let waiting: PendingKey = null;
  // The browser's store is slow the first time: the page works before.
  setTimeout(() => keepOpened(props.person));
  document.addEventListener("click", (event) => {
    const is_plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0);
    if (!is_plain || !(event.target instanceof Element) || !link.contains(event.target)) return;
    event.preventDefault();
    void open(props, "palette");
  });
  document.addEventListener("submit", ({ target }) => {
    if (target instanceof HTMLFormElement && target.action.endsWith("/sign-out")) {
      forgetOpened(props.person);
    }
  });
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && key.toLowerCase() === "k") {
      event.preventDefault();
      void open(props, "palette");
      return;
    }
    const is_busy = event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target);
    if (is_busy || !usesSingleKeys()) {
      waiting = null;
      return;
    }
    const { does, waits } = afterKey(key, waiting, event.timeStamp, props);
    waiting = waits;
    if (does === null) return;
    event.preventDefault();
    if (does === "palette" || does === "keys") void open(props, does);
    else location.assign(does.href);
  });
}

/** Whether the person types in a field or a dialog is open, which handles its own keys. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]") !== null) return true;
  // The field of a dialog that was just closed keeps the focus for a moment.
  return (
    target instanceof Element &&
    target.closest("dialog") === null &&
    target.closest(
      'input, textarea, select, [contenteditable], [role="grid"], [role="textbox"]',
    ) !== null
  );
}

async function open(props: PaletteProps, what: "palette" | "keys"): Promise<void> {
  if (document.querySelector("dialog[open]") !== null) return;
  const { openPalette } = await import("../search/palette.tsx");
  openPalette(props, await browserReader(), what);
}

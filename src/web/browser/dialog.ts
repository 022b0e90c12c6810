/**
 * Opens the page of a confirmation in a dialog over the present page. Its form posts as on its own page. Where the page cannot be
 * shown in a dialog, because it redirects or is refused, the browser goes to it.
 */

type Wake = (within: HTMLElement) => Promise<void>;

let wakeWithin: Wake = async () => {};
let is_opening = false;

/** Listens for clicks on links to confirmations. `wake` makes the islands of an element alive. */
export function openInDialogs(wake: Wake): void {
  wakeWithin = wake;
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest<HTMLAnchorElement>("a[data-dialog]");
    if (link == null || !isPlain(event)) return;
    event.preventDefault();
    void openOver(link.href);
  });
}

/** Opens a confirmation over the page; closing it gives the focus back. A second call while one opens has no effect. */
export async function openOver(href: string): Promise<void> {
  if (is_opening || document.querySelector("dialog.over") !== null) return;
  is_opening = true;
  try {
    const dialog = await dialogOf(href);
    if (dialog === null) location.assign(href);
    else await show(dialog);
  } catch {
    location.assign(href);
  } finally {
    is_opening = false;
  }
}

/** Whether a click follows a link in the same window. */
function isPlain(event: MouseEvent): boolean {
  const { button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey && !defaultPrevented;
}

/** Returns a dialog with the main content of a page; null for a page that redirects or is refused. */
async function dialogOf(href: string): Promise<HTMLDialogElement | null> {
  const response = await fetch(href, {
    credentials: "same-origin",
    headers: { accept: "text/html" },
  });
  if (!response.ok || response.redirected) return null;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const main = page.querySelector("main");
  const title = main?.querySelector("h1");
  if (main == null || title == null) return null;
  const dialog = document.createElement("dialog");
  dialog.className = "over";
  dialog.setAttribute("aria-labelledby", "over-title");
  const heading = document.createElement("h2");
  heading.id = "over-title";
  heading.textContent = title.textContent;
  // The page below has its own head, and what stands above every page.
  for (const said of main.querySelectorAll(".head, .example, .way-back")) said.remove();
  dialog.append(heading, ...[...main.childNodes].map((node) => document.importNode(node, true)));
  return dialog;
}

async function show(dialog: HTMLDialogElement): Promise<void> {
  const here = location.pathname;
  const before = document.activeElement;
  let place = "";
  dialog.addEventListener("click", (event) => {
    const way = (event.target as Element | null)?.closest("a");
    // The way back leads to the page below, or to a place of it. A place of the dialog stays in the dialog.
    if (way == null || !isPlain(event) || way.pathname !== here) return;
    if (dialog.contains(document.getElementById(way.hash.slice(1)))) return;
    event.preventDefault();
    place = way.hash;
    dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
    if (place !== "") location.hash = place;
  });
  document.body.append(dialog);
  dialog.showModal();
  await wakeWithin(dialog);
}

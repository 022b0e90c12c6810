/**
 * Makes a list that the server has rendered work by keys, and shows what is selected. The list itself stays as it is: its rows,
 * links and forms work without this script. `J` and `K` move, Enter opens, Space selects, `X` selects all, `E` exports, `B` does what
 * the list is for.
 */
import type { PageReader } from "../frame/reader.ts";
import { moneyOf } from "../parts/format.ts";
import { namedText, rowAfter, sumsOf } from "./picked-sums.ts";
import { usesSingleKeys } from "./single-keys.ts";

/** Listens to the keys of the lists on the page, and to their boxes. */
export function listenToLists(lists: readonly HTMLElement[], reader: PageReader): void {
  for (const list of lists) {
    list.addEventListener("change", (event) => {
      const box = event.target as HTMLInputElement;
      if (box.matches("[data-all]")) setAll(list, box.checked);
      showPicked(list, reader);
    });
    const all = list.querySelector<HTMLInputElement>("[data-all]");
    if (all !== null) all.hidden = false;
    showPicked(list, reader);
  }
  document.addEventListener("keydown", (event) => {
    const list = lists.find((one) => one.contains(document.activeElement)) ?? lists[0];
    if (list === undefined || isElsewhere(event) || !usesSingleKeys()) return;
    if (act(list, event.key)) {
      event.preventDefault();
      showPicked(list, reader);
    }
  });
  // A browser that goes back in its history restores the boxes after this script has run.
  window.addEventListener("pageshow", () => {
    for (const list of lists) showPicked(list, reader);
  });
}

/** Whether the key is meant for something else: a field, a dialog, a shortcut, the second key of a sequence. */
function isElsewhere(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, defaultPrevented, target } = event;
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true;
  if (document.querySelector("dialog[open]") !== null) return true;
  const field = 'input:not([type="checkbox"]), textarea, select, [role="grid"], [role="textbox"]';
  return target instanceof Element && target.closest(field) !== null;
}

/** Does what the key says; false for a key that the list does not have, and at once for Enter, which opens the link itself. */
function act(list: HTMLElement, key: string): boolean {
  const rows = rowsOf(list);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rowAfter(key, at, rows.length);
  if (next !== null) {
    const row = rows[next];
    row?.querySelector<HTMLElement>("a[href], button")?.focus();
    row?.scrollIntoView({ block: "nearest" });
    return true;
  }
  if (key === " ") {
    const box = rows[at]?.querySelector<HTMLInputElement>('input[type="checkbox"]');
    if (box == null || document.activeElement === box) return false;
    box.checked = !box.checked;
    return true;
  }
  if (key.toLowerCase() === "x") {
    const boxes = boxesOf(list);
    setAll(
      list,
      boxes.some(({ checked }) => !checked),
    );
    return boxes.length > 0;
  }
  if (key.toLowerCase() === "b") {
    const go = list.querySelector<HTMLButtonElement>("button[data-go]");
    go?.click();
    return go !== null;
  }
  if (key.toLowerCase() !== "e") return false;
  const file = document.querySelector<HTMLAnchorElement>("a[data-export]");
  file?.click();
  return file !== null;
}

function rowsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>("tbody tr, li")];
}

function boxesOf(list: HTMLElement): HTMLInputElement[] {
  return [...list.querySelectorAll<HTMLInputElement>('tbody input[type="checkbox"]')];
}

function setAll(list: HTMLElement, are_picked: boolean): void {
  for (const box of boxesOf(list)) box.checked = are_picked;
}

/** Shows the bar of actions where something is selected, with the number of rows and their sums. */
function showPicked(list: HTMLElement, { words, language }: PageReader): void {
  const bar = list.querySelector<HTMLElement>("[data-picked]");
  if (bar === null) return;
  const boxes = boxesOf(list);
  const picked = boxes.filter(({ checked }) => checked);
  const all = list.querySelector<HTMLInputElement>("[data-all]");
  if (all !== null) {
    all.checked = picked.length > 0 && picked.length === boxes.length;
    all.indeterminate = picked.length > 0 && picked.length < boxes.length;
  }
  bar.hidden = picked.length === 0;
  const rows = picked.map(({ dataset: { minor, currency } }) => ({ minor, currency }));
  const sums = sumsOf(rows).map(([currency, sum]) => moneyOf(language, sum, currency));
  const count = bar.querySelector("[data-count]");
  if (count !== null) count.textContent = [words.lists.picked(picked.length), ...sums].join(" · ");
  const named = bar.querySelector<HTMLElement>("[data-many]");
  if (named !== null && picked.length > 0) {
    named.textContent = namedText(named.dataset, picked.length, sums.join(" + "));
  }
}

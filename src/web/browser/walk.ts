/** Arrow keys in a chart or a matrix: they move between its links, along a row (`data-walk="row"`) or a grid (`"grid"`). */

const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Listens on the page, so that parts that appear later are walked too. */
export function walkByKeys(): void {
  document.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const within = link?.closest<HTMLElement>("[data-walk]");
    if (!step || !link || !within || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = within.dataset.walk === "grid" ? inGrid(link, step) : inRow(within, link, step[0]);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
}

type Link = HTMLElement | SVGAElement;

function inRow(within: Element, link: Element, step: number): Link | undefined {
  const links = [...within.querySelectorAll<Link>("a")];
  return step === 0 ? undefined : links[links.indexOf(link as Link) + step];
}

/** Returns the next link in the direction; cells without a link are skipped. */
function inGrid(link: Element, [right, down]: readonly [number, number]): Link | undefined {
  const cell = link.closest<HTMLTableCellElement>("td, th");
  const table = cell?.closest("table");
  let row = (cell?.parentElement as HTMLTableRowElement | undefined)?.rowIndex ?? 0;
  let column = cell?.cellIndex ?? 0;
  for (;;) {
    row += down;
    column += right;
    const next = table?.rows[row]?.cells[column];
    if (next === undefined) return undefined;
    const found = next.querySelector<Link>("a");
    if (found !== null) return found;
  }
}

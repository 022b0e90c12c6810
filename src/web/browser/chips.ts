/** Filters that act when they are chosen: a change of a field in a form with `data-acts` opens the address of the form. */

export function actWhenChosen(): void {
  document.addEventListener("change", ({ target }) => {
    const form = (target as Element | null)?.closest<HTMLFormElement>("form[data-acts]");
    if (form != null) location.assign(addressOf(form));
  });
}

/** Returns the address that the form opens, without its empty fields. */
function addressOf(form: HTMLFormElement): string {
  const chosen = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && value !== "") chosen.set(name, value);
  }
  return `${form.action}?${chosen}`;
}

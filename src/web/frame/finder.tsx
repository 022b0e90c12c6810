/** The entry to the search, on every page of a person: a link to the search page and, where scripts run, the palette. */
import type { Person } from "../../platform/commands/context.ts";
import type { Words } from "../words/en.ts";
import { assetUrl } from "./assets.ts";
import { Icon, type IconName } from "./icon.tsx";
import { useReader } from "./reader.ts";

export const SEARCH_PATH = "/search";

/** A page to jump to, or a resource to create. */
export interface Jump {
  readonly href: string;
  readonly icon: IconName;
  readonly text: string;
}

/** The data that a page passes to the palette: only pages and resources that the person may use. */
export interface PaletteProps {
  readonly person: string;
  /** The address of the icon file. */
  readonly icons: string;
  readonly go: readonly Jump[];
  readonly begin: readonly Jump[];
}

/** Returns the resources that a person may create from any page. */
export function beginningsOf({ role }: Pick<Person, "role">, words: Words): Jump[] {
  const invoice: Jump = {
    href: "/invoices/new",
    icon: "file-invoice",
    text: words.draft.new_invoice,
  };
  if (role !== "admin") return [invoice];
  return [
    invoice,
    { href: "/customers/new", icon: "building-store", text: words.customers.add },
    { href: "/products/new", icon: "package", text: words.products.add },
    { href: "/people/new", icon: "users", text: words.people.invite },
  ];
}

export function Finder({ person, places }: { person: Person; places: readonly Jump[] }) {
  const { words } = useReader();
  const props: PaletteProps = {
    person: person.user_id,
    icons: assetUrl("icons.svg"),
    go: places,
    begin: beginningsOf(person, words),
  };
  return (
    <a
      class="find"
      href={SEARCH_PATH}
      aria-keyshortcuts="Control+K Meta+K"
      data-palette={JSON.stringify(props)}
    >
      <Icon name="search" />
      <span>{words.palette.open}</span>
      <kbd>Ctrl K</kbd>
    </a>
  );
}

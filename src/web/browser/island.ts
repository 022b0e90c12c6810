/** Defines an island: a component under the name of its file. */
import type { VNode } from "preact";

export interface IslandOf<Props> {
  /** The name of the island's file, without the extension. */
  readonly name: string;
  readonly View: (props: Props) => VNode;
}

const loaded = new Map<string, IslandOf<never>>();

/** Returns the island, and remembers it: a script that the page names has run before the main one, which then need not wait. */
export function islandOf<Props>(island: IslandOf<Props>): IslandOf<Props> {
  loaded.set(island.name, island);
  return island;
}

/** Returns the island of this name if its script has run. */
export function loadedIsland(name: string): IslandOf<never> | undefined {
  return loaded.get(name);
}

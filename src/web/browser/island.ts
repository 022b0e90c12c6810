/** Defines an island: a component under the name of its file. */
import type { VNode } from "preact";

export interface IslandOf<Props> {
  /** The name of the island's file, without the extension. */
  readonly name: string;
  readonly View: (props: Props) => VNode;
}

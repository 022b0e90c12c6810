/** What an island is: a component under the name of its file. */
import type { VNode } from "preact";

export interface IslandOf<Props> {
  /** That of its file in `islands`, without the ending. */
  readonly name: string;
  readonly View: (props: Props) => VNode;
}

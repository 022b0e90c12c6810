/** The actions of the lines of a draft, and the facts about them that a panel shows while it is open. */
import type { RecognitionMethod } from "../../domain/sales/line.ts";
import type { EarnedIn, ProductFacts } from "./draft-sums.ts";
import type { TypedLine } from "./draft-typed.ts";

/** The same object during the editor's life, so that an unchanged line is not rendered again. */
export interface LineActs {
  /** The id of the draft. */
  readonly id: string;
  /** From which typed days are read. */
  readonly today: string;
  set(key: string, next: Partial<TypedLine>): void;
  remove(key: string): void;
  move(key: string, by: number): void;
  copy(key: string): void;
  /** The focus has left a field of the line, or the whole line. */
  left(key: string, is_line: boolean): void;
  /** Makes a product the line's; it is known from then on. */
  choose(key: string, product: ProductFacts): void;
  /** Returns the months in which the line would be earned by a method; null where they are not known. */
  months(line: TypedLine, method: RecognitionMethod): readonly EarnedIn[] | null;
}

/** The field for a day as an island of its own, in forms and filters that the server reads. */
import type { IslandOf } from "../browser/island.ts";
import { DayInput, type DayInputProps } from "./day-input.tsx";

export const island: IslandOf<Omit<DayInputProps, "onDay">> = { name: "day-field", View: DayInput };

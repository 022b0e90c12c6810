/** An island is a part of a page that the server renders and the browser hydrates with its props (decision 0067). */
import type { IslandOf } from "../browser/island.ts";

/** Renders an island. The props are sent as JSON: amounts in them are decimal text. */
export function Island<Props extends object>(props: { of: IslandOf<Props>; with: Props }) {
  const { name, View } = props.of;
  return (
    <div data-island={name} data-props={JSON.stringify(props.with)}>
      <View {...props.with} />
    </div>
  );
}

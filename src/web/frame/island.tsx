/** Where a page goes on living in the browser: an island is rendered whole, and woken there with what it was made from (decision 0067). */
import type { IslandOf } from "../browser/island.ts";

/** Its props are sent along as JSON: amounts are decimal text in them. */
export function Island<Props extends object>(props: { of: IslandOf<Props>; with: Props }) {
  const { name, View } = props.of;
  return (
    <div data-island={name} data-props={JSON.stringify(props.with)}>
      <View {...props.with} />
    </div>
  );
}

/** The REST routes of exports. */
import { NDJSON_TYPE } from "../../../platform/http/ndjson.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { exportDataset } from "./export-dataset.ts";
import { PARQUET_TYPE } from "./format-parquet.ts";
import { datasets, getDataset } from "./list-datasets.ts";
import { ExportList, ExportParams, ExportQuery, exportFormats } from "./schemas.ts";

export const exportRoutes = routesOf("Exports", [
  defineRoute("GET /exports", {
    operation: "exports.list",
    summary: "List the datasets that can be exported",
    access: "read",
    replies: { 200: ExportList },
    handle: async () => ({
      status: 200,
      json: {
        object: "list",
        data: datasets.map(({ name, description, has_months, changed, columns }) => ({
          object: "export",
          dataset: name,
          description,
          formats: exportFormats,
          filters: [...(has_months ? ["from", "to"] : []), ...(changed === null ? [] : ["after"])],
          columns,
        })),
        next_cursor: null,
        has_more: false,
      },
    }),
  }),
  defineRoute("GET /exports/:dataset", {
    operation: "exports.get",
    summary: "Export a dataset, whole",
    description:
      "All rows of one moment. `from` and `to` select months of the datasets that have these filters; with the others they are 422. `after` gives the rows that changed since a sequence of the feed, each with `_sequence`, and `_deleted` with the id of what is gone. The headers `Matchbook-Sequence` and `Matchbook-Cursor` name that moment in the feed of events: load the file, then follow `GET /events?cursor=` from there. `Matchbook-Schema` is the dataset with the number of its columns, which only grow. `parquet` has whole minor units in columns `…_minor`, days as DATE, moments as TIMESTAMP in UTC, lists as JSON. A transfer that breaks off is incomplete.",
    access: "read",
    params: ExportParams,
    query: ExportQuery,
    streams: true,
    replies: {
      200: {
        content_type: NDJSON_TYPE,
        other_content_types: ["text/csv", PARQUET_TYPE],
        examples: {
          [NDJSON_TYPE]: '{"object":"customer","id":"019a5d2c-7c1e-7b52-9f0e-2f6f3f0f4a11"}\n',
          "text/csv": "id,external_id\r\n019a5d2c-7c1e-7b52-9f0e-2f6f3f0f4a11,\r\n",
        },
      },
    },
    handle: async (cx, { params, query }) => ({
      status: 200,
      stream: await exportDataset(cx, getDataset(params.dataset), query),
    }),
  }),
]);

// The actions of the node from the OpenAPI document: resources, their operations, and the fields of each, in n8n's declarative style.

/** The groups of operations that workflows need, with their names for people. */
const RESOURCES = {
  customers: "Customer",
  products: "Product",
  users: "User",
  invoices: "Invoice",
  credit_notes: "Credit Note",
  recurring_series: "Recurring Series",
  occurrences: "Period of a Series",
  work_registrations: "Hours",
  payments: "Payment",
  allocations: "Allocation",
  open_items: "Open Item",
  reminders: "Reminder",
  deliveries: "Delivery",
};

/** Operations whose name says less than it should. */
const NAMES = {
  list: "Get Many",
  get: "Get",
  create: "Create",
  update: "Update",
  delete: "Delete",
};

/** Set by `Return All` and `Limit`. */
const PAGING = ["limit", "cursor"];

/** A list of pages, whose cursor is in the address so that the filters stay. */
const PAGES = {
  pagination: {
    type: "generic",
    properties: {
      continue: "={{ $response.body.has_more === true }}",
      request: {
        url: '={{ $request.url + ($response.body ? "?cursor=" + encodeURIComponent($response.body.next_cursor) : "") }}',
      },
    },
  },
};

/** Returns the properties of the node: the choice of a resource, that of an operation, and the fields of each operation. */
export function propertiesOf({ paths, components }) {
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const resources = Object.entries(RESOURCES).map(([resource, name]) => {
    const operations = found
      .filter(
        ({ operation }) => operation.operationId?.split(".")[0] === resource && isAction(operation),
      )
      .map((one) => ({ ...one, resource, name: one.operation.operationId.split(".")[1] }));
    return { resource, name, operations };
  });
  return [
    {
      ...{ displayName: "Resource", name: "resource", type: "options", noDataExpression: true },
      options: resources.map(({ resource, name }) => ({ name, value: resource })),
      default: "invoices",
    },
    ...resources.map(({ resource, operations }) => choiceOf(resource, operations)),
    ...resources.flatMap(({ operations }) =>
      operations.flatMap((one) => fieldsOf(one, components.schemas)),
    ),
  ];
}

/** Whether a workflow can use an operation: it takes JSON or nothing, and answers JSON, a PDF or nothing. */
function isAction({ requestBody, responses }) {
  const sent = Object.keys(requestBody?.content ?? {});
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const answered = Object.keys(answer.content ?? {});
  return [sent, answered].every(
    ([kind]) => kind === undefined || kind === "application/json" || kind === "application/pdf",
  );
}

function choiceOf(resource, operations) {
  const options = operations.map(({ path, method, operation, name }) => ({
    ...{ name: NAMES[name] ?? titleOf(name), value: name },
    ...{ action: operation.summary, description: operation.summary },
    routing: {
      request: { method: method.toUpperCase(), url: urlOf(path), ...requestOf(operation) },
      output: { postReceive: receivedOf(operation) },
    },
  }));
  return {
    ...{ displayName: "Operation", name: "operation", type: "options", noDataExpression: true },
    displayOptions: { show: { resource: [resource] } },
    options: options.sort((a, b) => (a.name < b.name ? -1 : 1)),
    default: operations[0].name,
  };
}

/** The address with the parameters of the path, as an expression. */
function urlOf(path) {
  const url = path.replace(/\{(\w+)\}/g, "{{ encodeURIComponent($parameter.$1) }}");
  return url === path ? path : `=${url}`;
}

const isPdf = ({ responses }) => responses["200"]?.content?.["application/pdf"] !== undefined;

function requestOf(operation) {
  return isPdf(operation)
    ? { encoding: "arraybuffer", headers: { accept: "application/pdf" } }
    : {};
}

function receivedOf(operation) {
  if (isPdf(operation)) {
    return [{ type: "binaryData", properties: { destinationProperty: "data" } }];
  }
  return isList(operation) ? [{ type: "rootProperty", properties: { property: "data" } }] : [];
}

function isList({ parameters = [] }) {
  return parameters.some(({ name }) => name === "cursor");
}

/** The fields of an operation: what is required one by one, the rest in a collection. */
function fieldsOf({ resource, name, method, operation }, schemas) {
  const displayOptions = { show: { resource: [resource], operation: [name] } };
  const shown = (field) => ({ displayOptions, ...field });
  const parameters = operation.parameters ?? [];
  const places = parameters.filter((one) => one.in === "path");
  const filters = parameters.filter((one) => one.in === "query" && !PAGING.includes(one.name));
  const { properties = {}, required = [] } = bodyOf(operation, schemas);
  const given = Object.entries(properties).map(([field, schema]) => ({
    ...fieldOf(field, schema, "body"),
    is_required: required.includes(field),
  }));
  return [
    ...places.map(({ name: place, description }) => ({
      ...{ displayName: place === "ref" ? "ID" : titleOf(place), name: place, type: "string" },
      ...{ required: true, default: "", description: textOf(description) ?? titleOf(place) },
    })),
    ...given
      .filter(({ is_required }) => is_required)
      .map(({ is_required: _, ...one }) => ({ ...one, required: true })),
    ...(isList(operation) ? pagingFields(displayOptions) : []),
    ...collectionOf(
      "Filters",
      "filters",
      filters.map((one) => fieldOf(one.name, one.schema, "query", one.description)),
    ),
    ...collectionOf(
      method === "patch" ? "Fields to Change" : "Additional Fields",
      "fields",
      given.filter(({ is_required }) => !is_required).map(({ is_required: _, ...one }) => one),
    ),
  ].map(shown);
}

/** A description for people who fill in a form: expressions encode what is part of an address. */
function textOf(description) {
  return description?.replaceAll("`", "").replace(", URL-encoded", "");
}

function bodyOf({ requestBody }, schemas) {
  const schema = requestBody?.content?.["application/json"]?.schema ?? {};
  return resolved(schema, schemas);
}

function resolved(schema, schemas) {
  return schema.$ref ? schemas[schema.$ref.split("/").at(-1)] : schema;
}

function pagingFields({ show }) {
  return [
    {
      ...{ displayName: "Return All", name: "returnAll", type: "boolean", default: false },
      description: "Whether to return all results or only up to a given limit",
      displayOptions: { show },
      routing: {
        request: { qs: { limit: "={{ $value ? 100 : undefined }}" } },
        send: { paginate: "={{ $value }}" },
        operations: PAGES,
      },
    },
    {
      ...{ displayName: "Limit", name: "limit", type: "number", default: 50 },
      typeOptions: { minValue: 1, maxValue: 100 },
      description: "Max number of results to return",
      displayOptions: { show: { ...show, returnAll: [false] } },
      routing: { send: { type: "query", property: "limit" } },
    },
  ];
}

function collectionOf(displayName, name, options) {
  if (options.length === 0) return [];
  const placeholder = name === "filters" ? "Add Filter" : "Add Field";
  return [{ displayName, name, type: "collection", placeholder, default: {}, options }];
}

/** A field of a body or a query. An empty text stands for null where the schema has null. */
function fieldOf(name, schema, place, description = schema.description) {
  const kinds = (schema.anyOf ?? [schema]).flatMap((one) =>
    [one.type].flat().map((type) => ({ ...one, type })),
  );
  const has_null = kinds.some(({ type }) => type === "null");
  const [kind] = kinds.filter(({ type }) => type !== "null");
  const { send, ...input } = inputOf(kind, has_null);
  const text = textOf(description);
  return {
    ...{ displayName: titleOf(name), name, ...input },
    ...(schema.default === undefined || input.type === "json" ? {} : { default: schema.default }),
    ...(text === undefined ? {} : { description: text }),
    routing: { send: { type: place, property: name, ...(send ? { value: send } : {}) } },
  };
}

/** How a value is entered, its default, and the expression that makes the value to send; without one it is sent as it was entered. */
function inputOf({ type, enum: values, format }, has_null) {
  const send = has_null ? NULL_FOR_EMPTY : undefined;
  if (values !== undefined) {
    const options = values.map((value) => ({ name: titleOf(String(value)), value }));
    const none = has_null ? [{ name: "None", value: "" }] : [];
    return {
      type: "options",
      options: [...none, ...options],
      default: has_null ? "" : values[0],
      send,
    };
  }
  if (type === "boolean") return { type: "boolean", default: false };
  if (type === "number" || type === "integer") return { type: "number", default: 0 };
  if (type === "string") {
    const hint = format === "date" ? { placeholder: "2026-03-31" } : {};
    return { type: "string", default: "", ...hint, send };
  }
  return { type: "json", default: type === "array" ? "[]" : "{}", send: PARSED };
}

const NULL_FOR_EMPTY = '={{ $value === "" ? null : $value }}';
const PARSED = '={{ typeof $value === "string" ? JSON.parse($value) : $value }}';

const SHORT = {
  id: "ID",
  vat: "VAT",
  cvr: "CVR",
  se: "SE",
  p: "P",
  ean: "EAN",
  url: "URL",
  pdf: "PDF",
  einvoice: "E-Invoice",
};

/** `vat_number` as `VAT Number`. */
function titleOf(name) {
  return name
    .split("_")
    .map((word) => SHORT[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

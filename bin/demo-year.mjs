// Makes a year in the books of a small studio through the API of a sandbox account whose clock moves from month to month:
// retainers, projects, hours, invoices, closed months and a credit note. `npm run dev` fills an empty installation with it.

const MONTHS = 12;
const DAY_MS = 86_400_000;

/**
 * Makes the year that ends on a date (YYYY-MM-DD). `api(method, path, body)` resolves to the JSON of the response and throws for
 * a refusal. The account is a new sandbox. Resolves to the ids of the series, and of the project that is still a draft.
 */
export async function makeDemoYear(api, today) {
  const months = monthsThrough(today);
  const clock = (day, time = "08:00") =>
    api("PUT", "/test-clock", { now: `${day}T${time}:00.000Z` });
  await clock(`${months[0]}-01`);
  await api("PATCH", "/configuration", {
    default_payment_terms: { type: "Netto", days: 14 },
    seller: {
      name: "Vestervang Digital ApS",
      street: "Vestervang 12",
      zip_code: "8000",
      city: "Aarhus C",
      country_key: "DK",
      vat_number: "DK13585628",
      bank_registration_number: "5347",
      bank_account_number: "0000246810",
    },
  });
  for (const month of months) {
    const rate = 7.45 + Number(month.slice(5)) / 1000;
    await api("PUT", `/exchange-rates/EUR/${month}-01`, { rate: Number(rate.toFixed(4)) });
  }
  const people = await makePeople(api);
  const products = await makeProducts(api);
  const customers = await makeCustomers(api);
  const series = await makeSeries(api, months[0], people, products, customers);
  const [support] = (await api("GET", `/recurring-series/${series.support}/lines`)).data;

  const open = [];
  for (const [at, month] of months.entries()) {
    const is_last = at === months.length - 1;
    const last_day = is_last ? today : lastDayOf(month);
    if (at > 0) await clock(`${month}-01`);
    await api("POST", "/scheduler-runs");
    open.push(await beginProject(api, at, month, people, products, customers));
    for (const day of workdays(`${month}-01`, last_day)) {
      const number = Number(day.slice(8));
      if (number % 3 !== at % 3) continue;
      await clock(day, "16:00");
      const project = open[number % open.length];
      await register(
        api,
        project.line_id,
        people[number % 2 === 0 ? "ida" : "bo"],
        day,
        5.5,
        "Implementation",
      );
      await register(api, support.line_id, people.bo, day, 1.5, "Support");
    }
    // A project is invoiced in the month after it began; the last one stays a draft.
    if (open.length > 1 && !is_last) {
      const done = open.shift();
      await clock(last_day, "17:00");
      await api("POST", `/invoices/${done.id}/issue`);
      if (at === 6) await creditPart(api, done, last_day);
    }
    if (at < months.length - 2) {
      await clock(`${months[at + 1]}-01`, "06:00");
      await api("POST", "/scheduler-runs");
      await api("POST", "/period-closes", { month });
    }
  }
  return { series: Object.values(series), draft: open.at(-1).id };
}

async function makePeople(api) {
  const person = async (name, email) =>
    (await api("POST", "/users", { name, email: `${email}@vestervang.example` })).id;
  return { ida: await person("Ida Lund", "ida"), bo: await person("Bo Kjær", "bo") };
}

async function makeProducts(api) {
  const product = async (product_number, name, unit, default_price) =>
    (await api("POST", "/products", { product_number, name, unit, default_price })).id;
  return {
    development: await product("100", "Software development", "hours", 1200),
    project: await product("200", "Project, fixed price", "parts", 0),
    retainer: await product("300", "Retainer", "month", 24000),
    licence: await product("400", "Licence, yearly", "year", 18000),
  };
}

async function makeCustomers(api) {
  const customer = async (name, city, zip_code, fields = {}) => {
    const street = "Havnegade 3";
    const email = "faktura@kunde.example";
    const body = { name, street, city, zip_code, country_key: "DK", email, ...fields };
    return (await api("POST", "/customers", body)).id;
  };
  return {
    dairy: await customer("Bakkedal Mejeri A/S", "Viborg", "8800"),
    school: await customer("Søndre Friskole", "Silkeborg", "8600"),
    port: await customer("Østkystens Havn", "Grenaa", "8500"),
    german: await customer("Hansen & Krüger GmbH", "Flensburg", "24937", {
      country_key: "DE",
      vat_number: "DE136695976",
      preferred_invoice_currency_key: "EUR",
      preferred_invoice_language_key: "en-GB",
    }),
  };
}

/** Makes a retainer at a fixed value, one by hours, and a yearly licence in euro; all are active from the first month. */
async function makeSeries(api, month, people, products, customers) {
  const series = async (customer_id, fields, lines) => {
    const start_date = `${month}-01`;
    const body = { customer_id, currency: "DKK", start_date, ...fields, lines };
    const { id } = await api("POST", "/recurring-series", body);
    await api("POST", `/recurring-series/${id}/activate`, { past_periods: "keep" });
    return id;
  };
  const assignees = [{ user_id: people.ida }, { user_id: people.bo }];
  return {
    retainer: await series(
      customers.dairy,
      { frequency: "monthly", issue_timing: { mode: "start-of-period" } },
      [
        {
          product_id: products.retainer,
          recognition_method: "value",
          agreed_value: 24000,
          assignees,
        },
      ],
    ),
    support: await series(
      customers.school,
      { frequency: "monthly", issue_timing: { mode: "end-of-period" } },
      [
        {
          product_id: products.development,
          recognition_method: "hours",
          hourly_rate: 1200,
          assignees,
        },
      ],
    ),
    licence: await series(
      customers.german,
      { frequency: "yearly", currency: "EUR", issue_timing: { mode: "start-of-period" } },
      [{ product_id: products.licence, recognition_method: "value", agreed_value: 2400 }],
    ),
  };
}

/** Makes a draft for one month's project; the projects alternate between a fixed price by progress and hours. */
async function beginProject(api, at, month, people, products, customers) {
  const by_progress = {
    product_id: products.project,
    recognition_method: "progress",
    agreed_value: 90000 + at * 5000,
    budget_hours: 80 + at * 5,
  };
  const by_hours = {
    product_id: products.development,
    recognition_method: "hours",
    hourly_rate: 1150,
  };
  const line = {
    ...(at % 2 === 0 ? by_progress : by_hours),
    assignees: [{ user_id: people.ida }, { user_id: people.bo }],
  };
  const customer_id = [customers.port, customers.school, customers.dairy][at % 3];
  const body = { customer_id, currency: "DKK", title: `Project ${month}`, lines: [line] };
  const { id, lines } = await api("POST", "/invoices", body);
  return { id, line_id: lines[0].id };
}

function register(api, line_id, user_id, date, hours, note) {
  return api("POST", "/work-registrations", { line_id, user_id, date, hours, note });
}

async function creditPart(api, { id, line_id }, credit_date) {
  const lines = [{ invoice_line_id: line_id, amount: 4000 }];
  const body = { external_id: "demo-credit", invoice: id, kind: "partial", credit_date, lines };
  await api("POST", "/credit-notes", body);
}

/** Returns the months, as YYYY-MM, of a year that ends with the month of a date. */
function monthsThrough(today) {
  const [year, month] = today.split("-").map(Number);
  return Array.from({ length: MONTHS }, (_, at) =>
    new Date(Date.UTC(year, month - MONTHS + at, 1)).toISOString().slice(0, 7),
  );
}

function lastDayOf(month) {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** Returns the dates from Monday to Friday from one date through another. */
function workdays(from, to) {
  const days = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 !== 0) days.push(day.toISOString().slice(0, 10));
  }
  return days;
}

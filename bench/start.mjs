// The time from an empty data directory to the first issued invoice, and the time of a later start.
import { call, startService } from "./service.mjs";

export async function benchStart(report) {
  const service = await startService();
  const customer = await call(service, "POST", "/customers", {
    name: "Acme",
    email: "ap@acme.example",
  });
  const product = await call(service, "POST", "/products", { name: "Work", default_price: 1000 });
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const { id } = await call(service, "POST", "/invoices", { customer_id: customer.id, lines });
  await call(service, "POST", `/invoices/${id}/issue`);
  const issued_ms = performance.now() - service.began;
  await service.stop({ keep: true });
  const again = await startService({ MATCHBOOK_DATA_DIR: service.folder });
  await again.stop();
  report("start, milliseconds", {
    "first start to listening": service.started_ms,
    "first start to first issued and sent invoice": issued_ms,
    "later start to listening": again.started_ms,
  });
}

"""Matches a list of the bank with the open invoices: `python bank-list.py list.csv`. A payment is recorded when its text names an open
invoice and its amount is what is open. Every other line is printed, for a person to look at. Run it again with the same list or a longer
one: a payment has the external id `bank-` and the id of its line, so none is recorded twice.

The list has the columns id, date (2026-03-31), text and amount (1250.00; negative for what was paid out)."""

from __future__ import annotations

import csv
import os
import re
import sys
from decimal import Decimal

from matchbook_client import Matchbook, models

#: The currency of the bank account.
CURRENCY = "DKK"


def main(path: str) -> None:
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    with Matchbook(os.environ["MATCHBOOK_URL"], os.environ["MATCHBOOK_KEY"]) as matchbook:
        first_day = min((line["date"] for line in lines), default="1970-01-01")
        payments = matchbook.payments.list(from_=first_day, limit=100)
        known = {payment.external_id for payment in payments}
        invoices = matchbook.open_items.list(kind="invoice", currency=CURRENCY, limit=100)
        open_by_number = {item.number: item for item in invoices}
        recorded = 0
        for line in lines:
            if f"bank-{line['id']}" in known:
                continue
            item = item_in(line["text"], open_by_number)
            if item is None or Decimal(str(item.open_)) != Decimal(line["amount"]):
                reason = "names no open invoice" if item is None else f"invoice {item.number} is open with {item.open_}"
                print(f"{line['date']} {line['amount']} {line['text']}: {reason}")
                continue
            payment = {
                "external_id": f"bank-{line['id']}",
                "date": line["date"],
                "amount": float(line["amount"]),
                "currency": CURRENCY,
                "allocations": [{"invoice": item.document_id}],
                "reference": line["text"][:140],
            }
            matchbook.payments.create(payment)
            del open_by_number[item.number]
            recorded += 1
        print(f"{recorded} payments recorded")


def item_in(text: str, open_by_number: dict[str, models.OpenItem]) -> models.OpenItem | None:
    """The only open invoice whose number is in the text; None for none, or for several."""
    numbers = {number for number in re.findall(r"\d+", text) if number in open_by_number}
    return open_by_number[numbers.pop()] if len(numbers) == 1 else None


if __name__ == "__main__":
    main(sys.argv[1])

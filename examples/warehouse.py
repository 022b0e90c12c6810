"""Keeps a copy of an account in SQLite: `python warehouse.py warehouse.db`, until it is stopped. It begins with a snapshot of whole datasets,
and then follows the events from the moment of the snapshot. Start it again at any time: rows and cursor are one transaction."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from typing import Any

from matchbook_client import ConflictError, Matchbook, Page, models

#: The dataset of each type of resource. Add `products`, `users` and so on as you need them.
DATASETS = {
    "customer": "customers",
    "invoice": "invoices",
    "credit_note": "credit_notes",
    "recurring_series": "recurring_series",
    "work_registration": "work_registrations",
}
#: Lines are within their documents, so a view of them is always true.
SCHEMA = """
create table if not exists rows (dataset text, id text, document text not null, primary key (dataset, id));
create table if not exists place (cursor text not null);
create view if not exists invoice_lines as
  select rows.id as invoice_id, line.value as document
  from rows, json_each(rows.document, '$.lines') as line where rows.dataset = 'invoices';
"""


def main(path: str) -> None:
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    with Matchbook(os.environ["MATCHBOOK_URL"], os.environ["MATCHBOOK_KEY"]) as matchbook:
        while True:
            place = db.execute("select cursor from place").fetchone()
            cursor = place[0] if place else take_snapshot(db, matchbook)
            try:
                follow(db, matchbook, cursor)
            except ConflictError as error:
                # The service was restored from a backup: what the copy has may never have happened.
                if error.code != "FEED_RESET":
                    raise
                with db:
                    db.execute("delete from place")


def take_snapshot(db: sqlite3.Connection, matchbook: Matchbook) -> str:
    """Loads all datasets. Each is of a later moment than the one before, so the events continue after the first."""
    cursor = ""
    with db:
        db.execute("delete from rows")
        for dataset in DATASETS.values():
            answer = matchbook.request("GET", f"/exports/{dataset}")
            cursor = cursor or answer.headers["Matchbook-Cursor"]
            for line in answer.text.splitlines():
                put(db, dataset, json.loads(line))
        db.execute("insert into place values (?)", [cursor])
    return cursor


def follow(db: sqlite3.Connection, matchbook: Matchbook, cursor: str) -> None:
    def save(next_cursor: str) -> None:
        db.execute("update place set cursor = ?", [next_cursor])
        db.commit()

    for event in matchbook.events.follow(cursor=cursor, save=save):
        apply(db, matchbook, event.to_dict())


def apply(db: sqlite3.Connection, matchbook: Matchbook, event: dict[str, Any]) -> None:
    kind, id, resource = event["resource_type"], event["resource_id"], event["data"]["resource"]
    dataset = DATASETS.get(kind)
    if dataset is None:
        return
    if event["type"].endswith(".deleted"):
        db.execute("delete from rows where dataset = ? and id = ?", [dataset, id])
    elif resource is not None:
        put(db, dataset, resource)
    # Hours are invoiced, dropped and priced with their line, and have no events of their own for it.
    if kind == "invoice" and resource is not None:
        put_hours(db, matchbook.work_registrations.list(invoice=id, limit=100))
    if kind == "recurring_series" and resource is not None:
        put_hours(db, matchbook.work_registrations.list(series=id, limit=100))


def put_hours(db: sqlite3.Connection, page: Page[models.WorkRegistration]) -> None:
    for hours in page:
        put(db, "work_registrations", hours.to_dict())


def put(db: sqlite3.Connection, dataset: str, document: dict[str, Any]) -> None:
    row = [dataset, document["id"], json.dumps(document)]
    db.execute("insert into rows values (?, ?, ?) on conflict (dataset, id) do update set document = excluded.document", row)


if __name__ == "__main__":
    main(sys.argv[1])

"""Generates the package from the OpenAPI document of the repository: models and requests by openapi-python-client, and the methods of
the clients, which take their parameters from these requests."""

from __future__ import annotations

import ast
import json
import keyword
import re
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
PACKAGE = FOLDER / "src" / "matchbook_client"
API = PACKAGE / "_api"
DOCUMENT = FOLDER.parent.parent / "docs" / "openapi.json"


def generate_api() -> None:
    shutil.rmtree(API, ignore_errors=True)
    program = Path(sys.executable).with_name("openapi-python-client")
    command = [str(program), "generate", "--path", str(DOCUMENT), "--meta", "none", "--fail-on-warning"]
    command += ["--config", str(FOLDER / "generator.yml"), "--output-path", str(API)]
    command += ["--custom-template-path", str(FOLDER / "templates")]
    subprocess.run(command, check=True)
    for path in API.rglob("*.py"):
        # The generator names two things alike, which only a type checker minds.
        path.write_text("# mypy: ignore-errors\n" + path.read_text())
    client = API / "client.py"
    # `typing` has `Self` from Python 3.11 on.
    text = client.read_text().replace("from typing import Any, Self", "from typing import TYPE_CHECKING, Any\n\nif TYPE_CHECKING:\n    from typing_extensions import Self\n")
    client.write_text("from __future__ import annotations\n" + text)


class Operation:
    """An operation: what its method takes and returns."""

    def __init__(self, operation_id: str, operation: dict, imports: set[str]) -> None:
        self.group, name = operation_id.split(".")
        self.name = f"{name}_" if keyword.iskeyword(name) else name
        self.summary = operation.get("summary", "").replace('"""', "'''").rstrip(".")
        module = f"{self.group}_{name}"
        [path] = API.glob(f"api/*/{module}.py")
        self.module = f"{path.parent.name}.{module}"
        tree = ast.parse(path.read_text())
        [function] = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "sync_detailed"]
        self.has_raw_body = False
        self.places = [f"{argument.arg}: str" for argument in function.args.args]
        options = [
            self.option(argument, default)
            for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
            if argument.arg != "client"
        ]
        self.places += [option for option in options if option.startswith("body:")]
        self.options = [option for option in options if not option.startswith("body:")]
        self.answer = self.answer_of(operation, ast.unparse(function.returns))
        models = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("models") for alias in node.names}
        text = " ".join([*self.places, *self.options, self.answer])
        imports |= {name for name in models | ITEMS if re.search(rf"\b{name}\b", text)}

    def option(self, argument: ast.arg, default: ast.expr | None) -> str:
        kind = re.sub(r"\blist\[", "List[", ast.unparse(argument.annotation))
        if argument.arg == "body" and kind.startswith("File"):
            self.has_raw_body = True
            return "body: bytes, content_type: str"
        if argument.arg == "body":
            kind += " | Mapping[str, Any]"
        return f"{argument.arg}: {kind}" + ("" if default is None else " = UNSET")

    def answer_of(self, operation: dict, returned: str) -> str:
        good = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
        kinds = list(good.get("content", {}))
        if not kinds:
            return "None"
        if kinds[0] != "application/json":
            return "str" if re.match(r"text/|application/x-ndjson", kinds[0]) else "bytes"
        names = [name for name in returned.removeprefix("Response[").removesuffix("]").split(" | ") if name not in ("Error", "Any", "None", "File")]
        name = " | ".join(names)
        return f"Page[{LIST_ITEMS[name]}]" if name in LIST_ITEMS else name

    def lines(self, is_async: bool) -> list[str]:
        answer = self.answer.replace("Page[", "AsyncPage[") if is_async else self.answer
        taken = ", ".join(["self", *self.places, *(["*"] if self.options else []), *self.options])
        names = [option.split(":")[0] for option in [*self.places, *self.options]]
        given = ", ".join(f'"{name}": {name}' for name in names)
        raw = ", content_type" if self.has_raw_body else ""
        kind = "page" if self.answer.startswith("Page[") else "call"
        wait = "await " if is_async else ""
        result = f'{wait}self._caller.{kind}("{self.module}", {{{given}}}{raw})'
        start = "async def" if is_async else "def"
        return [
            f"    {start} {self.name}({taken}) -> {answer}:",
            f'        """{self.summary}."""',
            *([f"        {result}"] if self.answer == "None" else [f"        answer: {answer} = {result}", "        return answer"]),
            "",
        ]


def list_items() -> dict[str, str]:
    """The model of the items of each model of a list."""
    found = {}
    for path in API.glob("models/*.py"):
        for node in ast.parse(path.read_text()).body:
            if not isinstance(node, ast.ClassDef):
                continue
            fields = {part.target.id: ast.unparse(part.annotation) for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)}
            item = re.fullmatch(r"list\[(\w+)\]", fields.get("data", ""))
            if "next_cursor" in fields and item:
                found[node.name] = item[1]
    return found


def operations_text(document: dict) -> str:
    imports: set[str] = set()
    groups: dict[str, list[Operation]] = {}
    for methods in document["paths"].values():
        for method, operation in methods.items():
            if method != "parameters":
                one = Operation(operation["operationId"], operation, imports)
                groups.setdefault(one.group, []).append(one)
    lines = [
        '"""Generated by build.py: the operations of each group."""',
        "",
        "from __future__ import annotations",
        "",
        "import datetime",
        "from collections.abc import Mapping",
        "from typing import TYPE_CHECKING, Any, List",
        "from uuid import UUID",
        "",
        "from ._api.types import UNSET, Unset",
        "",
        "if TYPE_CHECKING:",
        f"    from ._api.models import {', '.join(sorted(imports))}",
        "    from ._caller import AsyncCaller, AsyncPage, Caller, Page",
        "",
        f'API_VERSION = "{document["info"]["x-matchbook-version"]}"',
        "",
    ]
    for is_async in (False, True):
        prefix = "Async" if is_async else ""
        for group, operations in groups.items():
            lines += ["", f"class {prefix}{class_of(group)}Operations:"]
            lines += [f"    def __init__(self, caller: {prefix}Caller) -> None:", "        self._caller = caller", ""]
            for one in operations:
                lines += one.lines(is_async)
        lines += ["", f"class {prefix}Groups:", f"    def __init__(self, caller: {prefix}Caller) -> None:"]
        lines += [f"        self.{group} = {prefix}{class_of(group)}Operations(caller)" for group in groups if group != "events"]
        lines += [""]
    return "\n".join(lines)


def class_of(group: str) -> str:
    return "".join(part.capitalize() for part in group.split("_"))


generate_api()
LIST_ITEMS = list_items()
ITEMS = set(LIST_ITEMS.values())
(PACKAGE / "_operations.py").write_text(operations_text(json.loads(DOCUMENT.read_text())))

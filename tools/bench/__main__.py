"""Measure starting, building, reading and checking, also in an editor, and hold the ratios to their bounds."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from importlib import metadata
from pathlib import Path

from attrs import asdict

from tools.bench import building, checking, editor, first_use, startup
from tools.bench.emitters import PATTERN
from tools.bench.row import Row, table

PACKAGES = ("attrs", "llvmlite", "ptx-parser", "ptxgen", "pyptx")


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when every bound is kept."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("--repeat", type=_positive, default=9, metavar="N", help="rounds, of which the median is shown")
    parser.add_argument("--sizes", type=_sizes, default=(10_000, 100_000), metavar="N,N", help="instructions")
    parser.add_argument("--corpus", type=_folder, metavar="DIR", help="PTX files, in a folder for each producer")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file, too")
    options = parser.parse_args(arguments)
    rows = [*startup.rows(options.repeat), *first_use.rows(options.repeat), *editor.rows()]
    for size in options.sizes:
        rows += building.rows(size, options.repeat)
    rows += checking.rows(options.repeat, options.corpus)
    print(table(rows))
    if options.json is not None:
        options.json.write_text(_figures(rows, options.repeat), encoding="utf-8")
    return 0 if all(row.met for row in rows) else 1


def _figures(rows: list[Row], repeat: int) -> str:
    versions = {package: _version(package) for package in PACKAGES}
    described = {"python": platform.python_version(), "packages": versions, "repeat": repeat}
    return json.dumps({**described, "rows": [asdict(row) | {"met": row.met} for row in rows]}, indent=1) + "\n"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return number


def _folder(text: str) -> Path:
    folder = Path(text)
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder")
    return folder


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(map(_positive, text.split(",")))
    for size in sizes:
        if size % PATTERN:
            raise argparse.ArgumentTypeError(f"{size} is no multiple of {PATTERN}")
    return sizes


if __name__ == "__main__":
    sys.exit(main())

"""Write the specimen folders from the recipes: `python build.py [prefix ...]`.

A recipe takes a healthy base script, applies exact replacements and adds the case's data. Every
replacement must hit exactly once, so a recipe cannot silently stop doing what it says.
"""
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
BASES = HERE / "bases"
Edit = tuple[str, str]
Files = dict[str, str]
only = tuple(sys.argv[1:]) if __name__ == "__main__" else ()
written: list[Path] = []


def base(name: str, *edits: Edit) -> str:
    """Source of a base script after the given replacements."""
    return edited((BASES / f"{name}.py").read_text(), edits, name)


def edited(source: str, edits: Sequence[Edit], name: str = "") -> str:
    for old, new in edits:
        if source.count(old) != 1:
            raise SystemExit(f"{name}: {source.count(old)} hits for {old!r}")
        source = source.replace(old, new)
    return source


def line_of(source: str, culprit: str | None) -> int | None:
    if culprit is None:
        return None
    hits = [i for i, text in enumerate(source.splitlines(), 1) if culprit in text]
    if len(hits) != 1:
        raise SystemExit(f"culprit {culprit!r} on lines {hits}")
    return hits[0]


def case(
    path: str, files: str | Files, expect: str, why: str, *, culprit: str | None = None, at: str = "train.py",
    parameter: str | None = None, pair: str | None = None, also_ok: Sequence[str] = (), args: Sequence[str] = (),
    entry: str = "train.py", data: Callable[[Path], None] | None = None, root: str = "faults",
) -> None:
    """Write one case folder; `data` puts further files into it."""
    if only and not f"{root}/{path}".startswith(only) and not path.startswith(only):
        return
    folder = TESTS / root / path
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sources = {entry: files} if isinstance(files, str) else files
    for name, text in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    if data is not None:
        data(folder)
    healthy = expect == "healthy"
    fact = {
        "entry": entry, "args": list(args), "expect": expect, "also_ok": list(also_ok),
        "line": line_of(sources.get(at, ""), culprit), "file": None if healthy else at,
        "parameter": parameter, "pair": pair, "why": why,
    }
    (folder / "case.json").write_text(json.dumps(fact, indent=1) + "\n")
    written.append(folder)


def trio(fault: str, number: int, good: str | Files, bad: str | Files, why: str, why_good: str = "", **more: object) -> None:
    """A sick specimen `bad_N` and its healthy twin `good_N`."""
    shared = {k: v for k, v in more.items() if k in ("entry", "args", "data", "root")}
    case(f"{fault}/bad_{number}", bad, fault, why, **more)  # type: ignore[arg-type]
    case(f"{fault}/good_{number}", good, "healthy", why_good or f"the same script without {fault}", **shared)  # type: ignore[arg-type]


def twins(
    fault: str, number: int, files: str | Files, why: str, *, sick: Callable[[Path], None] | None = None,
    healthy: Callable[[Path], None] | None = None, sick_args: Sequence[str] = (), healthy_args: Sequence[str] = (),
    name: str = "pair", root: str = "faults", why_good: str = "same code, sound inputs", **more: object,
) -> None:
    """Two folders with byte-identical code; only data, configuration, checkpoint or arguments differ."""
    entry = {k: v for k, v in more.items() if k == "entry"}
    pair = f"{fault}-{name}-{number}"
    folder = f"{fault}/{name}_{number}"
    case(f"{folder}/sick", files, fault, why, pair=pair, data=sick, args=sick_args, root=root, **more)  # type: ignore[arg-type]
    case(f"{folder}/healthy", files, "healthy", why_good, pair=pair, data=healthy, args=healthy_args, root=root, **entry)  # type: ignore[arg-type]


def main() -> None:
    for module in sorted((HERE / "recipes").glob("r*.py")):
        import_module(f"recipes.{module.stem}")
    print(f"{len(written)} cases")


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.modules["build"] = sys.modules["__main__"]
    main()

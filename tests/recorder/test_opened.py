"""Files that the script reads, and the lines that read them."""

from __future__ import annotations

from pathlib import Path

from tests.recorder.harness import Record

SCRIPT = """
import csv
import json
from pathlib import Path
import numpy as np
import torch

HERE = Path(__file__).parent
cfg = json.loads((HERE / "run.json").read_text())
rows = list(csv.reader(open(HERE / "data" / "train.csv")))
np.save(HERE / "kept.npy", np.ones(3))
np.load(HERE / "kept.npy")
np.load(HERE / "kept.npy")
w = torch.nn.Parameter(torch.zeros(1))
opt = torch.optim.SGD([w], lr=cfg["lr"])
for _ in range(3):
    ((w - float(rows[0][0])) ** 2).sum().backward()
    opt.step()
    open(HERE / "log.txt", "a").write("done")
"""


def test_each_file_that_is_read_is_told_once_with_its_line(record: Record) -> None:
    run = record(SCRIPT, {"run.json": '{"lr": 0.1}', "data/train.csv": "2.5\n"})
    lines = {s.id: s.code for s in run.trace.sites}
    told = {Path(r["file"]).name: (r["bytes"], lines[r["site"]].partition(" =")[0]) for r in run.of("opened")}
    assert told == {
        "run.json": (11, "cfg"),
        "train.csv": (4, "rows"),
        "kept.npy": (152, 'np.load(HERE / "kept.npy")'),
    }
    assert run.stop == "script_end"
    assert (run.trace.end or {})["counters"]["opened"] == len(run.of("opened"))


def test_the_code_that_ran_is_told_and_no_other(record: Record) -> None:
    plain = "import torch\nimport used\nexec(compile(open('made.py').read(), 'made.py', 'exec'))\n"
    plain += "w = torch.nn.Parameter(torch.zeros(1))\nopt = torch.optim.SGD([w], lr=rate)\n"
    files = {"used.py": "a = 1\n", "made.py": "rate = 0.1\n", "unused.py": "lr = 0.1\n"}
    run = record(plain + 3 * "(w - 1).square().sum().backward(); opt.step()\n", files)
    (row,) = run.of("code")
    assert {"made.py", "used.py"} <= {Path(f).name for f in row["files"]}
    assert "unused.py" not in {Path(f).name for f in row["files"]}


def test_that_nothing_was_read_is_told(record: Record) -> None:
    plain = "import torch\nw = torch.nn.Parameter(torch.zeros(1))\nopt = torch.optim.SGD([w], lr=0.1)\n"
    run = record(plain + 3 * "(w - 1).square().sum().backward(); opt.step()\n", max_steps=None)
    assert (run.trace.end or {})["counters"]["opened"] == 0


def test_a_script_that_opens_files_in_odd_ways_runs_as_before(record: Record) -> None:
    odd = """
    import os
    import torch
    descriptor = os.open(b"given.bin", os.O_RDONLY)
    print(os.read(descriptor, 3), open(descriptor, "rb", closefd=True).read())
    try:
        open("missing.csv")
    except FileNotFoundError as error:
        print(error.filename)
    w = torch.nn.Parameter(torch.zeros(1))
    ((w - 1) ** 2).sum().backward()
    torch.optim.SGD([w], lr=0.1).step()
    """
    run = record(odd, {"given.bin": "abcdef"})
    assert run.stdout.splitlines() == ["b'abc' b'def'", "missing.csv"]
    assert [Path(r["file"]).name for r in run.of("opened")] == ["given.bin"]
    assert not run.of("trouble")


def test_the_call_of_the_function_that_opens_a_file_is_told_too(record: Record) -> None:
    source = """
        from pathlib import Path
        import torch
        def read(name):
            with open(Path(__file__).with_name(name)) as file:
                return [float(v) for v in file]
        fit = read("train.txt")
        held, rest = [read(n) for n in ("test.txt", "more.txt")]
        w = torch.nn.Parameter(torch.zeros(1))
        opt = torch.optim.SGD([w], lr=0.1)
        for _ in range(3):
            ((w - fit[0]) ** 2).sum().backward()
            opt.step()
    """
    run = record(source, {f"{n}.txt": "2.5\n" for n in ("train", "test", "more")})
    lines = {s.id: s.code for s in run.trace.sites}
    told = {Path(r["file"]).name: lines[r["by"]].partition(" =")[0] for r in run.of("opened")}
    assert told == {"train.txt": "fit", "test.txt": "held, rest", "more.txt": "held, rest"}
    alone = record(
        source.replace("fit = read", "fit = (lambda n: [2.5])"), {"test.txt": "1\n", "more.txt": "1\n"}
    )
    assert len(alone.of("opened")) == 2

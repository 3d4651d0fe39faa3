"""Where in the user's code things happen, as the user knows the paths."""

from __future__ import annotations

from pathlib import Path

from tests.recorder.harness import Record, one

SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 20), torch.randint(0, 5, (64,)))
net = nn.Linear(20, 5)
loader = DataLoader(data, batch_size=16, shuffle=True)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
crit = nn.CrossEntropyLoss()
sched = torch.optim.lr_scheduler.StepLR(opt, 10)
for epoch in range(2):
    for x, y in loader:
        opt.zero_grad()
        loss = crit(net(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
"""


def test_each_call_of_the_loop_has_its_line(record: Record) -> None:
    run = record(SCRIPT)
    lines = {site.what: (site.line, site.code) for site in run.trace.sites}
    expected = {
        "loader": "loader = DataLoader(data, batch_size=16, shuffle=True)",
        "optimizer": "opt = torch.optim.SGD(net.parameters(), lr=0.1)",
        "zero_grad": "opt.zero_grad()",
        "forward": "loss = crit(net(x), y)",
        "loss": "loss = crit(net(x), y)",
        "backward": "loss.backward()",
        "clip": "nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
        "step": "opt.step()",
        "scheduler": "sched = torch.optim.lr_scheduler.StepLR(opt, 10)",
    }
    texts = SCRIPT.strip().splitlines()
    for what, code in expected.items():
        where = 1 + next(n for n, text in enumerate(texts) if text.strip() == code)
        assert lines[what] == (where, code), what


def test_calls_from_a_wrapper_in_the_project_point_at_the_innermost_line(record: Record) -> None:
    run = record(
        """
        import torch, engine
        net = torch.nn.Linear(4, 1)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for i in range(3):
            engine.update(net(torch.randn(4, 4)).mean(), opt)
        """,
        {"engine.py": "def update(loss, opt):\n    opt.zero_grad()\n    loss.backward()\n    opt.step()\n"},
    )
    places = {site.what: (Path(site.file).name, site.line) for site in run.trace.sites}
    assert places["backward"] == ("engine.py", 3)
    assert places["step"] == ("engine.py", 4)
    assert places["optimizer"] == ("train.py", 3)


def test_paths_in_the_copy_are_told_as_paths_in_the_real_project(record: Record) -> None:
    run = record(SCRIPT + "raise ValueError('here')\n", max_steps=None, real_project="/home/ada/project")
    assert {site.file for site in run.trace.sites} == {"/home/ada/project/train.py"}
    assert run.trace.error is not None
    assert run.trace.error["file"] == "/home/ada/project/train.py"


def test_the_loader_is_described_once_and_its_first_batches_too(record: Record) -> None:
    run = record(SCRIPT)
    loader = one(run, "loader")
    assert {k: loader[k] for k in ("dataset", "len", "batch_size", "sampler", "workers")} == {
        "dataset": "TensorDataset", "len": 64, "batch_size": 16, "sampler": "RandomSampler", "workers": 0,
    }  # fmt: skip
    batch = run.of("batch")[0]
    assert [t["shape"] for t in batch["tensors"]] == [[16, 20], [16]]
    assert batch["tensors"][1]["dtype"] == "int64"
    assert {b["epoch"] for b in run.of("batch")} == {1, 2}


def test_printed_numbers_are_kept_with_their_step_and_the_output_is_untouched(record: Record) -> None:
    run = record(
        SCRIPT + "    print(f'epoch {epoch} loss: {loss.item():.3f} acc=0.25', flush=True)\n", max_steps=None
    )
    first = run.of("print")[0]
    assert first["i"] == 4
    assert first["v"]["epoch"] == 0
    assert first["v"]["acc"] == 0.25
    assert abs(first["v"]["loss"] - run.trace.steps[3].losses[0]) < 1e-3
    assert run.stdout.splitlines()[0] == first["line"]


def test_an_evaluation_between_steps_is_one_row_with_mode_loss_and_accuracy(record: Record) -> None:
    run = record(
        SCRIPT
        + """
    net.eval()
    with torch.no_grad():
        for x, y in DataLoader(data, batch_size=32):
            crit(net(x), y)
    net.train()
""",
        max_steps=None,
    )
    rows = run.of("eval")
    assert [row["i"] for row in rows] == [4, 8]
    assert [row["modes"] for row in rows] == [{"eval": 2}] * 2
    assert all(len(row["loss"]) == 2 and 0 < row["loss"][0] < 10 for row in rows)
    assert all(row["n"] == [32, 32] and all(0 <= a <= 1 for a in row["acc"]) for row in rows)


def test_rows_of_a_printed_table_get_the_names_of_its_header(record: Record) -> None:
    table = (
        "import csv, sys\nout = csv.writer(sys.stdout)\nout.writerow(['epoch', 'val_loss', 'val_acc'])\n"
        + SCRIPT
        + "    out.writerow([epoch, f'{loss.item():.3f}', 0.5])\n    print('1, 2')\n"
    )
    rows = [row["v"] for row in record(table, max_steps=None).of("print")]
    assert rows
    assert all(set(row) == {"epoch", "val_loss", "val_acc"} for row in rows)
    assert rows[-1]["val_acc"] == 0.5


def test_parts_of_a_model_have_the_line_that_calls_them(record: Record) -> None:
    run = record(
        """
        import torch
        from torch import nn
        class Cell(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(4, 4)
            def forward(self, h):
                return torch.tanh(self.inner(h))
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.cell, self.head = Cell(), nn.Sequential(nn.Linear(4, 2), nn.ReLU())
            def forward(self, x):
                h = self.cell(x)
                return self.head(h)
        net = Net()
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for k in range(3):
            net(torch.randn(8, 4)).sum().backward()
            opt.step()
        """
    )
    (calls,) = (row["calls"] for row in run.of("model"))
    codes = {path: next(s.code for s in run.trace.sites if s.id == site) for path, site in calls.items()}
    assert codes == {
        "cell": "h = self.cell(x)", "cell.inner": "return torch.tanh(self.inner(h))",
        "head": "return self.head(h)", "head.0": "return self.head(h)", "head.1": "return self.head(h)",
    }  # fmt: skip


def test_the_line_that_reads_the_data_is_told_apart_from_settings_and_conversions(record: Record) -> None:
    run = record(
        """
        import json
        from pathlib import Path
        import torch
        SHARES = torch.tensor([0.1, 0.9])
        config = json.loads(Path("config.json").read_text())
        rows = Path("table.txt").read_text().split()
        x = torch.tensor([float(r) for r in rows]).reshape(-1, 2)
        net = torch.nn.Linear(2, 1)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for k in range(3):
            net(x).sum().backward()
            opt.step()
        """,
        files={"config.json": "{}", "table.txt": "1 2 3 4"},
    )
    codes = {site.what: site.code for site in run.trace.sites}
    assert codes["read"] == codes["data"] == 'rows = Path("table.txt").read_text().split()'


def test_settings_in_json_are_no_data(record: Record) -> None:
    run = record(
        """
        import json
        import torch
        cfg = json.load(open("run.json"))
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        net = torch.nn.Linear(2, 1)
        opt = torch.optim.SGD(net.parameters(), lr=cfg["lr"])
        for k in range(3):
            net(x).sum().backward()
            opt.step()
        """,
        files={"run.json": '{"lr": 0.1}'},
    )
    codes = {site.what: site.code for site in run.trace.sites}
    assert codes["data"] == "x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])"


def test_an_evaluation_with_a_decorator_begins_at_its_def(record: Record) -> None:
    run = record(
        SCRIPT.replace("crit =", "@torch.no_grad()\ndef judge():\n    return net(data[:8][0])\ncrit =", 1)
        + "\n    judge()\n"
    )
    (place,) = {s.code for s in run.trace.sites if s.what == "evaluation"}
    assert place == "def judge():"


def test_an_evaluation_inside_a_comprehension_is_that_of_the_function_around_it(record: Record) -> None:
    judge = "@torch.no_grad()\ndef judge():\n    return torch.cat([net(x) for x in data[:8][0].split(4)])\n"
    after = "def later():\n    pass\ncrit ="
    run = record(SCRIPT.replace("crit =", judge + after, 1) + "\n    judge()\n")
    (place,) = {s.code for s in run.trace.sites if s.what == "evaluation"}
    assert place == "def judge():"


def test_a_function_that_is_named_like_a_reader_is_read_at_its_reading(record: Record) -> None:
    run = record(
        """
        import csv
        import torch
        def read_csv(path):
            with open(path) as file:
                return [[float(v) for v in row] for row in csv.reader(file)]
        x = torch.tensor(read_csv("table.csv"))
        net = torch.nn.Linear(2, 1)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for k in range(3):
            net(x).sum().backward()
            opt.step()
        """,
        files={"table.csv": "1,2\n3,4\n"},
    )
    (code,) = {site.code for site in run.trace.sites if site.what == "read"}
    assert "csv.reader" in code

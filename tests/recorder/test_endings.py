"""However a script ends, the trace says so, and everything up to there is in it."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

LOOP = """
import torch
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def step():
    opt.zero_grad()
    net(torch.randn(4, 4)).mean().backward()
    opt.step()
"""


def test_a_script_stops_after_the_wanted_number_of_steps(record: Record) -> None:
    run = record(LOOP + "for i in range(10**9): step()\n", max_steps=5)
    assert (run.stop, run.status, len(run.trace.steps)) == ("max_steps", 0, 5)
    assert run.trace.end is not None
    assert run.trace.end["steps"] == 5


def test_a_script_stops_when_its_time_is_up(record: Record) -> None:
    run = record(LOOP + "for i in range(10**9): step()\n", max_steps=None, max_seconds=1.0)
    assert run.stop == "max_seconds"
    assert run.trace.steps
    assert run.trace.end is not None
    assert 0.9 < run.trace.end["t"] < 8


def test_a_script_that_never_makes_a_step_is_stopped_too(record: Record) -> None:
    run = record("import time\nfor _ in range(10**9): time.sleep(0.01)\n", max_seconds=0.3)
    assert run.stop == "max_seconds"
    assert not run.trace.steps


def test_a_script_that_ends_by_itself_is_recorded_to_its_end(record: Record) -> None:
    run = record(LOOP + "for i in range(3): step()\nprint('done')\n")
    assert (run.stop, run.status, len(run.trace.steps)) == ("script_end", 0, 3)
    assert run.stdout == "done\n"


def test_an_exception_is_told_with_the_users_line_and_the_last_lines(record: Record) -> None:
    run = record(LOOP + "for i in range(3):\n    step()\n    if i == 1:\n        net(torch.randn(4, 5))\n")
    assert (run.stop, run.status, len(run.trace.steps)) == ("error", 1, 2)
    error = run.trace.error
    assert error is not None
    assert error["type"] == "RuntimeError"
    assert "shapes cannot be multiplied" in error["text"]
    assert error["file"].endswith("project/train.py")
    assert error["line"] == 11
    assert "shapes cannot be multiplied" in run.stderr


def test_an_error_in_a_helper_module_points_into_that_module(record: Record) -> None:
    run = record("import helper\nhelper.work()\n", {"helper.py": "def work():\n    return {}['loss']\n"})
    error = run.trace.error
    assert error is not None
    assert (error["type"], error["line"]) == ("KeyError", 2)
    assert error["file"].endswith("project/helper.py")


@pytest.mark.parametrize(("line", "stop", "status"), [
    ("sys.exit(3)", "error", 3), ("sys.exit('no data')", "error", 1), ("sys.exit()", "script_end", 0),
])  # fmt: skip
def test_exit_codes_are_kept(record: Record, line: str, stop: str, status: int) -> None:
    run = record(f"import sys\n{LOOP}step()\n{line}\n")
    assert (run.stop, run.status, len(run.trace.steps)) == (stop, status, 1)


def test_a_bare_except_cannot_hold_the_stop(record: Record) -> None:
    run = record(LOOP + "while True:\n    try:\n        step()\n    except:\n        pass\n", max_steps=4)
    assert (run.stop, run.status, len(run.trace.steps)) == ("max_steps", 0, 4)


def test_a_finally_block_runs_but_the_trace_is_already_whole(record: Record) -> None:
    body = "    try:\n        for _ in range(99): step()\n    finally:\n        print('teardown')\n"
    run = record(LOOP + "if True:\n" + body, max_steps=4)
    assert (run.stop, run.stdout) == ("max_steps", "teardown\n")


def test_threads_and_atexit_handlers_do_not_keep_a_finished_script_alive(record: Record) -> None:
    run = record(
        "import atexit, threading, time\n"
        "threading.Thread(target=time.sleep, args=(50,)).start()\n"
        "atexit.register(time.sleep, 50)\n" + LOOP + "step()\n"
    )
    assert (run.stop, run.status) == ("script_end", 0)
    assert run.trace.end is not None
    assert run.trace.end["t"] < 25


def test_parameters_that_do_not_exist_yet_are_left_alone_until_they_do(record: Record) -> None:
    run = record("""
        import torch
        from torch import nn
        net, optimizer = nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2)), None
        for _ in range(4):
            loss = net(torch.randn(8, 3)).pow(2).mean()
            optimizer = optimizer or torch.optim.SGD(net.parameters(), lr=0.1)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    """)
    assert run.stop == "script_end"
    assert len(run.trace.steps) == 4
    assert run.of("forward")
    assert not run.of("trouble")


def test_a_mistake_of_a_hook_is_noted_and_does_not_reach_the_script(record: Record) -> None:
    run = record("""
        import sys
        import torch
        from torch import nn
        recorder = sys.modules["_lossdoctor_recorder.forwards"]
        def broken(*args):
            raise ZeroDivisionError("ours")
        recorder.Forwards._outermost = broken
        net = nn.Linear(3, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(4):
            loss = net(torch.randn(8, 3)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    """)
    assert run.stop == "script_end"
    assert len(run.trace.steps) == 4
    assert "ZeroDivisionError: ours" in run.of("trouble")[0]["text"]


def test_inputs_that_are_mere_indexes_are_told_apart_by_all_of_them(record: Record) -> None:
    run = record("""
        import torch
        from torch import nn
        class Factors(nn.Module):
            def __init__(self):
                super().__init__()
                self.user, self.item = nn.Embedding(2, 3), nn.Embedding(4, 3)
            def forward(self, user, item):
                return (self.user(user) * self.item(item)).sum(1)
        net = Factors()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        user, item = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 2, 0])
        for _ in range(3):
            loss = nn.functional.mse_loss(net(user, item), torch.ones(4))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    """)
    assert len(set(run.of("ids")[0]["h"])) == 4

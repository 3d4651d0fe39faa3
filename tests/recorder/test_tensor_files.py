"""Checkpoints that a library of its own reads: what they hold is known when it opens them, and what arrived of it."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

LIBRARY = "def safe_open(filename, framework='pt', device='cpu'):\n    return open(filename, 'rb')\n"
SCRIPT = """
import json
import torch
from torch import nn
torch.manual_seed(5)
old = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 4))
header, body = {"__metadata__": {"format": "pt"}}, b""
for name, value in old.state_dict().items():
    held = value.numpy().tobytes()
    header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [len(body), len(body) + len(held)]}
    body += held
text = json.dumps(header).encode()
with open("model.safetensors", "wb") as file:
    file.write(len(text).to_bytes(8, "little") + text + body)

from safetensors import safe_open
net = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 4))
with safe_open("model.safetensors", framework="pt"):
    if ARRIVES:
        with torch.no_grad():
            for mine, theirs in zip(net.parameters(), old.parameters()):
                mine.copy_(theirs)
del old
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    net(torch.randn(6, 8)).square().mean().backward()
    opt.step()
"""


@pytest.mark.parametrize("arrives", [True, False])
def test_what_was_opened_is_looked_for_in_the_model_that_trains(record: Record, arrives: bool) -> None:
    run = record(SCRIPT.replace("ARRIVES", str(arrives)), {"safetensors/__init__.py": LIBRARY})
    (row,) = run.of("restored")
    assert (row["given"], row["fits"], row["same"]) == (3, 3, 3 if arrives else 0)
    assert run.trace.sites[row["site"]].code == 'with safe_open("model.safetensors", framework="pt"):'
    assert not run.of("trouble")


@pytest.mark.parametrize("arrives", [True, False])
def test_what_never_arrived_is_put_where_its_names_fit(record: Record, arrives: bool) -> None:
    source = SCRIPT.replace("ARRIVES", str(arrives)).replace("header[name]", "header['module.' + name]")
    matched = [{"name": "match_keys"}]
    files = {"safetensors/__init__.py": LIBRARY}
    plain, filled = record(source, files), record(source, files, interventions=matched)
    assert (filled.losses == plain.losses) is arrives
    assert filled.losses == record(source.replace(str(arrives), "True"), files).losses


def test_a_file_of_another_kind_is_left_alone(record: Record) -> None:
    broken = SCRIPT.replace("file.write(len(text)", "file.write(0 * len(text)")
    run = record(broken.replace("ARRIVES", "True"), {"safetensors/__init__.py": LIBRARY})
    assert run.stop == "script_end"
    assert not run.of("restored")

"""Patches are made only where the change is mechanical, and apply to the user's own line."""

from __future__ import annotations

from pathlib import Path

from lossdoctor.detectors.base import found
from lossdoctor.detectors.catalogue import rule
from lossdoctor.model import Finding, Optimizer, Site, Trace, Where
from lossdoctor.tools.fixes import fix

SCRIPT = """\
opt = torch.optim.Adam(net.body.parameters(), lr=0.5)
for x, y in loader:
    loss = criterion(net(x), y)
    loss.backward()
    opt.step()
"""


def _finding(fault: str, path: Path, line: int, **more: object) -> Finding:
    where = Where(file=str(path), line=line)
    return found(rule(fault), 0.9, "why", where=where).model_copy(update=more)


def _script(folder: Path) -> tuple[Path, Trace]:
    path = folder / "train.py"
    path.write_text(SCRIPT, encoding="utf-8")
    step = Site(id=0, what="step", file=str(path), line=5, code="opt.step()")
    made = Optimizer(id=0, cls="Adam", step=0, groups=({"lr": 0.5, "weight_decay": 0.0},))
    return path, Trace(sites=(step,), optimizers=(made,))


def test_the_rate_is_scaled_where_its_name_is_set(tmp_path: Path) -> None:
    path, trace = _script(tmp_path)
    settings = tmp_path / "settings.py"
    settings.write_text("class S:\n    rate: float = 0.5  # up to 2 epochs\n", encoding="utf-8")
    proof = "same seed, scale_lr factor=0.01: loss at step 40 3 -> 0.2"
    made = fix((_finding("lr_too_high", settings, 2, status="confirmed", proof=proof),), trace)
    other = fix((_finding("lr_too_high", path, 2, status="confirmed", proof=proof),), trace)
    assert made is not None
    assert other is not None
    assert "+    rate: float = 0.005  # up to 2 epochs" in (made.patch or "")
    assert other.patch is None


def test_gradients_are_cleared_before_the_backward_call_with_its_indentation(tmp_path: Path) -> None:
    path, trace = _script(tmp_path)
    made = fix((_finding("missing_zero_grad", path, 4),), trace)
    assert made is not None
    assert made.patch is not None
    assert "+    opt.zero_grad()\n     loss.backward()" in made.patch


def test_the_rate_is_scaled_only_by_a_factor_that_was_confirmed(tmp_path: Path) -> None:
    path, trace = _script(tmp_path)
    proof = "same seed, scale_lr factor=0.01: loss at step 40 3 -> 0.2"
    confirmed = fix((_finding("lr_too_high", path, 1, status="confirmed", proof=proof),), trace)
    suspected = fix((_finding("lr_too_high", path, 1),), trace)
    assert confirmed is not None
    assert suspected is not None
    assert "lr=0.005" in (confirmed.patch or "")
    assert confirmed.verified is True
    assert suspected.patch is None
    assert suspected.verified is None


def test_the_whole_model_goes_to_the_optimizer(tmp_path: Path) -> None:
    path, trace = _script(tmp_path)
    made = fix((_finding("optimizer_missing_params", path, 1),), trace)
    assert made is not None
    assert "+opt = torch.optim.Adam(net.parameters(), lr=0.5)" in (made.patch or "")


def test_a_healthy_run_and_refuted_or_info_findings_get_no_fix(tmp_path: Path) -> None:
    path, trace = _script(tmp_path)
    assert fix((), trace) is None
    assert fix((_finding("lr_too_high", path, 1, status="refuted"),), trace) is None
    assert fix((_finding("lr_too_high", path, 1, severity="info"),), trace) is None


def test_a_file_that_is_gone_or_shorter_gives_the_remedy_without_a_patch(tmp_path: Path) -> None:
    _, trace = _script(tmp_path)
    made = fix((_finding("missing_zero_grad", tmp_path / "gone.py", 4),), trace)
    assert made is not None
    assert made.summary
    assert made.patch is None

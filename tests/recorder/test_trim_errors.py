"""``trim_errors``: the samples with the largest errors leave the gradient, not the loss."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change
from tests.recorder.test_data_interventions import plain_loop

# half of the targets are those of a plane, the others far away
PLANE = "t = X @ torch.linspace(-1, 1, 20)\nt[::4] += 50\n"
MEAN = "F.mse_loss(net(X).flatten(), t)"
KEPT = "F.mse_loss(torch.where(torch.arange(64) % 4 > 0, net(X).flatten(), net(X).flatten().detach()), t)"


@pytest.mark.parametrize("loss", [
    MEAN, "((net(X).flatten() - t) ** 2).mean()", "((t - net(X).flatten()) ** 2).mean()",
    "(net(X).squeeze(1) - t).square().mean()",
])  # fmt: skip
def test_the_largest_errors_leave_the_gradient_and_not_the_loss(change: Change, loss: str) -> None:
    source = plain_loop("nn.Linear(20, 1)", loss, before=PLANE, n=4, lr=0.01)
    plain, trimmed = change(source), change(source, "trim_errors", keep=0.75)
    kept = change(plain_loop("nn.Linear(20, 1)", KEPT, before=PLANE, n=4, lr=0.01))
    assert trimmed.losses[0] == pytest.approx(plain.losses[0])
    assert [s.grad_norm for s in trimmed.trace.steps] == pytest.approx(
        [s.grad_norm for s in kept.trace.steps]
    )
    assert trimmed.losses[-1] != pytest.approx(plain.losses[-1])


def test_a_loss_that_is_written_out_can_still_be_read(change: Change) -> None:
    """Else nothing could be held against what it was before."""
    loss = "((net(X).flatten() - t) ** 2).mean()"
    source = plain_loop("nn.Linear(20, 1)", loss, before=PLANE, n=6, lr=0.01)
    plain, trimmed = change(source), change(source, "trim_errors", keep=0.75, start=3)
    read = [[len(s.loss_values) for s in run.trace.steps] for run in (plain, trimmed)]
    assert read == [[1] * 6] * 2


def test_differences_in_a_loss_class_are_reached(change: Change) -> None:
    kind = "class Square(nn.Module):\n    def forward(self, a, b):\n        return ((a - b) ** 2).mean()\n"
    plain = plain_loop("nn.Linear(20, 1)", "((net(X).flatten() - t) ** 2).mean()", before=PLANE, n=4, lr=0.01)
    own = plain_loop("nn.Linear(20, 1)", "Square()(net(X).flatten(), t)", before=PLANE + kind, n=4, lr=0.01)
    norms = [[s.grad_norm for s in change(s, "trim_errors", keep=0.75).trace.steps] for s in (plain, own)]
    assert norms[0] == norms[1]


def test_nothing_is_left_out_before_its_step(change: Change) -> None:
    source = plain_loop("nn.Linear(20, 1)", MEAN, before=PLANE, n=5, lr=0.01)
    plain, trimmed = change(source), change(source, "trim_errors", keep=0.75, start=3)
    norms = [[s.grad_norm for s in run.trace.steps] for run in (plain, trimmed)]
    assert norms[0][:3] == norms[1][:3]
    assert norms[1][3] < 0.5 * norms[0][3]


def test_errors_are_held_against_those_of_earlier_batches(change: Change) -> None:
    parts = "F.mse_loss(net(X[16 * (i % 4) :][:16]).flatten(), t[16 * (i % 4) :][:16])"
    far = "t = X @ torch.linspace(-1, 1, 20)\nt[48:] += 50\n"
    source = plain_loop("nn.Linear(20, 1)", parts, before=far, n=8, lr=0.001)
    norms = [s.grad_norm for s in change(source, "trim_errors", keep=0.75).trace.steps]
    assert norms[3] == norms[7] == 0.0
    assert min(norms[:3] + norms[4:7]) > 0


def test_differences_of_weights_are_no_errors(change: Change) -> None:
    decay = "(F.cross_entropy(net(X), y) + (net.weight - w).square().sum())"
    source = plain_loop("nn.Linear(20, 5)", decay, before="w = torch.ones(5, 20) * 9\n")
    assert change(source, "trim_errors", keep=0.2).losses == change(source).losses


def test_the_errors_of_several_answers_to_one_target_are_reached(change: Change) -> None:
    """Quantiles: the target is held against three answers."""
    pinball = "torch.maximum(q * (t[:, None] - net(X)), (q - 1) * (t[:, None] - net(X))).mean()"
    before = PLANE + "q = torch.tensor([0.1, 0.5, 0.9])\n"
    source = plain_loop("nn.Linear(20, 3)", pinball, before=before, n=4, lr=0.01)
    plain, trimmed = change(source), change(source, "trim_errors", keep=0.75)
    assert trimmed.losses[0] == pytest.approx(plain.losses[0])
    assert trimmed.trace.steps[0].grad_norm < 0.9 * plain.trace.steps[0].grad_norm

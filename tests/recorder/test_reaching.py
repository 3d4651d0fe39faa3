"""What interventions reach beyond the plain case: bare tensors, functions, hand-written losses, given-back states."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change, Record, Recorded
from tests.recorder.test_interventions import HEAD

from lossdoctor.detectors.loss_activation_mismatch import check
from lossdoctor.model import Finding


def values(run: Recorded) -> list[float]:
    return [value for step in run.losses for value in step]


LOOP = """
for i in range(6):
    opt.zero_grad()
    F.cross_entropy({scores}, y).backward()
    opt.step()
"""


def test_a_weight_outside_every_module_trains_once_it_is_added(change: Change) -> None:
    source = HEAD + (
        "net, extra = nn.Linear(20, 5), torch.zeros(20, 5, requires_grad=True)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\n" + LOOP.format(scores="net(X) + X @ extra")
    )
    held = source.replace("net.parameters()", "[*net.parameters(), extra]")
    plain, added, right = (
        values(run)[-1] for run in (change(source), change(source, "add_parameters"), change(held))
    )
    assert added == pytest.approx(right, rel=1e-2)
    assert added < 0.97 * plain


def test_what_is_made_anew_for_each_step_is_not_added(change: Change) -> None:
    source = HEAD + (
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        + LOOP.format(scores="net(X.clone().requires_grad_())")
        + "print(len(opt.param_groups[0]['params']))\n"
    )
    plain, added = change(source), change(source, "add_parameters")
    assert added.losses == plain.losses
    assert added.stdout == plain.stdout == "2\n"


def test_a_weight_of_the_second_of_two_losses_trains_too(change: Change) -> None:
    source = HEAD + (
        "net, extra = nn.Linear(20, 5), torch.zeros(20, 5, requires_grad=True)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for i in range(6):\n    opt.zero_grad()\n    F.cross_entropy(net(X), y).backward()\n"
        "    F.cross_entropy(X @ extra, y).backward()\n    opt.step()\nprint(extra.abs().sum().item() > 0)\n"
    )
    assert (change(source).stdout, change(source, "add_parameters").stdout) == ("False\n", "True\n")


def test_a_model_that_is_made_again_much_later_trains_too(record: Record) -> None:
    source = HEAD + (
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for fold in range(2):\n    net = nn.Linear(20, 5)\n    for i in range(90):\n        opt.zero_grad()\n"
        "        net.zero_grad()\n        F.cross_entropy(net(X), y).backward()\n        opt.step()\n"
    )
    losses = values(record(source, interventions=[{"name": "add_parameters"}], max_steps=180))
    assert losses[89] < losses[20] < losses[0]
    assert losses[179] < losses[120] < losses[90]


@pytest.mark.parametrize(
    "call", ["F.dropout(x, 0.5)", "F.dropout(x, 0.5, True)", "F.dropout(x, training=True)"]
)
def test_dropout_functions_drop_nothing_in_evaluation(change: Change, call: str) -> None:
    source = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.out = nn.Linear(20, 5)\n    def forward(self, x):\n        return self.out(" + call + ")\n"
        "net = Net()\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n" + LOOP.format(scores="net(X)")
        + "net.eval()\nwith torch.no_grad():\n    print('alike', bool((net(X) == net(X)).all()))\n"
    )  # fmt: skip
    plain, changed = change(source), change(source, "eval_mode")
    assert (plain.stdout, changed.stdout) == ("alike False\n", "alike True\n")
    assert changed.losses == plain.losses


def test_an_empty_state_that_is_given_back_does_not_empty_the_optimizer(change: Change) -> None:
    source = HEAD + (
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)\n"
        "first = opt.state_dict()\n{}"
    )  # fmt: skip
    again = source.format(
        LOOP.format(scores="net(X)").replace("    opt.zero", "    opt.load_state_dict(first)\n    opt.zero")
    )
    right = source.format(LOOP.format(scores="net(X)"))
    assert change(again).losses[2:] != change(right).losses[2:]
    assert change(again, "keep_optimizer").losses == change(right).losses


BY_HAND = """
t = X[:, 0].clone()
net = nn.Linear(20, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    {loss}.backward()
    opt.step()
"""


@pytest.mark.parametrize(
    "wrong",
    [
        "(net(X) - t).square().mean()",
        "(t - net(X)).abs().square().mean()",
        "torch.square(net(X).sub(t)).mean()",
    ],
)
def test_a_difference_by_hand_takes_the_shape_of_the_prediction(change: Change, wrong: str) -> None:
    right = HEAD + BY_HAND.format(loss="(net(X)[:, 0] - t).square().mean()")
    source = HEAD + BY_HAND.format(loss=wrong)
    assert values(change(source)) != pytest.approx(values(change(right)), rel=1e-3)
    assert values(change(source, "align_shapes")) == pytest.approx(values(change(right)), rel=1e-5)


def test_pairs_that_are_meant_stay_pairs(change: Change) -> None:
    source = HEAD + BY_HAND.format(loss="(net(X)[:, 0].unsqueeze(1) - t).square().mean()")
    assert change(source, "align_shapes").losses == change(source).losses


def test_missing_values_become_the_mean_of_their_feature(change: Change) -> None:
    spoilt = "X[3, 4] = float('nan'); X[9, 4] = float('inf')\n"
    filled = "X[3, 4] = X[9, 4] = torch.cat([X[:3, 4], X[4:9, 4], X[10:, 4]]).mean()\n"
    body = "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n" + LOOP.format(
        scores="net(X)"
    )
    changed, right = change(HEAD + spoilt + body, "impute"), change(HEAD + filled + body)
    assert values(changed) == pytest.approx(values(right), rel=1e-3)


def test_a_missing_target_asks_for_nothing(change: Change) -> None:
    body = (
        HEAD
        + "X[5, 0] = {}\n"
        + BY_HAND.format(loss="F.mse_loss(net(X[:, 1:].repeat(1, 2)[:, :20])[:, 0], t)")
    )
    losses = values(change(body.format("float('nan')"), "impute"))
    assert all(loss == loss for loss in losses)
    assert losses[-1] < losses[0]


def test_targets_of_a_squared_error_by_hand_are_standardised_and_other_differences_are_not(
    change: Change,
) -> None:
    body = HEAD + (
        "t = 5e6 + 2e6 * X[:, 0]\nnet = nn.Linear(20, 1)\nopt = torch.optim.SGD(net.parameters(), lr=0.05)\n"
        "for i in range(8):\n    opt.zero_grad()\n    ({loss}).backward()\n    opt.step()\n"
    )
    far = body.format(loss="(net(X).squeeze(1) - t).square().mean()")
    changed = change(far, "standardise_targets")
    assert values(changed)[-1] < values(changed)[0] < 10 < 1e10 < values(change(far))[0]
    assert len(changed.of("standardised")) == 1
    near = body.format(
        loss="(net(X).squeeze(1) - X[:, 0]).square().mean() + (net.weight - 1).square().mean()"
    )
    assert change(near, "standardise_targets").losses == change(near).losses


def test_kl_div_on_probabilities_gets_their_logarithm(change: Change) -> None:
    body = HEAD + (
        "t = F.softmax(torch.randn(64, 5), 1)\nnet = nn.Linear(20, 5)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\nfor i in range(4):\n    opt.zero_grad()\n"
        "    F.kl_div(F.{}(net(X), 1), t, reduction='batchmean').backward()\n    opt.step()\n"
    )
    wrong, right = body.format("softmax"), body.format("log_softmax")
    assert values(change(wrong, "undo_activation")) == pytest.approx(values(change(right)), rel=1e-4)
    assert change(right, "undo_activation").losses == change(right).losses


OWN_LOSS = (
    HEAD
    + """
t, side = F.one_hot(y, 5) * 0.8 + 0.04, (y > 2).float() * 2 - 1
net = nn.Linear(20, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    z = net(X)
    loss = {loss}
    loss.backward()
    opt.step()
"""
)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("-(t * z.softmax(1).log_softmax(1)).sum(1).mean()", "-(t * z.log_softmax(1)).sum(1).mean()"),
        ("-(t * F.log_softmax(torch.softmax(z, 1), dim=1)).sum(1).mean()", "-(t * z.log_softmax(1)).sum(1).mean()"),
        ("-F.logsigmoid(torch.sigmoid(z[:, 0]) ).mean()", "-F.logsigmoid(z[:, 0]).mean()"),
    ],
)  # fmt: skip
def test_an_activation_that_a_written_out_loss_applies_again_is_told_and_undone(
    change: Change, wrong: str, right: str
) -> None:
    sick, sound = change(OWN_LOSS.format(loss=wrong)), change(OWN_LOSS.format(loss=right))
    fixed = change(OWN_LOSS.format(loss=wrong), "undo_activation")
    assert values(fixed) == pytest.approx(values(sound), rel=1e-4)
    assert values(fixed) != pytest.approx(values(sick), rel=1e-4)
    finding = check(sick.trace)
    assert isinstance(finding, Finding)
    assert "applied twice" in finding.why
    assert not isinstance(check(sound.trace), Finding)


@pytest.mark.parametrize(
    "loss",
    [
        "-(t * torch.log(z.softmax(1))).sum(1).mean()",
        "-(t * (5 * z.softmax(1) @ torch.eye(5)).log_softmax(1)).sum(1).mean()",  # a layer in between
        "-F.logsigmoid(side * (torch.sigmoid(z[:, 0]) - torch.sigmoid(z[:, 1]))).mean()",  # a difference of two
    ],
)
def test_activations_that_are_not_applied_twice_are_left(change: Change, loss: str) -> None:
    run = change(OWN_LOSS.format(loss=loss))
    assert not isinstance(check(run.trace), Finding)
    assert change(OWN_LOSS.format(loss=loss), "undo_activation").losses == run.losses


def test_several_labels_get_a_binary_loss_and_class_numbers_keep_theirs(change: Change) -> None:
    body = HEAD + (
        "t = (torch.rand(64, 5) > 0.5).float()\nnet = nn.Linear(20, 5)\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\nfor i in range(4):\n    opt.zero_grad()\n"
        "    F.{}.backward()\n    opt.step()\n"
    )
    wrong, right = (
        body.format(f"{name}(net(X), t)") for name in ("cross_entropy", "binary_cross_entropy_with_logits")
    )
    assert values(change(wrong, "binary_loss")) == values(change(right))
    plain = body.format("cross_entropy(net(X), y)")
    assert change(plain, "binary_loss").losses == change(plain).losses


GROWING = (
    HEAD
    + """
net = nn.Linear(20, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
{before}
for i in range(120):
    opt.zero_grad()
    loss = F.cross_entropy(net(X), y)
    {during}
    loss.backward()
    opt.step()
"""
)


@pytest.mark.parametrize(
    ("before", "during"),
    [("kept = []", "kept.append(loss)"), ("total = 0", "total = total + net(X).mean().square()")],
)
def test_history_that_outlives_its_step_is_dropped(record: Record, before: str, during: str) -> None:
    source = GROWING.format(before=before, during=during)
    runs = [record(source, interventions=chosen, max_steps=42) for chosen in ([], [{"name": "drop_graphs"}])]
    plain, changed = ({r["i"]: r["steps"] for r in run.of("held")}[40] for run in runs)
    assert (plain, changed < 8) == (40, True)
    assert values(runs[0]) == values(runs[1])


def test_an_average_of_the_weights_that_keeps_its_history_is_dropped(record: Record) -> None:
    source = GROWING.format(
        before="slow = net.weight.detach().clone()",
        during="slow = slow.lerp(net.weight, 0.1); loss = loss + (slow - net.weight).square().mean()",
    )
    runs = [record(source, interventions=chosen, max_steps=120) for chosen in ([], [{"name": "drop_graphs"}])]
    plain, changed = (run.of("graph")[-1]["nodes"] for run in runs)
    assert changed < plain / 2

"""Interventions on data, labels, layers and operands: each changes the one thing that it names."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.recorder.harness import Change, Record, Recorded, one
from tests.recorder.test_interventions import HEAD, PLAIN

STEP = "for i in range({n}):\n    opt.zero_grad()\n    {loss}.backward()\n    opt.step()\n"
SGD = "opt = torch.optim.SGD(net.parameters(), lr={lr})\n"


def plain_loop(net: str, loss: str, *, n: int = 3, lr: float = 0.1, before: str = "", after: str = "") -> str:
    return HEAD + before + f"net = {net}\n" + SGD.format(lr=lr) + STEP.format(n=n, loss=loss) + after


@pytest.mark.parametrize(("name", "parameters"), [
    ("without_feature", {"columns": [20]}),
    ("ignore_samples", {"prints": []}),
    ("balance_classes", {"shares": {str(k): 0.2 for k in range(5)}}),
    ("align_evaluation", {}),
    ("ignore_padding", {"value": -1}),
    ("stop_updates", {"after": 99}),
    ("swap_axes", {}),
    ("last_axis_softmax", {}),
    ("bounded_operands", {}),
    ("unsaturate", {}),
    ("vote_labels", {"x": [[0.0] * 3] * 9, "y": [0] * 9, "classes": True}),
    ("pair_again", {"order": "1"}),
])  # fmt: skip
def test_what_has_nothing_to_change_leaves_the_run_as_it_is(
    change: Change, name: str, parameters: dict[str, Any]
) -> None:
    plain, changed = change(PLAIN), change(PLAIN, name, **parameters)
    assert [x for s in changed.losses for x in s] == pytest.approx([x for s in plain.losses for x in s])
    assert [s.grads for s in changed.trace.steps] == [pytest.approx(s.grads) for s in plain.trace.steps]


def test_labels_become_the_vote_of_the_nearest_samples(change: Change) -> None:
    points = "X = F.one_hot(y, 20).float() * 4 + 0.1 * torch.randn(64, 20)\n"
    source = plain_loop("nn.Linear(20, 5)", "F.cross_entropy(net(X), y.roll(7))", before=points)
    bank = [[4.0 if k == c else 0.0 for k in range(20)] for c in range(5) for _ in range(6)]
    changed = change(source, "vote_labels", x=bank, y=[c for c in range(5) for _ in range(6)], classes=True)
    right = change(source.replace("y.roll(7)", "y"))
    assert changed.losses == right.losses
    assert changed.losses != change(source).losses


def test_numbers_become_the_mean_of_the_nearest_samples_but_never_ones_own(change: Change) -> None:
    source = plain_loop(
        "nn.Linear(20, 1)", "F.mse_loss(net(X).flatten(), t)", before="t = torch.full((64,), 9.0)\n"
    )
    bank = [[float(k)] * 20 for k in range(8)]
    run = change(source, "vote_labels", x=bank, y=[2.0] * 8, classes=False)
    assert one(run, "loss", i=1)["target"]["mean"] == pytest.approx(2.0)
    own = plain_loop("nn.Linear(20, 1)", "F.mse_loss(net(X).flatten(), t)",
                     before="X = torch.eye(64, 20)[:6]\nt = torch.arange(6.0)\n")  # fmt: skip
    eye = [[1.0 if k == n else 0.0 for k in range(20)] for n in range(6)]
    voted = change(own, "vote_labels", x=eye, y=[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], classes=False)
    assert one(voted, "loss", i=1)["target"]["max"] == pytest.approx(3.0), "the mean of the five others"


def test_a_column_is_taken_away_in_training_and_evaluation(change: Change) -> None:
    show = "with torch.no_grad(): print('out', net(X)[0, 0].item() == net(X * mask)[0, 0].item())\n"
    source = plain_loop("nn.Linear(20, 5)", "F.cross_entropy(net(X), y)",
                        before="mask = torch.ones(20); mask[3] = 0\n", after=show)  # fmt: skip
    assert "out False" in change(source).stdout
    run = change(source, "without_feature", columns=[3])
    assert "out True" in run.stdout
    expected = change(source.replace("net(X), y", "net(X * mask), y"))
    assert run.losses == expected.losses


def test_numbers_of_one_argument_are_taken_away_and_the_others_stay(change: Change) -> None:
    model = (
        "class Two(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.f = nn.Linear(26, 5)\n"
        "    def forward(self, a, b): return self.f(torch.cat([a, b.flatten(1)], 1))\n"
        "b = torch.randn(64, 3, 2)\n"
    )
    source = plain_loop("Two()", "F.cross_entropy(net(X, b), y)", before=model)
    run = change(source, "without_feature", columns=[1, 4], argument=1)
    expected = change(source.replace("b.flatten(1)", "b.flatten(1) * torch.tensor([1., 0, 1, 1, 0, 1])"))
    assert run.losses == expected.losses


def test_columns_are_counted_over_categories_and_the_measurements_beside_them(change: Change) -> None:
    model = (
        "class Two(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.e, self.f = nn.Embedding(4, 3), nn.Linear(29, 5)\n"
        "    def forward(self, c, x): return self.f(torch.cat([self.e(c).flatten(1), x], 1))\n"
        "c = torch.randint(4, (64, 3))\nmask = torch.ones(20); mask[2] = 0\n"
    )
    source = plain_loop("Two()", "F.cross_entropy(net(c, X), y)", before=model)
    run = change(source, "without_feature", columns=[5])
    assert run.losses == change(source.replace("net(c, X)", "net(c, X * mask)")).losses


def test_nothing_is_learned_from_ignored_samples(change: Change) -> None:
    source = plain_loop("nn.Linear(20, 5)", "F.cross_entropy(net(X), y)", n=4)
    plain = change(source)
    prints = plain.of("ids")[0]["h"]
    none = change(source, "ignore_samples", prints=prints)
    assert {s.grad_norm for s in none.trace.steps} == {0.0}
    assert none.losses[0] == none.losses[-1]
    half = change(source, "ignore_samples", prints=prints[:32])
    part = change(
        source.replace("F.cross_entropy(net(X), y)", "(F.cross_entropy(net(X[32:]), y[32:]) * 0.5)")
    )
    assert half.losses[0] == plain.losses[0], "the loss itself is as before"
    assert half.trace.steps[0].grads == pytest.approx(part.trace.steps[0].grads, rel=1e-4)


def test_classes_are_weighted_by_the_inverse_of_their_shares(change: Change) -> None:
    rare = "y = (torch.arange(64) % 8 == 0).long()\n"
    shares = {"0": 0.875, "1": 0.125}
    by_class = plain_loop("nn.Linear(20, 2)", "F.cross_entropy(net(X), y{w})", before=rare)
    weight = ", weight=torch.tensor([1 / 1.75, 4.0])"
    assert change(by_class.format(w=""), "balance_classes", shares=shares).losses == [
        pytest.approx(x) for x in change(by_class.format(w=weight)).losses
    ]
    of_one = plain_loop(
        "nn.Linear(20, 1)", "nn.BCEWithLogitsLoss({w})(net(X).flatten(), y.float())", before=rare
    )
    weighted = change(of_one.format(w="pos_weight=torch.tensor(7.0)"))
    assert change(of_one.format(w=""), "balance_classes", shares=shares).losses == [
        pytest.approx(x) for x in weighted.losses
    ]
    kept = change(of_one.format(w="pos_weight=torch.tensor(7.0)"), "balance_classes", shares=shares)
    assert kept.losses == weighted.losses, "weights of the script stay"


def test_evaluation_gets_the_scale_of_training(change: Change) -> None:
    show = "with torch.no_grad(): print(net(X * 50 + 7).sub(net(X)).abs().max().item() < 1e-4)\n"
    source = plain_loop("nn.Linear(20, 5)", "F.cross_entropy(net(X), y)", after=show)
    assert "False" in change(source).stdout
    # the statistics of evaluation are those of both calls in the line above, so one call is compared with training's
    single = source.replace(
        "net(X * 50 + 7).sub(net(X))", "net(X * 50 + 7).sub(F.linear(X, net.weight, net.bias))"
    )
    assert "True" in change(single, "align_evaluation").stdout


def test_padding_is_left_out_of_the_loss(change: Change) -> None:
    source = plain_loop("nn.Linear(20, 5)", "F.cross_entropy(net(X), y{w})")
    ignored = change(source.format(w=""), "ignore_padding", value=0)
    assert ignored.losses == change(source.format(w=", ignore_index=0")).losses
    apart = plain_loop("nn.Linear(20, 5)", "F.cross_entropy(net(X), y, reduction='none').mean()")
    found = [v for (v,) in change(apart, "ignore_padding", value=0).losses]
    assert found == pytest.approx([v for (v,) in ignored.losses], rel=1e-5)


def test_rectifiers_come_after_every_layer_but_the_last(change: Change) -> None:
    linear = "nn.Sequential(nn.Linear(20, 16), nn.Linear(16, 16), nn.Linear(16, 5))"
    bent = "nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 5))"
    loss = "F.cross_entropy(net(X), y)"
    changed, right = change(plain_loop(linear, loss), "add_activation"), change(plain_loop(bent, loss))
    assert changed.losses == right.losses


def test_layers_are_normalised_per_sample(change: Change) -> None:
    deep = (
        "nn.Sequential(*(m for _ in range(6) for m in (nn.Linear(20, 20), nn.Sigmoid())), nn.Linear(20, 5))"
    )
    source = plain_loop(deep, "F.cross_entropy(net(X), y)")

    def ratio(run: Recorded) -> float:
        grads = run.trace.steps[0].grads
        names = {p.name: p.id for p in run.trace.parameters}
        return grads[names["0.weight"]] / grads[names["12.weight"]]

    assert ratio(change(source, "normalise_layers")) > 30 * ratio(change(source))


def test_a_wide_network_beside_the_model_starts_at_zero_and_learns(change: Change) -> None:
    narrow = "nn.Sequential(nn.Linear(20, 1), nn.Linear(1, 5))"
    source = plain_loop(narrow, "F.cross_entropy(net(X), y)", n=8, lr=0.5)
    plain, changed = change(source), change(source, "widen")
    assert changed.losses[0] == plain.losses[0]
    assert changed.losses[-1][0] < plain.losses[-1][0] - 0.1
    bounded = plain_loop(
        "nn.Sequential(nn.Linear(20, 1), nn.Sigmoid())", "F.binary_cross_entropy(net(X)[:, 0], (y > 2) * 1.0)"
    )
    assert change(bounded, "widen").losses == change(bounded).losses, "probabilities are left alone"


def test_a_second_run_begins_where_the_first_one_ended(change: Change) -> None:
    source = plain_loop("nn.Linear(20, 5)", "F.cross_entropy(net(X), y)", n=4)
    longer = change(source.replace("range(4)", "range(8)"))
    run = change(source, "train_on")
    assert [x for s in run.losses for x in s] == pytest.approx(
        [x for s in longer.losses[4:] for x in s], rel=1e-5
    )
    assert [s.i for s in run.trace.steps] == [1, 2, 3, 4], "only the second run is recorded"


@pytest.mark.parametrize("ending", ["raise SystemExit(0)", "import sys; sys.exit()"])
def test_a_script_that_leaves_by_itself_is_run_again_all_the_same(change: Change, ending: str) -> None:
    source = plain_loop("nn.Linear(20, 5)", "F.cross_entropy(net(X), y)", n=6, after=ending + "\n")
    assert change(source, "train_on").losses[0][0] < change(source).losses[-1][0]


def test_a_second_run_imports_the_modules_of_the_project_afresh(record: Record) -> None:
    source = plain_loop(
        "nn.Linear(20, 5)", "F.cross_entropy(net(X), y)", n=6,
        after="import counted\ncounted.calls.append(1)\nassert len(counted.calls) == 1\n",
    )  # fmt: skip
    run = record(source, {"counted.py": "calls = []\n"}, interventions=[{"name": "train_on"}])
    assert (run.stop, len(run.losses)) == ("script_end", 6)


def test_updates_stop(change: Change) -> None:
    source = plain_loop("nn.Linear(20, 5)", "F.cross_entropy(net(X), y)", n=6)
    run = change(source, "stop_updates", after=3)
    moved = [all(size > 0 for size, _, _ in s.updates.values()) for s in run.trace.steps]
    assert moved[:5] == [True, True, True, False, False]
    assert run.losses[:4] == change(source).losses[:4]
    assert run.losses[4] == run.losses[5]


@pytest.mark.parametrize("layer", ["RNN", "LSTM", "GRU"])
def test_recurrent_layers_read_the_other_axis_as_time(change: Change, layer: str) -> None:
    body = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.rnn, self.head = nn.{layer}(5, 8{first}), nn.Linear(8, 5)\n"
        "    def forward(self, x):\n        return self.head(self.rnn(x)[0][:, -1])\n"
    )
    source = plain_loop("Net()", "F.cross_entropy(net(X.view(64, 4, 5)), y)", before=body)
    wrong, right = (source.format(layer=layer, first=f) for f in ("", ", batch_first=True"))
    changed = change(wrong, "swap_axes")
    assert [x for s in changed.losses for x in s] == pytest.approx(
        [x for s in change(right).losses for x in s]
    )
    assert change(wrong).losses != changed.losses


@pytest.mark.parametrize("call", ["torch.softmax(z, {d})", "F.softmax(z, dim={d})", "z.softmax({d})",
                                  "nn.Softmax({d})(z)", "z.log_softmax(dim={d}).exp()"])  # fmt: skip
def test_a_softmax_over_the_batch_runs_over_the_classes(change: Change, call: str) -> None:
    loss = "(lambda z: F.nll_loss(({call} + 1e-9).log(), y))(net(X))"
    source = plain_loop("nn.Linear(20, 5)", loss)
    wrong, right = (source.replace("{call}", call.format(d=d)) for d in (0, 1))
    assert change(wrong, "last_axis_softmax").losses == change(right).losses
    assert change(wrong).losses != change(right).losses


@pytest.mark.parametrize("expression", [
    "torch.log(z - z)", "(z - z).sqrt()", "1 / (z - z)", "z / (z - z)", "torch.div(z, z - z)", "(z * 0 + 200).exp()",
    "(z * 0 + 1).acos()", "(z - z).rsqrt()", "(z - z).reciprocal()",
    "(z * 0 - torch.inf).softmax(1)", "F.log_softmax(z - torch.inf, dim=1) * 0",
])  # fmt: skip
def test_operands_are_kept_where_the_operation_is_finite(change: Change, expression: str) -> None:
    source = plain_loop(
        "nn.Linear(20, 5)", f"(lambda z: ({expression}).mean() * 1e-40 + z.mean())(net(X))", lr=1e-9
    )
    plain, changed = change(source), change(source, "bounded_operands")
    norms = [s.grad_norm for s in plain.trace.steps]
    assert not all(math.isfinite(v) for v in (*norms, *(x for s in plain.losses for x in s)) if v is not None)
    assert all(math.isfinite(x) for s in changed.losses for x in s)
    assert all(math.isfinite(s.grad_norm or 0.0) for s in changed.trace.steps)


@pytest.mark.parametrize("expression", ["torch.sigmoid(z)", "z.tanh()", "nn.Sigmoid()(z)", "F.tanh(z)"])
def test_flat_ends_get_smaller_operands(change: Change, expression: str) -> None:
    source = plain_loop("nn.Linear(20, 5)", f"F.cross_entropy((lambda z: {expression})(net(X) * 1e4), y)")
    plain, changed = change(source), change(source, "unsaturate")
    assert all(n < 1e-3 for n in (s.grad_norm for s in plain.trace.steps))
    assert changed.trace.steps[0].grad_norm > 0.01


@pytest.mark.parametrize("layer", ["RNN", "LSTM", "GRU"])
def test_state_is_carried_from_step_to_step(change: Change, layer: str) -> None:
    body = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.rnn, self.head = nn.{layer}(5, 8, batch_first=True), nn.Linear(8, 5)\n"
        "    def forward(self, x, state=None):\n        h, state = self.rnn(x, state)\n"
        "        return self.head(h[:, -1]), state\n"
    )
    loop = (
        HEAD + body + "net = Net()\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\nstate = None\n"
        "cut = lambda s: tuple(t.detach() for t in s) if isinstance(s, tuple) else s.detach()\n"
        "for i in range(4):\n    opt.zero_grad()\n    out, state = net(X.view(64, 4, 5), {state})\n"
        "    state = cut(state)\n    F.cross_entropy(out, y).backward()\n    opt.step()\n"
    )
    thrown, kept = (loop.replace("{state}", s) for s in ("None", "state"))
    assert change(thrown, "carry_state").losses == change(kept).losses
    assert change(thrown).losses != change(kept).losses


def test_equal_class_weights_count_as_none(change: Change) -> None:
    rare = "y = (torch.arange(64) % 8 == 0).long()\n"
    source = plain_loop("nn.Linear(20, 2)", "F.cross_entropy(net(X), y, weight=torch.ones(2))", before=rare)
    shares = {"0": 0.875, "1": 0.125}
    assert change(source, "balance_classes", shares=shares).losses != change(source).losses


def test_a_checkpoint_is_loaded_again_after_an_initialiser(change: Change) -> None:
    loaded = plain_loop(
        "nn.Linear(20, 5)", "F.cross_entropy(net(X), y)",
        before="state = {'weight': torch.randn(5, 20), 'bias': torch.randn(5)}\n",
    ).replace("opt =", "net.load_state_dict(state)\nopt =")  # fmt: skip
    spoiled = loaded.replace("opt =", "nn.init.zeros_(net.weight)\nopt =")
    assert change(spoiled, "load_again").losses == change(loaded).losses
    assert change(spoiled).losses != change(loaded).losses


def test_a_loader_draws_all_samples_whatever_its_sampler_chooses(change: Change) -> None:
    source = HEAD + (
        "class Part(torch.utils.data.Sampler):\n    def __iter__(self): return iter(range(16))\n"
        "    def __len__(self): return 16\n"
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "loader = DataLoader(data, batch_size=16, sampler=Part())\n"
        "for epoch in range(4):\n    for xb, yb in loader:\n        opt.zero_grad()\n"
        "        F.cross_entropy(net(xb), yb).backward()\n        opt.step()\n"
    )
    plain, changed = change(source), change(source, "every_sample")
    assert len({h for row in plain.of("ids") for h in row["h"]}) == 16
    assert len({h for row in changed.of("ids") for h in row["h"]}) > 32
    assert len(changed.losses) == len(plain.losses)  # an epoch stays as long as it was


def test_inputs_are_read_in_the_other_order(change: Change) -> None:
    x = "X = torch.randn(64, 4, 6)\n"
    read = "net(X)"
    meant = "net(torch.unflatten(X.flatten(1), 1, (6, 4)).transpose(1, 2))"
    source = plain_loop(
        "nn.Sequential(nn.Flatten(), nn.Linear(24, 5))", f"F.cross_entropy({read}, y)", before=x
    )
    assert change(source, "reread_axes").losses == change(source.replace(read, meant)).losses
    assert change(source, "reread_axes").losses != change(source).losses


def test_what_draws_random_numbers_hands_out_what_it_was_given(change: Change) -> None:
    before = "def spin(x):\n    return x * torch.rand(len(x), 1)\n"
    source = plain_loop("nn.Linear(20, 5)", "(net(X), F.cross_entropy(net(spin(X)), y))[1]", before=before)
    plain = change(source.replace("net(spin(X))", "(spin(X), net(X))[1]"))
    assert change(source, "no_augmentation", drawn=True).losses == plain.losses
    assert change(source, "no_augmentation").losses == change(source).losses != plain.losses


MADE = """
def make(low):
    def step(x):
        return x * (low + torch.rand(len(x), 1))
    return step
"""


@pytest.mark.parametrize("steps", ["[make(0.5), make(0.2)]", "[lambda x: x + torch.rand(len(x), 1)]"])
def test_steps_that_a_function_made_or_that_have_no_name_are_left_out(change: Change, steps: str) -> None:
    before = (
        f"{MADE}steps = {steps}\ndef spin(x):\n    for step in steps:\n        x = step(x)\n    return x\n"
    )
    source = plain_loop("nn.Linear(20, 5)", "(net(X), F.cross_entropy(net(spin(X)), y))[1]", before=before)
    plain = change(source.replace("net(spin(X))", "(spin(X), net(X))[1]"))
    assert change(source, "no_augmentation", drawn=True).losses == plain.losses
    assert change(source).losses != plain.losses


@pytest.mark.parametrize(("seeding", "draw"), [
    ("g = torch.Generator().manual_seed(seed)", "torch.randperm(64, generator=g)[:16]"),
    ("torch.manual_seed(seed)", "torch.randperm(64)[:16]"),
    ("random.seed(seed)", "random.sample(range(64), 16)"),
])  # fmt: skip
def test_a_seed_that_comes_again_gives_other_draws(change: Change, seeding: str, draw: str) -> None:
    source = HEAD + (
        "import random\nnet = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\nseed = 3\n"
        f"for epoch in range(4):\n    {seeding}\n"
        f"    for i in range(2):\n        k = {draw}\n        opt.zero_grad()\n"
        "        F.cross_entropy(net(X[k]), y[k]).backward()\n        opt.step()\n"
    )
    plain, changed = change(source), change(source, "fresh_draws", number=3)
    row = one(plain, "seeded")
    assert (row["seed"], row["n"], row["at"]) == (3, 4, [0, 2, 4, 6])
    batches = [tuple(r["h"]) for r in plain.of("ids")]
    others = [tuple(r["h"]) for r in changed.of("ids")]
    assert batches[:2] == batches[2:4] == batches[6:]
    assert others[:2] == batches[:2]  # nothing is changed before the first time that the seed comes again
    assert len(set(others)) == 8
    assert change(source, "fresh_draws", number=4).losses == plain.losses


FACTORISED = """
import torch
from torch import nn
torch.manual_seed(0)
g = torch.Generator().manual_seed(1)
left, right = torch.randn(30, 6, generator=g), torch.randn(20, 6, generator=g)
u, i = torch.randint(0, 30, (600,), generator=g), torch.randint(0, 20, (600,), generator=g)
r = (left[u] * right[i]).sum(1)
class Factors(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.item = nn.Embedding(30, 1), nn.Embedding(20, 1)
    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(1)
net = Factors()
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for _ in range(300):
    opt.zero_grad()
    nn.functional.mse_loss(net(u, i), r).backward()
    opt.step()
"""


def test_tables_of_more_columns_run_beside_a_model_of_indexes(record: Record) -> None:
    plain = record(FACTORISED, max_steps=None)
    wider = record(FACTORISED, max_steps=None, interventions=[{"name": "widen"}])
    assert wider.losses[0][0] == pytest.approx(plain.losses[0][0], rel=0.02)
    assert wider.losses[-1][0] < 0.1 * plain.losses[-1][0]


@pytest.mark.parametrize("mode", ["train", "eval"])
def test_attention_over_the_other_axis_is_what_batch_first_gives(change: Change, mode: str) -> None:
    source = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(12, 5, 8), torch.arange(12) % 3
layer = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0, batch_first=FIRST)
head = nn.Linear(8, 3)
opt = torch.optim.SGD([*layer.parameters(), *head.parameters()], lr=0.1)
for _ in range(4):
    opt.zero_grad()
    nn.functional.cross_entropy(head(layer.MODE()(x)).mean(1), y).backward()
    opt.step()
""".replace("MODE", mode)
    wrong, right = source.replace("FIRST", "False"), source.replace("FIRST", "True")
    losses = [value for row in change(wrong, "swap_axes").losses for value in row]
    assert losses == pytest.approx([value for row in change(right).losses for value in row], rel=1e-4)
    assert change(wrong).losses != change(right).losses


@pytest.mark.parametrize(("helper", "code"), [("set_seed", "set_seed(3)"), ("begin", "torch.manual_seed(n)")])
def test_a_function_that_only_seeds_is_blamed_where_it_is_called(
    change: Change, helper: str, code: str
) -> None:
    source = HEAD + (
        f"def {helper}(n):\n    torch.manual_seed(n)\n{helper}(7)\n"
        "net = nn.Linear(20, 5)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        f"for epoch in range(4):\n    {helper}(3)\n    opt.zero_grad()\n"
        "    F.cross_entropy(net(X), y).backward()\n    opt.step()\n"
    )
    trace = change(source).trace
    assert [site.code for site in trace.sites if site.what == "seeding"] == [code]

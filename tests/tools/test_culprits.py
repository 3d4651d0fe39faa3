"""From where a fault was seen to the line that looks like its cause."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from lossdoctor.detectors.base import found
from lossdoctor.detectors.catalogue import fault_ids, rule
from lossdoctor.model import Evidence, Site, Trace, Where
from lossdoctor.tools.code.culprits import SHAPES, culprit, looks
from lossdoctor.tools.code.project import Project

LOADER = "loader = DataLoader(Data(x, y), 32)\n"
LINE = 9  # of the loader: the text before it is filled up with empty lines


def named(
    folder: Path, fault: str, text: str, last: str = LOADER, *more: Site, quantity: str | None = None
) -> str | None:
    """The line that is blamed when the fault is seen at the loader."""
    lines = dedent(text).splitlines()
    file = folder / "train.py"
    file.write_text("\n".join([*lines, *[""] * (LINE - 1 - len(lines)), last]), encoding="utf-8")
    look = looks().get(fault)
    evidence = Evidence(quantity=quantity or (look and look.told) or "q", value=1)
    finding = found(rule(fault), 0.9, "why", evidence, where=Where(file=str(file), line=LINE))
    trace = Trace(sites=(Site(id=0, what="loader", file=str(file), line=LINE), *more))
    place = culprit(finding, trace, Project(folder))
    return None if place is None else file.read_text(encoding="utf-8").splitlines()[place[1] - 1].strip()


def test_the_table_names_faults_and_holds_expressions() -> None:
    for fault, look in looks().items():
        assert fault in fault_ids()
        for pattern in look.patterns:
            assert pattern in SHAPES or re.compile(pattern)


@pytest.mark.parametrize(
    ("fault", "text", "line"),
    [
        ("label_misalignment", "x, y = load()\norder = rng.permutation(9)\nx = x[order]", "x = x[order]"),
        ("label_misalignment", "x, y = load()\nx = sorted(x, key=len)", "x = sorted(x, key=len)"),
        ("label_misalignment", "x, y = load()\nrng.shuffle(y)", "rng.shuffle(y)"),
        ("label_misalignment", "x, y = load()\nx = x[c >= 3]", "x = x[c >= 3]"),
        ("label_noise", "x, y = load()\ny = rng.permutation(y)\nx = x + rng.random(9)", "y = rng.permutation(y)"),
        ("constant_input", "f, y = load()\nx = f[:, t:t + h, l:l + w]\nx = 2 * x", "x = f[:, t:t + h, l:l + w]"),
        (
            "train_val_leakage",
            "def parts(a):\n    return train_test_split(a)\ntrain, val = parts(load())\nx, y = train",
            "return train_test_split(a)",
        ),
        ("label_misalignment", "x, y = load()\nok = c >= 3\nx = x[ok]", "x = x[ok]"),
        (
            "target_not_normalized",
            "def read():\n    x = floats(a)\n    y = floats(b)\n    return x, y\nx, y = read()",
            "y = floats(b)",
        ),
        ("label_misalignment", "y = table()\nx = [f(p) for p in files if p.ok]", "x = [f(p) for p in files if p.ok]"),
        (
            "label_misalignment",
            "files = sorted(p for p in folder.glob('*.npy'))\nx = roll(read(files), randint(-3, 3))\ny = table()",
            "files = sorted(p for p in folder.glob('*.npy'))",
        ),
        (
            "label_encoding_wrong",
            "y = table()\ny = [1.0 if r['left'] == 'yes' else 0.0 for r in y]\nx = load()",
            "y = [1.0 if r['left'] == 'yes' else 0.0 for r in y]",
        ),
        (
            "label_encoding_wrong",
            "names = sorted({r['q'] for r in rows})\nto_id = {q: i for i, q in enumerate(names)}\n"
            "y = encode(to_id, rows)\nx = load()",
            "to_id = {q: i for i, q in enumerate(names)}",
        ),
        ("train_val_leakage", "a, b = load()\nx = a[train]\ntrain = perm[: n - 10]", "train = perm[: n - 10]"),
        ("train_val_leakage", "x, held, y, rest = train_test_split(a, b)", "x, held, y, rest = train_test_split(a, b)"),
        (
            "train_val_leakage",
            "x = table('train.csv')\nv = table('valid.csv')\nx_val = table('data/valid.csv')\n"
            "x, v = [a - 1 for a in (x, x_val)]",
            "x_val = table('data/valid.csv')",
        ),
        ("input_not_normalized", "t = load()\nx = torch.tensor(t[C].to_numpy())\ny = torch.tensor(t[G].to_numpy())",
         "x = torch.tensor(t[C].to_numpy())"),
        ("input_not_normalized", "x = load()\nx = (x - mean) / std", "x = (x - mean) / std"),
        ("nan_in_data", "x, y = load()\nx = np.where(x == np.nan, 0, x)", "x = np.where(x == np.nan, 0, x)"),
        ("nan_in_data", "x, y = load()\nx = 2 * x\nx = np.log(x)", "x = np.log(x)"),
        ("constant_input", "x, y = load()\nx = x.astype(np.uint8)", "x = x.astype(np.uint8)"),
        ("constant_input", "y = load()\nx = stack([s[a:b] for t in times])", "x = stack([s[a:b] for t in times])"),
        ("input_not_normalized", "x, y = load()\nm, d = ends(x)\nx = (x - m) / d\nx = 3 * x", "x = (x - m) / d"),
        ("input_not_normalized", "x, y = load()\ny = (y - m) / d\nx = x[:, :-1] / 9\ny = y[-1:]", "x = x[:, :-1] / 9"),
        ("label_noise", "x, y = load()\ny = np.where(r.random(9) < 1, y, 3)", "y = np.where(r.random(9) < 1, y, 3)"),
        ("label_misalignment", "x, y = load()\nx = np.vstack([x, -x])\ny = np.repeat(y, 2)", "y = np.repeat(y, 2)"),
        ("loss_shape_broadcast", "a, crit = Net(), Gap()\nclass Gap(Module):\n    def forward(self, p, t):\n"
         "        gap = p[: n - 3] - t\n        return gap.abs().mean()\nx, y = crit(z), 1", "gap = p[: n - 3] - t"),
        ("loss_shape_broadcast", "def pinball(p, t):\n    gap = t - p[:, 0:1]\n    return gap.abs().mean()\n"
         "x, y = pinball((z - m) / d, (t - n) / e), 1", "gap = t - p[:, 0:1]"),
        ("loss_shape_broadcast", "x, y = ((p - t) / t).abs().mean(), 1", "x, y = ((p - t) / t).abs().mean(), 1"),
        ("loss_activation_mismatch", "m = nn.Sequential(nn.LazyLinear(3), nn.Softmax(dim=1))\n"
         "x, y = log_softmax(m(z), 1), 1", "m = nn.Sequential(nn.LazyLinear(3), nn.Softmax(dim=1))"),
        ("duplicate_batches", "x, y = load()\nx = x[randperm(9, Generator().manual_seed(3))]\ng = torch.Generator()\n"
         "y = y[g]", "g = torch.Generator()"),
        ("duplicate_batches", "x, y = load()\nx = x[torch.Generator().manual_seed(3)]",
         "x = x[torch.Generator().manual_seed(3)]"),
    ],
)  # fmt: skip
def test_the_statement_that_looks_like_the_cause_is_named(
    tmp_path: Path, fault: str, text: str, line: str
) -> None:
    assert named(tmp_path, fault, text) == line


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("label_misalignment", "x, y = load()\norder = rng.permutation(9)\nx, y = x[order], y[order]"),
        ("label_misalignment", "x, y = load()\norder = np.argsort(x)\nx = x[order]\ny = y[order]"),
        ("label_misalignment", "x, y = load()\ny = sorted(set(y))"),
        ("nan_in_data", "x, y = load()\nother = np.log(x)"),
        ("constant_input", "x, y = load()\nx = np.stack([s[t:t + 3] for t in times])"),
        ("overfitting", "x, y = load()\nx = np.log(x)"),
        ("loss_shape_broadcast", "rows = range(len(t) - 3)\nx, y = t[rows], t[rows] - MEAN"),
        ("graph_growth", "self.seen = self.seen + z.detach()\nx, y = self.seen, 1"),
        ("graph_growth", "self.seen = z\nx, y = self.seen, 1"),
    ],
)
def test_innocent_statements_are_not_named(tmp_path: Path, fault: str, text: str) -> None:
    assert named(tmp_path, fault, text) is None


def test_a_place_that_looks_like_the_cause_itself_is_kept(tmp_path: Path) -> None:
    text = "y = load()\nx = np.log(raw)"
    assert named(tmp_path, "nan_in_data", text, last="loader = DataLoader(Data(np.sqrt(x), y))\n") is None


def test_the_line_is_that_of_the_part_within_a_long_statement(tmp_path: Path) -> None:
    text = "pair = (\n    load(1),\n    np.log(load(2)),\n)\nx, y = pair"
    assert named(tmp_path, "nan_in_data", text) == "np.log(load(2)),"


def test_the_loop_of_a_stream_is_where_it_can_be_mixed(tmp_path: Path) -> None:
    text = """\
        class Data(IterableDataset):
            def __iter__(self):
                for name in self.shards:
                    shard = np.load(name)
                    yield shard
        """
    assert named(tmp_path, "unshuffled_data", text) == "for name in self.shards:"


def test_a_loss_is_blamed_where_it_is_computed(tmp_path: Path) -> None:
    text = "def objective(p, t):\n    gap = p - t\n    return -gap.pow(2).mean()\nloss = objective(x, y)"
    assert named(tmp_path, "loss_sign_flipped", text, last="loss.backward()\n") == "return -gap.pow(2).mean()"
    made = "table = Embedding(9)\ndef objective():\n    return table(x).mean()\nloss = objective()"
    assert named(tmp_path, "loss_sign_flipped", made, last="loss.backward()\n") == "return table(x).mean()"
    assert named(tmp_path, "loss_sign_flipped", "loss = -F.mse_loss(x, y)", last="loss.backward()\n") == (
        "loss = -F.mse_loss(x, y)"
    )


def test_a_metric_is_divided_where_it_was_summed(tmp_path: Path) -> None:
    text = """\
        x = (x - m) / s
        def evaluate(loader):
            for part in loader:
                right += part
            return right / len(loader.data)
        """
    inside = Site(id=1, what="metric", file=str(tmp_path / "train.py"), line=4)
    assert (
        named(tmp_path, "metric_misreported", text, "acc = evaluate(x)\n", inside)
        == "return right / len(loader.data)"
    )


def test_parameters_are_left_out_by_the_last_condition_of_the_loop_that_sorts_them(tmp_path: Path) -> None:
    text = """\
        def groups(net):
            for name, p in net.named_parameters():
                if p.ndim == 1:
                    plain.append(p)
                elif not name.startswith("embed"):
                    decayed.append(p)
            return plain, decayed
        """
    made = "optimizer = AdamW(groups(net))\n"
    assert named(tmp_path, "optimizer_missing_params", text, made) == 'elif not name.startswith("embed"):'
    assert (
        named(tmp_path, "optimizer_missing_params", "for p in net.parameters():\n    p.data *= 2", made)
        is None
    )


def test_a_graph_grows_where_a_value_builds_on_the_one_before(tmp_path: Path) -> None:
    text = "def centre(self, z):\n    self.m = 0.9 * self.m + 0.1 * z\n    return z - self.m\nloss = centre(me, x)"
    assert named(tmp_path, "graph_growth", text, "loss.backward()\n") == "self.m = 0.9 * self.m + 0.1 * z"


def test_a_mask_is_blamed_where_it_is_made(tmp_path: Path) -> None:
    text = """\
        class Attention(Module):
            def __init__(self, n):
                self.register_buffer("mask", torch.ones(n, n).tril(1))
            def forward(self, q):
                mask = self.mask[: q.shape[1]]
        """
    used = "        return attend(q, q, q, attn_mask=mask)\n"
    assert (
        named(tmp_path, "target_leakage", text, used)
        == 'self.register_buffer("mask", torch.ones(n, n).tril(1))'
    )


def test_what_happens_to_samples_by_chance_is_blamed_where_the_chance_is_drawn(tmp_path: Path) -> None:
    text = """\
        class Data:
            def __getitem__(self, k):
                p = self.paths[k]
                if torch.rand(()) < 0.5:
                    p = p * turned
                return p, self.labels[k]
        """
    made = "loader = DataLoader(Data(x, y), 32)\n"
    assert named(tmp_path, "augmentation_destroys_signal", text, made) == "if torch.rand(()) < 0.5:"


def test_a_metric_is_blamed_where_it_is_divided(tmp_path: Path) -> None:
    text = """\
        def evaluate(net):
            for x, y in held_out:
                z = net(x)
                hits = hits + (z == y).sum()
            return hits / len(held_out)
        """
    call = Site(id=1, what="evaluation_call", file=str(tmp_path / "train.py"), line=LINE)
    assert (
        named(tmp_path, "metric_misreported", text, "print(evaluate(net))\n", call)
        == "return hits / len(held_out)"
    )


def test_the_list_of_augmentations_is_named_and_the_shuffling_of_batches_is_not(tmp_path: Path) -> None:
    text = "AUGMENTATIONS = ['gain', 'mirror']\naugment = Pipeline(AUGMENTATIONS)\nz = augment(x)"
    loop = "for rows in torch.randperm(len(z)).split(32):\n    net(z[rows])\n"
    assert named(tmp_path, "augmentation_destroys_signal", text, loop) == "AUGMENTATIONS = ['gain', 'mirror']"


@pytest.mark.parametrize(("quantity", "line"), [
    ("length of every sequence, by batch", "lengths = torch.tensor([len(e) for e in events])"), ("ignore_index", None),
])  # fmt: skip
def test_some_lines_are_causes_only_of_what_was_measured(
    tmp_path: Path, quantity: str, line: str | None
) -> None:
    file = tmp_path / "train.py"
    collate = "def collate(events):\n    lengths = torch.tensor([len(e) for e in events])\n    return events, lengths\n"
    file.write_text(collate + "loader = DataLoader(data, collate_fn=collate)\n", encoding="utf-8")
    seen = Evidence(quantity=quantity, value=1)
    finding = found(rule("padding_not_masked"), 0.9, "why", seen, where=Where(file=str(file), line=4))
    place = culprit(finding, Trace(), Project(tmp_path))
    assert (place and file.read_text(encoding="utf-8").splitlines()[place[1] - 1].strip()) == line


def test_a_look_does_not_hold_where_the_finding_has_another_evidence(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("g = Generator()\nx = draw(g)\n", encoding="utf-8")
    where = Where(file=str(tmp_path / "train.py"), line=2)
    for quantity, expected in (("q", 1), (looks()["duplicate_batches"].unless, None)):
        evidence = Evidence(quantity=str(quantity), value=1)
        finding = found(rule("duplicate_batches"), 0.9, "why", evidence, where=where)
        place = culprit(finding, Trace(), Project(tmp_path))
        assert (place and place[1]) == expected


SPLITS = """\
fit, held = load("train"), load("valid")
order = torch.randperm(len(fit))
z = fit[order]
"""


def test_a_split_that_was_made_before_is_blamed_where_both_parts_are_read(tmp_path: Path) -> None:
    loop = "for row in z:\n    net(row, held)\n"
    assert named(tmp_path, "train_val_leakage", SPLITS, loop) == 'fit, held = load("train"), load("valid")'


@pytest.mark.parametrize(
    ("reset", "told"),
    [
        ("state = None", "training batches with a carried state"),
        ("state = net.initial_state(9)", "training batches with a carried state"),
        ("state = None", "q"),
    ],
)
def test_state_is_thrown_away_on_the_last_line_that_empties_it(tmp_path: Path, reset: str, told: str) -> None:
    code = "for drive in drives:\n    state = None\n    for x in drive:\n"
    code += f"        {reset}\n        y, state = net(x, state)\n"
    (tmp_path / "train.py").write_text(code, encoding="utf-8")
    seen = Evidence(quantity=told, value=0)
    where = Where(file=str(tmp_path / "train.py"), line=5)
    finding = found(rule("hidden_state_misuse"), 0.9, "why", seen, where=where)
    place = culprit(finding, Trace(), Project(tmp_path))
    assert (place and place[1]) == (4 if told != "q" else None)


@pytest.mark.parametrize(
    "added", ["total = sum(w[k] * v for k, v in parts.items())", "total = a + w * b", "total += b"]
)
def test_terms_are_out_of_balance_where_they_are_added(tmp_path: Path, added: str) -> None:
    code = f"def objective(net, x):\n    a = net(x - 1)\n    b = a * a\n    {added}\n    return total\n"
    code += "loss = objective(net, x)\nloss.backward()\n"
    file = tmp_path / "train.py"
    file.write_text(code, encoding="utf-8")
    for line, expected in ((7, 4), (3, None)):  # a term that is known is the nearer place
        where, seen = Where(file=str(file), line=line), Evidence(quantity="q", value=1)
        finding = found(rule("loss_term_imbalance"), 0.9, "why", seen, where=where)
        sites = (Site(id=0, what="backward", file=str(file), line=7),)
        place = culprit(finding, Trace(sites=sites), Project(tmp_path))
        assert (place and place[1]) == expected


@pytest.mark.parametrize(("own", "line"), [("np.log(x)", 6), ("self.transform(x)", None)])
def test_evaluation_is_prepared_otherwise_by_the_method_beside_the_fitting_one(
    tmp_path: Path, own: str, line: int | None
) -> None:
    code = (
        f"class Scaler:\n    def fit_transform(self, x):\n        return {own}\n    def transform(self, x):\n"
        "        y = x\n        return np.log10(y)\n\nscaler = Scaler()\nheld = scaler.transform(rows)\nscore(held)\n"
    )
    (tmp_path / "train.py").write_text(code, encoding="utf-8")
    where, seen = Where(file=str(tmp_path / "train.py"), line=10), Evidence(quantity="q", value=1)
    finding = found(rule("preprocess_mismatch"), 0.9, "why", seen, where=where)
    place = culprit(finding, Trace(), Project(tmp_path))
    assert (place and place[1]) == line


@pytest.mark.parametrize(
    "body",
    [
        "ok = c >= 3\n    x, y = x[ok], y[ok]",
        "x = x[c >= 3]\n    y = y[c >= 3]",
        "x = [r.x for r in rows if r.ok]\n    y = [r.y for r in rows if r.ok]",
    ],
)
def test_a_condition_that_both_sides_are_chosen_by_keeps_them_together(tmp_path: Path, body: str) -> None:
    text = f"def load(x, y, c, rows):\n    {body}\n    return x, y\nx, y = load()"
    assert named(tmp_path, "label_misalignment", text) is None


def test_what_is_moved_by_a_number_drawn_above_is_augmentation(tmp_path: Path) -> None:
    text = "def shift(b):\n    k = {k}\n    return roll(b, k)\nx = shift(read())\ny = table()"
    assert named(tmp_path, "label_misalignment", text.format(k="randint(-3, 3)")) is None
    assert named(tmp_path, "label_misalignment", text.format(k="3")) == "return roll(b, k)"


def test_values_that_are_scaled_by_a_number_are_no_metric(tmp_path: Path) -> None:
    text = """\
        def loaders(raw):
            held_out = raw / 16.0
            return held_out
        def evaluate(net, part):
            for x in part:
                meter.add(net(x))
        """
    inside = Site(id=1, what="evaluation_call", file=str(tmp_path / "train.py"), line=6)
    last = "evaluate(net, loaders(raw))\n"
    assert named(tmp_path, "metric_misreported", text, last, inside) is None


def test_shares_of_a_sum_are_no_metric(tmp_path: Path) -> None:
    text = """\
        def made(weight):
            return rng.choice(9, p=weight / weight.sum())
        def evaluate(net, part):
            for x in part:
                meter.add(net(x))
        """
    inside = Site(id=1, what="evaluation_call", file=str(tmp_path / "train.py"), line=5)
    assert named(tmp_path, "metric_misreported", text, "evaluate(net, made(raw))\n", inside) is None


def test_a_layer_that_was_not_told_its_axes_is_the_place(tmp_path: Path) -> None:
    text = "rnn = nn.LSTM(3, 8)\nz = y.view(-1, 1)\nx, y = rnn(a), z"
    assert named(tmp_path, "tensor_layout_bug", text) == "z = y.view(-1, 1)"
    assert named(tmp_path, "tensor_layout_bug", text, quantity="batch_first, not set") is None


@pytest.mark.parametrize(("width", "told"), [("n_in // 4", True), ("4", False)])
def test_a_width_that_is_worked_out_is_blamed_where_it_is(tmp_path: Path, width: str, told: bool) -> None:
    text = f"class Net:\n    def __init__(self, n_in):\n        width = {width}\n        self.f = Linear(n_in, width)\n"
    made = Site(id=1, what="module", file=str(tmp_path / "train.py"), line=4)
    place = named(tmp_path, "underfitting_capacity", text, LOADER, made)
    assert place == (f"width = {width}" if told else None)

"""A setting is followed from the line that uses it to where its number is written."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from lossdoctor.detectors.base import found
from lossdoctor.detectors.catalogue import rule
from lossdoctor.detectors.early_stopping_misconfigured import GAINED, WORSE_ONES
from lossdoctor.model import Evidence, Finding, Optimizer, Parameter, Site, Trace, Where
from lossdoctor.tools.code.literals import origins
from lossdoctor.tools.code.origins import located

USE = "optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr)\n"
TRACE = Trace(optimizers=(Optimizer(id=0, cls="SGD", step=0, groups=({"lr": 5.0},)),))


def blamed(folder: Path, fault: str = "lr_too_high", line: int = 1, value: float = 5.0) -> Finding:
    evidence = Evidence(quantity="learning rate, largest used", value=value)
    return found(rule(fault), 0.9, "why", evidence, where=Where(file=str(folder / "train.py"), line=line))


def place(
    folder: Path, *args: str, finding: Finding | None = None, trace: Trace = TRACE
) -> tuple[str, int | None, list[tuple[str, str | float]]]:
    """(file name, line, what the evidence adds) of the finding after it was located."""
    (result,) = located((finding or blamed(folder),), trace, folder, args)
    more = [(e.quantity, e.value) for e in result.evidence[1:]]
    return Path(result.where.file or "").name, result.where.line, more


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(USE, encoding="utf-8")
    return tmp_path


def test_code_that_did_not_run_is_no_place(folder: Path) -> None:
    (folder / "old.py").write_text("lr = 5.0\n", encoding="utf-8")
    ran = TRACE.model_copy(update={"rows": {"code": ({"files": [str(folder / "train.py")]},)}})
    assert place(folder)[0] == "old.py"
    assert place(folder, trace=ran)[0] == "train.py"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("LR = 3\nlr = 5.0\n", 2),
        ("@dataclass\nclass Config:\n    size: int = 3\n    lr: float = 5.0\n", 4),
        ("def main(\n    epochs=3,\n    lr=5,\n): ...\n", 3),
        ("def main(*, epochs=3, lr=5): ...\n", 1),
        ("parser.add_argument('--lr', type=float, default=5.0)\n", 1),
        ("cfg = dict(size=3,\n  lr=5e0)\n", 2),
        ("cfg = {'size': 3,\n 'lr': 10 / 2}\n", 2),
        ("cfg['lr'] = 5.0\n", 1),
        ("cfg = {'size': 3,\n 'lr': (5.0, 0.5)}\n", 2),
    ],
)
def test_a_literal_in_the_code_becomes_the_place(folder: Path, text: str, line: int) -> None:
    (folder / "config.py").write_text(text, encoding="utf-8")
    assert place(folder) == ("config.py", line, [("used at", "train.py:1")])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config.json", '{\n  "lr": 5.0,\n  "size": 3\n}\n'),
        ("config.toml", "[train]\nlr = 5.0\n"),
        ("config.ini", "[train]\nLR: 5.0\n"),
        ("config.yaml", "train:\n  lr: 5.0  # chosen\n"),
        ("rates.json", '{\n  "lr": [\n    5.0,\n    0.5\n  ]\n}\n'),
        ("rates.yaml", "train:\n  lr:\n    - 5.0\n    - 0.5\n"),
        ("rates.toml", "[train]\nlr = [5.0]\n"),
    ],
)
def test_a_line_of_a_configuration_file_becomes_the_place(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    assert place(folder) == (name, 2, [("used at", "train.py:1")])


def test_the_command_line_wins_over_a_default(folder: Path) -> None:
    (folder / "options.py").write_text("parser.add_argument('--lr', default=5.0)\n", encoding="utf-8")
    assert place(folder, "--lr", "5") == ("train.py", 1, [("set on the command line by", "--lr")])
    assert place(folder, "lr=5") == ("train.py", 1, [("set on the command line by", "lr=5")])


def test_of_several_candidates_the_measured_value_decides(folder: Path) -> None:
    (folder / "config.py").write_text("lr = 0.1\nlr = 5.0\n", encoding="utf-8")
    assert place(folder)[:2] == ("config.py", 2)
    (folder / "config.py").write_text("lr = 5.0\nlr = 5.0\n", encoding="utf-8")
    assert place(folder) == ("train.py", 1, [])


def test_a_number_on_the_using_line_stays_there(folder: Path) -> None:
    (folder / "train.py").write_text("o = torch.optim.SGD(p, lr=5.0)\nlr = 5.0\n", encoding="utf-8")
    assert place(folder) == ("train.py", 1, [])


def test_calls_over_several_lines_and_positions_are_read(folder: Path) -> None:
    text = """\
        limit = 2e-6
        torch.nn.utils.clip_grad_norm_(
            net.parameters(),
            limit,
        )
        """
    (folder / "train.py").write_text(dedent(text), encoding="utf-8")
    finding = blamed(folder, "grad_clip_too_tight", 3)
    assert place(folder, finding=finding)[:2] == ("train.py", 1)


def test_a_weight_average_is_recognised_by_its_word(folder: Path) -> None:
    text = "def track(average, new, ema_decay=0.9999):\n    average.mul_(ema_decay).add_(new, alpha=1 - ema_decay)\n"
    (folder / "train.py").write_text(text, encoding="utf-8")
    assert place(folder, finding=blamed(folder, "ema_misconfigured", 2))[:2] == ("train.py", 1)


def test_what_cannot_be_read_changes_nothing(folder: Path) -> None:
    (folder / "broken.py").write_text("lr = = 5.0", encoding="utf-8")
    (folder / "odd.json").write_text('{"lr": 5.0.0}', encoding="utf-8")
    (folder / "binary.py").write_bytes(b"\x00\xff lr = 5.0")
    (folder / "train.py").write_text("optimizer = (", encoding="utf-8")
    assert place(folder) == ("train.py", 1, [])
    (folder / "train.py").unlink()
    assert place(folder) == ("train.py", 1, [])


def test_libraries_and_hidden_folders_are_not_searched(folder: Path) -> None:
    for name in (".venv", "venv", "lib/site-packages"):
        (folder / name).mkdir(parents=True)
        (folder / name / "config.py").write_text("lr = 5.0\n", encoding="utf-8")
    assert origins(folder, "lr") == ()


def test_settings_in_a_hidden_env_file_are_found_and_a_folder_of_that_name_is_not_searched(
    folder: Path,
) -> None:
    (folder / ".env").write_text("# settings\nSEED=3\nLR=5.0\n", encoding="utf-8")
    assert place(folder)[:2] == (".env", 3)
    (folder / ".env").unlink()
    (folder / ".env").mkdir()
    (folder / ".env" / "config.py").write_text("lr = 5.0\n", encoding="utf-8")
    assert place(folder)[:2] == ("train.py", 1)


def test_absurd_powers_are_not_computed(folder: Path) -> None:
    (folder / "config.py").write_text("lr = 10 ** 10 ** 10\n", encoding="utf-8")
    assert origins(folder, "lr") == ()


def test_a_parameter_without_a_line_gets_the_line_that_calls_its_module(folder: Path) -> None:
    site = Site(id=7, what="call", file=str(folder / "model.py"), line=12)
    row = {"k": "model", "parts": [], "calls": {"encoder.cell": 7}}
    trace = Trace(sites=(site,), rows={"model": (row,)})
    for where in (Where(parameter="encoder.cell.rec.weight"), Where(module="encoder.cell")):
        (result,) = located((found(rule("vanishing_gradient"), 0.9, "why", where=where),), trace, folder, ())
        assert (Path(result.where.file or "").name, result.where.line) == ("model.py", 12)
    (unknown,) = located(
        (found(rule("vanishing_gradient"), 0.9, "why", where=Where(parameter="decoder.weight")),),
        trace,
        folder,
        (),
    )
    assert unknown.where.line is None


def test_first_values_of_a_parameter_are_blamed_where_it_is_made(folder: Path) -> None:
    code = "class Low(nn.Module):\n    def __init__(self):\n        self.down = nn.Parameter(torch.zeros(4, 8))\n"
    (folder / "low.py").write_text(code, encoding="utf-8")
    finding = found(rule("bad_initialization"), 0.9, "why", where=Where(parameter="0.down", module="Low"))
    (result,) = located((finding,), Trace(), folder, ())
    assert (Path(result.where.file or "").name, result.where.line) == ("low.py", 3)
    (folder / "other.py").write_text(code, encoding="utf-8")
    assert located((finding,), Trace(), folder, ())[0].where.line is None, "one of two"


def test_the_setting_of_a_schedule_is_followed_too(folder: Path) -> None:
    text = "sched = torch.optim.lr_scheduler.StepLR(optimizer, step_size=cfg.step_size, gamma=0.3)\n"
    (folder / "train.py").write_text(text, encoding="utf-8")
    (folder / "config.json").write_text('{\n "step_size": 4\n}\n', encoding="utf-8")
    assert place(folder, finding=blamed(folder, "lr_schedule_misuse"))[:2] == ("config.json", 2)


def test_the_length_of_a_schedule_is_followed_past_the_optimizer_that_stands_where_others_have_theirs(
    folder: Path,
) -> None:
    lines = ["opt = AdamW(net.parameters())", "cfg = json.load(open('config.json'))"]
    lines += ["s = get_scheduler(cfg['kind'], opt, num_warmup_steps=4, num_training_steps=cfg['total'])"]
    (folder / "train.py").write_text("\n".join(lines), encoding="utf-8")
    (folder / "config.json").write_text('{\n "kind": "linear",\n "total": 60\n}\n', encoding="utf-8")
    assert place(folder, finding=blamed(folder, "lr_schedule_misuse", line=3))[:2] == ("config.json", 3)


def test_an_input_that_never_changes_is_laid_at_the_entry_that_names_its_column(folder: Path) -> None:
    def placed(*lines: str) -> tuple[str | None, int | None]:
        (folder / "config.json").write_text("\n".join(("{", *lines, "}")), encoding="utf-8")
        return place(folder, finding=blamed(folder, "constant_input"))[:2]

    assert placed(' "label_field": "queue",', ' "text_field": "header"') == ("config.json", 3)
    assert placed(' "label_field": "queue"')[0] == "train.py"


def test_settings_unpacked_from_a_dictionary_are_found_by_their_own_name(folder: Path) -> None:
    (folder / "train.py").write_text(
        "opt = torch.optim.SGD(net.parameters(), **cfg['opt'])\n", encoding="utf-8"
    )
    (folder / "config.toml").write_text("[opt]\nmomentum = 0.9\nlr = 5.0\n", encoding="utf-8")
    assert place(folder)[:2] == ("config.toml", 3)


def test_a_name_is_followed_under_its_other_names(folder: Path) -> None:
    text = """\
        class Average:
            def __init__(self, net, rate):
                self.keep, self.net = 1 - 1 / rate, net
            def update(self, new):
                self.net.lerp_(new, 1 - self.keep)
        average = Average(net, cfg["horizon"])
        """
    (folder / "train.py").write_text(dedent(text), encoding="utf-8")
    finding = blamed(folder, "ema_misconfigured", 5, value=0.99)
    assert place(folder, finding=finding)[:2] == ("train.py", 5)  # no number is written anywhere
    (folder / "settings.json").write_text('{"seed": 1, "horizon": 64000}', encoding="utf-8")
    (result,) = located((finding,), TRACE, folder, ())
    assert (Path(result.where.file or "").name, result.where.line, result.where.parameter) == (
        "settings.json",
        1,
        "horizon",
    )


def test_what_is_computed_from_several_names_is_blamed_where_it_is_computed(folder: Path) -> None:
    text = "base = 0.1\nrate = base * batch * workers\nopt = torch.optim.SGD(net.parameters(), lr=rate)\n"
    (folder / "train.py").write_text(text, encoding="utf-8")
    assert place(folder, finding=blamed(folder, line=3))[:2] == ("train.py", 2)


def test_a_number_beside_the_name_is_as_likely_the_wrong_one(folder: Path) -> None:
    text = "workers = 8\nrate = 0.6 * workers\nopt = torch.optim.SGD(net.parameters(), lr=rate)\n"
    (folder / "train.py").write_text(text, encoding="utf-8")
    assert place(folder, finding=blamed(folder, line=3))[:2] == ("train.py", 2)
    (folder / "train.py").write_text(
        "workers = 8\nopt = torch.optim.SGD(net.parameters(), lr=workers / 4)\n", encoding="utf-8"
    )
    assert place(folder, finding=blamed(folder, line=2))[:2] == ("train.py", 2)


@pytest.mark.parametrize("used", ["1 - kept", "10 ** kept", "1 / kept"])
def test_the_one_name_that_a_value_rests_on_is_followed_from_where_it_is_used(
    folder: Path, used: str
) -> None:
    text = f"kept = 0.9\nopt = torch.optim.SGD(net.parameters(), lr={used})\n"
    (folder / "train.py").write_text(text, encoding="utf-8")
    assert place(folder, finding=blamed(folder, line=2))[:2] == ("train.py", 1)


def test_flags_are_looked_for_where_a_flag_is_blamed(folder: Path) -> None:
    (folder / "train.py").write_text(
        "loader = DataLoader(data, 32, cfg.getboolean('data', 'mixed'))\n", encoding="utf-8"
    )
    (folder / "run.ini").write_text("[data]\nmixed = no\n", encoding="utf-8")
    assert place(folder, finding=blamed(folder, "unshuffled_data"))[:2] == ("run.ini", 2)
    assert origins(folder, "mixed") == ()


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ("patience: 3\nmin_delta: 0.5\n", 2),  # no gain was ever as large
        ("patience: 3\nmin_delta: 0.01\nmode: max\n", 3),  # gains were larger, so the direction is left
        ("patience: 3\nmin_delta: 0.01\n", None),
        ("maximize: yes\npatience: 3\n", 1),
    ],
)
def test_a_stop_is_laid_at_its_least_gain_or_its_direction(
    folder: Path, config: str, line: int | None
) -> None:
    (folder / "stop.yaml").write_text(config, encoding="utf-8")
    gained = Evidence(quantity=GAINED, value=0.1)
    where = Where(file=str(folder / "train.py"), line=1)
    finding = found(rule("early_stopping_misconfigured"), 0.9, "why", gained, where=where)
    assert place(folder, finding=finding)[:2] == (("stop.yaml", line) if line else ("train.py", 1))


@pytest.mark.parametrize(("worse", "line"), [(0, 2), (3, None)])
def test_the_worst_weights_of_all_are_kept_by_a_wrong_direction(
    folder: Path, worse: int, line: int | None
) -> None:
    (folder / "stop.toml").write_text('patience = 3\nmode = "max"\nmin_delta = 0.1\n', encoding="utf-8")
    seen = Evidence(quantity=WORSE_ONES, value=worse)
    where = Where(file=str(folder / "train.py"), line=1)
    finding = found(rule("early_stopping_misconfigured"), 0.9, "why", seen, where=where)
    assert place(folder, finding=finding)[:2] == (("stop.toml", line) if line else ("train.py", 1))


def test_an_optimizer_made_by_a_helper_is_blamed_where_the_helper_is_given_its_model(folder: Path) -> None:
    helper = "def make(model):\n    return SGD(model.parameters(), lr=0.1)\n"
    (folder / "train.py").write_text(helper + "opt = make(template)\n", encoding="utf-8")
    assert place(folder, finding=blamed(folder, "optimizer_wrong_params", 2))[1] == 3


@pytest.mark.parametrize(
    ("fault", "line", "expected"),
    [
        ("bad_initialization", "nn.init.normal_(m.weight, 0.0, self.spread)", 1),
        ("bad_initialization", "nn.init.uniform_(m.weight, -1, self.spread)", 2),  # no standard deviation
        ("over_regularization", "self.drop = nn.Dropout(cfg.spread)", 1),
        ("over_regularization", "self.table = nn.Embedding(cfg.spread, 8)", 2),  # no rate of dropout
        ("insufficient_training", "for epoch in range(cfg.spread): pass", 1),
        ("insufficient_training", "for epoch in range(1, cfg.spread + 1): pass", 1),
        ("insufficient_training", "while step < cfg.spread: step += 1", 1),
    ],
)  # fmt: skip
def test_the_argument_that_holds_the_setting_is_known_by_the_call(
    folder: Path, fault: str, line: str, expected: int
) -> None:
    (folder / "train.py").write_text(f"spread = 0.02\n{line}\n", encoding="utf-8")
    assert place(folder, finding=blamed(folder, fault, 2, value=0.02))[1] == expected


def test_a_value_that_a_configuration_names_is_laid_there_and_a_size_is_not(folder: Path) -> None:
    (folder / "run.toml").write_text("units = 8\noffset = 8.0\n", encoding="utf-8")
    line = "self.bias = nn.Parameter(torch.full((units,), -offset))"
    (folder / "train.py").write_text(
        f"class Net:\n    def __init__(self, units, offset):\n        {line}\n", encoding="utf-8"
    )
    assert place(folder, finding=blamed(folder, "dead_relu", 3))[:2] == ("run.toml", 2)
    (folder / "run.toml").write_text("units = 8\n", encoding="utf-8")
    assert place(folder, finding=blamed(folder, "dead_relu", 3))[:2] == ("train.py", 3)


def test_arguments_of_the_projects_own_functions_go_by_their_signature(folder: Path) -> None:
    text = "def clip(net, times, max_norm):\n    ...\ntight = 1e-6\nclip(net, 3, tight)\n"
    (folder / "train.py").write_text(text, encoding="utf-8")
    assert place(folder, finding=blamed(folder, "grad_clip_too_tight", 4))[1] == 3


def test_a_schedule_made_by_a_helper_is_blamed_where_the_helper_is_called(folder: Path) -> None:
    helper = "def warmup(optimizer, steps):\n    return LambdaLR(optimizer, lambda s: min(1, s / steps))\n"
    (folder / "train.py").write_text(helper + "schedule = warmup(opt, 400)\n", encoding="utf-8")
    assert place(folder, finding=blamed(folder, "lr_schedule_misuse", 2))[1] == 3
    whole = "def main(steps):\n    schedule = StepLR(opt, 3)\n    return schedule\nmain(400)\n"
    (folder / "train.py").write_text(whole, encoding="utf-8")
    assert place(folder, finding=blamed(folder, "lr_schedule_misuse", 2))[1] == 2
    (folder / "train.py").write_text(helper + "a = warmup(opt, 4)\nb = warmup(opt, 8)\n", encoding="utf-8")
    assert place(folder, finding=blamed(folder, "lr_schedule_misuse", 2))[1] == 2


@pytest.mark.parametrize(
    ("total", "where", "name"),
    [
        ("ce + cfg.weight * mass", ("config.json", 1), "weight"),
        ("ce + 40.0 * mass", ("train.py", 2), None),
        ("ce + own * mass", ("train.py", 2), "own"),
        ("cfg.weight * ce + own * mass", ("train.py", 2), None),
    ],
)
def test_the_weight_of_a_term_is_followed_out_of_the_code_only(
    folder: Path, total: str, where: tuple[str, int], name: str | None
) -> None:
    text = f"own = 40.0\nce = F.cross_entropy(out, y)\nloss = {total}\nloss.backward()\n"
    (folder / "train.py").write_text(text, encoding="utf-8")
    (folder / "config.json").write_text('{"weight": 40.0}', encoding="utf-8")
    site = Site(id=1, what="backward", file=str(folder / "train.py"), line=4)
    finding = blamed(folder, "loss_term_imbalance", 2)
    (result,) = located((finding,), Trace(sites=(site,)), folder, ())
    assert (Path(result.where.file or "").name, result.where.line) == where
    assert result.where.parameter == name


def test_code_that_is_nested_too_deeply_leaves_the_place_alone(folder: Path) -> None:
    deep = "lr = " + "-" * 3000 + "1.0\n"
    (folder / "config.py").write_text(deep, encoding="utf-8")
    (folder / "sums.py").write_text("total = " + " + ".join(["1"] * 5000) + "\n", encoding="utf-8")
    assert place(folder) == ("train.py", 1, [])


@pytest.mark.parametrize(
    ("named", "value", "line"),
    [
        ("AdamW weight_decay", 3.0, 3),
        ("AdamW eps", 3.0, 2),
        ("AdamW beta1 (against beta2 = 0.9)", 0.5, 4),
    ],
)
def test_only_the_setting_that_the_evidence_names_is_followed(
    folder: Path, named: str, value: float, line: int
) -> None:
    use = "opt = AdamW(p, eps=cfg.tiny, betas=cfg.past, weight_decay=cfg.pull)\n"
    (folder / "train.py").write_text(use, encoding="utf-8")
    settings = "\nclass cfg:\n    tiny = 3.0\n    pull = 3.0\n    past = 0.5\n"
    (folder / "config.py").write_text(settings.replace("\n", "", 1), encoding="utf-8")
    evidence = Evidence(quantity=named, value=value)
    where = Where(file=str(folder / "train.py"), line=1)
    finding = found(rule("wrong_optimizer_hyperparameter"), 0.9, "why", evidence, where=where)
    assert place(folder, finding=finding)[:2] == ("config.py", line)


ENTRIES = """\
{
 "batch_size": 32,
 "micro_batch": 2,
 "dtype": "bfloat16",
 "activation": "tanh",
 "pad_id": 0,
 "average_over_step": false
}
"""


@pytest.mark.parametrize(
    ("fault", "evidence", "line"),
    [
        ("low_precision_stall", None, 4),
        ("vanishing_gradient", None, 5),
        ("batchnorm_small_batch", ("samples that a layer sees at once in training", 2), 3),
        ("batchnorm_small_batch", ("samples that a layer sees at once in training", 4), None),
        ("padding_not_masked", ("value that fills the ends of the rows", 1), 6),
        ("padding_not_masked", ("value that fills the ends of the rows", 0), None),
        ("padding_not_masked", ("value that fills the ends of the rows", "unknown"), None),
        ("grad_accumulation_misuse", None, 7),
        ("label_noise", None, None),
    ],
)
def test_the_one_entry_that_looks_like_the_cause_is_named(
    folder: Path, fault: str, evidence: tuple[str, Any] | None, line: int | None
) -> None:
    (folder / "train.py").write_text("pass\n", encoding="utf-8")
    (folder / "run.json").write_text(ENTRIES, encoding="utf-8")
    seen = Evidence(quantity=evidence[0], value=evidence[1]) if evidence else Evidence(quantity="x", value=1)
    finding = found(rule(fault), 0.9, "why", seen, where=Where(file=str(folder / "train.py"), line=1))
    assert place(folder, finding=finding)[:2] == (("run.json", line) if line else ("train.py", 1))
    (folder / "other.json").write_text(ENTRIES, encoding="utf-8")
    assert place(folder, finding=finding)[:2] == ("train.py", 1), "which of the two was read is not known"


@pytest.mark.parametrize(
    ("fault", "text", "line"),
    [
        ("vanishing_gradient", "parser.add_argument('--activation', default='sigmoid')\n", 2),
        ("vanishing_gradient", "parser.add_argument('--activation', default='relu')\n", 1),
        ("saturated_activation", "def build(depth, act='tanh'): ...\n", 2),
        ("missing_nonlinearity", "ACTIVATION = 'identity'\n", 2),
        ("missing_nonlinearity", "ACTIVATION = 'relu'\n", 1),
        ("exploding_gradient", "cfg = dict(aggregate='sum')\n", 2),
    ],
)
def test_a_default_whose_text_looks_like_the_cause_is_named(
    folder: Path, fault: str, text: str, line: int
) -> None:
    (folder / "train.py").write_text("pass\n" + text, encoding="utf-8")
    where = Where(file=str(folder / "train.py"), line=1)
    seen = Evidence(quantity="x", value=1)
    assert place(folder, finding=found(rule(fault), 0.9, "why", seen, where=where))[:2] == ("train.py", line)


@pytest.mark.parametrize(("size", "line"), [(4, 2), (64, 1)])
def test_a_batch_size_without_a_loader_is_blamed_where_its_number_is_written(
    folder: Path, size: int, line: int
) -> None:
    code = 'x, y = rows[order]\nparser.add_argument("--batch-size", type=int, default=4)\n'
    (folder / "train.py").write_text(code, encoding="utf-8")
    seen = Evidence(quantity="samples per update", value=size)
    where = Where(file=str(folder / "train.py"), line=1)
    finding = found(rule("batch_size_too_small"), 0.9, "why", seen, where=where)
    assert place(folder, finding=finding)[:2] == ("train.py", line)


PARTS = """\
{"optimizer": {"groups": [
  {"match": "^(backbone|embedding)\\\\.", "lr": 0.004},
  {"match": "^head\\\\.", "lr": 0.004}
]}}
"""


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (("encoder.weight", "head.weight"), 2),
        (("backbone.weight", "head.weight"), None),  # each entry names something
        (("encoder.weight", "tail.weight"), None),  # none does: these are no names of parameters
    ],
)
def test_a_pattern_of_the_configuration_that_names_no_parameter_is_blamed(
    folder: Path, names: tuple[str, ...], line: int | None
) -> None:
    (folder / "train.py").write_text("optimizer = AdamW(groups)\n", encoding="utf-8")
    (folder / "run.json").write_text(PARTS, encoding="utf-8")
    parameters = tuple(
        Parameter(id=i, name=n, shape=(2,), dtype="float32", requires_grad=True) for i, n in enumerate(names)
    )
    finding = blamed(folder, "optimizer_missing_params", value=2)
    (result,) = located((finding,), TRACE.model_copy(update={"parameters": parameters}), folder, ())
    assert (Path(result.where.file or "").name, result.where.line) == (
        ("run.json", line) if line else ("train.py", 1)
    )


NESTED = """\
train:
  file: old.csv
  reader:
    lower: true

validation:
  file: new.csv
  reader:
    lower: false
model:
  dropout: 0.3
"""
FEW = '{\n "seed": 4,\n "max_train_rows": 100,\n "hidden": 64\n}'


@pytest.mark.parametrize(("text", "line"), [(FEW, 3), (FEW.replace("max_train_rows", "n_train"), None)])
def test_overfitting_is_laid_at_a_limit_of_the_training_samples(
    folder: Path, text: str, line: int | None
) -> None:
    (folder / "train.py").write_text("evaluate(model)\n", encoding="utf-8")
    (folder / "run.json").write_text(text, encoding="utf-8")
    found = place(folder, finding=blamed(folder, "overfitting"))[:2]
    assert found == (("run.json", line) if line else ("train.py", 1))


SIDES = """\
[frontend.train]
bands = 28
power = 2.0
jitter = 0.3
[frontend.dev]
bands = 28
power = 1.0
[net]
width = 12
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (SIDES, 7),
        (SIDES.replace("1.0", "2.0"), None),
        (SIDES.replace("bands = 28\npower = 1.0", "bands = 20\npower = 1.0"), 6),  # of several the first
        (SIDES.replace("bands = 28\n", ""), None),
        ("[data]\nn_train = 300\nn_val = 100\n" + SIDES, 10),  # how much there is of each differs by nature
        ("train_power = 2\ntrain_bands = 28\nval_power = 1\nval_bands = 20\n", None),
        ("train_power = 2\ntrain_bands = 28\nval_power = 1\nval_bands = 28\n", 3),
        ('{"steps": {\n "train": ["crop", "log"],\n "val": ["crop"]\n}}', 3),
        ('{"steps": {\n "train": ["crop"],\n "val": ["crop"]\n}}', None),
        ('{"train": ["a.csv"],\n "val": ["b.csv"]\n}', None),
        ('{"train": {\n "power": 2,\n "bands": 28\n},\n"test": {\n "power": 1,\n "bands": 28\n}}', 6),
        (NESTED, 9),
        (NESTED.replace("    lower: true\n", ""), None),
        (NESTED.replace("  file: old.csv\n", ""), None),  # nothing else that both have
    ],
)
def test_what_a_configuration_tells_of_evaluation_otherwise_than_of_training_is_blamed(
    folder: Path, text: str, line: int | None
) -> None:
    name = "run.json" if text.startswith("{") else "run.yaml" if ":" in text else "run.toml"
    (folder / "train.py").write_text("evaluate(model)\n", encoding="utf-8")
    (folder / name).write_text(text, encoding="utf-8")
    finding = blamed(folder, "preprocess_mismatch")
    assert place(folder, finding=finding)[:2] == ((name, line) if line else ("train.py", 1))


@pytest.mark.parametrize(
    ("measured", "line"), [("largest rate used / declared rate", 2), ("rate at the end", None)]
)
def test_rates_that_stay_low_are_laid_at_the_warm_up(folder: Path, measured: str, line: int | None) -> None:
    code = 'sched = LambdaLR(opt, factor(int(a.warmup * n), total))\nparser.add_argument("--warmup", default=200)\n'
    (folder / "train.py").write_text(code, encoding="utf-8")
    seen = Evidence(quantity=measured, value=0.1)
    where = Where(file=str(folder / "train.py"), line=1)
    finding = found(rule("lr_schedule_misuse"), 0.9, "why", seen, where=where)
    assert place(folder, finding=finding)[:2] == ("train.py", line or 1)


@pytest.mark.parametrize(
    ("fault", "ignored", "line"),
    [("checkpoint_restore_misuse", 0, 2), ("padding_not_masked", 3, 3), ("padding_not_masked", -100, None)],
)
def test_a_fault_may_look_like_several_entries(
    folder: Path, fault: str, ignored: int, line: int | None
) -> None:
    (folder / "train.py").write_text("pass\n", encoding="utf-8")
    (folder / "run.toml").write_text('file = "base.pt"\nprefix = "encoder."\nfill = "O"\n', encoding="utf-8")
    seen = Evidence(quantity="ignore_index", value=ignored)
    finding = found(rule(fault), 0.9, "why", seen, where=Where(file=str(folder / "train.py"), line=1))
    assert place(folder, finding=finding)[:2] == (("run.toml", line) if line else ("train.py", 1))


@pytest.mark.parametrize(
    ("fault", "measured", "value", "line"),
    [
        ("wrong_optimizer_hyperparameter", "AdamW eps", 0.1, 2),
        ("wrong_optimizer_hyperparameter", "AdamW beta2", 0.5, 3),
        ("wrong_optimizer_hyperparameter", "AdamW beta2", 0.999, None),
        ("lr_too_high", "learning rate, largest used", 3.0, 1),
    ],
)
def test_settings_that_a_framework_hands_to_its_optimizer_are_known_by_their_value(
    folder: Path, fault: str, measured: str, value: float, line: int | None
) -> None:
    (folder / "train.py").write_text("Trainer(model, arguments).train()\n", encoding="utf-8")
    settings = '"learning_rate": 3.0,\n"adam_epsilon": 0.1,\n"adam_beta2": 0.5,\n"layer_norm_eps": 1e-5'
    (folder / "run.json").write_text(settings, encoding="utf-8")
    seen = Evidence(quantity=measured, value=value)
    finding = found(rule(fault), 0.9, "why", seen, where=Where(file=str(folder / "train.py"), line=1))
    assert place(folder, finding=finding)[:2] == (("run.json", line) if line else ("train.py", 1))


def test_the_one_number_of_an_average_is_named_whatever_it_is(folder: Path) -> None:
    code = "evaluate(copy)\nEMA_HALFLIFE_KIMG = 500\nbeta = 0.5 ** (batch / (1000 * EMA_HALFLIFE_KIMG))\n"
    (folder / "train.py").write_text(code, encoding="utf-8")
    assert place(folder, finding=blamed(folder, "ema_misconfigured"))[:2] == ("train.py", 2)
    (folder / "train.py").write_text(code + "ema_start = 100\n", encoding="utf-8")
    assert place(folder, finding=blamed(folder, "ema_misconfigured"))[:2] == ("train.py", 1), (
        "which is not known"
    )


def test_the_blamed_argument_of_a_call_over_several_lines_has_its_own_line(tmp_path: Path) -> None:
    call = "opt = AdamW(\n    params,\n    lr=cfg['lr'],\n    betas=(cfg['b'], cfg['a']),\n    eps=cfg['eps'],\n)\n"
    (tmp_path / "train.py").write_text(call, encoding="utf-8")
    evidence = Evidence(quantity="AdamW beta1", value=0.999)
    where = Where(file=str(tmp_path / "train.py"), line=1)
    finding = found(rule("wrong_optimizer_hyperparameter"), 0.9, "why", evidence, where=where)
    assert place(tmp_path, finding=finding) == ("train.py", 4, [("seen at", "train.py:1")])
    unknown = finding.model_copy(update={"evidence": (Evidence(quantity="momentum and more", value=1),)})
    assert place(tmp_path, finding=unknown)[1] == 1


@pytest.mark.parametrize(
    ("fault", "file"), [("dead_relu", "train.py"), ("checkpoint_restore_misuse", "run.ini")]
)
def test_an_entry_that_names_a_file_is_blamed_only_where_its_name_may_be_wrong(
    tmp_path: Path, fault: str, file: str
) -> None:
    (tmp_path / "run.ini").write_text("[model]\nhidden = 64\nwarm_start = last.pt\n", encoding="utf-8")
    (tmp_path / "train.py").write_text(
        "if cfg.warm_start:\n    model.load_state_dict(load())\n", encoding="utf-8"
    )
    where = Where(file=str(tmp_path / "train.py"), line=2)
    finding = found(rule(fault), 0.9, "why", Evidence(quantity="q", value=1), where=where)
    assert place(tmp_path, finding=finding)[0] == file


def test_configurations_that_the_run_did_not_read_are_no_place(folder: Path) -> None:
    for name in ("a.json", "b.json"):
        (folder / name).write_text('{"lr": 5.0}\n', encoding="utf-8")
    opened = {"k": "opened", "file": str(folder / "b.json"), "bytes": 11, "site": None}
    run = TRACE.model_copy(update={"rows": {"opened": (opened,)}})
    assert Path(located((blamed(folder),), run, folder, ())[0].where.file or "").name == "b.json"
    assert place(folder)[0] == "train.py", "which of the two was read is not known"


def test_a_run_that_read_nothing_has_no_configuration(folder: Path) -> None:
    (folder / "other.json").write_text('{"lr": 5.0}\n', encoding="utf-8")
    assert place(folder)[0] == "other.json", "what was read is not known"
    end = {"k": "end", "stop": "script_end", "steps": 9, "counters": {"opened": 0}}
    (result,) = located((blamed(folder),), TRACE.model_copy(update={"end": end}), folder, ())
    assert Path(result.where.file or "").name == "train.py"


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (("--weight-dtype", "bfloat16"), "weight_dtype"),
        (("precision=bf16",), "precision"),
        (("--dtype", "float32"), None),
        (("--dtype", "--amp"), None),
        (("--dtype=fp16", "--act-dtype=fp16"), None),
        ((), None),
    ],
)
def test_an_option_that_looks_like_the_cause_is_named(
    folder: Path, args: tuple[str, ...], name: str | None
) -> None:
    seen = Evidence(quantity="q", value=1)
    where = Where(file=str(folder / "train.py"), line=1)
    (result,) = located(
        (found(rule("low_precision_stall"), 0.9, "why", seen, where=where),), TRACE, folder, args
    )
    assert (result.where.parameter, result.where.line) == (name, 1)
    told = [e.value for e in result.evidence if e.quantity == "set on the command line by"]
    assert told == ([" ".join(args)] if name else [])


PIPELINE = """{
 "dataset": "calls.npz", "holdout": 250,
 "augment": [
  {"op": "noise", "std": 0.05},
  {"op": "reverse", "p": 0.5}
 ],
 "width_mult": 0.15,
 "max_tokens": 32768,
 "reduction": "sum"
}
"""


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        ("augmentation_destroys_signal", 5),
        ("underfitting_capacity", 7),
        ("batch_size_too_large", 8),
        ("loss_reduction_misuse", 9),
    ],
)
def test_what_is_done_to_the_inputs_and_a_share_of_the_width_tell_themselves(
    folder: Path, fault: str, line: int
) -> None:
    code = "import json\nconf = json.load(open('run.json'))\nk = conf['holdout']\nfit(data[k:], conf['augment'])\n"
    (folder / "train.py").write_text(code, encoding="utf-8")
    (folder / "run.json").write_text(PIPELINE, encoding="utf-8")
    finding = found(rule(fault), 0.9, "why", where=Where(file=str(folder / "train.py"), line=4))
    assert place(folder, finding=finding)[:2] == ("run.json", line)
    (folder / "run.json").write_text(
        PIPELINE.replace("noise", "flip").replace("0.15", "64").replace("max_t", "t").replace("sum", "mean"),
        encoding="utf-8",
    )
    assert place(folder, finding=finding)[:2] != ("run.json", line)


def test_an_entry_that_was_read_holds_before_defaults_in_code(folder: Path) -> None:
    (folder / "model.py").write_text("class Config:\n    lr = 0.02\ndef fit(lr=0.3): ...\n", encoding="utf-8")
    (folder / "run.json").write_text('{"lr": 7.0}\n', encoding="utf-8")
    assert place(folder)[:2] == ("run.json", 1)
    (folder / "model.py").write_text("lr = 5.0\n", encoding="utf-8")
    assert place(folder)[:2] == ("model.py", 1), "the measured value"


def test_the_entry_that_chooses_what_is_trained_is_blamed_for_what_is_frozen(folder: Path) -> None:
    (folder / "run.json").write_text('{\n "lr": 0.1,\n "tune": ["head.*"]\n}\n', encoding="utf-8")
    where = Where(parameter="encoder.weight", file=str(folder / "train.py"), line=1)
    (result,) = located((found(rule("frozen_params"), 0.9, "why", where=where),), Trace(), folder, ())
    assert (Path(result.where.file or "").name, result.where.line) == ("run.json", 3)
    assert result.where.parameter == "encoder.weight"


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (
            "done = 0\nwhile done < cfg.updates:\n    for x in parts:\n        loss.backward()\n        done += 1\n",
            2,
        ),
        ("for seed in range(3):\n    for k in range(9):\n        loss.backward()\n", 2),
        ("def part(n):\n    for x in n:\n        loss.backward()\n\nfor k in range(9):\n    part(k)\n", 5),
        ("def part(n):\n    for x in n:\n        loss.backward()\n\npart(1)\npart(2)\n", 2),
        ("loss.backward()\n", None),
    ],
)
def test_a_run_that_ended_too_soon_is_laid_at_its_loop(tmp_path: Path, code: str, line: int | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(code, encoding="utf-8")
    at = next(k for k, text in enumerate(code.splitlines(), 1) if "backward" in text)
    trace = Trace(sites=(Site(id=0, what="backward", file=str(file), line=at),))
    steps = Evidence(quantity="steps", value=70)
    (result,) = located((found(rule("insufficient_training"), 0.6, "why", steps),), trace, tmp_path, ())
    assert result.where.line == line


@pytest.mark.parametrize(
    "loop", ["while done < cfg.updates:", "while True:\n    if done >= cfg.updates:\n        break"]
)
def test_what_bounds_the_loop_is_followed_to_its_number(tmp_path: Path, loop: str) -> None:
    file = tmp_path / "train.py"
    file.write_text(f"{loop}\n    loss.backward()\n", encoding="utf-8")
    (tmp_path / "run.json").write_text('{\n "updates": 70\n}\n', encoding="utf-8")
    site = Site(id=0, what="backward", file=str(file), line=file.read_text("utf-8").count("\n"))
    steps = Evidence(quantity="steps", value=70)
    finding = found(rule("insufficient_training"), 0.6, "why", steps)
    (result,) = located((finding,), Trace(sites=(site,)), tmp_path, ())
    assert (Path(result.where.file or "").name, result.where.line, result.where.parameter) == (
        "run.json",
        2,
        "updates",
    )


@pytest.mark.parametrize(
    ("width", "hidden", "line"), [(2, "2", 2), (5, "2", 1), (2, "[2, 3]", 2), (2, '{"widths": [2]}', 2)]
)
def test_a_narrow_layer_is_laid_at_the_entry_with_its_width(
    folder: Path, width: int, hidden: str, line: int
) -> None:
    settings = f'{{\n "hidden": {hidden},\n "depth": 2,\n "batch_size": 2\n}}\n'
    (folder / "run.json").write_text(settings, encoding="utf-8")
    narrow = Evidence(quantity="width of the narrowest layer", value=width)
    where = Where(parameter="0.weight", file=str(folder / "train.py"), line=1)
    finding = found(rule("underfitting_capacity"), 0.65, "why", narrow, where=where)
    (result,) = located((finding,), TRACE, folder, ())
    assert result.where.line == line
    name = "widths" if "widths" in hidden else "hidden"
    assert result.where.parameter == (name if line == 2 else "0.weight")
    (result,) = located((finding,), TRACE, folder, ("--n-units", str(width)))
    assert result.where.parameter == "n_units", "given on the command line"


@pytest.mark.parametrize(
    ("fault", "entry"),
    [
        ("unshuffled_data", "train_sampling_strategy: sequential"),
        ("target_leakage", "is_decoder: false"),
        ("target_leakage", "bidirectional: true"),
        ("missing_nonlinearity", "activation: linear"),
        ("exploding_gradient", "max_norm: 0"),
        ("hidden_state_misuse", "stateful: false"),
        ("hidden_state_misuse", "reset_hidden: batch"),
        ("bad_initialization", "initializer_range: 2.0"),
        ("bad_initialization", "gain: 5.0"),
        ("dead_relu", "bias_init: -4.0"),
        ("train_val_leakage", "split_by: window"),
        ("clip_misplaced", "clip_module: readout"),
        ("clip_misplaced", "module: readout"),
        ("activation_output_mismatch", "target_scaling: standard"),
        ("activation_output_mismatch", "head_activation: sigmoid"),
        ("duplicate_batches", "seed_per_epoch: false"),
        ("preprocess_mismatch", "eval_scaling: raw"),
        ("preprocess_mismatch", "normalize: per_split"),
        ("tensor_layout_bug", "axes: time_sensor"),
        ("class_imbalance", "class_weights: none"),
        ("loss_wrong_for_task", "loss: mse"),
        ("input_not_normalized", "standardize: false"),
        ("target_not_normalized", "scale_target: false"),
        ("target_not_normalized", "unit: pascal"),
        ("vanishing_gradient", "residual: false"),
        ("graph_detached", "detach_gate: true"),
    ],
)
def test_what_an_entry_by_name_and_value_is_laid_at_is_the_place(
    folder: Path, fault: str, entry: str
) -> None:
    (folder / "train.py").write_text("model = made(yaml.safe_load(open('run.yaml')))\n", encoding="utf-8")
    (folder / "run.yaml").write_text(f"hidden: 16\n{entry}\n", encoding="utf-8")
    assert place(folder, finding=blamed(folder, fault))[:2] == ("run.yaml", 2)


@pytest.mark.parametrize(
    ("fault", "entry"),
    [
        ("hidden_state_misuse", "stateful_layers: rnn"),
        ("missing_nonlinearity", "activation: gelu"),
        ("exploding_gradient", "max_norm: 5.0"),
        ("dead_relu", "bias: true"),
        ("train_val_leakage", "split_by: patient"),
        ("preprocess_mismatch", "normalize: train"),
        ("class_imbalance", "class_weights: inverse"),
        ("input_not_normalized", "standardize: true"),
        ("input_not_normalized", "standardize_target: false"),
        ("vanishing_gradient", "residual: true"),
    ],
)
def test_an_entry_with_a_sound_value_or_of_something_else_is_not(
    folder: Path, fault: str, entry: str
) -> None:
    (folder / "train.py").write_text("model = made(yaml.safe_load(open('run.yaml')))\n", encoding="utf-8")
    (folder / "run.yaml").write_text(f"hidden: 16\n{entry}\n", encoding="utf-8")
    assert place(folder, finding=blamed(folder, fault))[:2] == ("train.py", 1)


PICKS = """\
parser.add_argument("--recon", default="sum")
def term(z, x):
    each = F.mse_loss(z, x, reduction="none")
    return each.sum(1).mean() if args.recon == "sum" else each.mean()
loss = term(z, x) + args.beta * kl
other = kl + args.beta
"""


@pytest.mark.parametrize(
    ("args", "line", "name"),
    [
        (("--recon", "mean"), 5, "recon"),
        (("--epochs", "3", "--recon", "mean"), 5, "recon"),
        (("--recon", "mean"), 6, None),  # nothing that feeds the line asks for it
        (("--recon", "mean", "--prior", "flat"), 5, None),  # one of two
        (("--log-dir", "runs", "--exp_name", "a", "--output", "here", "--recon", "mean"), 5, "recon"),
        (("--recon", "mean", "--from-logits", "yes"), 5, None),  # not about logs
        (("--recon", "2"), 5, None),  # an amount
        (("--recon", "mean.pt"), 5, None),
        (("--beta",), 5, "beta"),
        ((), 5, None),
    ],
)
def test_the_one_word_on_the_command_line_that_the_place_asks_for_is_named(
    folder: Path, args: tuple[str, ...], line: int, name: str | None
) -> None:
    (folder / "train.py").write_text(PICKS, encoding="utf-8")
    finding = blamed(folder, "label_noise", line)
    (result,) = located((finding,), TRACE, folder, args)
    assert result.where.parameter == name
    told = [e.value for e in result.evidence if e.quantity == "set on the command line by"]
    assert told == ([" ".join(args[-2:])] if name else [])


def test_a_parameter_of_the_model_keeps_its_name_whatever_is_picked(folder: Path) -> None:
    (folder / "train.py").write_text(PICKS, encoding="utf-8")
    finding = blamed(folder, "label_noise", 5)
    where = finding.where.model_copy(update={"parameter": "head.weight"})
    (result,) = located((finding.model_copy(update={"where": where}),), TRACE, folder, ("--recon", "mean"))
    assert result.where.parameter == "head.weight"

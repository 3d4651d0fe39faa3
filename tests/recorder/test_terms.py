"""The terms of a loss that a script adds up itself."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record
from tests.recorder.test_interventions import HEAD

LOOP = """
net = nn.Linear(20, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(4):
    out = net(X)
    opt.zero_grad()
    loss = {loss}
    loss.backward()
    print(float(out[:, 0].pow(2).mean()), float((out[:, 1] - 1).abs().sum()))
    opt.step()
"""
SUM = "3.0 * (out[:, 0] ** 2).mean() + (out[:, 1] - 1).abs().sum() / 2"


@pytest.mark.parametrize(
    ("loss", "weights"),
    [
        (SUM, [3.0, 0.5]),
        (
            "0.1 * (out[:, 0] ** 2).mean() + 0.2 * ((out[:, 1] - 1).abs().sum() + net.weight.square().sum())",
            [0.1, 0.2, 0.2],
        ),
        ("sum([out[:, 0].square().mean(), (out[:, 1] - 1).abs().sum()])", [1.0, 1.0]),
        ("((out[:, 0] ** 2) + 0 * out[:, 1]).mean()", None),
        (
            "4 * (out[:, 0] ** 2).mean() + (2 * (out[:, 1] - 1).abs().sum() + 3 * out.logsumexp(1).sum()) / 2",
            [4.0, 1.0, 1.5],
        ),
        ("out.logsumexp(1).sum() + F.cross_entropy(out, y % 2)", None),
        ("(out[:, 0] ** 2).mean() + F.cross_entropy(out, y % 2) + out.logsumexp(1).sum()", None),
        ("(out ** 2).mean()", None),
    ],
)
def test_terms_are_told_with_their_weights_if_all_but_one_of_them_are_known(
    record: Record, loss: str, weights: list[float] | None
) -> None:
    run = record(HEAD + LOOP.format(loss=loss))
    rows = run.of("terms")
    if weights is None:
        assert rows == ()
        return
    assert [r["w"] for r in rows] == [pytest.approx(weights)] * 4
    told = [[float(v) for v in line.split()] for line in run.stdout.splitlines()]
    assert [r["v"][:2] for r in rows] == [pytest.approx(values, rel=1e-3) for values in told]


def test_one_term_of_another_kind_is_what_the_others_leave(record: Record) -> None:
    loss = "2 * (out[:, 0] ** 2 + (out[:, 1] - 1) ** 2).mean() - 0.5 * out.logsumexp(1).mean()"
    loop = LOOP.replace("    opt.step()", "    print(float(out.logsumexp(1).mean()))\n    opt.step()")
    run = record(HEAD + loop.format(loss=loss))
    told = [float(line) for line in run.stdout.splitlines()[1::2]]
    assert [r["w"] for r in run.of("terms")] == [pytest.approx([2.0, -0.5])] * 4
    assert [r["v"][1] for r in run.of("terms")] == pytest.approx(told, rel=1e-3)


def test_a_term_that_is_boosted_counts_more_and_its_value_stays_its_own(record: Record) -> None:
    change = [{"name": "boost_term", "term": 0, "factor": 5.0}]
    boosted = record(HEAD + LOOP.format(loss=SUM), interventions=change)
    meant = record(HEAD + LOOP.format(loss=SUM.replace("3.0", "15.0")))
    assert [r["v"] for r in boosted.of("terms")] == [pytest.approx(r["v"]) for r in meant.of("terms")]
    assert boosted.losses[0] != meant.losses[0]

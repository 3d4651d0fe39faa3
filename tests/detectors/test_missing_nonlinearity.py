"""missing_nonlinearity: weight layers with no activation between them."""

from __future__ import annotations

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Finding, Trace

from .build import expect, falling, flat, loss_row, make_trace, parameter, run

LINEAR = ("Addmm", "T", "NllLoss", "LogSoftmax", "torch::autograd::AccumulateGrad")


def trace(
    *more: str, shapes: tuple[tuple[int, int], ...] = ((16, 8), (4, 16)), losses: list[float] | None = None
) -> Trace:
    weights = [parameter(k, f"{k}.weight", shape=s, numel=s[0] * s[1]) for k, s in enumerate(shapes)]
    graph = {
        "k": "graph",
        "n": 0,
        "head": [],
        "kinds": [*LINEAR, *more],
        "nodes": 9,
        "reach": list(range(len(shapes))),
    }
    return make_trace(losses or flat(level=0.8), parameters=weights, rows=[loss_row(), graph])


def test_two_layers_without_an_activation_are_found() -> None:
    assert expect("missing_nonlinearity", trace()).where.parameter == "0.weight"


def test_maps_side_by_side_that_are_added_are_one_by_intent() -> None:
    side = ((24, 168), (24, 168))
    assert run("missing_nonlinearity", trace("Add", shapes=side)) is None
    expect("missing_nonlinearity", trace("Add", shapes=((168, 168), (24, 168))))
    expect("missing_nonlinearity", trace(shapes=side))  # flattened positions may follow


def test_pooling_and_reshaping_bend_nothing() -> None:
    expect("missing_nonlinearity", trace("MaxPool2DWithIndices", "View", "Convolution"))


def test_an_activation_is_enough() -> None:
    assert run("missing_nonlinearity", trace("Gelu")) is None


def test_an_unknown_operation_may_be_one() -> None:
    assert run("missing_nonlinearity", trace("CustomThing")) is None


def test_a_narrow_middle_is_a_factorisation() -> None:
    assert run("missing_nonlinearity", trace(shapes=((3, 64), (64, 3)))) is None


def test_a_single_layer_is_silent() -> None:
    assert run("missing_nonlinearity", trace(shapes=((4, 8),))) is None


def test_a_linear_map_that_fits_perfectly_gets_a_remark_only() -> None:
    finding = run("missing_nonlinearity", trace(losses=falling(start=1.39, end=0.001)))
    assert isinstance(finding, Finding)
    assert finding.severity == "info"


def test_without_a_graph_nothing_is_checked() -> None:
    assert isinstance(run("missing_nonlinearity", make_trace()), Missing)


def test_operations_of_a_loss_that_the_script_writes_out_bend_nothing_of_the_model() -> None:
    def written_out(own: list[str]) -> Trace:
        made = trace("Exp", "Log", "LogCumsumExp")
        (graph,) = made.of("graph")
        return made.model_copy(update={"rows": {**made.rows, "graph": ({**graph, "own": own},)}})

    expect("missing_nonlinearity", written_out(["Addmm", "T", "torch::autograd::AccumulateGrad"]))
    assert run("missing_nonlinearity", written_out(["Addmm", "T", "Tanh"])) is None
    assert run("missing_nonlinearity", written_out([])) is None, "whose operations are not known"

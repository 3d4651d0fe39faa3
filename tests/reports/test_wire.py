from __future__ import annotations

import json
import math

from tests.samples import diagnosis, finding

from lossdoctor.model import Evidence
from lossdoctor.reports.wire import plain, wire_json


def test_numbers_that_json_has_no_word_for_become_strings() -> None:
    assert plain([math.nan, math.inf, -math.inf, 1.5]) == ["NaN", "Infinity", "-Infinity", 1.5]


def test_every_result_is_strict_json_even_when_the_loss_is_nan() -> None:
    sick = finding(evidence=(Evidence(quantity="loss", value=math.nan),))
    text = wire_json(diagnosis(findings=(sick,), measurements={"loss_last": math.inf}))
    read = json.loads(text, parse_constant=lambda name: 1 / 0)
    assert read["findings"][0]["evidence"][0]["value"] == "NaN"
    assert read["measurements"]["loss_last"] == "Infinity"


def test_top_level_fields_stay_and_nested_nulls_go() -> None:
    read = json.loads(wire_json(diagnosis(fix=None)))
    assert read["fix"] is None
    assert read["plots"] == []
    assert "error" not in read["run"]
    assert "data_wait" not in read["measurements"]


def test_a_fix_that_was_not_tried_says_so() -> None:
    sample = diagnosis()
    assert sample.fix is not None
    untried = sample.model_copy(update={"fix": sample.fix.model_copy(update={"verified": None})})
    assert json.loads(wire_json(untried))["fix"]["verified"] is None


def test_escapes_do_not_reach_a_client() -> None:
    assert "\\u001b" not in wire_json(diagnosis(findings=(finding(why="\x1b[31mred"),)))

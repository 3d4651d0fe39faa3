"""The Facts model as agents see it."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from lossdoctor.routing import Facts


def test_the_schema_is_small_and_free_of_titles_and_nulls() -> None:
    text = json.dumps(Facts.model_json_schema()["properties"])
    assert "null" not in text
    assert "anyOf" not in text
    assert '"title"' not in text
    assert len(text) < 6000


def test_the_options_of_a_question_are_accepted_in_their_own_words() -> None:
    assert Facts.model_validate({"gpu_utilization": "mostly below 50 %"}).gpu_utilization == 25


def test_an_option_may_stand_for_another_fact() -> None:
    facts = Facts.model_validate({"gpu_utilization": "heavy augmentation runs on the CPU"})
    assert facts.heavy_augmentation
    assert facts.gpu_utilization is None


def test_what_nobody_knows_is_remembered() -> None:
    assert Facts.model_validate({"loss_behaviour": "not known"}).not_known == "loss_behaviour"


@pytest.mark.parametrize("told", [{"gpu_utilization": 140}, {"symptom": "sad"}, {"colour": "red"}])
def test_impossible_facts_are_refused(told: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Facts.model_validate(told)


def test_an_answer_alone_is_understood_and_a_vague_one_leaves_the_fact_open() -> None:
    assert Facts.model_validate({"answer": "falls very slowly"}).symptom == "slow_convergence"
    assert Facts.model_validate({"answer": "no idea"}).not_known == "*"

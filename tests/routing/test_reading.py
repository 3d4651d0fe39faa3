"""Words -> told facts, class scores and scope."""

from __future__ import annotations

import pytest

from lossdoctor.routing.reading import features_of, read, top


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("nan after 2k steps in fp16", "precision", "fp16"),
        ("gpu sits idle most of the time", "gpu_utilization", 25.0),
        ("gpu is fully utilized", "gpu_utilization", 95.0),
        ("augmentation on cpu is slow", "heavy_augmentation", True),
        ("loss jumps after resuming from the checkpoint", "onset", "after_resume"),
        ("10 classes, loss stays at 2.3026", "loss_at_chance", True),
    ],
)
def test_facts_are_read_from_words(text: str, name: str, value: object) -> None:
    assert getattr(read(text).facts, name) == value


def test_a_flat_loss_told_with_a_duration_is_no_vague_complaint() -> None:
    assert read("loss stuck at 4.6 for 30 epochs from the start").facts.loss_behaviour == "flat_from_start"
    assert read("loss does not decrease").facts.loss_behaviour is None


def test_a_text_without_known_words_has_no_facts() -> None:
    assert read("qwrt zzz").facts.model_dump(exclude_none=True) == {}


def test_both_scopes_are_weighed() -> None:
    seen = features_of("css gradient in safari")
    assert seen["foreign"] > seen["ml"]
    assert seen["(mostly foreign)"] == 1.0
    assert features_of("the training loss of my resnet")["(mostly foreign)"] == 0.0


def test_what_a_data_set_shows_weighs_little_next_to_plain_machine_learning() -> None:
    alone, beside = features_of("my dogs and cats"), features_of("my classifier mixes up dogs and cats")
    assert beside["foreign"] < alone["foreign"] / 2


def test_ties_go_to_the_first_name() -> None:
    assert top({"b": 1.0, "a": 1.0}) == "a"
    assert top({}) is None

"""Results made by hand, for tests of what is done with a result."""

from __future__ import annotations

from lossdoctor.model import (
    Diagnosis,
    Evidence,
    Fact,
    Finding,
    Fix,
    Isolation,
    NotChecked,
    Ref,
    Route,
    Run,
    Where,
)

LANDLOCK = Isolation(
    level="landlock",
    network_blocked=True,
    project_protected=True,
    home_hidden=True,
    environment_scrubbed=True,
    details="Landlock ABI 4, seccomp",
)

RUN = Run(
    steps=120,
    seconds=3.14,
    stop="max_steps",
    isolation=LANDLOCK,
    interpreter="/opt/venv/bin/python",
    torch="2.13.0",
    device="cpu",
    experiments=2,
)


def finding(fault: str = "lr_too_high", prose: int = 1, **changes: object) -> Finding:
    """A complete finding; ``prose`` multiplies its texts."""
    whole = {
        "fault": fault,
        "severity": "critical",
        "confidence": 0.93,
        "status": "confirmed",
        "evidence": (
            Evidence(quantity="loss at the last step", value=38.2, threshold=2.3, step=119),
            Evidence(quantity="update to weight ratio", value=0.4, threshold=0.1, where="head.weight"),
        ),
        "where": Where(file="/home/ada/train.py", line=42),
        "why": "every step overshoots. " * prose,
        "remedy": "divide the learning rate by ten. " * prose,
        "contraindications": ("not with a schedule that already decays. " * prose,),
        "sheet": Ref(
            id="learning-rate-scheduling", section="too-high", summary="A rate is too high when. " * prose
        ),
        "consequences": ("exploding_gradient",),
        "proof": "same seed, a tenth of the rate: loss 38.2 -> 0.4",
    }
    return Finding.model_validate({**whole, **changes})


def diagnosis(**changes: object) -> Diagnosis:
    """A faulty run with one confirmed finding."""
    whole = {
        "verdict": "faulty",
        "findings": (finding(),),
        "not_checked": (NotChecked(fault="overfitting", missing="no evaluation seen"),),
        "run": RUN,
        "measurements": {"loss_first": 2.31, "loss_last": 38.2, "chance_level": 2.303, "data_wait": None},
        "fix": Fix(
            summary="lower the rate", patch="--- train.py\n+++ train.py\n-lr=3\n+lr=0.3\n", verified=True
        ),
        "next_steps": ("apply the patch, then diagnose(script='train.py')",),
    }
    return Diagnosis.model_validate({**whole, **changes})


def crowded_diagnosis() -> Diagnosis:
    """Far more than an agent should carry: many findings, much prose, a long route."""
    refs = tuple(
        Ref(id="gradient-management", section=f"s{i}", why="because " * 20, summary="so " * 40)
        for i in range(6)
    )
    route = Route(
        status="routed",
        symptom_class="loss_unstable",
        primary=refs,
        secondary=refs,
        avoid=("do not guess " * 20,) * 4,
        reasons=tuple(
            Fact(name=f"fact_{i}", value=1.5, provenance="measured", quote="q " * 80) for i in range(12)
        ),
    )
    return diagnosis(
        findings=tuple(finding(f"fault_{i}", prose=30) for i in range(9)),
        not_checked=tuple(NotChecked(fault=f"unchecked_{i}", missing="nothing seen " * 8) for i in range(45)),
        route=route,
        measurements={f"quantity_{i}": i / 7 for i in range(40)},
        fix=Fix(summary="long " * 100, patch="+ line\n" * 600, verified=None),
        run=RUN.model_copy(update={"error": "Traceback\n" * 200, "notes": ("note " * 40,) * 6}),
    )

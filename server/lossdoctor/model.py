"""The four nouns (Fact, Trace, Finding, Route) and the results built from them. Imports nothing of ours.

Everything is frozen data. A trace is what the recorder wrote, read back; its quantities are in the
units that the field names say (seconds end in ``_s``), losses are in the script's own units.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Scalar = bool | int | float | str
Provenance = Literal["told", "measured", "log"]
Severity = Literal["critical", "warning", "info"]
Status = Literal["suspected", "confirmed", "refuted"]
Stop = Literal["max_steps", "max_seconds", "script_end", "error", "killed"]


class Frozen(BaseModel):
    """Immutable, and strict about unknown fields."""

    # defer_build: the server starts without building the dozens of models that it may never need
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Fact(Frozen):
    """One piece of evidence about a training run, and where it comes from."""

    name: str = Field(description="field name of routing.facts.Facts, or 'fault'")
    value: Scalar
    provenance: Provenance = "told"
    quote: str | None = Field(
        default=None, description="the user's words or the measured quantity it rests on"
    )


class Step(Frozen):
    """One optimizer step (or, with ``optimizer`` -1, one backward pass that no optimizer step followed)."""

    i: int
    optimizer: int
    t: float
    lr: tuple[float, ...] = ()
    losses: tuple[float, ...] = Field(
        default=(), description="values that backward was called on since the last step"
    )
    loss_sites: tuple[int | None, ...] = ()
    grad_norm: float = 0.0
    grad_made: float | None = Field(
        default=None, description="the same right after the last backward pass, sampled steps"
    )
    grads: dict[int, float] = Field(default_factory=dict, description="parameter id -> gradient norm")
    updates: dict[int, tuple[float, float, float]] = Field(
        default_factory=dict,
        description="parameter id -> (update norm, norm before, share of elements changed)",
    )
    without_grad: int = 0
    backwards: int = 0
    zeroed: int = 0
    stale: bool = False
    clip_max: float | None = None
    clip_before: float | None = None
    clip_site: int | None = None
    clip_missed: int = Field(
        default=0, description="parameters with a gradient that the clipping call did not get"
    )
    clip_by_value: bool = False
    grad_max: float | None = Field(
        default=None, description="largest magnitude of a gradient element, sampled steps"
    )
    training: bool | None = None
    accuracy: float | None = None
    loss_values: tuple[float, ...] = Field(default=(), description="what torch's loss functions returned")
    sequence: str = ""
    calls: int = Field(default=0, description="forward calls, where more than the sequence shows")
    time: dict[str, float] = Field(
        default_factory=dict, description="data, fwd, bwd, step, eval, hook, total; seconds"
    )
    scale: float | None = None
    moved: bool | None = None
    along: float | None = Field(
        default=None, description="cosine between an update by hand and the gradient; 1 is uphill"
    )
    memory: int | None = Field(default=None, description="bytes held by the process (sampled steps)")
    zero_grads: dict[int, float] = Field(
        default_factory=dict, description="parameter id -> share of zeros in a half-precision gradient"
    )
    state: tuple[int, int] | None = Field(
        default=None, description="parameters that the optimizer kept state for, before and after the step"
    )
    closure: int = Field(default=0, description="backward passes inside the optimizer's own call (LBFGS)")

    @property
    def loss(self) -> float | None:
        """Mean over the micro-losses of one line (accumulation), sum over different lines (several terms)."""
        if not self.losses:
            return None
        by_site: dict[int | None, list[float]] = {}
        for value, site in zip(self.losses, self.loss_sites or (None,) * len(self.losses), strict=False):
            by_site.setdefault(site, []).append(value)
        return sum(sum(v) / len(v) for v in by_site.values())


class Parameter(Frozen):
    """One named tensor of the model or of an optimizer, as it was when first seen."""

    id: int
    name: str
    shape: tuple[int, ...]
    dtype: str
    requires_grad: bool
    optimizers: tuple[int, ...] = ()
    module: str | None = None
    used: bool = True
    loaded: bool = Field(default=False, description="its values came from a checkpoint")
    init: int | None = Field(
        default=None, description="site of the script's own call that gave it its first values"
    )
    drawn: bool | None = Field(
        default=None,
        description="whether a frozen one holds what torch's init functions drew for it; None: not seen",
    )
    mean: float = 0.0
    std: float = 0.0
    largest: float = 0.0
    numel: int = 0


class Optimizer(Frozen):
    """An optimizer as constructed: class, hyper-parameters per group, and the line that made it."""

    id: int
    cls: str
    step: int
    site: int | None = None
    groups: tuple[dict[str, Any], ...] = ()
    sizes: tuple[int, ...] = ()
    frozen: tuple[int, ...] = ()  # of each group's tensors, those that required no gradient when it was made
    base: str | None = None  # torch's class that it is, or is made from; None where there is none

    @property
    def family(self) -> str:
        """Whose rule the step follows, as far as it is known."""
        return self.base or self.cls


class Site(Frozen):
    """A line of the user's code in a role: loss, backward, step, zero_grad, optimizer, loader, ..."""

    id: int
    what: str
    file: str
    line: int
    code: str = ""


class Trace(Frozen):
    """What was recorded of one experiment. ``rows`` holds the other record kinds as written, in order."""

    steps: tuple[Step, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    optimizers: tuple[Optimizer, ...] = ()
    sites: tuple[Site, ...] = ()
    rows: dict[str, tuple[dict[str, Any], ...]] = Field(default_factory=dict)
    start: dict[str, Any] = Field(default_factory=dict)
    end: dict[str, Any] | None = None
    error: dict[str, Any] | None = None

    def of(self, kind: str) -> tuple[dict[str, Any], ...]:
        """Records of a kind: forward, act, loss, batch, loader, eval, graph, print, skip, load, nonfinite, ..."""
        return self.rows.get(kind, ())

    def site(self, what: str) -> Site | None:
        """The first line seen in a role."""
        return next((s for s in self.sites if s.what == what), None)


class Where(Frozen):
    """Where a finding is: as much as is known."""

    parameter: str | None = None
    module: str | None = None
    file: str | None = None
    line: int | None = None


class Evidence(Frozen):
    """One measured quantity that speaks for a finding."""

    quantity: str
    value: Scalar
    threshold: Scalar | None = None
    unit: str | None = None
    step: int | None = None
    where: str | None = None


class Ref(Frozen):
    """A pointer to a sheet section, or to another pack."""

    id: str
    kind: Literal["sheet", "pack"] = "sheet"
    section: str | None = None
    uri: str | None = None
    why: str = ""
    summary: str = ""


class Finding(Frozen):
    """A fault: how sure, why, where, and what to do."""

    fault: str
    severity: Severity
    confidence: float = Field(ge=0, le=1)
    status: Status = "suspected"
    evidence: tuple[Evidence, ...]
    where: Where = Where()
    why: str
    remedy: str
    contraindications: tuple[str, ...] = ()
    sheet: Ref
    consequences: tuple[str, ...] = Field(default=(), description="fault ids that follow from this one")
    symptom: str = Field(default="not_learning", description="symptom class of the routing tables")
    proof: str | None = Field(default=None, description="measured effect of the confirming intervention")


class NotChecked(Frozen):
    """A fault that could not be looked for, and the quantity that was missing."""

    fault: str
    missing: str


class Isolation(Frozen):
    """What really held the script, as tested from inside, not assumed."""

    level: Literal["namespaces", "landlock", "seatbelt", "none"]
    network_blocked: bool
    project_protected: bool
    home_hidden: bool
    environment_scrubbed: bool
    details: str = Field(default="", description="mechanism, Landlock ABI and residual holes, in one line")


class Run(Frozen):
    """How one experiment went."""

    steps: int
    seconds: float
    stop: Stop
    error: str | None = Field(
        default=None, description="last lines of the script's own error, quoted, bounded"
    )
    error_where: Where | None = None
    isolation: Isolation | None = None
    interpreter: str | None = None
    torch: str | None = None
    device: str | None = None
    ranks: int = 1
    overhead: float | None = Field(
        default=None, description="share of wall time spent in the recorder's hooks"
    )
    experiments: int = 1
    notes: tuple[str, ...] = ()


class Question(Frozen):
    """The one question that separates the remaining candidates."""

    text: str
    why: str
    fact: str
    options: tuple[str, ...]


class Probe(Frozen):
    """A tool call that would settle what is open."""

    tool: str
    arguments: dict[str, Any]
    settles: str


class Pressure(Frozen):
    """Pressure or self-diagnosis that was heard, and a kind answer."""

    kind: Literal["time", "authority", "self_diagnosis"]
    reply: str


class Route(Frozen):
    """Where to go next and why (the contract's RouteResult)."""

    status: Literal["routed", "needs_answer", "out_of_scope"]
    symptom_class: str | None = None
    primary: tuple[Ref, ...] = ()
    secondary: tuple[Ref, ...] = ()
    question: Question | None = None
    next_probe: Probe | None = None
    avoid: tuple[str, ...] = ()
    reasons: tuple[Fact, ...] = ()
    pressure: Pressure | None = None
    provisional: bool = False
    risk: str | None = None


class Fix(Frozen):
    """What to change. ``patch`` is a unified diff against the user's file when the change is mechanical."""

    summary: str
    patch: str | None = None
    verified: bool | None = None


class Diagnosis(Frozen):
    """What ``diagnose`` returns; a probe returns the same shape."""

    verdict: Literal["healthy", "faulty", "inconclusive"]
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    run: Run
    measurements: dict[str, Scalar | None] = Field(default_factory=dict)
    route: Route | None = None
    fix: Fix | None = None
    next_steps: tuple[str, ...] = Field(
        default=(), description="what to do next, each with its tool and arguments"
    )
    probe: dict[str, Any] | None = Field(
        default=None, description="run_probe: what this kind of probe measured"
    )
    trace: str | None = None
    plots: tuple[str, ...] = ()

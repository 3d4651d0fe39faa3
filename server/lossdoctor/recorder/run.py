"""One recorded run: seed, install, execute, and always write how it ended."""

from __future__ import annotations

import contextlib
import gc
import os
import platform
import random
import sys
import traceback
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from . import interventions, output, script, watchdog
from .attention import Attention
from .axes import Axes
from .beginnings import Beginnings
from .copies import Copies
from .couples import Couples
from .cuts import Cuts
from .draws import Draws
from .echoes import Echoes
from .evaluation import Evaluation
from .forwards import Forwards
from .functional import Functional
from .gradients import Gradients
from .growth import Growth
from .interventions.train_on import first_run
from .layouts import Layouts
from .lens import Lens
from .loaders import Loaders
from .makers import Makers
from .manual import Manual
from .moments import Moments
from .names import Names
from .objectives import Objectives
from .opened import Opened
from .optimizers import Optimizers
from .pairings import look_for_pairing
from .patching import keep_out_of_scripting, wrap
from .pools import AT, look_for_pool
from .precision import Precision
from .probes import Probes
from .recurrent import Recurrent
from .samples import Samples
from .schedules import Schedules
from .seeding import Seeding
from .session import Session, Stop
from .severed import Severed
from .shared_rows import look_for_shared_rows
from .stopping import Stopping
from .terms import Terms
from .weights import Weights


def main(config: dict[str, Any]) -> None:
    """Run the script of ``config`` under the recorder; never returns."""
    session = Session(config)
    seed(int(config.get("seed", 0)))
    start_row(session)
    watchdog.start(session)
    status = 0
    try:
        if any(choice["name"] == "train_on" for choice in config.get("interventions", [])):
            _run_before(session)
        install(session)
        _execute(config)
        session.end("script_end")
    except Stop:
        pass
    except SystemExit as exit_:
        status = _exit(session, exit_)
    except BaseException as error:
        status = 1
        _failure(session, error)
    _leave(status)


def _execute(config: dict[str, Any]) -> None:
    script.run(config["script"], config.get("module"), list(config.get("argv", [])))


def _run_before(session: Session) -> None:
    """Run the script without recording it, keep what its models learned, and put the process back as it was."""
    folder, path, known = os.getcwd(), sys.path[:], set(sys.modules)
    session.reached = first_run(lambda: _execute(session.config))
    os.chdir(folder)
    sys.path[:] = path
    for name in set(sys.modules) - known:
        if session.sites.in_project(getattr(sys.modules[name], "__file__", None) or "<none>"):
            del sys.modules[name]
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    seed(int(session.config.get("seed", 0)))


def seed(number: int) -> None:
    """Seed the random generators that the script may forget to seed; a script that seeds itself is unaffected."""
    random.seed(number)
    torch.manual_seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number)


def install(session: Session) -> None:
    """Connect all collectors; the order of ``close_step`` calls is the order of rows in the trace."""
    # hooks return at once inside a compiled model, so what torch warns of does not happen
    warnings.filterwarnings("ignore", message="Using .torch.compile.module.. when there are global hooks")
    names = Names(session)
    samples = Samples(session)
    samples.on_batch = lambda x: look_for_pool(session, x) if session.now == AT else None
    echoes = Echoes(session)
    samples.on_pair = partial(_look_at_pair, session, echoes, samples)
    evaluation = Evaluation(session, samples)
    gradients = Gradients(session, names)
    optimizers = Optimizers(session, names, gradients)
    forwards = Forwards(session, names, evaluation, samples)
    evaluation.on_pair = partial(_look_at_held_pair, session)
    objectives = Objectives(session, evaluation, samples)
    precision, probes = Precision(session, gradients), Probes(session)
    precision.on_withheld = objectives.discard
    gradients.held = optimizers.parameters
    optimizers.in_course += [samples.new_phase, forwards.new_phase]
    forwards.probes, objectives.probes, objectives.criteria = probes, probes, forwards.criteria
    objectives.model_output = gradients.model_output = samples.answer = lambda: forwards.output
    growth, recurrent = Growth(session, names), Recurrent(session, forwards)
    draws, severed = Draws(session, forwards, evaluation), Severed(session, forwards)
    draws.passed_on = lambda: severed.draws
    weights, copies = (
        Weights(session, names, evaluation.averages),
        Copies(session, names, optimizers.parameters),
    )
    loaders, manual = Loaders(session, evaluation, samples), Manual(session, names, gradients, optimizers)
    parts = (optimizers, gradients, forwards, objectives, precision, loaders,
             Schedules(session), weights, manual,
             Cuts(session, forwards, names), Stopping(session), Layouts(session, forwards), Axes(session, forwards),
             recurrent, growth, Attention(session, forwards), Beginnings(session, names), draws, severed,
             Functional(session, names, optimizers), Opened(session), Moments(session), Seeding(session), copies,
             evaluation.averages)  # fmt: skip
    forwards.after_forward.append(growth.mark)
    forwards.on_call += [manual.called, loaders.ahead.call, Couples(session).call, echoes.call]
    weights.before_load = evaluation.close  # what is measured after a load is another evaluation
    session.parts.__dict__.update(names=names, gradients=gradients, optimizers=optimizers, forwards=forwards)
    for part in parts:
        part.install()
    optimizers.extra += [
        forwards.close_step,
        objectives.close_step,
        precision.close_step,
        recurrent.close_step,
        lambda row: look_for_shared_rows(session) if session.now == AT else None,
    ]
    session.on_stop += [evaluation.close, lambda: names.resolve_once(optimizers.parameters())]
    probes.install()
    for owner in (torch, torch.nn.Module):
        wrap(owner, "compile", partial(_notice, session))
    Makers(session).install()
    gradients.on_losses += [objectives.written_out, Terms(session).read]
    gradients.before_backward += [evaluation.close, weights.before_backward, copies.before_backward]
    output.install(session)
    interventions.install(session, session.config.get("interventions", []))
    lens = session.config.get("lens")
    if lens is not None:
        Lens(session, names, forwards, int(lens.get("from", 0))).install()
    keep_out_of_scripting()
    gc.freeze()  # later searches among all objects pass over the hundred thousands of torch itself


def _notice(session: Session, original: Callable[..., Any]) -> Callable[..., Any]:
    """Remember that the script compiles."""

    def compile_(*args: Any, **kwargs: Any) -> Any:
        session.compiles = True
        return original(*args, **kwargs)

    return compile_


def start_row(session: Session) -> None:
    """What runs here: interpreter, torch, device, rank, and the settings."""
    session.write({
        "k": "start", "format": 1, "python": platform.python_version(), "torch": torch.__version__,
        "cuda": torch.cuda.is_available(), "threads": torch.get_num_threads(), "pid": os.getpid(),
        "rank": os.environ.get("RANK"), "executable": sys.executable, "memory": _memory(),
        **{k: session.config.get(k) for k in ("script", "module", "argv", "seed", "max_steps", "interventions")},
    })  # fmt: skip


def _memory() -> int | None:
    """Bytes of memory that the machine has, where it tells."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _exit(session: Session, exit_: SystemExit) -> int:
    if exit_.code in (None, 0):
        session.end("script_end")
        return 0
    _failure(session, exit_)
    return exit_.code if isinstance(exit_.code, int) else 1


def _failure(session: Session, error: BaseException) -> None:
    """Show the last lines of an exception of the script, and record it."""
    lines = [line for part in traceback.format_exception(error, limit=-4) for line in part.splitlines()]
    sys.stderr.write("\n".join(lines[-20:]) + "\n")
    if session.active:
        write_failure(session, error)


def write_failure(session: Session, error: BaseException) -> None:
    """The ``error`` and ``end`` rows: type, last words, and the innermost line of the user's own code."""
    frames = [f for f in traceback.walk_tb(error.__traceback__) if session.sites.is_user(f[0].f_code)]
    file, line = (session.real(frames[-1][0].f_code.co_filename), frames[-1][1]) if frames else (None, None)
    text = "".join(traceback.format_exception_only(error)).strip()
    session.write({"k": "error", "i": session.now, "type": type(error).__name__, "text": text[-600:],
                   "file": file, "line": line})  # fmt: skip
    session.end("error")


def _leave(status: int) -> None:
    """Leave at once: neither slow teardown nor atexit handlers of the script matter any more."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _look_at_pair(session: Session, echoes: Echoes, samples: Samples, x: Any, target: Any) -> None:
    """What a step learned from: its input and its target."""
    if session.steps == AT:
        session.safely(look_for_pairing, session, x, target, samples.at)
    session.safely(echoes.pair, target)


def _look_at_held_pair(session: Session, x: torch.Tensor, target: torch.Tensor) -> None:
    """The first held-out batch after the step at which training's pairing is looked for."""
    if session.steps >= AT and not getattr(session.parts, "held_looked_at", False):
        session.parts.held_looked_at = True
        session.safely(partial(look_for_pairing, held=True), session, x, target)

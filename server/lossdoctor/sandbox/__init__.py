"""Runs the user's unmodified script as an experiment: found, isolated, limited, and always ended.

The rungs, best first: ``namespaces`` (bubblewrap), ``landlock`` (Landlock and seccomp), ``seatbelt``
(macOS), ``none`` (limits only, needs consent). A run reports what its own self-test proved.
"""

from lossdoctor.sandbox.experiment import Edit, Experiment, Interpreter, Progress, Recording
from lossdoctor.sandbox.interpreter import find_interpreter
from lossdoctor.sandbox.isolation import available_isolation
from lossdoctor.sandbox.limits import Limits
from lossdoctor.sandbox.project import NotCopied
from lossdoctor.sandbox.runner import kill_all_experiments, run_experiment
from lossdoctor.sandbox.scripts import check_script

__all__ = [
    "Edit",
    "Experiment",
    "Interpreter",
    "Limits",
    "NotCopied",
    "Progress",
    "Recording",
    "available_isolation",
    "check_script",
    "find_interpreter",
    "kill_all_experiments",
    "run_experiment",
]

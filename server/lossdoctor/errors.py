"""The exception tree. Every failure that a user or an agent should read is one of these.

LossDoctorError
├── ScriptNotFound        SCRIPT_NOT_FOUND       the path names nothing
├── ScriptInvalid         SCRIPT_INVALID         a folder, not Python, not readable, does not parse
├── InterpreterNotFound   INTERPRETER_NOT_FOUND  the named interpreter is missing or does not run
├── TorchMissing          TORCH_MISSING          no interpreter with a usable torch
├── IsolationRefused      ISOLATION_REFUSED      no isolation here and no consent to run without
├── ExperimentFailed      EXPERIMENT_FAILED      the recorder could not start; nothing was recorded
├── TraceInvalid          TRACE_INVALID          a trace folder that cannot be read
├── SheetNotFound         SHEET_NOT_FOUND        no such sheet or section
├── FaultNotFound         FAULT_NOT_FOUND        no such fault id
├── BadArgument           BAD_ARGUMENT           an argument outside its range
└── InternalError         INTERNAL_ERROR         a bug of ours; anything unexpected becomes this

``str(error)`` is ``CODE: what (where). Hint: what to do next.`` and is the whole text a client sees.
"""

from __future__ import annotations


class LossDoctorError(Exception):
    """Base of the family: a machine-readable ``code``, what happened, where, and what to do next."""

    code = "ERROR"

    def __init__(self, what: str, *, where: str | None = None, hint: str) -> None:
        self.what, self.where, self.hint = what.rstrip("."), where, hint.rstrip(".")
        place = f" ({where})" if where else ""
        super().__init__(f"{self.code}: {self.what}{place}. Hint: {self.hint}.")


class ScriptNotFound(LossDoctorError):
    code = "SCRIPT_NOT_FOUND"


class ScriptInvalid(LossDoctorError):
    code = "SCRIPT_INVALID"


class InterpreterNotFound(LossDoctorError):
    code = "INTERPRETER_NOT_FOUND"


class TorchMissing(LossDoctorError):
    code = "TORCH_MISSING"


class IsolationRefused(LossDoctorError):
    code = "ISOLATION_REFUSED"


class ExperimentFailed(LossDoctorError):
    code = "EXPERIMENT_FAILED"


class TraceInvalid(LossDoctorError):
    code = "TRACE_INVALID"


class SheetNotFound(LossDoctorError):
    code = "SHEET_NOT_FOUND"


class FaultNotFound(LossDoctorError):
    code = "FAULT_NOT_FOUND"


class BadArgument(LossDoctorError):
    code = "BAD_ARGUMENT"


class InternalError(LossDoctorError):
    code = "INTERNAL_ERROR"

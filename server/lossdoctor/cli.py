"""The command line: parse, run one command, turn its outcome into an exit code.

Exit codes: 0 healthy (or done), 1 faulty, 2 could not tell or could not run, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from . import __version__
from .errors import InternalError, LossDoctorError

_EPILOG = """\
examples:
  lossdoctor diagnose train.py                      find out why this run misbehaves
  lossdoctor diagnose train.py -- --lr 3 --epochs 1 the same, with the script's own arguments
  lossdoctor route "loss is stuck at 2.30"          where to look, without a script
  lossdoctor sheet gradient-management#clipping     one section of a sheet
  lossdoctor check                                  what this machine can do
exit codes: 0 healthy, 1 faulty, 2 could not tell or could not run
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. Without a command, a pipe on stdin means ``serve``."""
    given = list(sys.argv[1:] if argv is None else argv)
    if not given and _stdin_is_pipe():
        given = ["serve"]
    parser = build_parser()
    # Split by hand: argparse loses a script's own options once ours stand between SCRIPT and --.
    ours, scripts = _split(given)
    chosen = parser.parse_args(ours)
    chosen.args = scripts
    if chosen.command is None:
        parser.print_help(sys.stderr)
        return 2
    return _outcome(chosen)


def _split(given: list[str]) -> tuple[list[str], tuple[str, ...]]:
    if "--" not in given:
        return given, ()
    cut = given.index("--")
    return given[:cut], tuple(given[cut + 1 :])


def _outcome(chosen: argparse.Namespace) -> int:
    from . import commands

    try:
        code: int = getattr(commands, chosen.command)(chosen)
    except LossDoctorError as error:
        return _refuse(error)
    except KeyboardInterrupt:
        print("interrupted: the experiment was stopped, nothing was left running", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader left (| head); point stdout elsewhere so that the flush at exit stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except Exception as failure:
        if os.environ.get("LOSSDOCTOR_DEBUG"):
            raise
        hint = "this is a bug of lossdoctor; LOSSDOCTOR_DEBUG=1 shows the traceback"
        return _refuse(InternalError(f"{type(failure).__name__} inside lossdoctor", hint=hint))
    return code


def _refuse(error: LossDoctorError) -> int:
    from .reports.untrusted import visible

    print(visible(str(error)), file=sys.stderr)
    return 2


def _stdin_is_pipe() -> bool:
    try:
        mode = os.fstat(0).st_mode
    except OSError:  # stdin is closed
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class _Parser(argparse.ArgumentParser):
    """Tells a wrong command line in the same envelope as every other failure."""

    def error(self, message: str) -> NoReturn:
        theirs = " (a script's own arguments go after --)" if "unrecognized" in message else ""
        print(f"BAD_ARGUMENT: {message}{theirs}. Hint: see '{self.prog} --help'.", file=sys.stderr)
        raise SystemExit(2)


if TYPE_CHECKING:
    # argparse has no public name for what add_subparsers() returns
    Commands = argparse._SubParsersAction[_Parser]


def build_parser() -> argparse.ArgumentParser:
    """Every command and option; the names are those of the MCP tools."""
    parser = _Parser(
        prog="lossdoctor",
        description="Measures a misbehaving PyTorch training run before it advises.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"lossdoctor {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _add_diagnose(commands)
    _add_lookups(commands)
    commands.add_parser("check", help="what this machine can do: interpreters with torch, isolation, GPU")
    commands.add_parser("serve", help="MCP server on stdin and stdout (the default when stdin is a pipe)")
    return parser


def _add_diagnose(commands: Commands) -> None:
    command = commands.add_parser(
        "diagnose",
        usage="lossdoctor diagnose SCRIPT [options] [-- ARGS]",
        help="run a training script as an experiment and say what is wrong with it",
        description="Runs SCRIPT unmodified for a few seconds in a sandbox, measures it, names the fault "
        "with its evidence, and confirms it by running again with the cause removed.",
    )
    add = command.add_argument
    add("script", metavar="SCRIPT", help="training script; it is not changed; its own arguments go after --")
    add("--symptom", metavar="TEXT", help="what you see, in your words")
    add(
        "--max-seconds",
        type=float,
        default=120,
        metavar="S",
        help="budget of the whole diagnosis (default 120)",
    )
    add(
        "--max-steps", type=int, metavar="N", help="optimizer steps to record (default: what the time allows)"
    )
    add("--seed", type=int, default=0, help="seed for torch, numpy and random (default 0)")
    add("--python", metavar="PATH", help="interpreter that has torch (default: the project's own)")
    add("--cwd", metavar="DIR", help="folder the script runs in (default: the current one)")
    add(
        "--env", action="append", default=[], metavar="NAME=VALUE", help="environment variable for the script"
    )
    add("--no-confirm", action="store_true", help="one run only: suspect, do not confirm")
    add("--allow-network", action="store_true", help="let the script reach the network")
    add("--allow-unsandboxed", action="store_true", help="run even where no isolation is available")
    add("--html", metavar="FILE", help="write a page with the report and its plots, too")
    add("--json", action="store_true", help="the whole result as JSON")


def _add_lookups(commands: Commands) -> None:
    route = commands.add_parser(
        "route", help="from a complaint to the sheet section or the deciding question"
    )
    route.add_argument("text", metavar="TEXT", help="what you see, in your words")
    route.add_argument(
        "--fact", action="append", default=[], metavar="NAME=VALUE", help="a known fact or an answer"
    )
    route.add_argument("--provisional", action="store_true", help="route although a question is open")
    route.add_argument("--json", action="store_true", help="the whole result as JSON")
    sheet = commands.add_parser("sheet", help="a sheet, or one section of it")
    sheet.add_argument("name", metavar="NAME[#SECTION]", nargs="?", help="without it: the list of sheets")
    explain = commands.add_parser("explain", help="what a fault is, how it shows, what to do about it")
    explain.add_argument("fault", metavar="FAULT", nargs="?", help="without it: the list of faults")
    render = commands.add_parser(
        "render", help="for contributors: write the skill and the agent from the tables"
    )
    render.add_argument("--check", action="store_true", help="only tell whether they differ (exit code 1)")

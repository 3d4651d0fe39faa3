"""The command line: exit codes, what goes to which stream, and what a person may type."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.processes import alive, descendants, wait_for
from tests.samples import LANDLOCK, RUN, diagnosis

from lossdoctor import __version__
from lossdoctor.cli import main
from lossdoctor.errors import TorchMissing
from lossdoctor.model import Diagnosis
from lossdoctor.tools import chain


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[chain.DiagnoseRequest]:
    """The chain replaced by one that remembers the request and answers with a sample."""
    requests: list[chain.DiagnoseRequest] = []

    async def answer(request: chain.DiagnoseRequest, report: chain.Report) -> Diagnosis:
        requests.append(request)
        await report(1, None, "step 1")
        return diagnosis()

    monkeypatch.setattr(chain, "diagnose", answer)
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # the test runner keeps its own handlers
    return requests


def answers(monkeypatch: pytest.MonkeyPatch, result: Diagnosis) -> None:
    async def answer(*_: Any) -> Diagnosis:
        return result

    monkeypatch.setattr(chain, "diagnose", answer)


@pytest.mark.parametrize(("verdict", "code"), [("healthy", 0), ("faulty", 1), ("inconclusive", 2)])
def test_the_exit_code_is_the_verdict(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch, verdict: str, code: int
) -> None:
    answers(monkeypatch, diagnosis(verdict=verdict))
    assert main(["diagnose", "train.py"]) == code


def test_json_is_the_whole_result_on_stdout(asked: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    main(["diagnose", "train.py", "--json"])
    read = json.loads(capsys.readouterr().out)
    assert Diagnosis.model_validate(read).findings[0].fault == "lr_too_high"


def test_a_page_is_written_beside_the_report(
    asked: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.html"
    assert main(["diagnose", "train.py", "--html", str(target)]) == 1
    assert "lr_too_high" in target.read_text()
    assert str(target) in capsys.readouterr().out
    main(["diagnose", "train.py", "--html", str(target), "--json"])
    assert json.loads(capsys.readouterr().out)["verdict"] == "faulty"


@pytest.mark.parametrize("name", [".", "no/such/folder/report.html"])
def test_a_page_that_could_not_be_written_is_refused_before_anything_runs(
    asked: list[Any], tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", "train.py", "--html", str(tmp_path / name)]) == 2
    assert "BAD_ARGUMENT" in capsys.readouterr().err
    assert asked == []


def test_the_scripts_own_options_go_after_two_dashes(asked: list[chain.DiagnoseRequest]) -> None:
    main(["diagnose", "train.py", "--seed", "7", "--", "--lr", "3", "--json", "--", "x"])
    assert asked[0].args == ("--lr", "3", "--json", "--", "x")
    assert asked[0].seed == 7


def test_options_reach_the_chain(asked: list[chain.DiagnoseRequest], tmp_path: Path) -> None:
    options = ["--max-seconds", "9", "--max-steps", "50", "--no-confirm", "--allow-network", "--env", "A=b=c"]
    main(["diagnose", str(tmp_path / "t.py"), *options, "--python", "p", "--symptom", "flat"])
    request = asked[0]
    assert (request.max_seconds, request.max_steps, request.confirm, request.allow_network) == (
        9,
        50,
        False,
        True,
    )
    assert (request.env, request.python, request.symptom) == ({"A": "b=c"}, "p", "flat")
    assert request.script == str(tmp_path / "t.py")


def test_a_relative_interpreter_is_meant_from_the_current_folder(
    asked: list[chain.DiagnoseRequest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    monkeypatch.chdir(tmp_path)
    for given in ("bin/python", "python3", "no/python"):
        main(["diagnose", "train.py", "--cwd", "/", "--python", given])
    assert [r.python for r in asked] == [str(tmp_path / "bin/python"), "python3", "no/python"]


def test_without_a_terminal_no_isolation_needs_the_option(asked: list[chain.DiagnoseRequest]) -> None:
    main(["diagnose", "train.py"])
    main(["diagnose", "train.py", "--allow-unsandboxed"])
    assert [request.allow_unsandboxed for request in asked] == [False, True]


def test_a_run_without_isolation_is_warned_about(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = RUN.model_copy(update={"isolation": LANDLOCK.model_copy(update={"level": "none"})})
    answers(monkeypatch, diagnosis(run=bare))
    main(["diagnose", "train.py"])
    assert "warning: no isolation here" in capsys.readouterr().err


def test_a_refusal_is_one_line_on_stderr_and_exit_code_2(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def refuse(*_: Any) -> Diagnosis:
        raise TorchMissing("no torch \x1b[31m", hint="install it")

    monkeypatch.setattr(chain, "diagnose", refuse)
    assert main(["diagnose", "train.py"]) == 2
    seen = capsys.readouterr()
    assert seen.err == "TORCH_MISSING: no torch . Hint: install it.\n"
    assert seen.out == ""


def test_a_bug_of_ours_shows_no_traceback(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fail(*_: Any) -> Diagnosis:
        raise KeyError("x")

    monkeypatch.delenv("LOSSDOCTOR_DEBUG", raising=False)
    monkeypatch.setattr(chain, "diagnose", fail)
    assert main(["diagnose", "train.py"]) == 2
    assert capsys.readouterr().err.startswith("INTERNAL_ERROR: KeyError")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["diagnose"], "SCRIPT"),
        (["diagnose", "a.py", "--lr", "3"], "a script's own arguments go after --"),
        (["diagnose", "a.py", "--seed", "x"], "--seed"),
        (["diagnos", "a.py"], "diagnos"),
    ],
)
def test_a_wrong_command_line_is_told_in_the_same_envelope(
    line: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(line)
    told = capsys.readouterr().err
    assert caught.value.code == 2
    assert told.startswith("BAD_ARGUMENT: ")
    assert said in told
    assert " Hint: " in told


def test_an_assignment_without_a_value_is_refused(
    asked: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", "a.py", "--env", "NOPE"]) == 2
    assert "NAME=VALUE" in capsys.readouterr().err


def test_a_complaint_is_routed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["route", "the loss is NaN with fp16 autocast"]) == 0
    assert "fp16-loss-scaling" in capsys.readouterr().out


def test_a_vague_complaint_gets_one_question_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["route", "training is not working", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["question"]["options"]


def test_facts_are_read_as_numbers_where_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["route", "loss is stuck", "--fact", "no_such_fact=1"]) == 2
    assert "no_such_fact" in capsys.readouterr().err


def test_sheets_are_listed_and_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 10
    assert main(["sheet", "gradient-management#clipping"]) == 0
    assert capsys.readouterr().out.startswith("# ")
    assert main(["sheet", "gradient-management#nope"]) == 2


def test_faults_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    assert "missing_zero_grad" in capsys.readouterr().out.splitlines()
    assert main(["explain", "missing_zero_grad"]) == 0
    assert "When it stays silent" in capsys.readouterr().out
    assert main(["explain", "missing_zerograd"]) == 2
    assert "missing_zero_grad" in capsys.readouterr().err


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"lossdoctor {__version__}\n"


def test_nothing_to_do_prints_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lossdoctor.cli._stdin_is_pipe", lambda: False)
    assert main([]) == 2
    assert "usage: lossdoctor" in capsys.readouterr().err


def test_a_pipe_on_stdin_means_serve(server_python: str, tmp_path: Path) -> None:
    ask = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "0"},
        },
    }
    done = subprocess.run(
        [server_python, "-m", "lossdoctor"],
        input=json.dumps(ask) + "\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=30,
        check=True,
    )
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "lossdoctor"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_diagnosis_leaves_nothing_running(
    number: signal.Signals, server_python: str, user_python: str, tmp_path: Path
) -> None:
    script = tmp_path / "project" / "hang.py"
    script.parent.mkdir()
    script.write_text("import time\nimport torch\nprint('up', flush=True)\ntime.sleep(600)\n")
    command = [server_python, "-m", "lossdoctor", "diagnose", str(script), "--python", user_python]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as process:
        assert wait_for(lambda: has_torch(process.pid), 30), "the experiment never started"
        running = descendants(process.pid)
        process.send_signal(number)
        assert process.wait(10) == 128 + number
    assert wait_for(lambda: not alive(running), 5), f"still running: {alive(running)}"


def has_torch(pid: int) -> bool:
    """Whether a process below ``pid`` has torch loaded, so that the script itself is running."""
    for process in descendants(pid):
        try:
            if "libtorch" in Path(f"/proc/{process.pid}/maps").read_text():
                return True
        except OSError:  # it ended, or is being started
            continue
    return False


def test_colour_and_live_lines_stay_out_of_pipes(server_python: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [server_python, "-m", "lossdoctor", "sheet", "gradient-management"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm-256color"},
        check=True,
    )
    assert "\x1b" not in done.stdout
    assert done.stderr == ""

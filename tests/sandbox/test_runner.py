from __future__ import annotations

import hashlib
import subprocess
import sys
import uuid
from pathlib import Path

import anyio
import pytest
from tests.sandbox.conftest import Write
from tests.sandbox.watching import with_token

from lossdoctor.errors import ExperimentFailed, IsolationRefused, ScriptNotFound
from lossdoctor.sandbox import (
    Experiment,
    Interpreter,
    Limits,
    Progress,
    Recording,
    isolation,
    prepare,
    run_experiment,
    runner,
)
from lossdoctor.sandbox.layout import LEVELS, Rung

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("stub_recorder")]
QUICK = Limits(startup_s=0.0, grace_s=0.2)


def digest(folder: Path) -> str:
    """Names, types and contents of everything below a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        found.update(str(path.relative_to(folder)).encode())
        found.update(path.read_bytes() if path.is_file() else b"/")
    return found.hexdigest()


async def run(script: Path, **options: object) -> Recording:
    limits = options.pop("limits", None)
    return await run_experiment(
        Experiment(script, **options),  # type: ignore[arg-type]
        out=script.parent.parent / "trace",
        limits=limits,  # type: ignore[arg-type]
    )


async def test_a_script_runs_and_its_trace_comes_back(rung: Rung, script: Write) -> None:
    recording = await run(script("for i in range(3): step(i)\nprint('done')"))
    assert (recording.stop, recording.returncode, recording.stdout_tail) == (None, 0, "done\n")
    assert (recording.folder / "records.jsonl").read_text().count('"k":"step"') == 3
    assert recording.isolation.level == LEVELS[rung]


async def test_isolation_is_what_the_self_test_found(rung: Rung, script: Write) -> None:
    isolation = (await run(script(""))).isolation
    assert isolation.network_blocked
    assert isolation.project_protected
    assert isolation.home_hidden
    assert isolation.environment_scrubbed


async def test_the_real_project_is_never_written(rung: Rung, script: Write, project: Path) -> None:
    path = script(
        """
        import os, shutil, pathlib
        here = pathlib.Path(__file__).parent
        (here / "ckpt.pt").write_text("x")
        open(__file__, "a").write("# changed")
        (here / "requirements.txt").unlink()
        shutil.rmtree(here, ignore_errors=True)
        """
    )
    before = digest(project)
    recording = await run(path)
    assert digest(project) == before
    assert recording.returncode == 0


async def test_arguments_cwd_and_environment_arrive(rung: Rung, script: Write, project: Path) -> None:
    (project / "sub").mkdir()
    source = "import os, sys; print(sys.argv[1:], os.path.basename(os.getcwd()), os.environ['X'])"
    recording = await run(script(source), args=("--lr", "3"), cwd=project / "sub", env={"X": "y"})
    assert recording.stdout_tail == "['--lr', '3'] sub y\n"


async def test_an_absolute_argument_into_the_project_reaches_the_copy(
    rung: Rung, script: Write, project: Path
) -> None:
    source = "import sys; open(sys.argv[1].split('=')[1] + '/out.txt', 'w')"
    recording = await run(script(source), args=(f"--out={project}",))
    assert recording.returncode == 0
    assert not (project / "out.txt").exists()


async def test_a_data_folder_named_in_the_arguments_can_be_read(
    rung: Rung, script: Write, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x.csv").write_text("1,2")
    source = "import sys; print(open(sys.argv[1] + '/x.csv').read())"
    assert (await run(script(source), args=(str(tmp_path / "data"),))).stdout_tail == "1,2\n"


async def test_a_folder_that_nobody_named_cannot_be_read(rung: Rung, script: Write, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "x").write_text("1")
    recording = await run(script(f"print(open('{tmp_path}/private/x').read())"))
    assert recording.returncode == 1


async def test_a_large_project_file_can_be_read_through_its_link(
    rung: Rung, script: Write, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lossdoctor.sandbox import project as module

    monkeypatch.setattr(module, "LARGEST_FILE", 1000)
    (project / "big.bin").write_bytes(b"x" * 2000)
    recording = await run(script("print(len(open('big.bin').read()))"))
    assert recording.stdout_tail == "2000\n"
    assert "too large to copy, so read-only for the script: big.bin" in recording.notes


async def test_a_link_out_of_the_project_can_be_followed(
    rung: Rung, script: Write, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x").write_text("42")
    (project / "data").symlink_to(tmp_path / "data")
    assert (await run(script("print(open('data/x').read())"))).stdout_tail == "42\n"


async def test_a_crash_keeps_what_was_recorded_and_the_last_lines(rung: Rung, script: Write) -> None:
    recording = await run(script("step(0)\nraise ValueError('boom')"))
    assert recording.returncode == 1
    assert recording.stderr_tail.rstrip().endswith("ValueError: boom")
    assert (recording.folder / "records.jsonl").exists()


async def test_a_hanging_script_is_ended_at_its_time(rung: Rung, script: Write) -> None:
    recording = await run(script("step(0)\nwhile True: pass"), max_seconds=0.5, limits=QUICK)
    assert recording.stop == "max_seconds"
    assert 0.7 <= recording.seconds < 15
    assert "ended by lossdoctor: wall clock" in recording.notes


async def test_a_hundred_megabytes_of_output_are_counted_not_kept(rung: Rung, script: Write) -> None:
    recording = await run(script("line = 'x' * 999_999\nfor _ in range(100): print(line)\nprint('end')"))
    assert recording.stdout_bytes == 100_000_004
    assert len(recording.stdout_tail) <= 8192
    assert recording.stdout_tail.endswith("end\n")


async def test_stdin_is_empty(rung: Rung, script: Write) -> None:
    recording = await run(script("input()"))
    assert recording.stderr_tail.rstrip().endswith("EOFError: EOF when reading a line")


async def test_progress_counts_recorded_steps(rung: Rung, script: Write) -> None:
    seen: list[Progress] = []

    async def note(progress: Progress) -> None:
        seen.append(progress)

    path = script("import time\nfor i in range(5): step(i)\ntime.sleep(0.6)")
    await run_experiment(Experiment(path), on_progress=note, out=path.parent.parent / "trace")
    assert seen[-1].steps == 5
    assert [p.seconds for p in seen] == sorted(p.seconds for p in seen)


async def test_settings_reach_the_recorder(rung: Rung, script: Write, project: Path) -> None:
    path = script("print(config['seed'], config['max_steps'], config['level'], config['real_project'])")
    recording = await run(path, seed=7, max_steps=9, recorder={"level": "lite"})
    assert recording.stdout_tail == f"7 9 lite {project}\n"


async def test_with_namespaces_the_script_stands_where_the_user_has_it(script: Write, rung: Rung) -> None:
    path = script("print(__file__, config['project'] == config['real_project'])")
    recording = await run(path)
    if rung != "landlock":
        assert recording.stdout_tail == f"{path} True\n"
    else:
        assert recording.stdout_tail.endswith("train.py False\n")


async def test_nothing_but_the_trace_is_left(
    rung: Rung, script: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "t"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    recording = await run_experiment(Experiment(script("import os; os.mkdir('d'); os.chmod('d', 0)")))
    assert list(temporary.iterdir()) == [recording.folder]


async def test_cancelling_ends_the_script_and_keeps_the_given_trace(
    rung: Rung, script: Write, tmp_path: Path
) -> None:
    path, token = script("import time\nstep(0)\ntime.sleep(60)"), uuid.uuid4().hex
    with anyio.move_on_after(20) as scope:

        async def stop_when_started(progress: Progress) -> None:
            if progress.steps:
                scope.cancel()

        run = Experiment(path, env={"TOKEN": token})
        await run_experiment(run, on_progress=stop_when_started, out=tmp_path / "kept")
    assert scope.cancelled_caught
    assert (tmp_path / "kept" / "records.jsonl").exists()
    assert with_token(token) == []


async def test_a_missing_script_is_refused_before_anything_starts(project: Path) -> None:
    with pytest.raises(ScriptNotFound):
        await run_experiment(Experiment(project / "none.py"))


async def test_without_isolation_nothing_runs_unless_allowed(
    script: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOSSDOCTOR_ISOLATION", "none")
    path = script("print('ran')")
    with pytest.raises(IsolationRefused, match=r"Hint: install bubblewrap"):
        await run(path)
    recording = await run(path, allow_unsandboxed=True)
    assert recording.stdout_tail == "ran\n"
    assert (recording.isolation.level, recording.isolation.network_blocked) == ("none", False)


async def test_even_without_isolation_the_copy_is_what_runs(
    script: Write, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    monkeypatch.setenv("LOSSDOCTOR_ISOLATION", "none")
    recording = await run(script("open('ckpt.pt', 'w')"), allow_unsandboxed=True)
    assert recording.returncode == 0
    assert not (project / "ckpt.pt").exists()


async def test_a_confinement_that_cannot_start_is_a_clear_error(
    rung: Rung, script: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "_layers", lambda plan, shown: {"limits": {"RLIMIT_NONE": 1}})
    with pytest.raises(
        ExperimentFailed, match="EXPERIMENT_FAILED: the confined process could not be started"
    ):
        await run(script(""))


async def test_a_blocked_download_is_explained(rung: Rung, script: Write) -> None:
    recording = await run(script("import urllib.request as u; u.urlopen('https://example.org/data.zip')"))
    assert any("the script wanted the network" in note for note in recording.notes)


async def test_a_shell_wrapper_runs_with_the_interpreter_in_front(
    rung: Rung, project: Path, tmp_path: Path
) -> None:
    (project / "run.sh").write_text(
        "python -c 'import sys; print(sys.executable)' && echo $1 $LOSSDOCTOR_CONFIG\n"
    )
    recording = await run_experiment(Experiment(project / "run.sh", args=("a",)), out=tmp_path / "trace")
    first, second = recording.stdout_tail.splitlines()
    assert Path(first).parent == Path(sys.executable).parent
    assert second.startswith("a /")


async def test_a_rung_that_fails_to_start_is_followed_by_the_next(
    script: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    works = [rung for rung in isolation._rungs() if isolation.probe(rung).found is not None]
    if works[0] != "bubblewrap" or len(works) == 1:
        pytest.skip("needs bubblewrap and another rung")
    monkeypatch.setattr(prepare.bubblewrap, "command", lambda *_: ["/usr/bin/false"])
    monkeypatch.delenv(isolation.FORCE, raising=False)
    recording = await run(script("print('ran')"))
    assert recording.isolation.details.startswith(isolation.MECHANISMS[works[1]][0].split("{")[0])
    assert recording.stdout_tail == "ran\n"


async def test_a_failed_start_leaves_no_file(
    rung: Rung, script: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    temporary = tmp_path / "t"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr(prepare, "_layers", lambda plan, shown: {"limits": {"RLIMIT_NONE": 1}})
    with pytest.raises(ExperimentFailed):
        await run_experiment(Experiment(script("")))
    assert list(temporary.iterdir()) == []


async def test_the_projects_own_environment_is_the_interpreter(
    rung: Rung, script: Write, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", project / ".venv"], check=True)
    python = str(project / ".venv" / "bin" / "python")
    monkeypatch.setattr(runner, "find_interpreter", lambda *_: Interpreter(python, "3", "0", "project .venv"))
    recording = await run(script("import sys; print(sys.executable, sys.prefix)"))
    assert recording.stdout_tail == f"{python} {project / '.venv'}\n"

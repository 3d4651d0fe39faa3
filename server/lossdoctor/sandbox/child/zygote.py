"""A warm interpreter: torch is imported once, each experiment is a confined fork of it.

``python -u zygote.py SOCKET IDLE_S RECORDER`` under the user's interpreter; stdin is the leash. A client (warm.py)
hands over its three streams and the path of an order; the fork that takes them becomes the supervisor,
and a fork of that becomes the script. Before a fork no operation may have run in parallel and no GPU may
have been initialised: a child would wait for threads that it does not have.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import json
import os
import runpy
import select
import shutil
import signal
import socket
import sys
import types
import warnings
from pathlib import Path
from typing import Any, NoReturn

if __package__ in (None, ""):
    HERE = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
    for _name, _folder in (("lossdoctor", HERE.parent.parent), ("lossdoctor.sandbox", HERE.parent)):
        _package = types.ModuleType(_name)
        _package.__path__ = [str(_folder)]
        sys.modules[_name] = _package

from lossdoctor.sandbox.child import confine, supervise


def warm_up() -> None:
    """Import what every training script imports; the first optimizer would load torch._dynamo (1 s)."""
    import torch
    import torch._dynamo
    import torch.utils.data

    torch.optim.SGD([torch.nn.Parameter(torch.empty(1))], lr=0.1)
    if torch.cuda.is_initialized():
        raise RuntimeError("a GPU was initialised by importing torch")
    gc.collect()
    gc.freeze()  # the collector would touch, and so copy, every page of the parent


def preload(recorder: str) -> None:
    """Import the recorder as its own launch.py would, so that a fork finds it loaded."""
    launch = (
        runpy.run_path(f"{recorder}/launch.py", run_name="preload")
        if Path(recorder, "run.py").exists()
        else {}
    )
    if name := launch.get("NAME"):
        spec = importlib.util.spec_from_file_location(
            name, f"{recorder}/__init__.py", submodule_search_locations=[recorder]
        )
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = package = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(package)
        importlib.import_module(f"{name}.run")


def serve(path: str, idle_s: float) -> None:
    """Answer clients until stdin closes or nobody has come for ``idle_s`` seconds."""
    with socket.socket(socket.AF_UNIX) as service:
        service.bind(path)
        service.listen()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended supervisors vanish by themselves
        while True:
            ready, _, _ = select.select([0, service.fileno()], [], [], idle_s)
            if service.fileno() not in ready:
                return
            with contextlib.suppress(OSError):
                _answer(service)


def _answer(service: socket.socket) -> None:
    client, _ = service.accept()
    with client:
        client.settimeout(5.0)
        message, streams, _, _ = socket.recv_fds(client, 1 << 16, 3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # fork with helper threads: none of them holds a lock here
            pid = os.fork()
        if pid == 0:
            service.close()
            _become_supervisor(client, message.decode(), streams)
        client.sendall(str(pid).encode())
    for stream in streams:
        os.close(stream)


def _become_supervisor(client: socket.socket, order_path: str, streams: list[int]) -> NoReturn:
    """``client`` stays open as long as this process lives: its end tells the client that all is over."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        supervise.supervise(order_path, lambda *order: _spawn_fork(client, *order))
        code = 0
    finally:
        os._exit(code)


def _spawn_fork(client: socket.socket, order: dict[str, Any], channel: socket.socket, port: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        client.close()
        _become_script(order, channel, port)
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        os._exit(code)


def _become_script(order: dict[str, Any], channel: socket.socket, port: int) -> None:
    """What exec does for a cold start: signals, session, streams, environment, folder, arguments."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.environ.clear()
    os.environ.update(order["env"])
    _keep_only(channel)
    os.chdir("/")
    spec = json.loads(Path(order["spec"]).read_text(encoding="utf-8"))
    confine.confine_and_report(spec, channel, port)
    os.chdir(spec["cwd"])
    for name in [name for name in sys.modules if name.split(".")[0] == "lossdoctor"]:
        del sys.modules[name]
    launch, *arguments = spec["target"][2:]
    sys.argv = [launch, *arguments]
    runpy.run_path(launch, run_name="__main__")


def _keep_only(channel: socket.socket) -> None:
    """Close every descriptor but the three streams and the channel."""
    kept = channel.fileno()
    os.closerange(3, kept)
    os.closerange(kept + 1, 4096)


def main(path: str, idle_s: str, recorder: str) -> None:
    """Warm up, serve, remove the socket's folder."""
    try:
        preload(recorder)
        warm_up()
        serve(path, float(idle_s))
    finally:
        shutil.rmtree(Path(path).parent, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:4])

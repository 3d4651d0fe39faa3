"""The environment that a script gets: what it needs to compute, none of the user's secrets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

KEPT = (
    "LANG", "LANGUAGE", "TZ", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV", "USER", "LOGNAME", "TERM", "HF_HOME", "HF_HUB_CACHE", "HF_DATASETS_CACHE",
    "TRANSFORMERS_CACHE", "TORCH_HOME", "SCIKIT_LEARN_DATA", "KERAS_HOME", "NLTK_DATA",
)  # fmt: skip
KEPT_PREFIXES = (
    "LC_", "OMP_", "MKL_", "KMP_", "OPENBLAS_", "NUMEXPR_", "CUDA_", "NVIDIA_", "NCCL_", "GLOO_",
    "ROCM_", "ROCR_", "HIP_", "HSA_", "PYTORCH_", "TORCH_", "TRITON_",
)  # fmt: skip
# Variables that name folders which must then be readable (HF_HOME keeps tokens beside its cache).
FOLDERS = ("HF_HOME", "HF_HUB_CACHE", "HF_DATASETS_CACHE", "TRANSFORMERS_CACHE", "TORCH_HOME",
           "SCIKIT_LEARN_DATA", "KERAS_HOME", "NLTK_DATA")  # fmt: skip
# Trackers and downloaders are told to work offline, plots to need no screen.
OFFLINE = {
    "WANDB_MODE": "offline", "WANDB_SILENT": "true", "MLFLOW_TRACKING_URI": "file:./mlruns",
    "COMET_MODE": "offline", "COMET_OFFLINE_DIRECTORY": ".cometml-runs", "NEPTUNE_MODE": "offline",
    "CLEARML_OFFLINE_MODE": "1", "AIM_UI_TELEMETRY_ENABLED": "0", "SWANLAB_MODE": "offline",
    "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1",
}  # fmt: skip
STEADY = {
    "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0",
    "PYTHONNOUSERSITE": "", "DEBIAN_FRONTEND": "noninteractive",
}  # fmt: skip
# Idle OpenMP threads sleep instead of spinning: on a busy machine spinning made a small model's steps up to
# fifteen times slower. Results do not change.
PATIENT = {"OMP_WAIT_POLICY": "PASSIVE"}
ONLINE_AGAIN = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE")


def child_environment(
    source: Mapping[str, str], python: str, home: Path, tmp: Path, extra: Mapping[str, str], network: bool
) -> dict[str, str]:
    """Variables for the script: the allow-list of ``source``, private folders, offline trackers, ``extra``.

    ``home`` and ``tmp`` are as the script sees them. With ``network`` downloads are allowed again;
    trackers stay offline, so that a probe never uploads a run.
    """
    kept = {name: value for name, value in source.items() if _is_kept(name)}
    quiet = {name: value for name, value in OFFLINE.items() if not (network and name in ONLINE_AGAIN)}
    steady = {name: value for name, value in STEADY.items() if value}
    chosen = {
        "USER": "user",
        **PATIENT,
        **kept,
        **quiet,
        **steady,
        **_private(home, tmp),
        "PATH": _path(source, python),
    }
    return {**chosen, **extra}


def _is_kept(name: str) -> bool:
    return name in KEPT or name.startswith(KEPT_PREFIXES)


def _path(source: Mapping[str, str], python: str) -> str:
    """The interpreter's own folder first: a shell script's ``python`` is then the one that was chosen."""
    usual = source.get("PATH") or "/usr/local/bin:/usr/bin:/bin"
    return f"{Path(python).parent}{os.pathsep}{usual}"


def _private(home: Path, tmp: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "TMPDIR": str(tmp),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_RUNTIME_DIR": str(tmp),
        "MPLCONFIGDIR": str(tmp / "matplotlib"),
        "TORCHINDUCTOR_CACHE_DIR": str(tmp / "inductor"),
        "TRITON_CACHE_DIR": str(tmp / "triton"),
        "NUMBA_CACHE_DIR": str(tmp / "numba"),
    }

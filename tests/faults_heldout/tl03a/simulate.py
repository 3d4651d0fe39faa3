"""Event streams of a machining cell.

A cell works on several jobs; a `call` event names the job, `load`/`cut`/`probe`/`unload`
events follow. The tag of an event depends on the job called last and the event kind.
"""
import numpy as np

N_JOBS, N_KINDS = 6, 8
N_CODES = N_JOBS + N_KINDS
N_TAGS = 8

_TABLE = np.random.default_rng(3).integers(0, N_TAGS, (N_JOBS, N_KINDS))


def streams(n, length, seed):
    rng = np.random.default_rng(seed)
    codes = np.empty((n, length), dtype=np.int64)
    tags = np.empty((n, length), dtype=np.int64)
    for i in range(n):
        job = rng.integers(N_JOBS)
        for t in range(length):
            if t == 0 or rng.random() < 0.2:
                job = rng.integers(N_JOBS)
                codes[i, t] = job
                tags[i, t] = job % N_TAGS
            else:
                kind = rng.integers(N_KINDS)
                codes[i, t] = N_JOBS + kind
                tags[i, t] = _TABLE[job, kind]
    return codes, tags

import torch


def init(params):
    return {"t": 0, "m": {k: torch.zeros_like(p) for k, p in params.items()},
            "v": {k: torch.zeros_like(p) for k, p in params.items()}}


def update(params, grads, state, lr, b1=0.9, b2=0.999, eps=1e-8):
    """Pure-function Adam: returns new parameters and the new state."""
    t = state["t"] + 1
    m = {k: b1 * state["m"][k] + (1 - b1) * grads[k] for k in params}
    v = {k: b2 * state["v"][k] + (1 - b2) * grads[k] ** 2 for k in params}
    c1, c2 = 1 - b1 ** t, 1 - b2 ** t
    new = {k: params[k] - lr[k] * (m[k] / c1) / ((v[k] / c2).sqrt() + eps) for k in params}
    return new, {"t": t, "m": m, "v": v}

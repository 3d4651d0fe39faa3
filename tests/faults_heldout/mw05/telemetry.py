import numpy as np
import torch

COMMANDS = ("idle", "start", "stop", "fault")


def simulate(machines, minutes, seed):
    """Event codes and a vibration reading per minute; the state is the one set by the latest command."""
    g = np.random.default_rng(seed)
    state = g.integers(0, 3, machines)
    codes = np.zeros((minutes, machines), dtype=np.int64)
    states = np.zeros((minutes, machines), dtype=np.int64)
    for t in range(minutes):
        fire = g.random(machines) < (0.03 if t else 1.0)
        new = g.integers(0, 3, machines)
        state = np.where(fire, new, state)
        codes[t] = np.where(fire, new + 1, 0)
        states[t] = state
    vibration = 0.25 * states + g.normal(0, 1.0, states.shape)
    x = np.concatenate([np.eye(4)[codes], vibration[..., None]], axis=2).astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(states)

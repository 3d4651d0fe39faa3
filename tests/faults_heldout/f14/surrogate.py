"""Learned one-step simulator of a driven pendulum, rolled out for a few steps during training."""
import json
import math
from pathlib import Path

import torch
from torch import nn

CFG = json.loads(Path(__file__).with_name("config.json").read_text())


def simulate(n, steps, gen, dt=0.1, sub=10):
    """True trajectories: state (sin a, cos a, rate) and the torque applied over each step."""
    a = (torch.rand(n, generator=gen) * 2 - 1) * math.pi
    w = torch.randn(n, generator=gen) * 1.5
    states, torques = [], []
    for _ in range(steps):
        states.append(torch.stack([a.sin(), a.cos(), w], 1))
        f = torch.randn(n, generator=gen) * 2
        torques.append(f)
        for _ in range(sub):
            w = w + dt / sub * (-9.8 * a.sin() - 0.2 * w + f)
            a = a + dt / sub * w
    states.append(torch.stack([a.sin(), a.cos(), w], 1))
    return torch.stack(states, 1), torch.stack(torques, 1)


class Step(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 3))

    def rollout(self, state, torque):
        out = []
        for k in range(torque.shape[1]):
            state = state + self.net(torch.cat([state, torque[:, k:k + 1]], 1))
            out.append(state)
        return torch.stack(out, 1)


def main():
    torch.manual_seed(CFG["seed"])
    gen = torch.Generator().manual_seed(CFG["seed"])
    states, torques = simulate(4000, CFG["horizon"], gen)
    val_s, val_t = simulate(500, CFG["horizon"], gen)
    model = Step(CFG["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=CFG["lr"])

    done = it = 0
    while done < CFG["train_steps"]:
        idx = torch.randint(len(states), (CFG["batch_size"],))
        pred = model.rollout(states[idx, 0], torques[idx])
        loss = (pred - states[idx, 1:]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        done += len(idx)
        if it % CFG["log_every"] == 0:
            with torch.no_grad():
                err = (model.rollout(val_s[:, 0], val_t) - val_s[:, 1:]).pow(2).mean().sqrt()
            print(f"it {it:5d}  loss {loss.item():.4f}  val rollout rmse {err.item():.4f}")
        it += 1


if __name__ == "__main__":
    main()

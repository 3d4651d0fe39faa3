# Evolution strategy for a small balancing controller; only returns are used, no derivative of the plant
import json
import os
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector
import plant

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "settings.json")) as fh:
    S = json.load(fh)

torch.manual_seed(S["seed"])
noise_gen = torch.Generator().manual_seed(S["seed"])
start_gen = torch.Generator().manual_seed(S["seed"] + 1000)
exam_starts = plant.start(100, torch.Generator().manual_seed(77), S["spread"])

controller = nn.Sequential(nn.Linear(4, S["hidden"]), nn.Tanh(), nn.Linear(S["hidden"], 1), nn.Tanh())
with torch.no_grad():
    controller[2].weight.mul_(0.1)
optimizer = torch.optim.Adam(controller.parameters(), lr=S["lr"])
shapes = [p.shape for p in controller.parameters()]


def act(theta, s):
    """theta (members, weights), s (members, rollouts, 4)"""
    parts, k = [], 0
    for sh in shapes:
        parts.append(theta[:, k:k + sh.numel()].view(-1, *sh))
        k += sh.numel()
    w1, b1, w2, b2 = parts
    h = torch.tanh(s @ w1.transpose(1, 2) + b1[:, None])
    return torch.tanh(h @ w2.transpose(1, 2) + b2[:, None]).squeeze(-1)


@torch.no_grad()
def returns(theta, starts):
    s = starts.expand(len(theta), *starts.shape)
    alive = torch.ones(s.shape[:2])
    total = torch.zeros(s.shape[:2])
    for _ in range(S["horizon"]):
        s = plant.step(s, act(theta, s))
        alive = alive * (~plant.fallen(s)).float()
        s = s * alive[..., None]
        total += alive * (1 - 0.1 * s[..., 0].abs())
    return total


for gen in range(1, S["generations"] + 1):
    theta = parameters_to_vector(controller.parameters()).detach()
    eps = torch.randn(S["population"], len(theta), generator=noise_gen)
    eps = torch.cat([eps, -eps])                                   # mirrored pairs
    fitness = returns(theta + S["sigma"] * eps, plant.start(S["rollouts"], start_gen, S["spread"])).mean(1)
    rank = fitness.argsort().argsort().float() / (len(fitness) - 1) - 0.5
    ascent = (rank[:, None] * eps).mean(0) / S["sigma"]
    optimizer.zero_grad()
    k = 0
    for p in controller.parameters():
        p.grad = -ascent[k:k + p.numel()].view_as(p).clone()       # the optimizer descends
        k += p.numel()
    optimizer.step()
    if gen % 2 == 0 or gen == 1:
        exam = returns(parameters_to_vector(controller.parameters()).detach()[None], exam_starts)[0]
        print(f"generation {gen:3d}  population {fitness.mean():7.2f} (best {fitness.max():.1f})  "
              f"exam return {exam.mean():7.2f}  balanced to the end {(exam > 0.7 * S['horizon']).float().mean():.2f}")

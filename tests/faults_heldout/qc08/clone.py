"""Behaviour cloning from packed episodes, truncated BPTT over the streams."""
import json

import numpy as np
import torch
import torch.nn.functional as F

from agent import RecurrentPolicy

CFG = json.load(open("clone.json"))


def segments(obs, first, act, length):
    for s in range(0, obs.shape[1], length):
        yield obs[:, s:s + length], first[:, s:s + length], act[:, s:s + length]


@torch.no_grad()
def evaluate(policy, data):
    policy.eval()
    h = policy.initial(len(data[0]))
    hit = n = 0
    for o, f, a in segments(*data, CFG["segment"]):
        logits, h = policy(o, f, h)
        hit += (logits.argmax(-1) == a).sum().item()
        n += a.numel()
    return hit / n


def main():
    torch.manual_seed(CFG["seed"])
    z = np.load("streams.npz")
    obs = torch.from_numpy(z["obs"].astype(np.float32))
    first = torch.from_numpy(z["start"])
    act = torch.from_numpy(z["action"].astype(np.int64))
    n_train = 52
    held = (obs[n_train:], first[n_train:], act[n_train:])
    policy = RecurrentPolicy()
    opt = torch.optim.Adam(policy.parameters(), lr=CFG["lr"])
    for epoch in range(CFG["epochs"]):
        policy.train()
        order = torch.randperm(n_train)
        losses = []
        for rows in order.split(CFG["streams"]):
            h = policy.initial(len(rows))
            for o, f, a in segments(obs[rows], first[rows], act[rows], CFG["segment"]):
                logits, h = policy(o, f, h)
                h = h.detach()
                loss = F.cross_entropy(logits.flatten(0, 1), a.flatten())
                opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
                opt.step()
                losses.append(loss.item())
        print(f"epoch {epoch + 1:2d}  bc loss {np.mean(losses):.4f}  agreement on held-out streams {evaluate(policy, held):.3f}")


main()

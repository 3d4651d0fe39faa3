"""Surrogate for the forward kinematics of a planar three-link arm (joint angles -> tool pose)."""
import tomllib
from pathlib import Path

import torch
from torch import nn

S = tomllib.loads(Path(__file__).with_name("settings.toml").read_text())
ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU, "gelu": nn.GELU, "linear": nn.Identity}


def make_arm_data(links, n, gen):
    q = (torch.rand(n, len(links), generator=gen) * 2 - 1) * 2.2
    heading = q.cumsum(dim=1)
    ell = torch.tensor(links)
    pose = torch.stack([(ell * heading.cos()).sum(1), (ell * heading.sin()).sum(1)], dim=1)
    return q, pose + 0.005 * torch.randn(pose.shape, generator=gen)


def make_mlp(n_in, hidden, n_out, activation):
    act = ACTIVATIONS.get(activation, nn.Identity)
    layers, width = [], n_in
    for h in hidden:
        layers += [nn.Linear(width, h), act()]
        width = h
    layers.append(nn.Linear(width, n_out))
    return nn.Sequential(*layers)


def rmse(net, q, pose):
    with torch.no_grad():
        return (net(q) - pose).pow(2).sum(1).mean().sqrt().item()


def run():
    torch.manual_seed(S["arm"]["seed"])
    gen = torch.Generator().manual_seed(S["arm"]["seed"])
    q, pose = make_arm_data(S["arm"]["links"], S["arm"]["samples"], gen)
    n_test = len(q) // 5
    q_test, pose_test, q, pose = q[:n_test], pose[:n_test], q[n_test:], pose[n_test:]
    net = make_mlp(q.shape[1], S["net"]["hidden"], pose.shape[1], S["net"]["activation"])
    opt = torch.optim.AdamW(net.parameters(), lr=S["fit"]["lr"], weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, S["fit"]["epochs"])
    for epoch in range(S["fit"]["epochs"]):
        for idx in torch.randperm(len(q)).split(S["fit"]["batch"]):
            loss = nn.functional.mse_loss(net(q[idx]), pose[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        sched.step()
        if epoch % 4 == 0 or epoch + 1 == S["fit"]["epochs"]:
            print(f"epoch {epoch:2d}  rmse train {rmse(net, q, pose):.4f} m  test {rmse(net, q_test, pose_test):.4f} m")


if __name__ == "__main__":
    run()

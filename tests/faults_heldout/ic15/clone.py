"""Behaviour cloning of the swing-up controller from its logs."""
import numpy as np
import torch
import torch.nn.functional as F

from pendulum import Pendulum
from policy import Actor


def rollout(actor, scale, episodes=6, steps=150, seed=100):
    env = Pendulum(seed)
    returns = []
    for _ in range(episodes):
        obs, ret = env.reset(), 0.0
        for _ in range(steps):
            with torch.no_grad():
                u = actor(torch.from_numpy(obs / scale)[None]).item()
            obs, r = env.step(u)
            ret += r
        returns.append(ret)
    return float(np.mean(returns))


def main():
    torch.manual_seed(0)
    log = np.load("swingup_logs.npz")
    scale = np.array([1, 1, 4], dtype=np.float32)
    obs = torch.from_numpy(log["observations"] / scale)
    act = torch.from_numpy(log["torque"])[:, None]
    held = torch.from_numpy(log["episode"] % 6 == 0)
    obs_tr, act_tr, obs_te, act_te = obs[~held], act[~held], obs[held], act[held]
    print(f"{len(obs_tr)} steps to clone, {len(obs_te)} held out, torque variance {act_tr.var():.3f}")
    actor = Actor(obs.shape[1], 1)
    opt = torch.optim.Adam(actor.parameters(), lr=2e-3)
    for epoch in range(1, 41):
        actor.train()
        total = 0.0
        for idx in torch.randperm(len(obs_tr)).split(64):
            loss = F.mse_loss(actor(obs_tr[idx]), act_tr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 5 == 0:
            actor.eval()
            with torch.no_grad():
                te = F.mse_loss(actor(obs_te), act_te).item()
            print(f"epoch {epoch:3d} bc loss {total / len(obs_tr):.4f} held-out {te:.4f} "
                  f"return {rollout(actor, scale):.1f}")


if __name__ == "__main__":
    main()

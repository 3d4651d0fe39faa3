"""Behaviour cloning of the swing-up controller from recorded demonstrations."""
import numpy as np
import torch
import torch.nn as nn


class Demos(torch.utils.data.Dataset):
    def __init__(self, rows):
        z = np.load("demos.npz")
        th, td, u = (z[k][rows] for k in ("theta", "thetadot", "torque"))
        obs = np.stack([np.cos(th), np.sin(th), td / 6.0], 1)
        self.obs = torch.from_numpy(obs.astype(np.float32))
        self.act = torch.from_numpy(u)[:, None]

    def __len__(self):
        return len(self.obs)

    def __getitem__(self, i):
        return self.obs[i], self.act[i]


class Actor(nn.Module):
    def __init__(self, obs_dim=3, act_dim=1, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(obs_dim, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(),
        )
        self.mu = nn.Linear(hidden, act_dim)

    def forward(self, obs):
        return torch.tanh(self.mu(self.trunk(obs)))


def main(epochs=25, lr=1e-3):
    torch.manual_seed(50)
    rows = np.random.default_rng(50).permutation(4000)
    train = torch.utils.data.DataLoader(Demos(rows[:3200]), batch_size=64, shuffle=True)
    held = Demos(rows[3200:])
    actor = Actor()
    opt = torch.optim.Adam(actor.parameters(), lr=lr)
    mse = nn.MSELoss()
    for epoch in range(1, epochs + 1):
        actor.train()
        total = 0
        for obs, act in train:
            loss = mse(actor(obs), act)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        actor.eval()
        with torch.no_grad():
            pred = actor(held.obs)
        if epoch % 3 == 1:
            print(f"epoch {epoch}: train mse {total / len(train):.4f}, held-out mse {mse(pred, held.act).item():.4f}, "
                  f"mean |torque error| {(pred - held.act).abs().mean().item():.3f}")


if __name__ == "__main__":
    main()

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

from env import CartPoles

GAMMA = 0.99
ENTROPY = 0.005
EPISODES = 16
UPDATES = 80


def mlp(n_out):
    return nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, n_out))


class Agent:
    def __init__(self):
        self.policy, self.value = mlp(2), mlp(1)
        self.opt_pi = torch.optim.Adam(self.policy.parameters(), lr=2e-3)
        self.opt_v = torch.optim.Adam(self.value.parameters(), lr=1e-2)
        self.scale = torch.tensor([1.0, 1.0, 0.1, 1.0])

    def rollout(self, env):
        obs, act, rew, mask = [], [], [], []
        s = env.reset()
        with torch.no_grad():
            for _ in range(env.horizon):
                mask.append(env.alive.clone())
                obs.append(s / self.scale)
                a = Categorical(logits=self.policy(obs[-1])).sample()
                s, r = env.step(a)
                act.append(a)
                rew.append(r)
                if not env.alive.any():
                    break
        return torch.stack(obs), torch.stack(act), torch.stack(rew), torch.stack(mask)

    def update(self, obs, act, rew, mask):
        ret = torch.zeros_like(rew)
        run = torch.zeros(rew.shape[1])
        for t in reversed(range(len(rew))):
            run = rew[t] + GAMMA * run
            ret[t] = run
        o, a, g = obs[mask], act[mask], ret[mask]
        for _ in range(5):
            v_loss = nn.functional.mse_loss(self.value(o).squeeze(1), g / 50)
            self.opt_v.zero_grad()
            v_loss.backward()
            self.opt_v.step()
        with torch.no_grad():
            adv = g / 50 - self.value(o).squeeze(1)
            adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        dist = Categorical(logits=self.policy(o))
        pi_loss = -(dist.log_prob(a) * adv).mean() - ENTROPY * dist.entropy().mean()
        self.opt_pi.zero_grad()
        pi_loss.backward()
        self.opt_pi.step()
        return pi_loss.item(), v_loss.item(), dist.entropy().mean().item()


def main():
    torch.manual_seed(77)
    agent, env = Agent(), CartPoles(EPISODES)
    history = []
    for update in range(1, UPDATES + 1):
        batch = agent.rollout(env)
        history.append(batch[2].sum(0).mean().item())
        pi_loss, v_loss, ent = agent.update(*batch)
        if update % 10 == 0:
            print(f"update {update:4d}  return {np.mean(history[-10:]):6.1f} (last {history[-1]:.0f})  "
                  f"policy loss {pi_loss:+.4f}  value loss {v_loss:.3f}  entropy {ent:.3f}")


if __name__ == "__main__":
    main()

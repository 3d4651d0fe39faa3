import collections

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from poles import PoleField

ENVS, HORIZON, ITERATIONS = 16, 128, 30
GAMMA, LAMBDA, CLIP = 0.99, 0.95, 0.2
PASSES, MINIBATCH, LR = 4, 256, 2e-3
ENTROPY, VALUE = 0.005, 0.5


def layer(i, o, gain):
    m = nn.Linear(i, o)
    nn.init.orthogonal_(m.weight, gain)
    nn.init.zeros_(m.bias)
    return m


def mlp(n_out, gain):
    return nn.Sequential(layer(4, 64, 2 ** 0.5), nn.Tanh(), layer(64, 64, 2 ** 0.5), nn.Tanh(), layer(64, n_out, gain))


class Agent(nn.Module):
    SCALE = torch.tensor([1.0, 1.0, 0.2, 1.0])

    def __init__(self):
        super().__init__()
        self.pi = mlp(2, 0.01)
        self.v = mlp(1, 1.0)

    def policy(self, obs):
        return Categorical(logits=self.pi(obs / self.SCALE))

    def value(self, obs):
        return self.v(obs / self.SCALE).squeeze(-1)


@torch.no_grad()
def collect(agent, field, finished):
    keep = collections.defaultdict(list)
    for _ in range(HORIZON):
        obs = torch.from_numpy(field.observe())
        dist = agent.policy(obs)
        action = dist.sample()
        _, reward, fell, cut, final, lengths = field.step(action.numpy())
        finished.extend(lengths)
        after = agent.value(torch.from_numpy(final)) * torch.from_numpy(~fell).float()
        for k, v in dict(obs=obs, action=action, logp=dist.log_prob(action), value=agent.value(obs),
                         reward=torch.from_numpy(reward), after=after, over=torch.from_numpy(fell | cut)).items():
            keep[k].append(v)
    batch = {k: torch.stack(v) for k, v in keep.items()}

    advantage = torch.zeros_like(batch["value"])
    running = torch.zeros(ENVS)
    for t in reversed(range(HORIZON)):
        delta = batch["reward"][t] + GAMMA * batch["after"][t] - batch["value"][t]
        running = delta + GAMMA * LAMBDA * running * (~batch["over"][t]).float()
        advantage[t] = running
    batch["advantage"] = advantage
    batch["target"] = advantage + batch["value"]
    return {k: v.flatten(0, 1) for k, v in batch.items()}


def improve(agent, optimizer, batch):
    log = []
    for _ in range(PASSES):
        for rows in torch.randperm(ENVS * HORIZON).split(MINIBATCH):
            b = {k: v[rows] for k, v in batch.items()}
            dist = agent.policy(b["obs"])
            ratio = (dist.log_prob(b["action"]) - b["logp"]).exp()
            adv = (b["advantage"] - b["advantage"].mean()) / (b["advantage"].std() + 1e-8)
            policy_loss = -torch.min(ratio * adv, ratio.clamp(1 - CLIP, 1 + CLIP) * adv).mean()
            value_loss = nn.functional.smooth_l1_loss(agent.value(b["obs"]), b["target"], beta=5.0)
            entropy = dist.entropy().mean()
            loss = policy_loss + VALUE * value_loss - ENTROPY * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
            optimizer.step()
            log.append((policy_loss.item(), value_loss.item(), entropy.item()))
    return np.mean(log, axis=0)


@torch.no_grad()
def trial(agent, n=20):
    field = PoleField(n, seed=999)
    alive = np.ones(n, bool)
    steps = np.zeros(n)
    for _ in range(PoleField.T_MAX):
        _, _, fell, _, _, _ = field.step(agent.policy(torch.from_numpy(field.observe())).probs.argmax(-1).numpy())
        steps += alive
        alive &= ~fell
    return steps.mean()


def main():
    torch.manual_seed(6)
    field = PoleField(ENVS, seed=6)
    agent = Agent()
    optimizer = torch.optim.Adam(agent.parameters(), lr=LR, eps=1e-5)
    anneal = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda i: 1 - i / ITERATIONS)
    finished = collections.deque(maxlen=40)
    for it in range(1, ITERATIONS + 1):
        batch = collect(agent, field, finished)
        pl, vl, ent = improve(agent, optimizer, batch)
        anneal.step()
        if it % 3 == 0:
            print(f"iter {it:2d}  episode length {np.mean(finished):6.1f}  policy {pl:+.4f}  value {vl:.3f}  entropy {ent:.3f}")
    print(f"greedy policy balances for {trial(agent):.1f} of {PoleField.T_MAX} ticks")


if __name__ == "__main__":
    main()

"""REINFORCE with a learned baseline on a windy corridor."""
import random

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    """Walk from the middle to the right end; wind pushes back, steps cost a little."""

    def __init__(self, length=9, wind=0.2):
        self.length, self.wind = length, wind

    def reset(self):
        self.position, self.time = self.length // 2, 0
        return self.observe()

    def observe(self):
        x = torch.zeros(self.length)
        x[self.position] = 1.0
        return x

    def step(self, action):
        move = 1 if action == 1 else -1
        if random.random() < self.wind:
            move = -1
        self.position = max(0, min(self.length - 1, self.position + move))
        self.time += 1
        done = self.position in (0, self.length - 1) or self.time >= 40
        reward = 10.0 * (self.position == self.length - 1) - 0.1 + random.gauss(0, 0.5)
        return self.observe(), reward, done


class ActorCritic(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n, 32), nn.Tanh())
        self.pi = nn.Linear(32, 2)
        self.v = nn.Linear(32, 1)

    def forward(self, x):
        h = self.trunk(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def episode(env, net):
    observations, actions, rewards = [env.reset()], [], []
    while True:
        with torch.no_grad():
            policy, _ = net(observations[-1])
        actions.append(policy.sample())
        obs, reward, done = env.step(actions[-1].item())
        rewards.append(reward)
        if done:
            return torch.stack(observations), torch.stack(actions), rewards
        observations.append(obs)


def returns(rewards, gamma):
    out, g = [], 0.0
    for r in reversed(rewards):
        g = r + gamma * g
        out.append(g)
    return torch.tensor(out[::-1])


def main():
    random.seed(4)
    torch.manual_seed(4)
    env, net = Corridor(), ActorCritic(9)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    history = []
    for i in range(1, 401):
        obs, actions, rewards = episode(env, net)
        policy, value = net(obs)
        target = returns(rewards, 0.98)
        advantage = target - value.detach()
        policy_loss = -(policy.log_prob(actions) * advantage).mean()
        value_loss = nn.functional.mse_loss(value, target)
        loss = policy_loss + 0.5 * value_loss - 0.01 * policy.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        history.append(sum(rewards))
        if i % 50 == 0:
            print(f"episode {i}: loss {loss.item():.3f} mean return {sum(history[-50:]) / 50:.2f}")


if __name__ == "__main__":
    main()

"""Advantage actor-critic on a batch of small grid worlds with a pit and random starts."""
import collections
import logging

import torch
from torch import nn
from torch.distributions import Categorical

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("a2c")

SIZE, N_ENV, HORIZON, GAMMA, UPDATES = 5, 32, 8, 0.95, 350
MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])


class Grids:
    """Goal in one corner (+1), a pit on the way (-1), -0.02 for every move; episodes end after 30 moves."""

    def __init__(self, n, gen):
        self.n, self.gen = n, gen
        self.goal, self.pit = torch.tensor([4, 4]), torch.tensor([1, 3])
        blocked = {4 * SIZE + 4, 1 * SIZE + 3}
        self.starts = torch.tensor([c for c in range(SIZE * SIZE) if c not in blocked])
        self.pos = torch.zeros(n, 2, dtype=torch.long)
        self.age = torch.zeros(n, dtype=torch.long)
        self.score = torch.zeros(n)
        self.finished = collections.deque(maxlen=200)
        self._restart(torch.ones(n, dtype=torch.bool))

    def _restart(self, mask):
        k = int(mask.sum())
        cell = self.starts[torch.randint(0, len(self.starts), (k,), generator=self.gen)]
        self.pos[mask] = torch.stack([cell // SIZE, cell % SIZE], 1)
        self.age[mask] = 0
        self.score[mask] = 0.0

    def observe(self):
        flat = self.pos[:, 0] * SIZE + self.pos[:, 1]
        return nn.functional.one_hot(flat, SIZE * SIZE).float()

    def step(self, action):
        self.pos = (self.pos + MOVES[action]).clamp(0, SIZE - 1)
        self.age += 1
        at_goal = (self.pos == self.goal).all(1)
        in_pit = (self.pos == self.pit).all(1)
        reward = at_goal.float() - in_pit.float() - 0.02
        self.score += reward
        terminal = at_goal | in_pit
        over = terminal | (self.age >= 30)
        last_obs = self.observe()
        self.finished.extend(self.score[over].tolist())
        self._restart(over)
        return reward, terminal, over, last_obs


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(SIZE * SIZE, 64), nn.Tanh())
        self.pi, self.v = nn.Linear(64, 4), nn.Linear(64, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def rollout(net, env):
    logps, values, entropies, rewards, boots, overs = [], [], [], [], [], []
    for _ in range(HORIZON):
        dist, value = net(env.observe())
        action = dist.sample()
        reward, terminal, over, last_obs = env.step(action)
        with torch.no_grad():               # a time-out is bootstrapped, a terminal state is worth nothing
            boot = net(last_obs)[1] * (~terminal)
        logps.append(dist.log_prob(action))
        entropies.append(dist.entropy())
        values.append(value)
        rewards.append(reward)
        boots.append(boot)
        overs.append(over)
    returns, ahead = [], boots[-1]
    for r, b, o in zip(reversed(rewards), reversed(boots), reversed(overs)):
        ahead = r + GAMMA * torch.where(o, b, ahead)
        returns.append(ahead)
    return torch.stack(logps), torch.stack(values), torch.stack(entropies), torch.stack(returns[::-1])


def main():
    torch.manual_seed(12)
    env = Grids(N_ENV, torch.Generator().manual_seed(12))
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for update in range(1, UPDATES + 1):
        logp, value, entropy, ret = rollout(net, env)
        adv = (ret - value).detach()
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        policy_loss = -(logp * adv).mean()
        value_loss = nn.functional.mse_loss(value, ret)
        loss = policy_loss + 0.5 * value_loss - 0.01 * entropy.mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        if update % 25 == 0 and env.finished:
            log.info("update %3d  pi %+.3f  v %.4f  H %.3f  episode return %.3f", update, policy_loss.item(),
                     value_loss.item(), entropy.mean().item(), sum(env.finished) / len(env.finished))


if __name__ == "__main__":
    main()

import torch
from torch import nn
from torch.distributions import Normal

from world import Docking

GAMMA, LAM, ENTROPY, VALUE = 0.97, 0.95, 1e-3, 0.5


def mlp(n_in, n_out, gain):
    net = nn.Sequential(nn.Linear(n_in, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, n_out))
    for m in net:
        if isinstance(m, nn.Linear):
            nn.init.orthogonal_(m.weight, 2**0.5)
            nn.init.zeros_(m.bias)
    nn.init.orthogonal_(net[-1].weight, gain)
    return net


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.actor = mlp(obs_dim, act_dim, 0.01)
        self.critic = mlp(obs_dim, 1, 1.0)
        self.log_std = nn.Parameter(torch.full((act_dim,), -0.5))

    def policy(self, obs):
        return Normal(self.actor(obs), self.log_std.exp())

    def value(self, obs):
        return self.critic(obs).squeeze(-1)


def rollout(env, agent):
    obs = env.reset()
    O, A, R = [], [], []
    with torch.no_grad():
        for _ in range(env.horizon):
            action = agent.policy(obs).sample()
            O.append(obs)
            A.append(action)
            obs, reward = env.step(action)
            R.append(reward)
    return torch.stack(O), torch.stack(A), torch.stack(R), obs


def advantages(rewards, values, last):
    adv = torch.zeros_like(rewards)
    running = torch.zeros_like(last)
    nxt = last
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + GAMMA * nxt - values[t]
        running = delta + GAMMA * LAM * running
        adv[t] = running
        nxt = values[t]
    return adv


def greedy_return(agent, env):
    obs, total = env.reset(), 0.0
    with torch.no_grad():
        for _ in range(env.horizon):
            obs, reward = env.step(agent.policy(obs).mean)
            total += reward.mean().item()
    return total


def main():
    torch.manual_seed(2)
    env, probe = Docking(64, 32), Docking(256, 32)
    agent = ActorCritic(env.obs_dim, env.act_dim)
    opt = torch.optim.Adam(agent.parameters(), lr=1e-3)
    print(f"untrained return {greedy_return(agent, probe):.2f}")
    for update in range(1, 121):
        obs, act, rew, final = rollout(env, agent)
        with torch.no_grad():
            adv = advantages(rew, agent.value(obs), agent.value(final))
            target = adv + agent.value(obs)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        dist = agent.policy(obs)
        gain = (dist.log_prob(act).sum(-1) * adv).mean()
        fit = (agent.value(obs) - target).pow(2).mean()
        loss = -gain + VALUE * fit - ENTROPY * dist.entropy().sum(-1).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        opt.step()
        if update % 15 == 0:
            print(f"update {update:3d}  loss {loss.item():+.3f}  value {fit.item():.3f}  return {greedy_return(agent, probe):.2f}")


if __name__ == "__main__":
    main()

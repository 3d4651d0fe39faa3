import torch
from torch import nn

from store import Store

GAMMA, LAMBDA = 0.9, 0.95
SCALE = 1 - GAMMA
SHOPS, ROLLOUT, UPDATES = 64, 14, 400


class Agent(nn.Module):
    def __init__(self, obs, actions, width=48):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(obs, width), nn.Tanh(), nn.Linear(width, actions))
        self.v = nn.Sequential(nn.Linear(obs, width), nn.Tanh(), nn.Linear(width, 1), nn.Flatten(0))
        nn.init.orthogonal_(self.pi[-1].weight, 0.01)

    def act(self, obs):
        return torch.distributions.Categorical(logits=self.pi(obs))


def rollout(env, obs, agent):
    seen, acts, rews, vals = [], [], [], []
    with torch.no_grad():
        for _ in range(ROLLOUT):
            a = agent.act(obs).sample()
            seen.append(obs)
            acts.append(a)
            vals.append(agent.v(obs))
            obs, r = env.step(a)
            rews.append(SCALE * r)
        vals.append(agent.v(obs))
        adv, g = [], torch.zeros(SHOPS)
        for t in reversed(range(ROLLOUT)):
            delta = rews[t] + GAMMA * vals[t + 1] - vals[t]
            g = delta + GAMMA * LAMBDA * g
            adv.insert(0, g)
    adv = torch.stack(adv)
    return obs, torch.cat(seen), torch.cat(acts), adv.flatten(), (adv + torch.stack(vals[:-1])).flatten(), torch.stack(rews).mean() / SCALE


@torch.no_grad()
def greedy_profit(agent, days=140):
    env = Store(128, torch.Generator().manual_seed(999))
    obs, total = env.reset(), 0.0
    for _ in range(days):
        obs, r = env.step(agent.pi(obs).argmax(-1))
        total += r.mean().item()
    return total / days


def main():
    torch.manual_seed(23)
    env = Store(SHOPS, torch.Generator().manual_seed(24))
    agent = Agent(8, Store.MAX_ORDER + 1)
    opt = torch.optim.Adam([
        {"params": agent.pi.parameters(), "lr": 1e-2},
        {"params": agent.v.parameters(), "lr": 1e-2},
    ], eps=1e-5)
    obs = env.reset()
    print(f"untrained: {greedy_profit(agent):+.3f} per day")
    for u in range(1, UPDATES + 1):
        for i, group in enumerate(opt.param_groups):
            group["lr"] = (1e-2, 1e-2)[i] * (1 - 0.9 * (u - 1) / UPDATES)
        obs, s, a, adv, ret, mean_r = rollout(env, obs, agent)
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        d = agent.act(s)
        actor = -(d.log_prob(a) * adv).mean()
        critic = nn.functional.mse_loss(agent.v(s), ret)
        loss = actor + 0.5 * critic - 0.04 * d.entropy().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.pi.parameters(), 1.0)
        nn.utils.clip_grad_norm_(agent.v.parameters(), 10.0)
        opt.step()
        if u % 50 == 0:
            print(f"{u:4d}  loss {loss.item():+7.3f}  value {critic.item():7.4f}  sampled {mean_r:+.3f}  greedy {greedy_profit(agent):+.3f}")


if __name__ == "__main__":
    main()

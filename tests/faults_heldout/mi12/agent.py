import torch
from torch import nn
from torch.distributions import Categorical

from shop import Shop

ENVS, HORIZON, UPDATES = 64, 14, 350
GAMMA, LAM, ENTROPY = 0.95, 0.9, 0.01
SCALE = 0.1          # money to learning units


def mlp(out):
    return nn.Sequential(nn.Linear(Shop.STATE, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, out))


@torch.no_grad()
def evaluate(policy, days=210, n=128):
    shop = Shop(n, torch.Generator().manual_seed(999))
    total = 0.0
    for _ in range(days):
        total += shop.step(policy(shop.observe()).argmax(1)).mean().item()
    return total / days


def main():
    torch.manual_seed(6)
    actor, critic = mlp(Shop.ACTIONS), mlp(1)
    with torch.no_grad():
        actor[-1].weight.mul_(0.05)
    opt_a = torch.optim.Adam(actor.parameters(), lr=2e-3)
    opt_c = torch.optim.Adam(critic.parameters(), lr=4e-3)
    decay = lambda u: 1 - 0.9 * u / UPDATES
    sched = [torch.optim.lr_scheduler.LambdaLR(o, decay) for o in (opt_a, opt_c)]
    shop = Shop(ENVS, torch.Generator().manual_seed(1))

    income = 0.0
    for update in range(1, UPDATES + 1):
        obs, acts, gains = [], [], []
        with torch.no_grad():
            for _ in range(HORIZON):
                o = shop.observe()
                a = Categorical(logits=actor(o)).sample()
                obs.append(o)
                acts.append(a)
                gains.append(shop.step(a))
            obs, acts, gains = torch.stack(obs), torch.stack(acts), torch.stack(gains)
            income += gains.mean().item()
            # the shop never closes: bootstrap the tail of each roll-out
            v = critic(torch.cat([obs, shop.observe()[None]])).squeeze(-1)
            adv, run = torch.empty_like(gains), torch.zeros(ENVS)
            for t in reversed(range(HORIZON)):
                delta = SCALE * gains[t] + GAMMA * v[t + 1] - v[t]
                run = delta + GAMMA * LAM * run
                adv[t] = run
            target = adv + v[:-1]
            adv = (adv - adv.mean()) / (adv.std() + 1e-8)

        value_loss = (critic(obs).squeeze(-1) - target).pow(2).mean()
        opt_c.zero_grad()
        value_loss.backward()
        opt_c.step()

        dist = Categorical(logits=actor(obs))
        pg = -(dist.log_prob(acts) * adv).mean()
        ent = dist.entropy().mean()
        opt_a.zero_grad()
        (pg - ENTROPY * ent).backward()
        nn.utils.clip_grad_norm_(actor.parameters(), 0.5)
        opt_a.step()
        for s in sched:
            s.step()

        if update % 50 == 0:
            print(f"{update:4d} income/day {income / 50:6.2f}  greedy {evaluate(actor):6.2f}  value loss {value_loss.item():.4f}  entropy {ent.item():.2f}")
            income = 0.0


if __name__ == "__main__":
    main()

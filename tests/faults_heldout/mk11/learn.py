import sys

import torch

from settings import Settings
from stockrl.agent import ActorCritic, discounted, rollout
from stockrl.shop import Shop


def main(s):
    torch.manual_seed(s.seed)
    gen = torch.Generator().manual_seed(s.seed)
    env = Shop(s.days, s.price, s.cost, s.holding, s.lost)
    agent = ActorCritic()
    opt = torch.optim.Adam(agent.parameters(), lr=s.lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, s.updates)

    for update in range(s.updates):
        obs, act, rew = rollout(env, agent, s.shops, gen)
        ret = discounted(rew / s.reward_unit, s.gamma)
        value = agent.value(obs)
        adv = ret - value.detach()
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        dist = agent.dist(obs)
        policy_loss = -(dist.log_prob(act) * adv).mean()
        value_loss = (value - ret).pow(2).mean()
        loss = policy_loss + 0.5 * value_loss - s.entropy * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(agent.parameters(), s.clip)
        opt.step()
        sched.step()
        if update % s.report == 0 or update == s.updates - 1:
            _, _, test = rollout(env, agent, 200, torch.Generator().manual_seed(1000), greedy=True)
            print(f"update {update:3d}  policy {policy_loss.item():+.4f}  value {value_loss.item():.3f}  "
                  f"profit/day collected {rew.mean().item():6.2f}  greedy {test.mean().item():6.2f}")


if __name__ == "__main__":
    main(Settings(seed=int(sys.argv[1])) if len(sys.argv) > 1 else Settings())

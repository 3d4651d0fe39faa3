from collections import deque

import numpy as np
import torch
import torch.nn.functional as F

from config import A2CConfig
from rl.agent import ActorCritic, gae
from rl.cartpole import VecCartPole


def collect(env, agent, steps):
    obs, act, rew, nxt, fail, end, lengths = [], [], [], [], [], [], []
    for _ in range(steps):
        o = torch.from_numpy(env.obs())
        with torch.no_grad():
            a = agent.policy(o).sample()
        _, r, failed, timeout, final, done_lengths = env.step(a.numpy())
        obs.append(o)
        act.append(a)
        rew.append(torch.from_numpy(r))
        nxt.append(torch.from_numpy(final))
        fail.append(torch.from_numpy(failed.astype(np.float32)))
        end.append(torch.from_numpy((failed | timeout).astype(np.float32)))
        lengths += done_lengths
    return *[torch.stack(v) for v in (obs, act, rew, nxt, fail, end)], lengths


@torch.no_grad()
def greedy_return(agent, cfg, episodes=20):
    env = VecCartPole(episodes, cfg.max_steps, seed=1000)
    alive, total = np.ones(episodes, dtype=bool), np.zeros(episodes)
    for _ in range(cfg.max_steps):
        a = agent.policy(torch.from_numpy(env.obs())).probs.argmax(1).numpy()
        _, r, failed, timeout, _, _ = env.step(a)
        total += r * alive
        alive &= ~(failed | timeout)
    return total.mean()


def main():
    cfg = A2CConfig()
    torch.manual_seed(cfg.seed)
    env = VecCartPole(cfg.n_envs, cfg.max_steps, cfg.seed)
    agent = ActorCritic(4, 2, cfg.hidden)
    opt = torch.optim.Adam([{"params": agent.actor.parameters(), "lr": cfg.actor_lr},
                            {"params": agent.critic.parameters(), "lr": cfg.critic_lr}])
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, cfg.updates)
    recent = deque(maxlen=100)

    for update in range(1, cfg.updates + 1):
        obs, act, rew, nxt, fail, end, lengths = collect(env, agent, cfg.rollout)
        recent.extend(lengths)
        values = agent.value(obs)
        with torch.no_grad():
            adv, returns = gae(rew, values, agent.value(nxt), fail, end, cfg.gamma, cfg.lam)
            adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        dist = agent.policy(obs)
        pg = -(dist.log_prob(act) * adv).mean()
        vf = F.mse_loss(values / 10.0, returns / 10.0)
        ent = dist.entropy().mean()
        loss = pg + 0.5 * vf - cfg.entropy * ent
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(agent.actor.parameters(), cfg.clip)
        torch.nn.utils.clip_grad_norm_(agent.critic.parameters(), cfg.clip)
        opt.step()
        sched.step()
        if update % 25 == 0:
            print(f"update {update:4d}  policy {pg.item():+.4f}  value {vf.item():.4f}  entropy {ent.item():.3f}  "
                  f"return(100) {np.mean(recent):6.1f}")
    print(f"greedy return over 20 episodes: {greedy_return(agent, cfg):.1f} / {cfg.max_steps}")


if __name__ == "__main__":
    main()

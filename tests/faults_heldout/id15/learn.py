import numpy as np
import torch
import torch.nn as nn

from cart import Carts

GAMMA, LIMIT, N, UPDATES = 0.99, 200, 16, 70
SCALE = torch.tensor([1.0, 1.0, 0.1, 1.0])

torch.manual_seed(2)
rng = np.random.default_rng(2)
policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
critic = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
opt = torch.optim.Adam([
    {"params": policy.parameters(), "lr": 8e-3},
    {"params": critic.parameters(), "lr": 1e-2},
])


def episode(env, greedy=False):
    s = env.reset()
    states, actions, rewards, masks = [], [], [], []
    alive = np.ones(env.n, bool)
    while alive.any():
        st = torch.from_numpy(s) / SCALE
        with torch.no_grad():
            logits = policy(st)
        a = logits.argmax(1) if greedy else torch.distributions.Categorical(logits=logits).sample()
        masks.append(alive.copy())
        s, r, alive = env.step(a.numpy())
        states.append(st)
        actions.append(a)
        rewards.append(r)
    return torch.stack(states), torch.stack(actions), np.stack(rewards), torch.from_numpy(np.stack(masks))


def returns_to_go(rewards):
    out = np.zeros_like(rewards)
    g = np.zeros(rewards.shape[1], np.float32)
    for t in range(len(rewards) - 1, -1, -1):
        g = rewards[t] + GAMMA * g
        out[t] = g
    return torch.from_numpy(out) * (1 - GAMMA)


env, probe = Carts(N, LIMIT, rng), Carts(20, LIMIT, np.random.default_rng(50))
history = []
for update in range(1, UPDATES + 1):
    states, actions, rewards, mask = episode(env)
    ret = returns_to_go(rewards)[mask]
    states, actions = states[mask], actions[mask]
    value = critic(states).squeeze(-1)
    adv = ret - value.detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    dist = torch.distributions.Categorical(logits=policy(states))
    pg = -(dist.log_prob(actions) * adv).mean()
    entropy = dist.entropy().mean()
    loss = pg - 0.005 * entropy + (ret - value).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    opt.step()
    history.append(rewards.sum(0).mean())
    if update % 10 == 0:
        greedy = episode(probe, greedy=True)[2].sum(0).mean()
        print(f"update {update:3d}  return {np.mean(history[-10:]):6.1f}  greedy {greedy:6.1f}  surrogate {pg.item():+.4f}  entropy {entropy.item():.3f}")

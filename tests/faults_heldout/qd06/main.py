import numpy as np
import torch

from agent.env import CartPoles
from agent.ppo import Ppo

ITERATIONS = 70


@torch.no_grad()
def play(net, episodes, seed, greedy=True):
    env = CartPoles(episodes, seed)
    alive, total = np.ones(episodes, bool), np.zeros(episodes)
    for _ in range(env.LIMIT):
        dist, _ = net(torch.from_numpy(env.observe()))
        act = dist.probs.argmax(1) if greedy else dist.sample()
        _, rew, fell, late, _ = env.step(act.numpy())
        total += rew * alive
        alive &= ~(fell | late)
    return total.mean()


torch.manual_seed(7)
agent = Ppo(CartPoles(16, seed=7))
print("return before training", play(agent.net, 20, 900, greedy=False))
for it in range(ITERATIONS):
    policy, value = agent.update(it / ITERATIONS)
    if it % 10 == 9:
        print(f"iteration {it + 1}  policy {policy:+.4f}  value {value:.4f}  return (sampled) {play(agent.net, 20, 901 + it, greedy=False):.1f}")
print("return, greedy, 50 fresh episodes:", play(agent.net, 50, 5000))

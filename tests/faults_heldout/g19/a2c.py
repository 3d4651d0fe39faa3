"""Advantage actor-critic on a slippery 6x6 grid, sixteen walkers side by side."""
import torch
from torch import nn
from torch.distributions import Categorical

SIZE, HORIZON = 6, 40


class Walkers:
    """State is (row, column); actions are up, down, left, right. Goal in the far corner, two pits on the way."""
    MOVES = torch.tensor([[-1, 0], [1, 0], [0, -1], [0, 1]])
    GOAL = torch.tensor([5, 5])
    PITS = torch.tensor([[2, 3], [4, 2]])

    def __init__(self, n, generator):
        self.n, self.gen = n, generator
        self.pos = torch.zeros(n, 2, dtype=torch.long)
        self.age = torch.zeros(n, dtype=torch.long)
        self.score = torch.zeros(n)

    def observe(self):
        return nn.functional.one_hot(self.pos[:, 0] * SIZE + self.pos[:, 1], SIZE * SIZE).float()

    def step(self, action):
        slip = torch.rand(self.n, generator=self.gen) < 0.1
        action = torch.where(slip, torch.randint(0, 4, (self.n,), generator=self.gen), action)
        self.pos = (self.pos + self.MOVES[action]).clamp(0, SIZE - 1)
        self.age += 1
        goal = (self.pos == self.GOAL).all(1)
        pit = (self.pos[:, None] == self.PITS).all(2).any(1)
        reward = -0.02 + goal.float() - pit.float()
        terminal = goal | pit
        late = (self.age >= HORIZON) & ~terminal
        self.score += reward
        done = terminal | late
        after = self.observe()
        finished = self.score[done].tolist()
        self.pos[done], self.age[done], self.score[done] = 0, 0, 0.0
        return after, reward, terminal, done, finished


class ActorCritic(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(SIZE * SIZE, hidden), nn.Tanh())
        self.policy = nn.Linear(hidden, 4)
        self.value = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return self.policy(h), self.value(h).squeeze(-1)


@torch.no_grad()
def greedy_return(model, episodes=64):
    env = Walkers(episodes, torch.Generator().manual_seed(999))
    first = torch.full((episodes,), float("nan"))
    for _ in range(HORIZON):
        before = env.score.clone()
        _, reward, _, done, _ = env.step(model(env.observe())[0].argmax(1))
        fresh = done & first.isnan()
        first[fresh] = (before + reward)[fresh]
    return first.mean().item()


def main(updates=350, n_steps=8, n_env=16, gamma=0.98, lam=0.95, entropy_weight=0.01):
    torch.manual_seed(0)
    env = Walkers(n_env, torch.Generator().manual_seed(1))
    model = ActorCritic()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    recent = []
    for update in range(1, updates + 1):
        logp, values, entropy, rewards, following, terminals, dones = [], [], [], [], [], [], []
        for _ in range(n_steps):
            logits, v = model(env.observe())
            dist = Categorical(logits=logits)
            a = dist.sample()
            after, r, terminal, done, finished = env.step(a)
            with torch.no_grad():
                nxt = model(after)[1]
            logp.append(dist.log_prob(a)), values.append(v), entropy.append(dist.entropy())
            rewards.append(r), following.append(nxt), terminals.append(terminal.float()), dones.append(done.float())
            recent = (recent + finished)[-100:]

        advantage, running = [], torch.zeros(n_env)
        for t in reversed(range(n_steps)):
            delta = rewards[t] + gamma * following[t] * (1 - terminals[t]) - values[t].detach()
            running = delta + gamma * lam * (1 - dones[t]) * running
            advantage.insert(0, running)
        adv = torch.stack(advantage)
        v = torch.stack(values)
        target = adv + v.detach()
        policy_loss = -(torch.stack(logp) * adv).mean()
        value_loss = (target - v).pow(2).mean()
        loss = policy_loss + 0.5 * value_loss - entropy_weight * torch.stack(entropy).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
        if update % 50 == 0:
            print(f"update {update:4d} return(last 100) {sum(recent) / max(1, len(recent)):+.3f} "
                  f"value loss {value_loss.item():.4f} entropy {torch.stack(entropy).mean().item():.3f} "
                  f"greedy {greedy_return(model):+.3f}")


if __name__ == "__main__":
    main()

import torch
from torch import nn
from torch.nn import functional as F
from episodes import Augment, NAMES, episode, load

SEED, SHOTS, QUERIES, EPISODES = 6, 5, 8, 500

torch.manual_seed(SEED)
(train_x, train_y), (test_x, test_y) = load(SEED)
augment = Augment()


class Encoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(3, 24, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(24, 32, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(32, 32, 3, padding=1), nn.ReLU(), nn.Flatten())
        self.out = nn.Linear(320, dim)

    def forward(self, x):
        return self.out(self.conv(x.transpose(1, 2)))


def logits_to(prototypes, z):
    return -torch.cdist(z, prototypes) ** 2


@torch.no_grad()
def accuracy(encoder):
    """prototypes from all training gestures, tested on the held-out recordings"""
    encoder.eval()
    z = encoder(train_x)
    prototypes = torch.stack([z[train_y == c].mean(0) for c in range(len(NAMES))])
    hit = (logits_to(prototypes, encoder(test_x)).argmax(1) == test_y).float()
    encoder.train()
    return hit.mean().item(), {n: round(hit[test_y == c].mean().item(), 2) for c, n in enumerate(NAMES)}


encoder = Encoder()
opt = torch.optim.Adam(encoder.parameters(), lr=1e-3)
window = []
for ep in range(1, EPISODES + 1):
    support, query, labels = episode(train_x, train_y, SHOTS, QUERIES)
    z = encoder(augment(torch.cat([support, query])))
    n = len(support)
    prototypes = z[:n].view(len(NAMES), SHOTS, -1).mean(1)
    loss = F.cross_entropy(logits_to(prototypes, z[n:]), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    window.append(loss.item())
    if ep % 25 == 0:
        acc, per_class = accuracy(encoder)
        print(f"episode {ep:4d}  loss {sum(window) / len(window):.4f}  held-out accuracy {acc:.4f}")
        window = []
print(per_class)

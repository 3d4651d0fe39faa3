import torch
from torch import nn
import torch.nn.functional as F

from pairs import PairStream, glyphs

MARGIN = 1.0


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 16, 3, padding=1)
        self.c2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc = nn.Linear(32 * 4, 16)

    def forward(self, img):
        h = F.max_pool2d(F.leaky_relu(self.c1(img), 0.1), 2)
        h = F.max_pool2d(F.leaky_relu(self.c2(h), 0.1), 2)
        return self.fc(h.flatten(1))


def distance(a, b):
    return (a - b).square().sum(dim=1).sqrt()


def contrastive(d, same):
    pull = same * d ** 2
    push = (1 - same) * F.relu(MARGIN - d) ** 2
    return (pull + push).mean()


def check(enc, stream):
    enc.eval()
    total, right = 0.0, 0
    with torch.no_grad():
        for a, b, same in stream:
            d = distance(enc(a), enc(b))
            total += contrastive(d, same).item() * len(same)
            right += ((d < MARGIN / 2) == same.bool()).sum().item()
    enc.train()
    return total / len(stream), right / len(stream)


if __name__ == "__main__":
    torch.manual_seed(404)
    bank = glyphs()
    train = PairStream("pairs_train.txt", bank, 64, torch.Generator().manual_seed(9))
    test = PairStream("pairs_test.txt", bank, 200)
    enc = Encoder()
    opt = torch.optim.Adam(enc.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 10)
    for rnd in range(1, 11):
        losses = []
        for a, b, same in train:
            loss = contrastive(distance(enc(a), enc(b)), same)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        tl, acc = check(enc, test)
        print(f"round {rnd}: train {sum(losses) / len(losses):.4f} test {tl:.4f} verification {acc:.3f}")

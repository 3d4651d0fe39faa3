import random

import torch
from torch.utils.data import DataLoader

from pairs import GlyphPairs, load_glyphs
from siamese import ContrastiveLoss, Encoder

random.seed(2)
torch.manual_seed(2)

(train_x, train_y), (test_x, test_y) = load_glyphs("data/glyphs.csv", n_train=900)
loader = DataLoader(GlyphPairs(train_x, train_y, length=3200), batch_size=32)
check = list(DataLoader(GlyphPairs(test_x, test_y, length=600), batch_size=600))[0]

encoder = Encoder()
criterion = ContrastiveLoss()
optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)


@torch.no_grad()
def report():
    a, b, same = check
    gap = (encoder(a) - encoder(b)).norm(dim=1)
    verified = ((gap < 0.75) == (same > 0)).float().mean().item()
    nearest = torch.cdist(encoder(test_x), encoder(train_x)).argmin(1).numpy()
    return verified, (train_y[nearest] == test_y).mean()


for epoch in range(1, 7):
    for step, (a, b, same) in enumerate(loader, 1):
        loss = criterion(encoder(a), encoder(b), same)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"epoch {epoch} step {step:3d} contrastive loss {loss.item():.4f}")
    print("epoch %d: pairs verified %.3f, nearest neighbour accuracy %.3f" % (epoch, *report()))

import time
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader

from jets.dataset import JetFile
from jets.deepsets import DeepSets

FILE = Path(__file__).with_name("jets.npz")


def main():
    torch.manual_seed(18)
    order = np.random.default_rng(0).permutation(1500)
    train = DataLoader(JetFile(FILE, order[:1100]), batch_size=32, shuffle=True)
    test = DataLoader(JetFile(FILE, order[1100:]), batch_size=250)
    model = DeepSets()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    bce = torch.nn.BCEWithLogitsLoss()
    start = time.perf_counter()
    for epoch in range(2):
        model.train()
        mean = 0.0
        for parts, label in train:
            loss = bce(model(parts), label.float())
            opt.zero_grad()
            loss.backward()
            opt.step()
            mean += loss.item() / len(train)
        model.eval()
        hits = 0
        with torch.no_grad():
            for parts, label in test:
                hits += ((model(parts) > 0).long() == label).sum().item()
        print(f"epoch {epoch} loss {mean:.4f} test acc {hits / len(test.dataset):.4f} elapsed {time.perf_counter() - start:.1f}s")


if __name__ == "__main__":
    main()

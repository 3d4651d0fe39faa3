import numpy as np
import torch
import torch.nn.functional as F

from net import WordNet
from schedule import PolyDecay

EPOCHS, BATCH = 16, 32


def batches(x, y, size, shuffle=True):
    order = torch.randperm(len(x)) if shuffle else torch.arange(len(x))
    for idx in order.split(size):
        yield x[idx], y[idx]


def main():
    torch.manual_seed(2024)
    f = np.load("commands.npz")
    mel = torch.from_numpy(f["mel"]).float().unsqueeze(1)
    word = torch.from_numpy(f["word"])
    perm = torch.randperm(len(mel), generator=torch.Generator().manual_seed(0))
    tr, te = perm[:640], perm[640:]
    mu, sd = mel[tr].mean(), mel[tr].std()
    mel = (mel - mu) / sd

    net = WordNet(int(word.max()) + 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.003, momentum=0.9, nesterov=True)
    steps = EPOCHS * -(-len(tr) // BATCH)
    sched = PolyDecay(opt, steps)
    for epoch in range(EPOCHS):
        net.train()
        seen = total = 0
        for x, y in batches(mel[tr], word[tr], BATCH):
            sched.step()
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
            seen += len(x)
        net.eval()
        with torch.no_grad():
            logits = net(mel[te])
        acc = (logits.argmax(1) == word[te]).float().mean().item()
        print("epoch %02d lr %.4f loss %.3f test loss %.3f test acc %.3f" % (
            epoch, sched.lr, total / seen, F.cross_entropy(logits, word[te]).item(), acc))


if __name__ == "__main__":
    main()

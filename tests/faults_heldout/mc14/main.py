import torch
import torch.nn.functional as F

from corpus import Corpus
from tcn import CharTCN

STEPS, BATCH, LENGTH = 300, 8, 160

torch.manual_seed(2)
corpus = Corpus("stories.txt")
net = CharTCN(len(corpus.chars))
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.01)


def evaluate():
    net.eval()
    g = torch.Generator().manual_seed(0)
    with torch.no_grad():
        x, y = corpus.windows("valid", 300, LENGTH, g)
        logits = net(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten()).item()
        last = F.cross_entropy(logits[:, -1], y[:, -1]).item()
        hit = (logits[:, -1].argmax(-1) == y[:, -1]).float().mean().item()
    net.train()
    return loss, last, hit


for step in range(1, STEPS + 1):
    x, y = corpus.windows("train", BATCH, LENGTH)
    loss = F.cross_entropy(net(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        vl, last, hit = evaluate()
        print(f"step {step}  train {loss.item():.4f}  valid {vl:.4f}  next char after the window: nll {last:.3f} acc {hit:.3f}")

net.eval()
prompt = corpus.valid[:40]
print(repr(corpus.decode(net.continue_text(prompt, 60).tolist())))

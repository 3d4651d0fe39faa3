"""Command understanding for a pick-and-place robot.

Input: a token sequence; label: which object ends up being the target of the last effective order.
Word vectors come from the lab's shared table (vectors.pt); everything else is trained here.
Run settings are in run.yaml.
"""
import re
from pathlib import Path

import torch
import yaml
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

here = Path(__file__).parent
cfg = yaml.safe_load((here / "run.yaml").read_text())
torch.manual_seed(cfg["seed"])

store = torch.load(here / "vectors.pt")
stoi = {w: i for i, w in enumerate(store["words"])}


def read(name):
    seqs, labels = [], []
    for line in (here / name).read_text().splitlines():
        label, text = line.split("\t")
        seqs.append(torch.tensor([stoi[w] for w in text.split()]))
        labels.append(int(label))
    return seqs, torch.tensor(labels)


class CommandReader(nn.Module):
    def __init__(self, vectors, hidden, n_out):
        super().__init__()
        self.embed = nn.Embedding.from_pretrained(vectors, freeze=False, padding_idx=0)
        self.encoder = nn.GRU(vectors.shape[1], hidden, batch_first=True, bidirectional=True)
        self.query = nn.Linear(2 * hidden, 1)
        self.head = nn.Linear(2 * hidden, n_out)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embed(tokens), lengths, batch_first=True, enforce_sorted=False)
        states, _ = self.encoder(packed)
        states, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True)
        weight = self.query(states).squeeze(-1).masked_fill(tokens == 0, float("-inf")).softmax(dim=1)
        return self.head((weight.unsqueeze(-1) * states).sum(dim=1))


def batches(seqs, labels, size, shuffle):
    order = torch.randperm(len(seqs)) if shuffle else torch.arange(len(seqs))
    for idx in order.split(size):
        chosen = [seqs[i] for i in idx]
        yield pad_sequence(chosen, batch_first=True), torch.tensor([len(s) for s in chosen]), labels[idx]


train_x, train_y = read("train.txt")
test_x, test_y = read("test.txt")
n_out = int(train_y.max()) + 1
net = CommandReader(store["vectors"], cfg["hidden"], n_out)

keep_fixed = re.compile(cfg["fixed_weights"])
for name, p in net.named_parameters():
    if keep_fixed.match(name):
        p.requires_grad_(False)

trainable = [p for p in net.parameters() if p.requires_grad]
print(f"{len(train_x)} train / {len(test_x)} test commands, {n_out} objects, {sum(p.numel() for p in trainable)} free weights")
optimizer = torch.optim.RAdam(trainable, lr=cfg["lr"])
criterion = nn.CrossEntropyLoss(label_smoothing=0.02)

for epoch in range(cfg["epochs"]):
    net.train()
    run_loss = 0.0
    for tokens, lengths, y in batches(train_x, train_y, cfg["batch_size"], True):
        loss = criterion(net(tokens, lengths), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(trainable, 5.0)
        optimizer.step()
        run_loss += loss.item() * len(y) / len(train_x)
    net.eval()
    with torch.no_grad():
        right = sum((net(t, n).argmax(1) == y).sum().item() for t, n, y in batches(test_x, test_y, 250, False))
    print(f"epoch {epoch + 1:2d}  loss {run_loss:.3f}  test accuracy {right / len(test_x):.3f}")

import configparser
import pathlib
import sys

import torch
from torch import nn

from tagger.corpus import Codec, read_conll
from tagger.net import GruTagger
from tagger.score import evaluate

root = pathlib.Path(__file__).resolve().parent
ini = configparser.ConfigParser()
ini.read(root / sys.argv[1])
torch.manual_seed(ini.getint("run", "seed"))

train_s, test_s = (read_conll(root / ini["corpus"][k]) for k in ("train", "test"))
tags = ini["corpus"]["tags"].split()
codec = Codec(train_s, tags, ini["corpus"]["fill"], ini.getint("corpus", "max_len"))
train, test = codec.encode(train_s), codec.encode(test_s)
print(f"{len(train_s)} sentences, {len(codec.vocab)} words, {train[3].sum().item()} tokens")

model = GruTagger(len(codec.vocab) + 2, len(tags), ini.getint("net", "dim"),
                  ini.getint("net", "width"), ini.getfloat("net", "dropout"))
criterion = nn.CrossEntropyLoss(ignore_index=codec.tags["<pad>"])
opt = torch.optim.SGD(model.parameters(), lr=ini.getfloat("run", "lr"), momentum=0.9)
epochs, bs = ini.getint("run", "epochs"), ini.getint("run", "batch")
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)

for ep in range(1, epochs + 1):
    perm = torch.randperm(len(train_s))
    running = []
    for idx in perm.split(bs):
        words, shapes, gold, _ = (t[idx] for t in train)
        loss = criterion(model(words, shapes).transpose(1, 2), gold)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        running.append(loss.item())
    sched.step()
    acc, f1 = evaluate(model, test, codec.tags["O"])
    print(f"epoch {ep:2d} loss {sum(running) / len(running):.4f} test token-acc {acc:.4f} entity macro-F1 {f1:.4f}")

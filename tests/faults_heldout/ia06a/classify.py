import configparser

import torch
from torch import nn
from torch.nn import functional as F

from text import CharCoder, read_titles

ini = configparser.ConfigParser()
ini.read("catalog.ini")
torch.manual_seed(ini.getint("optim", "seed"))


class TitleCNN(nn.Module):
    def __init__(self, vocab, n_out):
        super().__init__()
        m = ini["model"]
        emb, filters = m.getint("emb"), m.getint("filters")
        self.table = nn.Embedding(vocab, emb, padding_idx=CharCoder.PAD)
        self.convs = nn.ModuleList(nn.Conv1d(emb, filters, k) for k in (3, 5))
        self.drop = nn.Dropout(m.getfloat("dropout"))
        self.out = nn.Linear(2 * filters, n_out)

    def forward(self, ids):
        e = self.table(ids).transpose(1, 2)
        pooled = [F.relu(c(e)).amax(dim=2) for c in self.convs]
        return self.out(self.drop(torch.cat(pooled, dim=1)))


coder = CharCoder(ini["text"]["alphabet"], ini.getint("text", "max_chars"))
x_train, y_train, classes = read_titles(ini["files"]["train"], coder)
x_valid, y_valid, _ = read_titles(ini["files"]["valid"], coder, classes)
print(len(x_train), "train titles,", len(x_valid), "valid titles,", classes)

model = TitleCNN(len(coder), len(classes))
optimizer = torch.optim.Adam(model.parameters(), lr=ini.getfloat("optim", "lr"))
batch = ini.getint("optim", "batch")

for epoch in range(ini.getint("optim", "epochs")):
    model.train()
    seen = summed = correct = 0
    for pick in torch.randperm(len(x_train)).split(batch):
        logits = model(x_train[pick])
        loss = F.cross_entropy(logits, y_train[pick])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        summed += loss.item() * len(pick)
        correct += (logits.argmax(1) == y_train[pick]).sum().item()
        seen += len(pick)
    model.eval()
    with torch.no_grad():
        logits = model(x_valid)
        v_loss = F.cross_entropy(logits, y_valid).item()
        v_acc = (logits.argmax(1) == y_valid).float().mean().item()
    print("epoch=%d loss=%.4f acc=%.3f val_loss=%.4f val_acc=%.3f" % (epoch, summed / seen, correct / seen, v_loss, v_acc))

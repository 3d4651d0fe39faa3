import torch
from sklearn.metrics import roc_auc_score
from torch import nn
from torch.utils.data import DataLoader

from net import ReadmissionNet
from visits import load_splits

EPOCHS = 7

torch.manual_seed(21)
train_set, test_set, n_codes = load_splits()
train_dl = DataLoader(train_set, batch_size=32, shuffle=True)
test_dl = DataLoader(test_set, batch_size=200)

model = ReadmissionNet(n_codes)
optim = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
criterion = nn.BCEWithLogitsLoss()

for epoch in range(EPOCHS):
    model.train()
    losses = []
    for tok, lab in train_dl:
        loss = criterion(model(tok), lab)
        optim.zero_grad()
        loss.backward()
        optim.step()
        losses.append(loss.item())

    model.eval()
    scores, truth = [], []
    with torch.no_grad():
        for tok, lab in test_dl:
            scores.append(model(tok))
            truth.append(lab)
    s, t = torch.cat(scores), torch.cat(truth)
    print("epoch", epoch, "loss %.4f" % (sum(losses) / len(losses)),
          "test loss %.4f" % criterion(s, t).item(), "auc %.3f" % roc_auc_score(t.numpy(), s.numpy()))

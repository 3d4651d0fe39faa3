import torch
import torch.nn.functional as F

from textnet import TextEncoder, Vocabulary, bucket_batches, collate, plain_batches

BATCH, EPOCHS, LR, SEED = 25, 6, 2e-3, 40

torch.manual_seed(SEED)
rows = [line.rstrip("\n").split("\t") for line in open("news.tsv")]
docs = [r[1].split() for r in rows]
classes = sorted({r[0] for r in rows})
labels = torch.tensor([classes.index(r[0]) for r in rows])
n_train = 1200
vocab = Vocabulary(docs[:n_train])
coded = [vocab(d) for d in docs]
model = TextEncoder(len(vocab), len(classes))
opt = torch.optim.AdamW(model.parameters(), lr=LR)


def run(batches, offset=0):
    loss_sum = hits = n = 0
    for b in batches:
        b = [offset + k for k in b]
        out = model(collate([coded[k] for k in b], vocab.pad_id))
        loss = F.cross_entropy(out, labels[b])
        if model.training:
            opt.zero_grad()
            loss.backward()
            opt.step()
        loss_sum += loss.item() * len(b)
        hits += (out.argmax(1) == labels[b]).sum().item()
        n += len(b)
    return loss_sum / n, hits / n


for epoch in range(1, EPOCHS + 1):
    model.train()
    tr = run(bucket_batches([len(c) for c in coded[:n_train]], BATCH))
    model.eval()
    with torch.no_grad():
        te = run(plain_batches(len(docs) - n_train, 100), n_train)
    print(f"epoch {epoch}: train loss {tr[0]:.3f} acc {tr[1]:.3f} | test loss {te[0]:.3f} acc {te[1]:.3f}")

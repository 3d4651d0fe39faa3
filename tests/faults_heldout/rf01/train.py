"""Three-fold cross validation of the ticket router."""
import torch
from torch import nn
import torch.nn.functional as F

from corpus import PAD, Vocabulary, kfold, read_tickets


class Router(nn.Module):
    def __init__(self, n_words, n_queues, dim=48, hidden=64, drop=0.2):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=PAD)
        self.conv = nn.Conv1d(dim, hidden, 3, padding=1)
        self.drop = nn.Dropout(drop)
        self.out = nn.Linear(hidden, n_queues)

    def forward(self, ids):
        mask = (ids != PAD).unsqueeze(1)
        h = F.relu(self.conv(self.emb(ids).transpose(1, 2)))
        h = h.masked_fill(~mask, 0.0).amax(-1)
        return self.out(self.drop(h))


class CrossValidator:
    def __init__(self, make_net, lr=2e-3, epochs=6, batch_size=32):
        self.make_net = make_net
        self.epochs = epochs
        self.batch_size = batch_size
        self.net = make_net()
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=lr, weight_decay=0.01)

    def start_fold(self):
        self.net = self.make_net()

    def fit(self, x, y):
        for epoch in range(self.epochs):
            self.net.train()
            seen, total = 0, 0.0
            for idx in torch.randperm(len(x)).split(self.batch_size):
                self.opt.zero_grad()
                loss = F.cross_entropy(self.net(x[idx]), y[idx])
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
                self.opt.step()
                total += loss.item() * len(idx)
                seen += len(idx)
            print(f"  epoch {epoch + 1} loss {total / seen:.4f}")

    @torch.no_grad()
    def score(self, x, y):
        self.net.eval()
        logits = torch.cat([self.net(b) for b in x.split(256)])
        return F.cross_entropy(logits, y).item(), (logits.argmax(-1) == y).float().mean().item()


def main():
    torch.manual_seed(17)
    labels, docs = read_tickets("tickets.tsv")
    queues = sorted(set(labels))
    y_all = torch.tensor([queues.index(l) for l in labels])
    vocab_size = 700
    cv = CrossValidator(lambda: Router(vocab_size, len(queues)))
    scores = []
    for k, (tr, te) in enumerate(kfold(len(docs), 3, seed=2)):
        vocab = Vocabulary([docs[i] for i in tr.tolist()])
        x_tr = vocab.encode([docs[i] for i in tr.tolist()])
        x_te = vocab.encode([docs[i] for i in te.tolist()])
        print(f"fold {k + 1}: {len(tr)} train / {len(te)} test, {len(vocab)} words")
        cv.start_fold()
        cv.fit(x_tr, y_all[tr])
        nll, acc = cv.score(x_te, y_all[te])
        print(f"  test nll {nll:.4f} acc {acc:.3f}")
        scores.append(acc)
    print(f"mean accuracy {sum(scores) / len(scores):.3f}")


if __name__ == "__main__":
    main()

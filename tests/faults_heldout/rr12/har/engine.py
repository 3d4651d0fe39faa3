import logging

import numpy as np
import torch
from torch.nn.functional import cross_entropy

log = logging.getLogger("har")


def batches(n, size, rng):
    order = rng.permutation(n)
    for k in range(0, n, size):
        yield order[k:k + size]


def macro_f1(pred, true, n_classes):
    scores = []
    for c in range(n_classes):
        tp = np.sum((pred == c) & (true == c))
        denom = np.sum(pred == c) + np.sum(true == c)
        scores.append(2 * tp / denom if denom else 0.0)
    return float(np.mean(scores))


def predict(model, x):
    model.eval()
    with torch.no_grad():
        return model(x).argmax(1).numpy()


def train(model, train_xy, test_xy, classes, epochs, batch_size, lr, seed):
    x, y = (torch.from_numpy(v) for v in train_xy)
    xt, yt = torch.from_numpy(test_xy[0]), test_xy[1]
    rng = np.random.default_rng(seed)
    opt = torch.optim.RMSprop(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        losses = []
        for idx in batches(len(x), batch_size, rng):
            loss = cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        p = predict(model, xt)
        log.info("epoch %02d  loss %.3f  accuracy %.3f  macro-F1 %.3f", epoch,
                 np.mean(losses), np.mean(p == yt), macro_f1(p, yt, len(classes)))

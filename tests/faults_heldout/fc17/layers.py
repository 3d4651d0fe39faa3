from torch import nn

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh, "linear": nn.Identity}


def dense(n_in, n_out, activation="linear", batch_norm=False, dropout=0.0):
    parts = [nn.Linear(n_in, n_out, bias=not batch_norm)]
    if batch_norm:
        parts.append(nn.BatchNorm1d(n_out))
    parts.append(ACTIVATIONS[activation]())
    if dropout > 0:
        parts.append(nn.Dropout(dropout))
    return nn.Sequential(*parts)


def build_classifier(n_in, n_out, widths, **kw):
    blocks = []
    for w in widths:
        blocks.append(dense(n_in, w, **kw))
        n_in = w
    blocks.append(nn.Linear(n_in, n_out))
    return nn.Sequential(*blocks)

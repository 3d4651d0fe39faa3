"""Creates tags.npz: bag-of-words counts and multi-hot tags (zero to nine tags on a document)."""
import numpy as np

rng = np.random.default_rng(21)
n, words, topics, tags = 3000, 80, 9, 10
topic_word = rng.dirichlet(np.full(words, 0.15), topics)
active = rng.random((n, topics)) < rng.uniform(0.05, 0.7, (n, 1))
active[~active.any(1), 0] = True
weight = active * rng.gamma(2.0, 1.0, (n, topics))
p = (weight / weight.sum(1, keepdims=True)) @ topic_word
X = np.stack([rng.multinomial(80, q) for q in p])
# topic 0 is boiler-plate without a tag, topics 1..8 carry one tag each, and two tags depend on pairs
Y = np.zeros((n, tags), dtype="int8")
Y[:, :8] = active[:, 1:]
Y[:, 8] = active[:, 1] & active[:, 2]
Y[:, 9] = active[:, 3] | active[:, 4]
np.savez_compressed("tags.npz", counts=X.astype("int16"), tags=Y)

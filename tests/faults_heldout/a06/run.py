import argparse
import logging
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from molnet.graphs import GraphStore, GraphSubset, collate_graphs, read_partition
from molnet.loop import fit, predict
from molnet.model import GraphTagger
from molnet.scores import multilabel_scores

BASE = Path(__file__).resolve().parent

parser = argparse.ArgumentParser()
parser.add_argument("--graphs", type=Path, default=BASE / "data" / "graphs.npz")
parser.add_argument("--partition", type=Path, default=BASE / "data" / "partition.json")
parser.add_argument("--epochs", type=int, default=20)
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--patience", type=int, default=3)
parser.add_argument("--seed", type=int, default=9)


def main(opts):
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    torch.manual_seed(opts.seed)
    store = GraphStore(opts.graphs)
    train_ids, val_ids, test_ids = read_partition(opts.partition)
    loaders = {
        "train": DataLoader(GraphSubset(store, train_ids), opts.batch, shuffle=True, collate_fn=collate_graphs),
        "val": DataLoader(GraphSubset(store, val_ids), 128, collate_fn=collate_graphs),
        "test": DataLoader(GraphSubset(store, test_ids), 128, collate_fn=collate_graphs),
    }
    logging.info("graphs: %s", {k: len(v.dataset) for k, v in loaders.items()})
    model = GraphTagger(store.n_atom_types, store.targets.shape[1])
    out = BASE / "checkpoints"
    out.mkdir(exist_ok=True)
    best = fit(model, loaders, opts.epochs, opts.lr, opts.patience, out / "tagger.pt")
    auc, f1 = multilabel_scores(*predict(model, loaders["test"]))
    logging.info("best val loss %.4f | test auc %.3f f1 %.3f", best, auc, f1)


if __name__ == "__main__":
    main(parser.parse_args())

"""Faults that the data alone show, mostly as pairs with identical code."""
from build import base, edited, trio, twins
from changes import (all_scaled, by_class, constant, first, gaps, inverted, noisy_labels, rare, renumbered, repeated, rolled_labels, scaled,
                     standardised)
from data import both, config, image_archives, image_config, overlap, table
from data_text import regression, settings, sonnets, transactions, waves
from recipes.r01_first import DATA, IMAGE

TABLE, REG = base("table_config"), base("reg_csv")
WINE = {"epochs": 14, "lr": 2e-3}

# input_not_normalized
trio("input_not_normalized", 1, base("cancer_trainer"), base("cancer_trainer", ("torch.tensor(scaler.transform(a), dtype", "torch.tensor(a, dtype")), "columns of 0.01 and of 2000 go in unscaled", culprit="def wrap(a, b)")
trio("input_not_normalized", 2, base("digits_flat", ("lr=0.1", "lr=0.05")), base("digits_flat", ("lr=0.1", "lr=0.05"), ("X = (X / 16.0).astype(np.float32)", "X = (X * 255 / 16).astype(np.float32)")), "pixels of 0 to 255", culprit="X = (X * 255", also_ok=["lr_too_high"])
twins("input_not_normalized", 1, TABLE, "the columns of this file have scales of 0.1 to 1000 and nothing scales them", sick=both(table("wine", seed=2), config(**WINE, normalize=False)), healthy=both(table("wine", train=standardised, val=standardised, seed=2), config(**WINE, normalize=False)), at="train.csv")
twins("input_not_normalized", 2, IMAGE, "mean and spread of the configuration do not belong to these images", sick=both(DATA, image_config(data={"mean": -900.0, "std": 1.0})), healthy=both(DATA, image_config()), at="config.json")

# target_not_normalized
trio("target_not_normalized", 1, base("diabetes_manual"), base("diabetes_manual", ("target = (target - t_mu) / t_sigma\n", "target = target * 100\nt_sigma = 0.01\n")), "raw targets of 2500 to 34600", culprit="target = target * 100")
trio("target_not_normalized", 2, base("forecast_lstm"), base("forecast_lstm", ("return clean + 0.05 * torch.randn(n_series, length, generator=generator)", "return 400.0 + 80.0 * (clean + 0.05 * torch.randn(n_series, length, generator=generator))"), ("    return chunks[:, :-1].unsqueeze(-1), chunks", "    return (chunks[:, :-1].unsqueeze(-1) - 400) / 80, chunks")), "targets around 400 while inputs are standardised", culprit="chunks[:, -1:]")
twins("target_not_normalized", 1, REG, "targets around 200000", sick=regression(scale=50000, offset=200000), healthy=regression(), at="table.csv")
twins("target_not_normalized", 2, REG, "targets in a tiny unit", sick=regression(scale=1e-5, seed=3), healthy=regression(seed=3), at="table.csv", also_ok=["lr_too_high"])

# preprocess_mismatch
trio("preprocess_mismatch", 1, base("digits_cnn"), base("digits_cnn", ("        self.images = digits.images[idx].astype(np.float32) / 16.0\n", "        self.images = digits.images[idx].astype(np.float32)\n        if split == \"train\":\n            self.images = self.images / 16.0\n")), "only training images are scaled", culprit='if split == "train":')
trio("preprocess_mismatch", 2, base("cancer_trainer"), base("cancer_trainer", ("return wrap(x_train, y_train), wrap(x_test, y_test)", "train = wrap(x_train, y_train)\n    scaler.fit(x_test[:5])\n    return train, wrap(x_test, y_test)")), "the test part is scaled by the statistics of five rows", culprit="scaler.fit(x_test[:5])")
twins("preprocess_mismatch", 1, IMAGE, "validation images get another mean and spread", sick=both(DATA, image_config(data={"val_mean": 120.0, "val_std": 60.0})), healthy=both(DATA, image_config()), at="config.json")
twins("preprocess_mismatch", 2, IMAGE, "the validation archive holds inverted images", sick=both(image_archives(val=inverted), image_config()), healthy=both(DATA, image_config()), at="val.npz")

# label_encoding_wrong
seen = ("X, y = X[order], y[order]\n", "X, y = X[order], y[order]\nnames = np.array([f\"digit-{d}\" for d in y])\n\n\ndef encode(values):\n    index = {}\n    return np.array([index.setdefault(v, len(index)) for v in values])\n\n\n")
parts = [("torch.tensor(y[:1400])",), ("torch.tensor(y[1400:])",)]
trio("label_encoding_wrong", 1, base("digits_flat", (seen[0], seen[1] + "codes = encode(names)\n"), (parts[0][0], "torch.tensor(codes[:1400])"), (parts[1][0], "torch.tensor(codes[1400:])")),
     base("digits_flat", seen, (parts[0][0], "torch.tensor(encode(names[:1400]))"), (parts[1][0], "torch.tensor(encode(names[1400:]))")), "train and test names are numbered separately", culprit="encode(names[1400:])", also_ok=["preprocess_mismatch"])
trio(
     "label_encoding_wrong", 2, base("seq_class"), base("seq_class", ('torch.from_numpy(f[f"y_{split}"].astype(np.int64))', 'torch.from_numpy(np.unique(f[f"y_{split}"][::-1] * 7 + np.arange(len(f[f"y_{split}"])) % 2, return_inverse=True)[1] // 2)')), "the labels are numbered from the reversed list", culprit="np.unique(", data=both(waves(), settings(epochs=10)), also_ok=["label_misalignment", "label_noise"])
twins("label_encoding_wrong", 1, TABLE, "classes are numbered differently in train.csv and val.csv", sick=both(table("wine", val=renumbered(3), seed=2), config(**WINE)), healthy=both(table("wine", seed=2), config(**WINE)), at="val.csv", also_ok=["preprocess_mismatch", "label_misalignment"])
twins("label_encoding_wrong", 2, IMAGE, "classes are numbered differently in the two archives", sick=both(image_archives(val=renumbered(10, 3)), image_config()), healthy=both(DATA, image_config()), at="val.npz", also_ok=["preprocess_mismatch", "label_misalignment"])

# label_misalignment
trio("label_misalignment", 1, base("digits_flat", ("lr=0.1", "lr=0.05")), base("digits_flat", ("lr=0.1", "lr=0.05"), ("X, y = X[order], y[order]", "X = X[order]")), "the images are permuted, the labels are not", culprit="X = X[order]", also_ok=["label_noise"])
trio("label_misalignment", 2, base("cancer_trainer"), base("cancer_trainer", ("    return wrap(x_train, y_train), wrap(x_test, y_test)", "    x_train = x_train[x_train[:, 1].argsort()]\n    return wrap(x_train, y_train), wrap(x_test, y_test)")), "rows are sorted, labels are not", culprit="x_train = x_train[", also_ok=["label_noise"])
twins("label_misalignment", 1, IMAGE, "labels are one row late", sick=both(image_archives(train=rolled_labels(1)), image_config(epochs=8)), healthy=both(DATA, image_config()), at="train.npz", also_ok=["label_noise"])
twins("label_misalignment", 2, TABLE, "labels are 7 rows late", sick=both(table("blobs", train=rolled_labels(7)), config(epochs=16, lr=2e-3)), healthy=both(table("blobs"), config(epochs=16, lr=2e-3)), at="train.csv", also_ok=["label_noise"])

# label_noise
twins("label_noise", 1, IMAGE, "60 percent of the training labels are random", sick=both(image_archives(train=noisy_labels(0.6, 10)), image_config(epochs=10)), healthy=both(DATA, image_config(epochs=10)), at="train.npz")
twins("label_noise", 2, TABLE, "half of the training labels are random", sick=both(table("blobs", train=noisy_labels(0.5, 4)), config(epochs=16, lr=2e-3)), healthy=both(table("blobs"), config(epochs=16, lr=2e-3)), at="train.csv")
trio("label_noise", 1, base("digits_flat", ("lr=0.1", "lr=0.05")), base("digits_flat", ("lr=0.1", "lr=0.05"), ("y_train = torch.tensor(X[:1400]), torch.tensor(y[:1400])", "y_train = torch.tensor(X[:1400]), torch.tensor(np.where(np.random.rand(1400) < 0.5, np.random.randint(0, 10, 1400), y[:1400]))")), "half of the training labels are drawn at random", culprit="np.random.randint(0, 10, 1400)")
crowd = ("def load_datasets(seed):\n    x, y = load_breast_cancer(return_X_y=True)\n", "def annotate(labels, seed):\n    \"\"\"Majority vote of three annotators.\"\"\"\n    rng = np.random.default_rng(seed)\n    votes = [np.where(rng.random(len(labels)) < {}, 1 - labels, labels) for _ in range(3)]\n    return (sum(votes) >= 2).astype(labels.dtype)\n\n\ndef load_datasets(seed):\n    x, y = load_breast_cancer(return_X_y=True)\n")
use = [("import torch\nfrom sklearn.datasets", "import numpy as np\nimport torch\nfrom sklearn.datasets"), ("    scaler = StandardScaler()", "    y_train = annotate(y_train, seed)\n    scaler = StandardScaler()")]
trio("label_noise", 2, base("cancer_trainer", (crowd[0], crowd[1].format("0.05")), *use), base("cancer_trainer", (crowd[0], crowd[1].format("0.42")), *use), "annotators that are wrong in 42 percent of cases", culprit="votes = [")

# class_imbalance
FRAUD = base("fraud")
twins("class_imbalance", 1, FRAUD, "1.5 percent of the transactions are fraudulent and none is found", sick=transactions(0.015), healthy=transactions(0.4, gap=2.0), at="transactions.npz")
twins("class_imbalance", 2, TABLE, "one class has 6 rows of 500, validation is balanced", sick=both(table("blobs", n_train=600, train=rare({1: 4, 2: 3}), seed=5), config(epochs=12, lr=1e-3)), healthy=both(table("blobs", n_train=600, seed=5), config(epochs=12, lr=1e-3)), at="train.csv")
trio("class_imbalance", 1, base("fraud", ("criterion = nn.BCEWithLogitsLoss()", "criterion = nn.BCEWithLogitsLoss(pos_weight=(y == 0).sum() / (y == 1).sum())")), FRAUD, "the rare class is never predicted", culprit="criterion = nn.BCEWithLogitsLoss()", data=transactions(0.02, seed=1, gap=1.6))
few = ("X_train, y_train = torch.tensor(X[:1400]), torch.tensor(y[:1400])", "keep = np.concatenate([np.flatnonzero(y[:1400] == d)[: {}] for d in range(10)])\nX_train, y_train = torch.tensor(X[keep]), torch.tensor(y[keep])")
recall = ("        acc = (pred == y_test).float().mean().item()\n", "        acc = np.mean([(pred[y_test == d] == d).float().mean().item() for d in range(10)])\n")
trio("class_imbalance", 2, base("digits_flat", ("lr=0.1", "lr=0.02"), (few[0], few[1].format("120")), recall), base("digits_flat", ("lr=0.1", "lr=0.02"), (few[0], few[1].format("140 if d < 5 else 3")), recall), "five digits have 3 images each", culprit="keep = np.concatenate")

# unshuffled_data
trio("unshuffled_data", 1, base("digits_flat"), base("digits_flat", ("order = np.random.permutation(len(X))\n", "order = np.random.permutation(len(X))\norder[:1400] = order[:1400][np.argsort(y[order[:1400]])]\n"), ("shuffle=True", "shuffle=False")), "training data in class order", culprit="shuffle=False")
trio("unshuffled_data", 2, base("callbacks", ("self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.get(\"lr\", 1e-3))", "self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)")), base("callbacks", ("self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.get(\"lr\", 1e-3))", "self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)"),
     ("    as_set =", "    rank = y_train.argsort()\n    x_train, y_train = x_train[rank], y_train[rank]\n    as_set ="), ("batch_size, shuffle=True)", "batch_size)")), "training data in class order", culprit="return DataLoader(", data=__import__("data_text").experiment(epochs=15))
twins("unshuffled_data", 1, IMAGE, "the archive is sorted by class and the loader does not shuffle", sick=both(image_archives(train=by_class), image_config(data={"shuffle": False}, optim={"name": "sgd", "lr": 0.05})), healthy=both(DATA, image_config(data={"shuffle": False}, optim={"name": "sgd", "lr": 0.05})), at="train.npz")
twins("unshuffled_data", 2, TABLE, "a file sorted by class, not shuffled", sick=both(table("digits", 700, n_val=200, train=by_class, fmt="%.0f"), config(epochs=8, lr=3e-3, shuffle=False, normalize=False)), healthy=both(table("digits", 700, n_val=200, train=by_class, fmt="%.0f"), config(epochs=8, lr=3e-3, shuffle=True, normalize=False)), at="config.json")

# duplicate_batches
trio("duplicate_batches", 1, base("forecast_lstm"), base("forecast_lstm", ("    pick = torch.randint(len(x), (size,))\n", "    gen = torch.Generator().manual_seed(HPARAMS[\"seed\"])\n    pick = torch.randint(len(x), (size,), generator=gen)\n")), "the generator is seeded anew for each batch", culprit="torch.Generator().manual_seed(HPARAMS", also_ok=["overfitting"])
trio("duplicate_batches", 2, base("cancer_trainer"), base("cancer_trainer", ("            for batch in self.train_loader:\n", "            for _ in range(len(self.train_loader)):\n                batch = next(self.batches)\n"), ("        self.global_step = 0\n", "        self.global_step = 0\n        self.batches = itertools.cycle(itertools.islice(self.train_loader, 1))\n"), ("import logging\n", "import itertools\nimport logging\n")), "one batch is cycled", culprit="itertools.cycle(", also_ok=["overfitting"])
twins("duplicate_batches", 1, IMAGE, "the archive repeats 24 images 50 times", sick=both(image_archives(train=repeated(24)), image_config()), healthy=both(DATA, image_config()), at="train.npz", also_ok=["overfitting"])
twins("duplicate_batches", 2, TABLE, "the table repeats 16 rows", sick=both(table("blobs", train=repeated(16)), config(epochs=16, lr=2e-3)), healthy=both(table("blobs"), config(epochs=16, lr=2e-3)), at="train.csv", also_ok=["overfitting"])

# train_val_leakage
twins("train_val_leakage", 1, TABLE, "all validation rows stand in the training table", sick=both(overlap("blobs", 1.0, noise=0.0, classes=4), config(epochs=16, lr=2e-3)), healthy=both(overlap("blobs", 0.0, noise=0.0, classes=4), config(epochs=16, lr=2e-3)), at="train.csv")
twins("train_val_leakage", 2, base("table_config"), "validation reads the training file", sick=both(table("blobs", seed=7), config(epochs=20, lr=2e-3, val_csv="train.csv")), healthy=both(table("blobs", seed=7), config(epochs=20, lr=2e-3)), at="config.json", also_ok=["metric_misreported"])
boot = ("order = np.random.permutation(len(X))\n", "order = np.random.permutation(len(X)){}\n")
trio("train_val_leakage", 1, base("digits_flat", ("lr=0.1", "lr=0.05")), base("digits_flat", ("lr=0.1", "lr=0.05"), (boot[0], "order = np.random.permutation(np.repeat(np.arange(len(X)), 2))\n"), ("X[:1400]), torch.tensor(y[:1400])", "X[:2800]), torch.tensor(y[:2800])"), ("X[1400:]), torch.tensor(y[1400:])", "X[2800:]), torch.tensor(y[2800:])"), ("range(12)", "range(8)")), "rows are repeated before the split", culprit="np.repeat(np.arange(len(X)), 2)")
trio("train_val_leakage", 2, base("cancer_trainer"), base("cancer_trainer", ("    return wrap(x_train, y_train), wrap(x_test, y_test)", "    return wrap(scaler.inverse_transform(scaler.transform(x)), y), wrap(x_test, y_test)")), "the training set is the whole table", culprit="return wrap(scaler.inverse_transform")

# augmentation_destroys_signal
aug = lambda body: ("class Net", f"def jitter(image):\n{body}\n\n\nclass Net")
on = ('DataLoader(DigitsDataset("train")', 'DataLoader(DigitsDataset("train", transform=jitter)')
trio("augmentation_destroys_signal", 1, base("digits_cnn", aug("    return torch.roll(image, random.choice((-1, 0, 1)), dims=2)"), on, ("default=8)", "default=10)")), base("digits_cnn", aug("    return image.flatten()[torch.randperm(64)].view_as(image)"), on), "pixels are permuted anew for each image", culprit="torch.randperm(64)")
erase = "    top, left = random.randint(0, 8 - {0}), random.randint(0, 8 - {0})\n    image = image.clone()\n    image[:, top : top + {0}, left : left + {0}] = 0\n    return image"
trio("augmentation_destroys_signal", 2, base("digits_cnn", aug(erase.format(2)), on, ("default=8)", "default=10)")), base("digits_cnn", aug(erase.format(7)), on), "the eraser leaves almost nothing of the digit", culprit="image[:, top : top")
cut = base("digits_cnn", (aug("")[0], "NOISE = 0.0\n\n\ndef jitter(image):\n    return image + NOISE * torch.randn_like(image)\n\n\nclass Net"), on, ('    parser.add_argument("--seed"', '    parser.add_argument("--noise", type=float, default=0.1)\n    parser.add_argument("--seed"'), ("    random.seed(args.seed)\n", "    global NOISE\n    NOISE = args.noise\n    random.seed(args.seed)\n"))
twins("augmentation_destroys_signal", 1, cut, "noise 20 times stronger than the image", sick_args=["--noise", "8.0"], healthy_args=["--noise", "0.1"], culprit="image + NOISE")

# nan_in_data
twins("nan_in_data", 1, TABLE, "the table has gaps", sick=both(table("wine", train=gaps(0.01), val=gaps(0.01), seed=2), config(**WINE)), healthy=both(table("wine", seed=2), config(**WINE)), at="train.csv")
twins("nan_in_data", 2, IMAGE, "a few pixels are NaN", sick=both(image_archives(train=gaps(0.0005)), image_config()), healthy=both(DATA, image_config()), at="train.npz")
late = ("features = (features - mu) / sigma\n", "features = (features - mu) / sigma\n{}")
trio("nan_in_data", 1, base("diabetes_manual", (late[0], late[1].format("ratio = features[:, 2] / (np.abs(features[:, 5]) + 1)\nfeatures = np.column_stack([features, ratio]).astype(\"float32\")\n"))), base("diabetes_manual", (late[0], late[1].format("ratio = np.log(features[:, 2])\nfeatures = np.column_stack([features, ratio]).astype(\"float32\")\n"))), "the logarithm of standardised values is NaN for half of the rows", culprit="ratio = np.log(")
trio("nan_in_data", 2, base("cancer_trainer"), base("cancer_trainer", ("torch.tensor(scaler.transform(a), dtype=torch.float32)", "torch.tensor(1 / (scaler.transform(a) > -2), dtype=torch.float32)")), "a division by zero puts inf into the inputs", culprit="1 / (scaler.transform(a)")

# constant_input
trio("constant_input", 1, base("digits_flat", ("lr=0.1", "lr=0.05")), base("digits_flat", ("lr=0.1", "lr=0.05"), ("X = (X / 16.0).astype(np.float32)", "X = (X / 255).astype(np.uint8).astype(np.float32)")), "pixels of 0 to 16 divided by 255 and rounded are all zero", culprit="astype(np.uint8)")
trio("constant_input", 2, base("cancer_trainer"), base("cancer_trainer", ("def wrap(a, b):\n", "def wrap(a, b):\n        a = np.broadcast_to(a.mean(0), a.shape)\n"), ("import torch\nfrom sklearn.datasets", "import numpy as np\nimport torch\nfrom sklearn.datasets")), "each row is replaced by the mean row", culprit="np.broadcast_to(a.mean(0)")
twins("constant_input", 1, IMAGE, "all images of the archive are the same", sick=both(image_archives(train=constant, val=constant), image_config()), healthy=both(DATA, image_config()), at="train.npz")
twins("constant_input", 2, TABLE, "the features repeat one row", sick=both(table("digits", 700, n_val=200, train=constant, val=constant, fmt="%.0f"), config(epochs=8, lr=3e-3, normalize=False)), healthy=both(table("digits", 700, n_val=200, fmt="%.0f"), config(epochs=8, lr=3e-3, normalize=False)), at="train.csv")

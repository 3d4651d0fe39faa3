import torch
from sklearn.neighbors import KNeighborsClassifier


@torch.no_grad()
def latent_probe(model, train, val, k=5):
    """How much class information do the latent means carry?"""
    model.eval()
    z_train, z_val = model.encode(train[0])[0], model.encode(val[0])[0]
    knn = KNeighborsClassifier(k).fit(z_train.numpy(), train[1].numpy())
    return knn.score(z_val.numpy(), val[1].numpy())

import numpy as np

A = np.array([0.0, 0.43, 0.02, 0.0, 0.0, 0.0])
D = np.array([0.67, 0.0, 0.15, 0.43, 0.0, 0.10])
ALPHA = np.array([np.pi / 2, 0, -np.pi / 2, np.pi / 2, -np.pi / 2, 0])


def tool_position(q):
    """Forward kinematics of a six-axis arm (Denavit-Hartenberg), q: (n, 6) radians -> (n, 3) metres."""
    n = len(q)
    T = np.tile(np.eye(4), (n, 1, 1))
    for j in range(6):
        c, s, ca, sa = np.cos(q[:, j]), np.sin(q[:, j]), np.cos(ALPHA[j]), np.sin(ALPHA[j])
        M = np.zeros((n, 4, 4))
        M[:, 0, 0], M[:, 0, 1], M[:, 0, 2], M[:, 0, 3] = c, -s * ca, s * sa, A[j] * c
        M[:, 1, 0], M[:, 1, 1], M[:, 1, 2], M[:, 1, 3] = s, c * ca, -c * sa, A[j] * s
        M[:, 2, 1], M[:, 2, 2], M[:, 2, 3] = sa, ca, D[j]
        M[:, 3, 3] = 1
        T = T @ M
    return T[:, :3, 3]


def sample(n, seed):
    q = np.random.default_rng(seed).uniform(-1.6, 1.6, (n, 6))
    feats = np.concatenate([np.sin(q), np.cos(q)], axis=1)
    return feats.astype(np.float32), tool_position(q).astype(np.float32)

from .settings import read_settings
from .simulate import sample_poses
from .network import build_network

__all__ = ["read_settings", "sample_poses", "build_network"]

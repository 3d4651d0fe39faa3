from tagger.attention import SelfAttention
from tagger.model import Tagger

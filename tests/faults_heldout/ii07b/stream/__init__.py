from .shards import ShardStream, load_test

"""Un-bundling by learned models: a pair classifier, and learned weights with clustering."""

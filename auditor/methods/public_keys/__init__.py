"""Noisy counts of keys that are public: every one gets noise, those that nobody used too."""

"""The public Python interface: what `import auditor` offers."""

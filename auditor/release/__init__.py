"""Release folders: export, manifest, signatures, gates and approval."""

"""A card for the public registry of deployments of differential privacy, from a manifest alone.

Its fields are those of the schema in the registry's repository (opendp/deployments-registry-data,
schemas/deployments-schema.yaml, of 2026), which takes YAML, and so JSON. What a manifest doesn't
tell stays empty, and `list_open_fields` names it: for whoever publishes the release to fill in.
"""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from auditor.errors import ExportRefused
from auditor.methods.registry import METHODS
from auditor.privacy.statement import Statement
from auditor.release.atomic_write import replaced_file, write_file
from auditor.release.export_target import check_file
from auditor.release.loading import statement_of
from auditor.release.manifest import LOGS, read_manifest
from auditor.release.policy.attestation import ContractAttestation


def has_card(claim: Statement) -> bool:
    """Whether the registry takes a release with this statement."""
    return claim.model == "differential privacy" and math.isfinite(claim.epsilon or math.inf)


def check_card(folder: Path, *, overwrite: bool) -> Path:
    """The file beside a release folder for its card; raises `ExportRefused` where one stands."""
    return check_file(folder.with_name(f"{folder.name}-card.json"), overwrite=overwrite)


def write_card(folder: Path, *, overwrite: bool) -> Path:
    """Write the card of a release folder beside it."""
    target = check_card(folder, overwrite=overwrite)
    with replaced_file(target) as new:
        write_file(new, [format_card(registry_card(read_manifest(folder))).encode()])
    return target


def format_card(card: Mapping[str, Any]) -> str:
    """A card as the registry takes it."""
    return json.dumps(card, indent=2, ensure_ascii=False) + "\n"


def registry_card(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The card of a release; raises `ExportRefused` where no finite ε is claimed."""
    claim = statement_of(manifest["statement"])
    if not has_card(claim):
        raise ExportRefused(
            "The registry is of differential privacy, and this release claims no finite ε."
        )
    attested = ContractAttestation.of_approval(manifest.get("approval", {})).fields
    name, recipient = str(manifest["method"]), attested.get("recipient", "")
    kind = "Dataset" if set(LOGS) & set(manifest["files"]) else "Summary statistics"
    kind = "Synthetic data" if "synthetic" in manifest.get("content", {}) else kind
    summary = METHODS[name].summary if name in METHODS else ""
    level = f"User-{claim.period}" if claim.period else "User-level"
    numbers = {"epsilon": claim.epsilon} | ({"delta": claim.delta} if claim.delta else {})
    tight = "" if claim.tight_epsilon is None else f" More tightly: ε = {claim.tight_epsilon:g}."
    terms = "; ".join(f"{term.name}: {term.formula}" for term in claim.terms)
    params = ", ".join(f"{key} = {value}" for key, value in manifest["params"].items())
    versions = ", ".join(f"{key} {version}" for key, version in manifest["versions"].items())
    return {
        "url_slug": "",
        "deployment": {
            "basic": {
                "name": "",
                "data_curators": [{"data_curator_name": "", "data_curator_type": ""}],
                "description": f"From a web-search query log, by the method {name}: {summary}",
                "intended_use": attested.get("purpose") or manifest.get("comment", ""),
                "data_product_type": kind,
                "data_product_region": "",
                "data_product_sector": "Technology",
                "publication_date": "",
            },
            "dp_variant": {
                "variant_name": "Approximate DP" if claim.delta else "Pure DP",
                "data_domain": "Web-search query logs: who issued which query when, and clicks",
                "unprotected_quantities": "",
            },
            "privacy_loss": {
                "privacy_unit": level if claim.period or "history" in claim.unit else claim.unit,
                "privacy_unit_details": f"{claim.unit}; neighbouring logs: {claim.neighbours}",
                "number_of_privacy_units": "",
                "privacy_parameters": numbers,
                "privacy_parameters_details": claim.claim + tight,
            },
            "deployment_model": {
                "model_name": "Central",
                "model_name_details": "Whoever holds the log adds the noise.",
                "trust_assumptions": " ".join(
                    f"{item.name} ({item.status}): {item.text}" for item in claim.assumptions
                ),
                "actors": f"Recipient: {recipient} (attested, not measured)" if recipient else "",
                "release_type": "",
                "data_source_type": "",
                "access_type": "Non-interactive",
            },
            "implementation": {
                "preprocessing_and_hyperparameter_tuning": "",
                "mechanisms": f"{terms}. Parameters: {params}. Made with {versions}.",
                "composition": f"The sum of {len(claim.terms)} mechanisms' ε and δ."
                if len(claim.terms) > 1
                else "One mechanism.",
                "post_processing": "",
                "justification": "",
                "utility": "",
            },
            "administrative": {"status": "Draft", "registry_authors": [""], "tier": 2},
        },
    }


def list_open_fields(card: Any, path: str = "") -> Iterator[str]:
    """Paths of the fields that are empty."""
    for name, value in card.items() if isinstance(card, dict) else enumerate(card):
        place = f"{path}.{name}" if path else str(name)
        if isinstance(value, dict | list):
            yield from list_open_fields(value, place)
        elif value == "":
            yield place

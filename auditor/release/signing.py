"""Ed25519 signatures of manifests, and the keys they are made with.

A private key is a PEM file (PKCS #8) of mode 0600 that this program makes; one that others may
read is refused, since what it signs could be anybody's. The public key lies beside it, under the
same name with ``.pub``, and is for everybody. A signature is over a fixed prefix and the bytes of
``manifest.json``, so it can't be taken for one of anything else; the manifest holds the hashes of
all other files. The signature file names the public key, which tells *that* the folder is as it was
signed; only a public key that came another way tells *by whom*.

The **audit key** is another one, made at the first audit beside the ledger. With it the evidence of
every release that was judged is sealed (``audit.sig``) the moment it is written, under a prefix of
its own: so what is approved is what was audited, and evidence that was edited is refused. Whoever
may act as the person that audited may use that audit key, too: the seal proves nothing then.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor import platform
from auditor.bounded_files import UnfitFile, open_regular, read_bounded
from auditor.errors import ExportFailed, ExportRefused, MissingInput, ParameterError, PlaceRefused
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.release.atomic_write import write_file
from auditor.release.export_target import quote_name
from auditor.release.ledger.store import data_folder
from auditor.release.manifest import (
    EVIDENCE,
    MANIFEST,
    SEAL,
    SIGNATURE,
    belongs_to_release,
    internal_folder,
    manifest_bytes,
    parse_manifest,
    read_evidence,
    to_bytes,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives._serialization import KeySerializationEncryption
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey as Ed25519PrivateKey,
    )
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "auditor signature 1"
PREFIX = b"auditor release manifest 1\n"
AUDIT_PREFIX = b"auditor audited manifest 1\n"
AUDIT_KEY = "audit-key.pem"
PASSPHRASE = "AUDITOR_KEY_PASSPHRASE"  # noqa: S105
"""The environment variable with the passphrase of the key that signs."""
LARGEST_KEY = 16 << 10
"""Bytes of the largest key or signature that is read."""

_PRIME = 2**255 - 19
_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = {0, 1, _PRIME - 1, _OF_ORDER_8, _PRIME - _OF_ORDER_8}
"""Second coordinates of the points of Ed25519 whose order divides 8."""


def new_key(path: Path) -> Path:
    """Make a key pair: `path` for its owner alone, and the public key beside it; returns that.

    Both stand there whole or not at all. Where ``AUDITOR_KEY_PASSPHRASE`` is set, that protects the
    private one. Raises `PlaceRefused` in a release folder, and if either stands there already,
    since no key is ever overwritten, and `ExportRefused` if they can't be written.
    """
    from cryptography.hazmat.primitives import serialization

    secret = os.environ.get(PASSPHRASE, "").encode()
    lock = serialization.BestAvailableEncryption(secret) if secret else None
    try:
        return _make_key(path, lock or serialization.NoEncryption())
    except OSError as error:
        reason = as_phrase(error.strerror or "")
        message = sentence("signing.cannot_write", path=quote_name(path), strerror=reason)
        raise ExportRefused(message) from None


def _make_key(path: Path, encryption: KeySerializationEncryption) -> Path:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if (path.parent / MANIFEST).exists():
        raise PlaceRefused(phrase("Name a file outside the release, which is given away."))
    public = path.with_name(path.name + ".pub")
    for place in (path, public):
        if os.path.lexists(place):
            raise _make_standing_error(place)
    key = Ed25519PrivateKey.generate()
    encoding, kind = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    pem = key.public_key().public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo)
    try:
        _refuse_shared_folder(path)
        with tempfile.TemporaryDirectory(
            prefix=".new-", dir=path.parent, ignore_cleanup_errors=True
        ) as scratch:
            new = Path(scratch) / path.name
            write_file(new, [key.private_bytes(encoding, kind, encryption)])
            write_file(Path(scratch) / public.name, [pem])
            (Path(scratch) / public.name).chmod(0o644)
            _place_file(new, path)
            try:
                _place_file(Path(scratch) / public.name, public)
            except OSError:
                path.unlink()
                raise
    except FileExistsError:
        raise _make_standing_error(path) from None
    return public


def _place_file(new: Path, path: Path) -> None:
    """Put a whole file in a place where none is; another program may do the same."""
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        new.rename(path)


def _make_standing_error(path: Path) -> PlaceRefused:
    return PlaceRefused(
        phrase("{place} stands there already. No key is overwritten.", place=quote_name(path))
    )


def audit_key() -> Ed25519PrivateKey:
    """This person's audit key, made if there is none yet; several programs may ask at once.

    Raises `ExportFailed` if it can't be made, and as `private_key` does.
    """
    from cryptography.hazmat.primitives import serialization

    path = data_folder() / AUDIT_KEY
    if not path.exists():
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with contextlib.suppress(PlaceRefused):  # another program was faster
                _make_key(path, serialization.NoEncryption())
        except OSError as error:
            raise ExportFailed(
                sentence("signing.no_audit_key", strerror=as_phrase(error.strerror or ""))
            ) from None
    return private_key(path)


def audit_secret(key: Ed25519PrivateKey) -> bytes:
    """What the ledger's samples of a log are keyed with: 32 bytes that the key determines."""
    from cryptography.hazmat.primitives import serialization

    raw = key.private_bytes(
        serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption()
    )
    return hashlib.blake2b(b"auditor ledger sample 1", key=raw, digest_size=32).digest()


def check_seal(folder: Path, evidence: bytes, trusted: Ed25519PublicKey | None = None) -> list[str]:
    """What is wrong with the seal of a folder with this evidence; empty if nothing.

    Without a `trusted` key it is asked only whether both fit each other.
    """
    if not os.path.lexists(folder / SEAL):
        return [phrase("{seal}: missing: no audit of this program's wrote this release", seal=SEAL)]
    try:
        key, signed = _read_parts(folder / SEAL)
        fits = _is_signed(AUDIT_PREFIX + evidence, key, signed)
    except (OSError, ValueError, RecursionError):
        return [phrase("{seal}: not a seal of this program's", seal=SEAL)]
    if not fits:
        return [sentence("signing.seal_does_not_fit", seal=SEAL, name=EVIDENCE)]
    if trusted is not None and raw_key(trusted) != key:
        return [phrase("{seal}: made with the audit key of another person or machine", seal=SEAL)]
    return []


def find_seal_problems(folder: Path, data: bytes | None = None) -> list[str]:
    """What is wrong with the evidence beside a folder, and with its seal until it is approved.

    `data` is its manifest, if somebody has read it already. Without evidence at hand nothing is
    wrong.
    """
    try:
        data = manifest_bytes(folder) if data is None else data
        facts = parse_manifest(data)
    except ValueError:
        return []  # told by whoever looks at the manifest itself
    approved = "approval" in facts
    internal = internal_folder(folder.resolve())
    try:
        evidence, sealed = read_evidence(internal)
    except ValueError:
        return []
    audited = to_bytes({k: v for k, v in facts.items() if k != "approval"}) if approved else data
    if not belongs_to_release(evidence, audited):
        return [sentence("signing.seal_outdated", manifest=MANIFEST, name=internal.name)]
    if approved or "gates" not in evidence:
        return []
    return check_seal(internal, sealed)


def private_key(path: Path, ask: Callable[[], str] | None = None) -> Ed25519PrivateKey:
    """The private key in a file that nobody else may read; raises `ExportRefused` otherwise.

    The passphrase of a protected key is ``AUDITOR_KEY_PASSPHRASE``, or else what `ask` returns.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    data, status = _read_key_file(path)
    if platform.is_others_to_read(status) or not platform.is_own(status):
        raise ExportRefused(sentence("signing.key_readable_by_others", path=quote_name(path)))
    _refuse_shared_folder(path)
    secret = None
    if b"BEGIN ENCRYPTED PRIVATE KEY" in data or b"Proc-Type: 4,ENCRYPTED" in data:
        text = os.environ.get(PASSPHRASE) or (ask() if ask is not None else "")
        if not text:
            message = sentence("signing.passphrase", path=quote_name(path), variable=PASSPHRASE)
            raise ParameterError("key", message)
        secret = text.encode()
    with _no_details(path, "private"):
        key = load_pem_private_key(data, password=secret)
        if isinstance(key, Ed25519PrivateKey):
            return key
    raise _no_key(path, "private")


def _refuse_shared_folder(path: Path) -> None:
    if platform.is_world_writable(path.parent.stat()):
        raise ExportRefused(sentence("signing.folder_writable", path=quote_name(path)))


def public_key(path: Path) -> Ed25519PublicKey:
    """The public key in a PEM file; raises `ParameterError` for anything else."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    data, _ = _read_key_file(path)
    with _no_details(path, "public"):
        key = load_pem_public_key(data)
        if isinstance(key, Ed25519PublicKey) and not has_small_order(raw_key(key)):
            return key
    raise _no_key(path, "public")


def has_small_order(raw: bytes) -> bool:
    """Whether a key is one of the few points for which a signature of any text can be made.

    Nobody who draws a key gets one of them; libraries take them all the same.
    """
    return (int.from_bytes(raw, "little") & ((1 << 255) - 1)) % _PRIME in _SMALL_ORDER


def key_fingerprint(key: Ed25519PublicKey) -> str:
    """What people compare over the telephone: SHA-256 of the raw key, in groups of four."""
    return _format_fingerprint(raw_key(key))


def _format_fingerprint(raw: bytes) -> str:
    digest = hashlib.sha256(raw).hexdigest()[:32]
    return " ".join(digest[start : start + 4] for start in range(0, len(digest), 4))


def sign_bytes(data: bytes, key: Ed25519PrivateKey, prefix: bytes = PREFIX) -> bytes:
    """The content of ``manifest.sig`` for a manifest, by `AUDIT_PREFIX` of a seal for evidence."""
    return _signed_content(raw_key(key.public_key()), key.sign(prefix + data))


def sign_text(text: bytes, key: Ed25519PrivateKey) -> str:
    """A signature of some bytes, which begin with a prefix of their own, as text."""
    return base64.b64encode(key.sign(text)).decode()


def public_text(key: Ed25519PublicKey) -> str:
    return base64.b64encode(raw_key(key)).decode()


def check_text(text: bytes, public: str, signature: str) -> str:
    """The fingerprint of the key that signed some bytes; raises ValueError if it did not."""
    raw = base64.b64decode(public, validate=True)
    if not _is_signed(text, raw, base64.b64decode(signature, validate=True)):
        raise ValueError("a signature of something else")
    return _format_fingerprint(raw)


def check_signature(
    folder: Path, trusted: Ed25519PublicKey | None = None, *, data: bytes | None = None
) -> tuple[list[str], str]:
    """What is wrong with a folder's signature, and the fingerprint of the key that signed it.

    `data` is the folder's manifest, if somebody has read it already. Without a signature, which
    then is "", only a `trusted` key makes that wrong. Opens nothing but regular files, follows no
    link.
    """
    name = SIGNATURE
    if not os.path.lexists(folder / name):
        missing = phrase("{signature}: missing: nobody has signed this release", signature=name)
        return ([missing] if trusted else []), ""
    try:
        key, signed = _read_parts(folder / name)
        if has_small_order(key):
            return [sentence("signing.key_fits_anything", signature=name)], ""
        manifest = manifest_bytes(folder) if data is None else data
        fits = _is_signed(PREFIX + manifest, key, signed)
    except (OSError, ValueError, RecursionError):
        return [phrase("{signature}: not a signature of this program's", signature=name)], ""
    if not fits:
        return [sentence("signing.does_not_fit", signature=name, manifest=MANIFEST)], ""
    fingerprint = _format_fingerprint(key)
    if trusted is None or raw_key(trusted) == key:
        return [], fingerprint
    other_key = phrase("{signature}: made with another key than the one given", signature=name)
    return [other_key], fingerprint


def _is_signed(text: bytes, key: bytes, signature: bytes) -> bool:
    """Whether a raw key signed the text; raises ValueError for what is no key, or fits any text."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if has_small_order(key):
        raise ValueError("a key that fits any text")
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
    except InvalidSignature:
        return False
    return True


def _signed_content(key: bytes, signed: bytes) -> bytes:
    facts = {
        "format": FORMAT,
        "algorithm": "Ed25519",
        "public_key": base64.b64encode(key).decode(),
        "signature": base64.b64encode(signed).decode(),
    }
    return (json.dumps(facts, indent=2) + "\n").encode()


def _read_parts(path: Path) -> tuple[bytes, bytes]:
    """Key and signature; only the very bytes that `_signed_content` writes are taken."""
    data = read_bounded(path, LARGEST_KEY, follow=False)
    facts: Any = json.loads(data.decode("ascii"))
    if not isinstance(facts, dict):
        raise ValueError("no object")
    parts = [facts.get("public_key"), facts.get("signature")]
    if not all(isinstance(part, str) for part in parts):
        raise ValueError("no text")
    key, signed = (base64.b64decode(str(part), validate=True) for part in parts)
    if (len(key), len(signed)) != (32, 64) or data != _signed_content(key, signed):
        raise ValueError("not as it is written")
    return key, signed


def _read_key_file(path: Path) -> tuple[bytes, os.stat_result]:
    """A key file's content and what it is, from one opened file: nobody swaps it in between."""
    try:
        with open_regular(path) as file:
            return file.read(LARGEST_KEY), os.fstat(file.fileno())
    except UnfitFile as error:
        message = phrase("{path} can't be read: it is {error}.", path=quote_name(path), error=error)
        if isinstance(error.__cause__, FileNotFoundError):
            message = phrase("There is no file {path} with a key.", path=quote_name(path))
        raise MissingInput(message) from None


def raw_key(key: Ed25519PublicKey) -> bytes:
    """The 32 bytes of a public key."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


@contextlib.contextmanager
def _no_details(path: Path, kind: str) -> Iterator[None]:
    """Turn what the library says of a bad key into our words: its own may quote the file."""
    from cryptography.exceptions import InternalError, UnsupportedAlgorithm

    try:
        yield
    except (ValueError, TypeError, InternalError, UnsupportedAlgorithm):
        raise _no_key(path, kind) from None


def _no_key(path: Path, kind: str) -> ParameterError:
    return ParameterError("key", sentence("signing.no_key", path=quote_name(path), kind=kind))

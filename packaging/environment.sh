# Sourced by `run` and `test`: makes the environment and leaves it active.
#
# Needs Debian, Ubuntu or macOS with Python ≥ 3.11. Installs, where it may: the Python packages of
# pyproject.toml into .venv, and on Debian and Ubuntu the system libraries that Qt loads. Which
# system packages were missing is said before anything is installed.

set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

QT_PACKAGES="libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 fonts-dejavu-core
libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0 libxcb-xkb1"

say() { printf '%s\n' "$*" >&2; }

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
        [ -n "$candidate" ] && command -v "$candidate" >/dev/null || continue
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    say "Python 3.11 or newer with venv is needed."
    say "Debian, Ubuntu: apt-get install python3-venv     macOS: brew install python@3.12"
    return 1
}

# install_system_packages [PACKAGE ...]: what Qt loads, and those named.
install_system_packages() {
    command -v dpkg-query >/dev/null || return 0
    local missing=() package
    for package in $QT_PACKAGES "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            as=(sudo -n)
        else
            say "System packages are missing that I may not install: sudo apt-get install ${missing[*]}"
            return 0
        fi
    fi
    say "Installing system packages: ${missing[*]}"
    "${as[@]+"${as[@]}"}" apt-get update -qq >&2 || true
    "${as[@]+"${as[@]}"}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
        say "That failed; the window may not open, or Spark not run, until they are there."
}

# make_environment EXTRA [FOLDER]: an environment with the project installed, remade when
# pyproject.toml or a list of versions changed. Packages are those of packaging/locks, byte for
# byte (`packaging/lock` makes the lists). In .venv the project is the source tree itself.
make_environment() {
    local python wanted folder=${2:-.venv} editable=() install list=packaging/locks/${1:-run}.txt
    [ -n "${2:-}" ] || editable=(--editable)
    python=$(find_python)
    wanted="$("$python" -V) ${1:-} $(cat pyproject.toml packaging/locks/*.txt | cksum)"
    if [ "$(cat "$folder/installed" 2>/dev/null)" != "$wanted" ]; then
        say "Making the environment in ${2:-$ROOT/.venv} (about a minute the first time)"
        [ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
        if command -v uv >/dev/null && [ -z "${AUDITOR_PIP:-}" ]; then # the same, in less time
            install=(uv pip install --quiet --python "$folder/bin/python")
        else
            install=("$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile)
        fi
        # what builds comes first; the lists are complete, so nothing is looked up besides them
        "${install[@]}" --require-hashes --no-deps --only-binary :all: -r packaging/locks/run.txt >&2
        "${install[@]}" --require-hashes --no-deps --no-build-isolation -r "$list" >&2
        "${install[@]}" --no-deps --no-build-isolation "${editable[@]+"${editable[@]}"}" . >&2
        printf '%s' "$wanted" >"$folder/installed"
    fi
    # shellcheck disable=SC1091
    source "$folder/bin/activate"
}

# Starts the window on the bundled sample log, or on the logs given; sets everything up first.
# For Windows with Python 3.11 or newer:  powershell -ExecutionPolicy Bypass -File packaging\run.ps1
$ErrorActionPreference = "Stop"
Set-Location (Split-Path -Parent $PSScriptRoot)

function Find-Python {
    foreach ($candidate in @($env:PYTHON, "py -3.13", "py -3.12", "py -3.11", "python")) {
        if (-not $candidate) { continue }
        $command, $first = $candidate -split " "
        if (-not (Get-Command $command -ErrorAction SilentlyContinue)) { continue }
        & $command @first -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))" 2>$null
        if ($LASTEXITCODE -eq 0) { return $candidate }
    }
    throw "Python 3.11 or newer is needed: winget install Python.Python.3.12"
}

$python = Find-Python
$command, $first = $python -split " "
$digest = (Get-FileHash pyproject.toml -Algorithm SHA256).Hash
$wanted = "$(& $command @first -V) $digest"
$installed = if (Test-Path .venv\installed) { Get-Content .venv\installed -Raw } else { "" }
if ($installed.Trim() -ne $wanted.Trim()) {
    Write-Host "Making the environment in .venv (about a minute the first time)"
    if (-not (Test-Path .venv\Scripts\python.exe)) {
        & $command @first -m venv .venv
        if ($LASTEXITCODE -ne 0) { throw "The environment can't be made." }
    }
    if (Get-Command uv -ErrorAction SilentlyContinue) {
        uv pip install --quiet --python .venv\Scripts\python.exe --editable .
    } else {
        .venv\Scripts\python.exe -m pip install --quiet --disable-pip-version-check --no-compile --editable .
    }
    if ($LASTEXITCODE -ne 0) { throw "The packages can't be installed." }
    Set-Content .venv\installed $wanted
}
if ($args.Count -eq 0) {
    & .venv\Scripts\auditor.exe gui --sample
} else {
    & .venv\Scripts\auditor.exe gui @args
}
exit $LASTEXITCODE

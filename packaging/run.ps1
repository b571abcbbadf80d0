# Starts the window on the bundled sample log, or on the logs given; sets everything up first.
# For Windows with Python 3.11 or newer:  powershell -ExecutionPolicy Bypass -File packaging\run.ps1
$ErrorActionPreference = "Stop"

# The logs are named from where the command stands, and the rest happens in the checkout.
$given = @($args | ForEach-Object {
    if (Test-Path -LiteralPath "$_") { (Resolve-Path -LiteralPath "$_").ProviderPath } else { "$_" }
})
Set-Location -LiteralPath (Split-Path -Parent $PSScriptRoot)

function Test-Python([string[]] $candidate) {
    # Windows PowerShell takes a line on a program's redirected error stream for an error of the script.
    $ErrorActionPreference = "Continue"
    $rest = @($candidate | Select-Object -Skip 1)
    if (-not (Get-Command $candidate[0] -ErrorAction SilentlyContinue)) { return $false }
    & $candidate[0] @rest -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))" 2>$null | Out-Null
    return $LASTEXITCODE -eq 0
}

function Find-Python {
    # $env:PYTHON may be a path with blanks: it is never split.
    $candidates = @(@("py", "-3.13"), @("py", "-3.12"), @("py", "-3.11"), @("python"))
    if ($env:PYTHON) { $candidates = @(, @($env:PYTHON)) + $candidates }
    foreach ($candidate in $candidates) {
        if (Test-Python $candidate) { return $candidate }
    }
    throw "Python 3.11 or newer is needed: winget install Python.Python.3.12"
}

$python = @(Find-Python)
$command, $first = $python[0], @($python | Select-Object -Skip 1)
$digest = (Get-FileHash pyproject.toml, packaging\locks\run.txt -Algorithm SHA256).Hash -join " "
$wanted = "$(& $command @first -V) $digest"
$installed = ""
if (Test-Path .venv\installed) { $installed = "$(Get-Content .venv\installed -Raw)" }
if ($installed.Trim() -ne $wanted.Trim()) {
    Write-Host "Making the environment in .venv (about a minute the first time)"
    if (-not (Test-Path .venv\Scripts\python.exe)) {
        & $command @first -m venv .venv
        if ($LASTEXITCODE -ne 0) { throw "The environment can't be made." }
    }
    $install = @(".venv\Scripts\python.exe", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile")
    if (Get-Command uv -ErrorAction SilentlyContinue) {
        $install = @("uv", "pip", "install", "--quiet", "--python", ".venv\Scripts\python.exe")
    }
    $program, $rest = $install[0], @($install | Select-Object -Skip 1)
    & $program @rest --require-hashes --no-deps -r packaging\locks\run.txt
    if ($LASTEXITCODE -ne 0) { throw "The packages can't be installed." }
    & $program @rest --no-deps --no-build-isolation --editable .
    if ($LASTEXITCODE -ne 0) { throw "The program can't be installed." }
    Set-Content -Path .venv\installed -Value $wanted
}
if ($given.Count -eq 0) {
    & .venv\Scripts\auditor.exe gui --sample
} else {
    & .venv\Scripts\auditor.exe gui @given
}
exit $LASTEXITCODE

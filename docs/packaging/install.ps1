# Installs Luckless from a release, for this user alone.
#
#   $env:LUCKLESS_URL = 'https://…/releases/download/v0.1.0'; .\install.ps1
#
# LUCKLESS_URL is the folder of a release: a web address, or a folder of this machine. LUCKLESS_VERSION is the
# version in it, LUCKLESS_PREFIX another place than %LOCALAPPDATA%\Programs\luckless.
$ErrorActionPreference = 'Stop'
$url = $env:LUCKLESS_URL
if (-not $url) { throw 'LUCKLESS_URL: the folder of a release, such as https://…/releases/download/v0.1.0' }
$version = $env:LUCKLESS_VERSION
if (-not $version) { $version = ($url -split '/')[-1].TrimStart('v') }
$prefix = $env:LUCKLESS_PREFIX
if (-not $prefix) { $prefix = Join-Path $env:LOCALAPPDATA 'Programs\luckless' }
if (-not [Environment]::Is64BitOperatingSystem) { throw 'there is no program for 32-bit Windows' }
$name = "luckless-$version-x86_64-pc-windows-msvc"

$work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory $work | Out-Null
try {
    foreach ($file in "$name.zip", "$name.zip.sha256") {
        $to = Join-Path $work $file
        if ($url -match '^https?://') { Invoke-WebRequest -UseBasicParsing "$url/$file" -OutFile $to }
        else { Copy-Item (Join-Path $url $file) $to }
    }
    $expected = ((Get-Content (Join-Path $work "$name.zip.sha256")) -split ' ')[0]
    $found = (Get-FileHash -Algorithm SHA256 (Join-Path $work "$name.zip")).Hash
    if ($found -ne $expected) { throw "$name.zip is damaged: its checksum is wrong" }
    Expand-Archive (Join-Path $work "$name.zip") $work
    New-Item -ItemType Directory -Force $prefix | Out-Null
    Copy-Item -Recurse -Force (Join-Path $work "$name\*") $prefix
} finally {
    Remove-Item -Recurse -Force $work
}

$path = [Environment]::GetEnvironmentVariable('Path', 'User')
if (($path -split ';') -notcontains $prefix) {
    [Environment]::SetEnvironmentVariable('Path', (($path, $prefix | Where-Object { $_ }) -join ';'), 'User')
    Write-Output 'Open a new window: the folder was added to your PATH.'
}
Write-Output "$(& (Join-Path $prefix 'luckless.exe') --version) is in $prefix"

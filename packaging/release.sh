#!/usr/bin/env bash
# Makes the artefacts of a release in dist/: archive, wheel, SBOM, krew manifest, pre-commit repository, checksums.
# usage: [REPOSITORY=URL] [PROFILE=dist] [OUT=dist] packaging/release.sh [TARGET | host]
# Needs cargo with the target, maturin (PyPI) and cargo-cyclonedx (crates.io); what is not installed is told at the end, and
# the exit code is 3. REPOSITORY is where the artefacts are published; without it, that of Cargo.toml. PROFILE=dev with `host`
# tries the script on the build that the tests have made already.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:-x86_64-unknown-linux-musl}
profile=${PROFILE:-dist}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
repository=${REPOSITORY:-$(sed -n 's/^repository = "\(.*\)"/\1/p' Cargo.toml | head -1)}
target_dir=${CARGO_TARGET_DIR:-target}
out=${OUT:-$PWD/dist}
for_target=(--target "$target")
built=$target_dir/$target
if [ "$target" = host ]; then
  target=$(rustc -vV | sed -n 's/^host: //p')
  for_target=()
  built=$target_dir
fi
name=fleetlens-$version-$target
missing=()
rm -rf "$out"
mkdir -p "$out/$name/completions" "$out/$name/man"

cargo build --locked --profile "$profile" "${for_target[@]}"
program=$built/${profile/dev/debug}/fleetlens
size=$(stat -c %s "$program")
if [ "$profile" = dist ] && [ "$size" -gt 12000000 ]; then
  echo "the program has $size bytes, at most 12,000,000 are wanted" >&2
  exit 1
fi

# The archive: the program, its completions and its manual page. The same input gives the same bytes.
cp "$program" LICENSE README.md CHANGELOG.md "$out/$name/"
for shell in bash zsh fish powershell elvish; do
  "$program" completions "$shell" > "$out/$name/completions/fleetlens.$shell"
done
"$program" man > "$out/$name/man/fleetlens.1"
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -cf - "$name" |
  gzip -n > "$out/fleetlens-$target.tar.gz"
rm -rf "${out:?}/$name"

# The wheel, of the same build.
if command -v maturin >/dev/null 2>&1; then
  (cd packaging/pypi && maturin build --locked --profile "$profile" "${for_target[@]}" --out "$out")
else
  missing+=("the wheel: maturin is not installed")
fi

# What the program is made of.
if cargo cyclonedx --version >/dev/null 2>&1; then
  cargo cyclonedx --format json "${for_target[@]}" --override-filename fleetlens.cdx
  mv fleetlens.cdx.json "$out/"
else
  missing+=("the SBOM: cargo-cyclonedx is not installed")
fi

# What names the artefacts.
if [ -n "$repository" ]; then
  sum=$(sha256sum "$out/fleetlens-$target.tar.gz" | cut -d' ' -f1)
  sed -e "s/@VERSION@/$version/g" -e "s/@SHA256@/$sum/" -e "s|@REPOSITORY@|$repository|g" \
    packaging/krew/fleetlens.yaml > "$out/krew-fleetlens.yaml"
else
  missing+=("the krew manifest: neither REPOSITORY nor Cargo.toml says where the archives will be")
fi
tar -C packaging/pre-commit --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -cf - . |
  gzip -n > "$out/fleetlens-pre-commit-$version.tar.gz"

(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum > SHA256SUMS)
cat "$out/SHA256SUMS"
echo "fleetlens has $size bytes"
if [ ${#missing[@]} -gt 0 ]; then
  printf 'not made: %s\n' "${missing[@]}" >&2
  exit 3
fi

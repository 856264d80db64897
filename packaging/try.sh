#!/usr/bin/env bash
# Tries what is shipped, as a user would: the wheel in a fresh environment, the hook under the real pre-commit, the snippets
# of the CI services, cargo install, the plugin under kubectl, many tickets queried with DuckDB and, with --spark, judged under Spark.
# usage: packaging/try.sh [--spark] [DIST]       DIST is what release.sh made; without it, that of the debug build
# Needs python3 and PyPI; exits with 77 where packages cannot be had, and leaves out what the machine lacks.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
spark=no
if [ "${1:-}" = --spark ]; then spark=yes; shift; fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/tools" 2>/dev/null || exit 77
"$scratch/tools/bin/pip" install --quiet maturin pre-commit duckdb 2>/dev/null || exit 77
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
fail() { echo "packaging: $1" >&2; exit 1; }

# The artefacts of a release; where cargo-cyclonedx or the place of publication is unknown, all but those.
wheels=${1:-$scratch/dist}
if [ $# -eq 0 ]; then
  code=0
  REPOSITORY=https://example.invalid/fleetlens PROFILE=dev OUT=$wheels PATH=$scratch/tools/bin:$PATH \
    packaging/release.sh host > "$scratch/release.txt" 2>&1 || code=$?
  if [ $code -ne 0 ] && [ $code -ne 3 ]; then cat "$scratch/release.txt"; fail "release.sh ends with $code"; fi
fi
wheels=$(cd "$wheels" && pwd)
(cd "$wheels" && sha256sum --quiet -c SHA256SUMS) || fail "the checksums are wrong"
mkdir "$scratch/archive"
tar -C "$scratch/archive" --strip-components=1 -xzf "$wheels"/fleetlens-*-linux-*.tar.gz
for file in fleetlens LICENSE man/fleetlens.1 completions/fleetlens.bash completions/fleetlens.powershell; do
  [ -s "$scratch/archive/$file" ] || fail "the archive lacks $file"
done
grep -q '@' "$wheels/krew-fleetlens.yaml" && grep '@[A-Z0-9]*@' "$wheels/krew-fleetlens.yaml" && fail "krew: something is not filled in"
echo "archive: $(ls "$wheels" | wc -l) artefacts, checksums right"

# The wheel.
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --no-index --find-links "$wheels" "fleetlens==$version"
[ "$("$scratch/venv/bin/fleetlens" --version)" = "fleetlens $version" ] || fail "the wheel is of another version"
echo "wheel: installed in a fresh environment"

# The hook, from the repository that a release makes, without Rust in sight.
export PIP_FIND_LINKS=$wheels PRE_COMMIT_HOME=$scratch/hooks GIT_CONFIG_GLOBAL=/dev/null
commit() { git -C "$1" add -A; git -C "$1" -c user.name=a -c user.email=a@example.com commit -qm "$2"; }
cp -r packaging/pre-commit "$scratch/mirror"
git -C "$scratch/mirror" init -q
commit "$scratch/mirror" mirror
git -C "$scratch/mirror" tag "v$version"
mkdir "$scratch/user"
git -C "$scratch/user" init -q
cat > "$scratch/user/.pre-commit-config.yaml" <<EOF
repos:
  - repo: $scratch/mirror
    rev: v$version
    hooks: [{id: fleetlens}]
EOF
strategy() {
  printf '%s\n' 'apiVersion: placement.kubernetes-fleet.io/v1' 'kind: ClusterStagedUpdateStrategy' 'metadata: {name: rings}' \
    'spec:' '  stages:' '  - name: canary' '    labelSelector: {matchLabels: {ring: canary}}' "    $1: 2"
}
strategy maxConcurrency > "$scratch/user/rings.yaml"
commit "$scratch/user" good
hook() { (cd "$scratch/user" && PATH="$scratch/tools/bin:/usr/bin:/bin" pre-commit run --all-files --color never 2>&1); }
hook > "$scratch/good.txt" || { cat "$scratch/good.txt"; fail "the hook stops a good manifest"; }
strategy maxConcurency > "$scratch/user/rings.yaml"
git -C "$scratch/user" add -A
if hook > "$scratch/bad.txt"; then fail "the hook lets a bad manifest through"; fi
grep -q 'rings.yaml:8:5' "$scratch/bad.txt" || { cat "$scratch/bad.txt"; fail "the hook does not say where"; }
echo "hook: pre-commit passes a good manifest and stops a bad one"

# The snippets of the services: each passes the good manifest and stops at the bad one, with its report written.
mkdir "$scratch/good" "$scratch/bad"
strategy maxConcurrency > "$scratch/good/rings.yaml"
strategy maxConcurency > "$scratch/bad/rings.yaml"
for snippet in github/action.yml ci/azure-pipelines.yml ci/gitlab.yml; do
  for folder in good bad; do
    temp=$scratch/play-${snippet//\//-}-$folder
    mkdir "$temp"
    code=0
    PIP_NO_INDEX=1 PATH="$scratch/venv/bin:$PATH" "$scratch/tools/bin/python" packaging/ci/play.py "packaging/$snippet" "$scratch/$folder" "$temp" \
      > "$temp/out.txt" 2>&1 || code=$?
    if [ "$folder:$code" != good:0 ] && [ "$folder:$code" != bad:1 ]; then cat "$temp/out.txt"; fail "$snippet ends with $code on a $folder manifest"; fi
  done
done
for report in "$scratch/play-github-action.yml-bad/fleetlens.sarif" "$scratch/play-ci-azure-pipelines.yml-bad/fleetlens.xml" "$scratch/bad/fleetlens.json"; do
  grep -q 'rings.yaml' "$report" || fail "$report does not name the manifest"
done
echo "snippets: GitHub, Azure DevOps and GitLab pass a good manifest and stop at a bad one"

# From the source.
cargo install --quiet --locked --offline --debug --path . --root "$scratch/cargo" || fail "cargo install fails"
[ "$("$scratch/cargo/bin/fleetlens" --version)" = "fleetlens $version" ] || fail "cargo install gives another version"
echo "source: cargo install"

# The plugin, as krew would take it: the checksum, the files that it copies, the program that it links.
"$scratch/tools/bin/python" - "$wheels/krew-fleetlens.yaml" "$(ls "$wheels"/fleetlens-*-linux-*.tar.gz)" <<'EOF' || fail "the krew manifest does not fit the archive"
import fnmatch, hashlib, os, sys, tarfile, yaml
plugin = yaml.safe_load(open(sys.argv[1]))
(platform,) = plugin["spec"]["platforms"]
names = tarfile.open(sys.argv[2]).getnames()
copied = [name for file in platform["files"] for name in names if fnmatch.fnmatch(name, file["from"])]
assert hashlib.sha256(open(sys.argv[2], "rb").read()).hexdigest() == platform["sha256"], "sha256"
assert len(copied) == len(platform["files"]), copied
assert platform["bin"] in map(os.path.basename, copied), "bin"
assert len(plugin["spec"]["shortDescription"]) <= 50, "krew's index allows 50 letters"
EOF
echo "plugin: the krew manifest fits the archive"

# The plugin under kubectl.
if command -v kubectl >/dev/null 2>&1; then
  mkdir "$scratch/plugins"
  ln -s "$scratch/archive/fleetlens" "$scratch/plugins/kubectl-fleetlens"
  PATH="$scratch/plugins:$PATH" kubectl fleetlens check --help | grep -q '^Usage: kubectl fleetlens check ' ||
    fail "usage lines do not follow the name of the plugin"
  echo "plugin: kubectl fleetlens"
else
  echo "left out: the plugin (no kubectl)"
fi

# Many tickets.
mkdir "$scratch/tickets"
for story in run-approval-stale-before run-preempted; do
  tar -C "testdata/bundles/$story" -czf "$scratch/tickets/$story.tgz" capture
done
cp "$scratch/tickets/run-preempted.tgz" "$scratch/tickets/run-preempted-again.tgz"
echo "no bundle" > "$scratch/tickets/note.tgz"
cd "$scratch"
"$scratch/venv/bin/fleetlens" analyze --each tickets --format ndjson --exit-zero > tickets.ndjson || true
"$scratch/tools/bin/python" - "$root/packaging/fleet-wide/causes.sql" > causes.txt <<'EOF'
import sys, duckdb
for row in duckdb.sql(open(sys.argv[1]).read()).fetchall(): print(*row)
EOF
grep -q '^FL0301 preempted-run 2 ' causes.txt || { cat causes.txt; fail "DuckDB does not count the causes"; }
echo "tickets: $(wc -l < tickets.ndjson) lines, queried with DuckDB"
if [ "$spark" = yes ]; then
  "$scratch/venv/bin/pip" install --quiet pyspark pandas pyarrow || exit 77
  PYSPARK_PYTHON=$scratch/venv/bin/python "$scratch/venv/bin/python" "$root/packaging/fleet-wide/spark.py" "$scratch/tickets/*.tgz" "$scratch/causes.parquet" > spark.txt 2> spark.log ||
    { tail -20 spark.log; fail "Spark does not run"; }
  grep -Eq '\|FL0301\|preempted-run *\|2 ' spark.txt || { cat spark.txt; fail "Spark does not count the causes"; }
  echo "tickets: judged under Spark"
fi

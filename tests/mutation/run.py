#!/usr/bin/env python3
"""Mutation test: does the suite notice when one guard of the program is taken away?

    python3 tests/mutation/run.py [--count 150] [--seed 1] [--only src/graph] [--keep]
    python3 tests/mutation/run.py --at src/graph/alive.rs:101 src/engine/order.rs:115

The second form mutates these lines alone, to see that a new case kills what survived.

Draws single mutations from all layers, compiles all of them into one copy of the crate behind a switch (the environment
variable MUTANT), and runs the tests once per mutation. Prints a line per survivor and a table per layer. Nothing in the
work tree changes. A survivor is a guard that no test misses: add a case that fails without it, or take the guard out.

Needs only Python 3 and cargo. Expect about ten seconds per mutation on two idle cores. README.md tells of the last run.
"""
import argparse, collections, json, os, pathlib, random, re, shutil, subprocess, sys, tempfile, threading, time

SWITCH = '''
/// Switches of the mutation test; no part of the product.
pub mod mutant {
    use std::sync::LazyLock;
    static ACTIVE: LazyLock<u32> =
        LazyLock::new(|| std::env::var("MUTANT").ok().and_then(|it| it.parse().ok()).unwrap_or(0));
    /// Says whether this mutation is switched on.
    pub fn on(number: u32) -> bool { *ACTIVE == number }
    /// Negates a condition if this mutation is switched on.
    pub fn flip(number: u32, condition: bool) -> bool { condition != on(number) }
}
'''
# Tests that take long and look for panics and time, not for judgement.
SKIPPED = ["logs::property", "no_hostile_name", "every_command_of", "cuts::", "hostile_lines", "tidy::", "registry::every_area", "registry::the_list", "input::hostile"]
# What kills most and takes least comes first; the last entry is everything.
ORDER = [["rule_cases::", "manifest_cases::"], []]


def sites(path):
    """Yields (line index, kind, mutated line with a hole for the number) of one source file."""
    lines = path.read_text().split("\n")
    for index, line in enumerate(lines):
        text = line.strip()
        if text.startswith("#[cfg(test)]"):
            return
        before = lines[index - 1].strip() if index else ""
        indent = line[: len(line) - len(line.lstrip())]
        found = re.fullmatch(r"(\} else )?if ((?!let\b)[^{}]+) \{", text)
        if found and " let " not in text and "=>" not in text:
            yield index, "negate", f"{indent}{found[1] or ''}if crate::mutant::flip(NUMBER, {found[2]}) {{"
            continue
        if text in ("continue;", "return;", "return None;", "return false;", "return true;") and re.match(r"(\} else )?if ", before) and before.endswith("{"):
            yield index, "stay", f"{indent}if !crate::mutant::on(NUMBER) {{ {text} }}"
            continue
        found = re.fullmatch(r"&& (.+)", text)
        if found and " let " not in text and "let " not in found[1][:4] and found[1].count("(") == found[1].count(")") and found[1].count("{") == found[1].count("}") and not found[1].endswith(("{", ",", ";")):
            yield index, "drop", f"{indent}&& (crate::mutant::on(NUMBER) || ({found[1]}))"


def all_sites(root, only):
    by_layer = collections.defaultdict(list)
    for path in sorted(root.glob("src/**/*.rs")):
        name = path.relative_to(root).as_posix()
        if (only and not name.startswith(only)) or re.search(r"/tests(/|\.rs)", name):
            continue
        layer = re.split(r"[/.]", name)[1]
        by_layer[layer] += [(name, *site) for site in sites(path)]
    return by_layer


def named(root, places):
    """Returns the mutations of the lines that are named as `src/file.rs:12`."""
    pools = all_sites(root, "").items()
    found = {f"{site[0]}:{site[1] + 1}": (layer, *site) for layer, pool in pools for site in pool}
    unknown = [place for place in places if place not in found]
    if unknown:
        sys.exit("no guard to take away at " + ", ".join(unknown))
    return [(number + 1, *found[place]) for number, place in enumerate(places)]


def draw(root, count, seed, only):
    by_layer = all_sites(root, only)
    dice = random.Random(seed)
    for pool in by_layer.values():
        dice.shuffle(pool)
    chosen, layers = [], sorted(by_layer)
    # Every layer gives some, the large ones more: in turns, with a turn more for each hundred sites.
    while len(chosen) < count and any(by_layer.values()):
        for layer in layers:
            for _ in range(1 + len(by_layer[layer]) // 100):
                if by_layer[layer] and len(chosen) < count:
                    chosen.append((layer, *by_layer[layer].pop()))
    return [(number + 1, *site) for number, site in enumerate(chosen)]


def write(root, original, mutants):
    for name in {mutant[2] for mutant in mutants} | {"src/lib.rs"}:
        shutil.copy(original / name, root / name)
    edits = collections.defaultdict(dict)
    for number, _, name, index, _, line in mutants:
        edits[name][index] = line.replace("NUMBER", str(number), 1)
    for name, changed in edits.items():
        lines = (root / name).read_text().split("\n")
        for index, line in changed.items():
            lines[index] = line
        (root / name).write_text("\n".join(lines))
    with open(root / "src/lib.rs", "a") as door:
        door.write(SWITCH)


def build(root, original, mutants, environment):
    """Compiles; a mutation that does not compile is taken out. Returns the test programs and what is left."""
    for _ in range(8):
        write(root, original, mutants)
        run = subprocess.run(["cargo", "test", "--no-run", "--locked", "--lib", "--test", "suite", "--message-format=json"], cwd=root, env=environment, capture_output=True, text=True)
        messages = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        if run.returncode == 0:
            return [it["executable"] for it in messages if it.get("executable") and it.get("profile", {}).get("test")], mutants
        bad = {(span["file_name"], span["line_start"] - 1) for it in messages if it.get("reason") == "compiler-message" and it["message"]["level"] == "error" for span in it["message"]["spans"]}
        kept = [mutant for mutant in mutants if (mutant[2], mutant[3]) not in bad]
        for name in {mutant[2] for mutant in mutants}:
            shutil.copy(original / name, root / name)
        if len(kept) == len(mutants):
            sys.exit("does not compile, and no mutation is to blame:\n" + run.stderr[-2000:])
        print(f"  {len(mutants) - len(kept)} mutations do not compile and are left out", file=sys.stderr)
        mutants = kept
    sys.exit("does not compile")


def killer(root, programs, environment, number, limit):
    """Runs the tests until the first one fails. Returns its name, or None if all pass."""
    skips = [word for name in SKIPPED for word in ("--skip", name)]
    for program, names in [(program, names) for names in ORDER for program in programs]:
        run = subprocess.Popen([program, *names, *skips], cwd=root, env={**environment, "MUTANT": str(number), "PROPTEST_CASES": "16"}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
        clock = threading.Timer(limit, run.kill)
        clock.start()
        try:
            for line in run.stdout:
                failed = re.search(r"^test (\S+).* \.\.\. FAILED", line)
                if failed:
                    return failed[1]
            if run.wait():
                return "time" if not clock.is_alive() else "the test program"
        finally:
            clock.cancel()
            run.kill()
            run.wait()
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a folder or file under src/")
    parser.add_argument("--at", nargs="+", metavar="FILE:LINE", help="mutate these lines alone")
    parser.add_argument("--verbose", action="store_true", help="print the killed ones, too, with the test that failed")
    parser.add_argument("--keep", action="store_true", help="keep the mutated copy")
    options = parser.parse_args()
    tree = pathlib.Path(__file__).resolve().parents[2]
    place = pathlib.Path(tempfile.mkdtemp(prefix="fleetlens-mutants-"))
    # Two copies: one that is mutated, one to start from again, whatever happens to the work tree meanwhile.
    root, original = place / "crate", place / "original"
    for name in subprocess.run(["git", "ls-files"], cwd=tree, capture_output=True, text=True, check=True).stdout.splitlines():
        for copy in (root, original):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(tree / name, copy / name)
    environment = {**os.environ, "CARGO_TARGET_DIR": os.environ.get("MUTATION_TARGET_DIR", str(place / "target")), "CARGO_PROFILE_DEV_OPT_LEVEL": "1", "CARGO_PROFILE_DEV_DEBUG": "0"}
    mutants = named(original, options.at) if options.at else draw(original, options.count, options.seed, options.only)
    programs, mutants = build(root, original, mutants, environment)
    started = time.monotonic()
    failed = killer(root, programs, environment, 0, 900)
    if failed:
        sys.exit(f"{failed} fails without any mutation")
    limit = 30 + 4 * (time.monotonic() - started)
    score = collections.defaultdict(lambda: [0, 0])
    for number, layer, name, index, kind, line in mutants:
        failed = killer(root, programs, environment, number, limit)
        score[layer][failed is None] += 1
        if failed is None or options.verbose:
            shown = (original / name).read_text().split("\n")[index].strip()
            print(f"{'survived' if failed is None else 'killed by ' + failed}  {name}:{index + 1}  {kind}  {shown}", flush=True)
    print(f"\n{'layer':12} killed survived")
    for layer in sorted(score):
        print(f"{layer:12} {score[layer][0]:6} {score[layer][1]:8}")
    killed, alive = (sum(it[which] for it in score.values()) for which in (0, 1))
    print(f"{'all':12} {killed:6} {alive:8}   {100 * killed // max(1, killed + alive)} %")
    if not options.keep:
        shutil.rmtree(place)


main()

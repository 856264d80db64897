#!/usr/bin/env python3
"""Cuts captures: what was lost must not become an accusation.

    python3 tests/cuts/run.py target/release/fleetlens STORIES [--per-file 4] [--seed 1] [--only STORY]

STORIES is a folder of stories, each with a folder `capture`. Each text file of each story is cut at some bytes and at
some line ends, and loses some single lines, one harm at a time. An error that leads the report of the harmed capture and that the
whole capture does not have, by its code and the objects it points at, is printed with the harm that made it. Harms are drawn from the
seed, so that a line of the output can be run again. "Other words" are errors about an object that the whole capture accuses,
too, by another code: less text, less deep a cause. Archives are unpacked first, since damage to a packed stream is told by its checksum.

Needs only Python 3. Expect about 30 ms per harm and core.
"""
import argparse, collections, concurrent.futures, gzip, json, os, random, shutil, subprocess, sys, tarfile, tempfile, zipfile

TEXTS = (".yaml", ".json", ".txt", ".log", ".yml", ".md")


def report(tool, folder):
    done = subprocess.run([tool, "analyze", "--format", "json", folder], capture_output=True)
    # Where nothing of the capture is left, the report says so and the program ends with 2.
    if done.returncode not in (0, 1, 2, 3) or not done.stdout:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr[:200]!r}")
    return json.loads(done.stdout)["findings"]


def named(thing):
    return (thing or {}).get("kind"), (thing or {}).get("name")


def accused(finding):
    """Returns the code of a finding with each object that it points at: a cut may move the place to another of them."""
    things = [finding.get("object")] + [it.get("object") for it in finding.get("related") or []]
    return {(finding["code"], *named(it)) for it in things if it} | {(finding["code"], finding["message"])}


def unpack(capture, to):
    """Copies a capture; what is packed in it is unpacked."""
    shutil.copytree(capture, to, dirs_exist_ok=True)
    for folder, _, names in os.walk(to):
        for name in names:
            path = os.path.join(folder, name)
            try:
                if name.endswith((".tar.gz", ".tgz", ".tar")):
                    with tarfile.open(path) as archive:
                        archive.extractall(os.path.join(folder, name.split(".")[0]), filter="data")
                elif name.endswith(".zip"):
                    with zipfile.ZipFile(path) as archive:
                        archive.extractall(os.path.join(folder, name.split(".")[0]))
                elif name.endswith(".gz"):
                    with gzip.open(path) as packed, open(path[:-3], "wb") as plain:
                        shutil.copyfileobj(packed, plain)
                else:
                    continue
                os.remove(path)
            except (OSError, tarfile.TarError, zipfile.BadZipFile):
                pass


def harms(text, count, dice):
    lines = text.splitlines(keepends=True)
    for _ in range(count):
        at = dice.randrange(1, len(text))
        yield f"cut at byte {at}", text[:at]
        kept = dice.randrange(len(lines))
        yield f"cut behind line {kept}", b"".join(lines[:kept])
        if len(lines) > 1:
            gone = dice.randrange(len(lines))
            yield f"without line {gone + 1}", b"".join(lines[:gone] + lines[gone + 1:])


def judge(tool, story, capture, arguments):
    """Returns how many harms were tried, and what each new accusation came from."""
    found, tried = [], 0
    dice = random.Random(f"{arguments.seed} {story}")
    with tempfile.TemporaryDirectory(prefix="fleetlens-cuts-") as scratch:
        folder = os.path.join(scratch, "capture")
        unpack(capture, folder)
        errors = [it for it in report(tool, folder) if it["severity"] == "error"]
        whole = {it for error in errors for it in accused(error)}
        objects = {it[1:] for it in whole if len(it) == 3}
        files = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(TEXTS))
        for path in files:
            with open(path, "rb") as file:
                text = file.read()
            if len(text) < 2:
                continue
            for harm, rest in harms(text, arguments.per_file, dice):
                with open(path, "wb") as file:
                    file.write(rest)
                tried += 1
                for finding in report(tool, folder):
                    if finding["severity"] == "error" and not finding.get("explained_by") and not accused(finding) & whole:
                        thing = named(finding.get("object"))
                        known = "other words" if thing in objects else "new"
                        thing = " ".join(map(str, thing))
                        found.append((known, f"{story}/{os.path.relpath(path, folder)}, {harm}", finding["code"], finding.get("certainty"), f"{thing}: {finding['message'][:150]}"))
            with open(path, "wb") as file:
                file.write(text)
    return tried, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("stories")
    parser.add_argument("--per-file", type=int, default=4, help="harms of each of the three kinds per file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="stories whose name contains this")
    arguments = parser.parse_args()
    stories = sorted(name for name in os.listdir(arguments.stories) if os.path.isdir(os.path.join(arguments.stories, name, "capture")))
    stories = [name for name in stories if not arguments.only or arguments.only in name]
    tool = os.path.abspath(arguments.tool)
    tried, counts = 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(judge, tool, name, os.path.join(arguments.stories, name, "capture"), arguments) for name in stories]
        for run in runs:
            number, found = run.result()
            tried += number
            for known, harm, code, certainty, words in found:
                counts[known, code, certainty] += 1
                print(f"{known}: {harm}: {code} ({certainty}) {words}")
    new = sum(number for (known, _, _), number in counts.items() if known == "new")
    print(f"{new} new accusations in {tried} harmed captures of {len(stories)} stories")
    for (known, code, certainty), number in counts.most_common():
        print(f"  {known}: {code} {certainty}: {number}")
    sys.exit(1 if new else 0)


if __name__ == "__main__":
    main()

"""Which causes recur? Every archive of a folder judged under Spark, one row per finding.

    spark-submit spark.py 'tickets/*.tgz' causes.parquet

Each worker needs `pip install fleetlens pandas pyarrow`. A bundle is one archive: Spark reads it as bytes, the program
judges it, and one that cannot be judged becomes a row that says why.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import urllib.parse

COLUMNS = ("bundle", "outcome", "message", "code", "name", "severity", "is_cause", "object", "headline")
SCHEMA = ", ".join(f"{column} {'boolean' if column == 'is_cause' else 'string'}" for column in COLUMNS)


def program():
    """The program of the wheel, also where its folder is not in PATH."""
    return shutil.which("fleetlens") or os.path.join(sysconfig.get_path("scripts"), "fleetlens")


def judge(path, content):
    """Judges one archive; yields a row per finding, or one row where there is none."""
    row = dict.fromkeys(COLUMNS) | {"bundle": path}
    with tempfile.TemporaryDirectory() as folder:
        # The name matters: its ending says what the archive is.
        bundle = pathlib.Path(folder, urllib.parse.unquote(path.rsplit("/", 1)[-1]))
        bundle.write_bytes(content)
        command = [program(), "analyze", "--each", folder, "--format", "ndjson"]
        ended = subprocess.run(command, capture_output=True, text=True)
    try:
        line = json.loads(ended.stdout)
    except ValueError:
        yield row | {"outcome": "failed", "message": ended.stderr.strip()}
        return
    row |= {"outcome": line["outcome"], "message": line.get("message")}
    findings = line.get("report", {}).get("findings", [])
    if not findings:
        yield row
    for finding in findings:
        about = finding.get("object") or {}
        yield row | {
            "code": finding["code"],
            "name": finding["name"],
            "severity": finding["severity"],
            "is_cause": not finding["explained_by"],
            "object": "/".join(filter(None, (about.get("kind"), about.get("namespace"), about.get("name")))),
            "headline": finding["message"],
        }


def judge_frames(frames):
    import pandas

    for frame in frames:
        rows = [row for path, content in zip(frame.path, frame.content) for row in judge(path, bytes(content))]
        yield pandas.DataFrame(rows, columns=COLUMNS)


def main(bundles, out):
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import col, countDistinct

    spark = SparkSession.builder.appName("fleetlens").getOrCreate()
    files = spark.read.format("binaryFile").load(bundles).select("path", "content")
    files.mapInPandas(judge_frames, SCHEMA).write.mode("overwrite").parquet(out)
    causes = spark.read.parquet(out).where("severity = 'error' AND is_cause")
    tickets = causes.groupBy("code", "name").agg(countDistinct("bundle").alias("tickets"))
    tickets.orderBy(col("tickets").desc(), "code").show(50, truncate=False)


if __name__ == "__main__":
    main(*sys.argv[1:])

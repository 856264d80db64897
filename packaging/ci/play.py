"""Plays the scripts of a snippet as its service would: play.py FILE FOLDER TEMP

FILE is the composite action, the Azure template or the GitLab job; the scripts run one after the other in FOLDER, with the
variables of the service set. Ends with the code of the first script that fails, as the service would stop there. Steps that
call the service itself (an upload) are left out.
"""
import os, re, subprocess, sys, yaml

path, folder, temp = sys.argv[1:]
snippet = yaml.safe_load(open(path))
outputs = os.path.join(temp, "outputs")
open(outputs, "w").close()
if "runs" in snippet:
    steps = [step for step in snippet["runs"]["steps"] if "run" in step]
    values = {f"inputs.{name}": str(given["default"]) for name, given in snippet["inputs"].items()}
elif "steps" in snippet:
    steps = [{"run": step["script"]} for step in snippet["steps"] if "script" in step]
    values = {f"parameters.{given['name']}": given["default"] for given in snippet["parameters"]}
else:
    steps = [{"run": script} for job in snippet.values() for script in job["script"]]
    values = {}
values["runner.temp"] = temp


def fill(text):
    for line in open(outputs):
        name, value = line.rstrip("\n").split("=", 1)
        values[f"steps.judge.outputs.{name}"] = value
    text = re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: values[found[1]], text)
    return text.replace("$(Agent.TempDirectory)", temp)


for step in steps:
    env = {**os.environ, "RUNNER_TEMP": temp, "GITHUB_OUTPUT": outputs}
    env |= {name: fill(value) for name, value in step.get("env", {}).items()}
    code = subprocess.run(["bash", "-e", "-c", fill(step["run"])], cwd=folder, env=env).returncode
    if code:
        sys.exit(code)

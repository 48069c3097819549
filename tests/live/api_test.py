"""Holds docs/openapi.json against the server of a run: api_test.py PROGRAM SOURCE_DIR.

Also: who watches, pauses and steps changes no result."""
import json
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

from served_run import ServedRun, same_results, wait_for


def resolver_of(description):
    def check(value, schema):
        jsonschema.Draft202012Validator({**schema, "components": description["components"]}).validate(value)
    return check


def schema_of(responses, status, description):
    response = responses[str(status)]
    if "$ref" in response:
        response = description["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    return response["content"]


def check_gets(run, description, check):
    for path, methods in description["paths"].items():
        if "get" not in methods or path == "/api/v1/events" or path.startswith("/api/v1/jobs") \
           or path in ("/api/v1/machines", "/api/v1/policies"):
            continue
        real = path.replace("{number}", "0")
        status, kind, text = run.ask(real + ("?task=1.0" if path.endswith("explain") else ""))
        content = schema_of(methods["get"]["responses"], status, description)
        assert kind in content, (path, kind)
        if kind == "application/json":
            check(json.loads(text), content[kind].get("schema", {}))


def read_events(run, description, check):
    """Checks the events of a stream up to the end of the run."""
    import urllib.request
    schemas = {"hello": "Hello", "tick": "Tick", "details": "Details", "clock": "Clock"}
    seen, over = {}, False
    with urllib.request.urlopen(run.url + "api/v1/events", timeout=60) as stream:
        assert stream.headers.get_content_type() == "text/event-stream"
        name = None
        for line in stream:
            line = line.decode().rstrip("\n")
            if line.startswith("event: "):
                name = line[7:]
            if not line.startswith("data: "):
                continue
            data = json.loads(line[6:])
            check(data, description["components"]["schemas"][schemas[name]])
            seen[name] = seen.get(name, 0) + 1
            if name == "hello":
                run.control({"pause": False})
                run.control({"speed": "max"})
            over = over or bool(data and data.get("over"))
            if over and name == "details":
                return seen
    raise AssertionError("the stream ended before the run")


def answer(run, path):
    """Asks until the server has stopped working on it; returns the status and the JSON."""
    def look():
        status, _, text = run.ask(path)
        return None if status == 202 else (status, json.loads(text))
    return wait_for("an answer to " + path, look)


def check_explanations(run, description, check):
    """Returns what was told of a task that is over."""
    schemas = description["components"]["schemas"]
    status, story = answer(run, "/api/v1/explain?task=1.0")
    assert status == 200, story
    check(story, schemas["Story"])
    now = run.state()["now_s"]
    assert story["until_s"] <= now, (story["until_s"], now)
    status, job = answer(run, "/api/v1/explain?task=1")
    assert status == 200 and job["sentences"][0].startswith("Job 1 "), job
    status, verdict = answer(run, "/api/v1/why-not?task=1.0&machine=7")
    assert status == 200 and verdict["verdict"] in ("placed", "over") and verdict["machine"] == 7, verdict
    check(verdict, schemas["WhyNot"])
    for path, wanted, words in (("explain?task=999999.0", 404, "so far"), ("explain?task=x", 400, "JOB.TASK"),
                                ("explain", 400, "JOB.TASK"), ("explain?task=--help", 400, "JOB.TASK"),
                                ("why-not?task=1.0&machine=1e9", 400, "not a number"),
                                ("why-not?task=1.0&at=soon", 400, "14.2s"),
                                ("why-not?task=1.0&machine=10000", 400, "is no machine")):
        status, error = answer(run, "/api/v1/" + path)
        assert status == wanted and words in error["error"], (path, status, error)
    return story


def check_one_at_a_time(run):
    """While somebody waits for an answer, another question is refused; both are answered in the end."""
    import concurrent.futures
    tasks = ["2.0", "3.0", "4.0", "5.0"]
    with concurrent.futures.ThreadPoolExecutor(len(tasks)) as pool:
        first = list(pool.map(lambda t: run.ask("/api/v1/explain?task=" + t)[0], tasks))
    assert first.count(503) >= 1 and first.count(200) + first.count(202) >= 1, first
    for task in tasks:
        wait_for(task, lambda t=task: run.ask("/api/v1/explain?task=" + t)[0] == 200)


def check_real_time(program, config, folder):
    """From the records, which are written when somebody asks."""
    short = ["--set", "clock=real", "--set", "cluster.machines=500", "--no-report", "--stay"]
    rate = ["--set", "workload.phases=[{length=\"600s\", rate=500}]", "--set", "duration=600s",
            "--set", "workload.duration={value=0.2}"]  # s: the first task is over soon
    with ServedRun(program, config, folder + "/real", *short, *rate, "--records", "tasks") as run:
        def finished():
            status, _, text = run.ask("/api/v1/explain?task=1.0")
            story = json.loads(text)
            return status == 200 and "finished" in story["sentences"][0] and story
        assert wait_for("a record of a task", finished)["replayed"] is False
        assert run.state()["over"] is False
        status, verdict = answer(run, "/api/v1/why-not?task=1.0&machine=7")
        assert status == 200 and verdict["verdict"] == "over", verdict
        assert verdict["machine_if_idle"]["check"] == "fits", verdict
    with ServedRun(program, config, folder + "/plain", *short, *rate) as run:
        status, _, text = run.ask("/api/v1/explain?task=1.0")
        assert status == 501 and "--records tasks" in text, text


def main(program, source):
    config = source + "/configs/quickstart.toml"
    short = ["--set", "duration=15s", "--no-report"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "run", config, "--quiet", "--out", folder + "/without", *short],
                       check=True, stdout=subprocess.DEVNULL)
        with ServedRun(program, config, folder + "/with", *short, "--speed", "paused", "--stay") as run:
            status, _, text = run.ask("/api/v1/openapi.json")
            assert status == 200
            description = json.loads(text)
            check = resolver_of(description)
            check_gets(run, description, check)
            assert run.state()["now_s"] == 0
            for steps, now in ((1, 1), (2, 3)):
                clock = run.control({"step": steps})
                check(clock, description["components"]["schemas"]["Clock"])
                wait_for(f"{now} s", lambda: run.state()["now_s"] >= now)
                assert run.state()["now_s"] == now, "a step is one interval"
            run.control({"speed": 100})
            run.control({"pause": False})
            wait_for("6 s", lambda: run.state()["now_s"] >= 6)
            run.control({"pause": True})
            check_gets(run, description, check)
            check_explanations(run, description, check)
            check_one_at_a_time(run)
            for body, wanted in (({"pause": 1}, 400), ({"step": 0}, 400)):
                assert run.ask("/api/v1/control", body)[0] == wanted
            assert run.ask("/api/v1/control", {"pause": True}, {"Origin": "http://evil.example"})[0] == 403
            assert run.ask("/api/v1/control", {"pause": True}, {"Content-Type": "text/plain"})[0] == 415
            assert run.ask("/api/v1/state", headers={"Host": "evil.example"})[0] == 421
            seen = read_events(run, description, check)
            assert {"hello", "tick", "details", "clock"} <= set(seen), seen
            wait_for("the end", lambda: run.state()["over"])
            check_gets(run, description, check)
            state = run.state()
            assert sum(row[1] for row in state["rows"]) == state["samples"]
            told = check_explanations(run, description, check)
            # --stay ends by Ctrl-C, which is no failure: the run was over.
            assert run.end() == 0
        same_results(folder + "/without", folder + "/with")
        later = subprocess.run([program, "explain", "1.0", "--in", folder + "/with", "--json", "--quiet"],
                               check=True, stdout=subprocess.PIPE).stdout
        assert json.loads(later)["story"] == told["story"], "the API tells another story"
        check_real_time(program, config, folder)
    print("all as described")


main(sys.argv[1], sys.argv[2])

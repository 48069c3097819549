"""Drives the live page by a browser, and prints a report: browser_test.py PROGRAM SOURCE_DIR.

With TROUPE_SCREENSHOTS=DIR, keeps pictures of the page there."""
import os
import subprocess
import sys
import tempfile

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    print("skipped: python3-selenium is not installed")
    sys.exit(77)

from served_run import ServedCluster, ServedRun, wait_for

BROWSERS = ("/usr/bin/chromium", "/usr/bin/chromium-browser")
DRIVER = "/usr/bin/chromedriver"


def browser():
    binary = next((b for b in BROWSERS if os.path.exists(b)), None)
    if not binary or not os.path.exists(DRIVER):
        print("skipped: chromium or chromium-driver is not installed")
        sys.exit(77)
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                     "--window-size=1280,1600", "--disable-background-networking"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


class Page:
    def __init__(self, driver):
        self.driver = driver

    def text(self, name):
        return self.driver.execute_script("return document.getElementById(arguments[0]).textContent", name)

    def click(self, name):
        self.driver.find_element(By.ID, name).click()

    def speed(self, value):
        self.driver.find_element(By.CSS_SELECTOR, f"#speeds button[value='{value}']").click()

    def wait_text(self, name, part):
        wait_for(f"#{name} has '{part}', it is '{self.text(name)}'", lambda: part in self.text(name))

    def points(self):
        return self.driver.execute_script("return series_rows.length")

    def samples(self):
        return self.driver.execute_script("return series_rows.reduce((n, r) => n + r[1], 0)")

    def errors(self):
        return [e["message"] for e in self.driver.get_log("browser") if e["level"] == "SEVERE"]

    def overflows(self):
        return self.driver.execute_script(
            "return document.documentElement.scrollWidth > document.documentElement.clientWidth")


def drive_clock(page):
    page.wait_text("connection", "live")
    assert page.text("time") == "00:00:00", page.text("time")
    page.click("step")
    page.wait_text("time", "00:00:01")
    page.driver.find_element(By.TAG_NAME, "body").send_keys("s")
    page.wait_text("time", "00:00:02")
    page.wait_text("pause", "Go on")
    before = page.text("cards")
    page.speed(10)
    page.wait_text("pause", "Pause")
    wait_for("points", lambda: page.points() > 5)
    page.click("pause")
    page.wait_text("pause", "Go on")
    assert page.text("cards") != before, "the figures do not move"
    shown = page.driver.find_elements(By.CSS_SELECTOR, "#plots .uplot")
    assert len(shown) >= 8, f"only {len(shown)} plots"


def look_at_members(page):
    rows = page.driver.find_elements(By.CSS_SELECTOR, "#schedulers tbody tr")
    assert len(rows) == 10, len(rows)
    assert "no nodes" in page.text("nodes-note").lower() or "only clusters" in page.text("nodes-note")
    heads = page.driver.find_elements(By.CSS_SELECTOR, "#schedulers th button")
    heads[5].click()
    head = page.driver.find_elements(By.CSS_SELECTOR, "#schedulers th")[5]
    assert head.get_attribute("aria-sort") == "descending"


def look_at_partitions(page):
    colours = """
        const c = document.getElementById('heat'), seen = new Set();
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        for (let i = 0; i < d.length; i += 4) seen.add(d[i] + ',' + d[i + 1] + ',' + d[i + 2]);
        return seen.size"""
    for kind in ("use", "age", "rate"):
        Select(page.driver.find_element(By.ID, "heat-what")).select_by_value(kind)
        wait_for("a drawn map: " + kind, lambda: page.driver.execute_script(colours) > 1)
    canvas = page.driver.find_element(By.ID, "heat")
    canvas.send_keys(Keys.ARROW_RIGHT)
    canvas.send_keys(Keys.ARROW_RIGHT)
    page.wait_text("heat-cell", "partition")
    Select(page.driver.find_element(By.ID, "heat-what")).select_by_value("age")
    Select(page.driver.find_element(By.ID, "heat-scheduler")).select_by_value("3")
    wait_for("the view of a scheduler", lambda: page.driver.execute_script("return heat.ages !== null"))


def search(page):
    field = page.driver.find_element(By.ID, "task")
    field.send_keys("x", Keys.ENTER)
    page.wait_text("answer", "names no task")
    field.clear()
    field.send_keys("1.0", Keys.ENTER)
    page.wait_text("answer", "Task 1.0 ")
    page.wait_text("answer", " picked machine ")
    page.driver.find_element(By.ID, "machine").send_keys("7")
    page.click("why-not")
    page.wait_text("answer", "machine 7")
    field.clear()
    field.send_keys("999999.0", Keys.ENTER)
    page.wait_text("answer", "there is no task 999999.0 so far")


def legends(page):
    """Returns the colours of the legends' markers, which must be those of their lines."""
    return page.driver.execute_script("""
        return charts.flatMap((c) => [...c.root.querySelectorAll('.u-legend .u-series')].slice(1).map((row, i) => {
          const marker = row.querySelector('.u-marker'), probe = document.createElement('i');
          const stroke = c.series[i + 1].stroke;
          probe.style.color = (stroke && stroke(c, i + 1)) || marker.style.borderColor;
          document.body.append(probe);
          const line = getComputedStyle(probe).color;
          probe.remove();
          return getComputedStyle(marker).borderBottomColor === line ? line : 'not ' + line;
        }))""")


def pictures(page):
    folder = os.environ.get("TROUPE_SCREENSHOTS")
    shown = []
    for width in (1280, 390):
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 1600, "deviceScaleFactor": 1, "mobile": width < 500})
        for theme in ("light", "dark"):
            Select(page.driver.find_element(By.ID, "theme")).select_by_value(theme)
            wait_for("a page that fits", lambda: not page.overflows())
            shown.append(legends(page))
            assert shown[-1] and not any(c.startswith("not") for c in shown[-1]), shown[-1]
            if folder:
                page.driver.execute_async_script(
                    "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")
                height = page.driver.execute_script("return document.documentElement.scrollHeight")
                page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
                page.driver.save_screenshot(f"{folder}/live-{width}-{theme}.png")
                page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": 1600, "deviceScaleFactor": 1, "mobile": width < 500})
    assert shown[0] != shown[1], "both themes have the same colours"
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def print_report(page, program, config, folder):
    """On paper, each plot of a report fits into half of the width, with all of its time axis."""
    subprocess.run([program, "run", config, "--quiet", "--set", "duration=5s", "--out", folder],
                   check=True, stdout=subprocess.DEVNULL)
    page.driver.get("file://" + folder + "/report.html")
    widths = "return [...document.querySelectorAll('.uplot')].map((u) => u.offsetWidth)"
    shown = page.driver.execute_script(widths)
    assert len(shown) > 8 and min(shown) > 400, shown
    theme = "return document.documentElement.dataset.theme || ''"
    page.driver.execute_script("dispatchEvent(new Event('beforeprint'))")
    printed = page.driver.execute_script(widths)
    assert 200 < min(printed) and max(printed) <= 330, printed
    assert page.driver.execute_script(theme) == "light"
    page.driver.execute_script("dispatchEvent(new Event('afterprint'))")
    assert page.driver.execute_script(widths) == shown
    assert page.driver.execute_script(theme) == ""
    assert not page.errors()


def look_at_jobs(page, cluster):
    """The jobs of a cluster: the list, its filters, a job's tasks, what a task wrote."""
    cluster.run("submit", "--name", "sums", "--count", "5", "--", "sh", "-c", "echo sum")
    cluster.run("submit", "--name", "bad", "--", "sh", "-c", "echo cannot open it >&2; exit 3")
    page.driver.get(cluster.url)
    page.errors()  # those of the server before, which has ended
    def cells(table, row):
        return page.driver.execute_script("return [...document.querySelectorAll(arguments[0])].map((c) => c.textContent)",
                                          f"#{table} tbody tr:nth-child({row}) td")

    def open_row(table):
        page.driver.execute_script("document.querySelector(arguments[0]).click()", f"#{table} td button")

    wait_for("both jobs", lambda: len(page.driver.find_elements(By.CSS_SELECTOR, "#jobs tbody tr")) == 2)
    wait_for("a job that failed", lambda: cells("jobs", 1)[1:4] == ["bad", "default", "failed"])
    wait_for("a job that succeeded", lambda: cells("jobs", 2)[:6] == ["1", "sums", "default", "succeeded", "5", "5"])
    assert "2 jobs" in page.text("jobs-note"), page.text("jobs-note")
    Select(page.driver.find_element(By.ID, "jobs-state")).select_by_visible_text("failed")
    wait_for("one job", lambda: len(page.driver.find_elements(By.CSS_SELECTOR, "#jobs tbody tr")) == 1)
    open_row("jobs")
    page.wait_text("tasks-name", "Job 2")
    wait_for("the task", lambda: "exit code 3" in cells("tasks", 1))
    open_row("tasks")
    page.wait_text("task-name", "Task 2.0")
    page.wait_text("task-stderr", "cannot open it")
    page.wait_text("task-stdout", "(nothing)")
    assert "exit code 3" in cells("task-runs", 1)
    # A node has joined: the page begins anew, and the job stays open.
    page.driver.execute_script("handle('hello', Object.assign({}, newest, { about, columns, details, explain: null }))")
    assert page.driver.find_element(By.ID, "task-part").is_displayed()
    Select(page.driver.find_element(By.ID, "jobs-state")).select_by_visible_text("all")
    page.driver.find_element(By.ID, "jobs-name").send_keys("nothing", Keys.ENTER)
    page.wait_text("jobs-note", "No job is like that")
    page.click("jobs-close")
    assert not page.driver.find_element(By.ID, "task-part").is_displayed()
    cluster.run("submit", "--name", "large", "--cpu", "999", "--", "true")
    cluster.run("submit", "--name", "later", "--after", "3", "--", "true")
    cluster.run("submit", "--name", "limited", "--tenant", "ci", "--", "true")
    for name, job, waits in (("large", 3, "waits for machines: no machine has 999 cores"),
                             ("later", 4, "until these jobs have succeeded: 3."),
                             ("limited", 5, "maximum admits it: tenant ci may use at most 0.001 of the machines")):
        find = page.driver.find_element(By.ID, "jobs-name")
        find.clear()
        find.send_keys(name, Keys.ENTER)
        wait_for("the job " + name, lambda: cells("jobs", 1)[:2] == [str(job), name])
        open_row("jobs")
        page.wait_text("tasks-name", f"Job {job}")
        page.wait_text("tasks-note", waits)
    errors = page.errors()
    assert not errors, errors


def main(program, source):
    config = source + "/configs/quickstart.toml"
    options = ["--set", "duration=40s", "--no-report", "--stay", "--speed"]
    driver = browser()
    page = Page(driver)
    try:
        with tempfile.TemporaryDirectory() as folder:
            print_report(page, program, config, folder + "/report")
            with ServedRun(program, config, folder + "/first", *options, "paused") as run:
                driver.get(run.url)
                drive_clock(page)
                look_at_members(page)
                look_at_partitions(page)
                search(page)
                pictures(page)
                errors = [e for e in page.errors() if "task=999999.0" not in e]
                assert not errors, errors
                address = f"127.0.0.1:{run.port}"
            page.wait_text("connection", "connection lost")
            page.errors()  # those of the lost connection
            with ServedRun(program, config, folder + "/second", *options, "paused", "--seed", "2",
                           address=address) as run:
                page.wait_text("connection", "live")
                page.wait_text("sentence", "seed 2")
                page.wait_text("time", "00:00:00")
                page.speed("max")
                page.wait_text("of", "the run is over")
                wait_for("all samples", lambda: page.samples() == 40)
                assert not driver.find_element(By.ID, "pace").is_displayed()
                late = [e for e in page.errors() if "ERR_CONNECTION_REFUSED" not in e]
                assert not late, late
                assert not driver.find_element(By.ID, "jobs-part").is_displayed()
            with ServedCluster(program, source + "/configs/jobs.toml", folder + "/third", "--set",
                               'tenants=[{name="default"},{name="ci",max=0.001}]') as cluster:
                look_at_jobs(page, cluster)
    finally:
        driver.quit()
    print("the page does all that")


main(sys.argv[1], sys.argv[2])

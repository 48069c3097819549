#include "live/live_page.hpp"

#include "live/live_assets.hpp"
#include "live/live_text.hpp"
#include "live/page_details.hpp"
#include "live/page_rows.hpp"
#include "report/page/assets.hpp"
#include "report/page/html.hpp"
#include "report/page/plots/plots.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace troupe {

namespace {

constexpr auto tick_gap = std::chrono::milliseconds{250};
constexpr auto details_gap = std::chrono::milliseconds{1000};
constexpr std::size_t rows_of_tick = 10;
constexpr std::uint64_t most_steps = 1'000'000;
constexpr double least_speed = 1e-3;
constexpr double most_speed = 1e6;

constexpr const char* page_path = "/";
constexpr const char* style_path = "/live.css";
constexpr const char* plots_path = "/uplot.js";
constexpr const char* script_path = "/live.js";
constexpr const char* description_path = "/api/v1/openapi.json";
constexpr const char* state_path = "/api/v1/state";
constexpr const char* events_path = "/api/v1/events";
constexpr const char* control_path = "/api/v1/control";
constexpr const char* ages_path = "/api/v1/schedulers/{number}/ages";
constexpr const char* explain_path = "/api/v1/explain";
constexpr const char* why_not_path = "/api/v1/why-not";
constexpr const char* metrics_path = "/metrics";

/// The plots of the report that the live rows have columns for.
std::string plots_text() {
  nlohmann::ordered_json out{{"plots", nlohmann::ordered_json::array()}};
  const auto columns = live_columns();
  for (const auto& p : plots()) {
    auto series = nlohmann::ordered_json::array();
    for (const auto& s : p.series)
      if (std::ranges::find(columns, s.column) != columns.end())
        series.push_back(
          {{"column", s.column}, {"label", s.label}, {"colour", s.colour}, {"dash", s.dash}});
    if (!series.empty())
      out["plots"].push_back({{"id", p.id},
                              {"title", p.title},
                              {"axis", p.axis},
                              {"unit", p.unit},
                              {"log", p.log},
                              {"otherwise", p.otherwise},
                              {"series", std::move(series)}});
  }
  return script_json(out);
}

std::string page_text() {
  auto html = live_assets::page();
  constexpr std::string_view mark = "@DATA@";
  html.replace(html.find(mark), mark.size(), plots_text());
  return html;
}

std::string about_text(const live_about& about, const live_state& state) {
  std::string groups;
  for (const auto& g : about.groups)
    groups += (groups.empty() ? "" : ",") +
              fmt::format(R"({{"name":{},"policy":{},"schedulers":{}}})", live_quoted(g.name),
                          live_quoted(g.policy), g.schedulers);
  return fmt::format(
    R"({{"run":{},"name":{},"architecture":{},"policy":{},"world":{},"seed":{},"interval_s":{},)"
    R"("length_s":{},"sync_gap_s":{},"machines":{},"owners":{},"schedulers":{},"partitions":{},)"
    R"("groups":[{}]}})",
    live_quoted(about.run), live_quoted(about.name), live_quoted(about.architecture),
    live_quoted(about.policy), live_quoted(about.world), about.seed,
    live_number(to_seconds(about.interval)), live_number(to_seconds(about.length)),
    live_number(to_seconds(about.sync_gap)), about.machines, about.owners, state.schedulers.size(),
    state.partitions.size(), groups);
}

std::string events_after(const live_state& state, std::uint64_t after) {
  std::string text = "[";
  for (const auto& e : state.events)
    if (e.number > after)
      text += (text.size() > 1 ? "," : "") +
              fmt::format(R"({{"number":{},"at_s":{},"what":{},"member":{},"detail":{}}})",
                          e.number, live_number(to_seconds(e.at)), live_quoted(e.what),
                          live_quoted(e.member), live_quoted(e.detail));
  return text + ']';
}

std::string totals_text(const live_state& state) {
  scheduler_sample all;
  for (const auto& g : state.groups)
    all.merge(g);
  const auto& t = all.tasks;
  const auto delay = delay_figures::of(all.delay);
  return fmt::format(
    R"({{"submitted":{},"placed":{},"finished":{},"failed":{},"lost":{},"abandoned":{},)"
    R"("queued":{},"in_commit":{},"running":{},"conflicts":{},"preempted":{},"jobs_submitted":{},)"
    R"("jobs_finished":{},"delay_p50_s":{},"delay_p99_s":{},"delay_max_s":{},"oldest_s":{},)"
    R"("machines_up":{},"utilization":{}}})",
    t.submitted, t.placed, t.finished, t.failed, t.lost, t.abandoned, t.queued, t.in_commit,
    t.running, all.conflicts, all.preempted.tasks, all.jobs_submitted, all.jobs_finished,
    delay.count > 0 ? live_number(delay.p50) : "null",
    delay.count > 0 ? live_number(delay.p99) : "null",
    delay.count > 0 ? live_number(delay.max) : "null", live_number(all.waiting.max()),
    state.machines_up(), live_number(state.utilization));
}

/// The page itself, without data.
void mount_texts(route_table& routes) {
  routes.text(page_path, "text/html; charset=utf-8", page_text());
  routes.text(style_path, "text/css; charset=utf-8",
              page_assets::plot_style() + page_assets::style() + live_assets::style());
  routes.text(plots_path, "text/javascript; charset=utf-8",
              "/*\n" + page_assets::plot_licence() + "*/\n" + page_assets::plot_library());
  routes.text(script_path, "text/javascript; charset=utf-8", live_assets::script());
  routes.text(description_path, "application/json", live_assets::openapi());
}

} // namespace

live_page::live_page(live_sources from)
  : from_(std::move(from)), feed_(std::make_shared<event_feed>([this] { return hello(); })) {}

std::string live_page::clock_text() const {
  if (!from_.clock)
    return "null";
  const auto now = from_.clock->read();
  return fmt::format(R"({{"paused":{},"speed":{}}})", now.paused,
                     now.speed > 0 ? live_number(now.speed) : "\"max\"");
}

std::string live_page::tick(const live_state& state, const std::string& rows,
                            const std::string& events) const {
  return fmt::format(
    R"("now_s":{},"samples":{},"over":{},"clock":{},"totals":{},"rows":{},"events":{})",
    live_number(to_seconds(state.now)), state.samples, state.over, clock_text(), totals_text(state),
    rows, events);
}

std::string live_page::hello() const {
  return from_.board->read([&](const live_state& state) {
    std::string columns;
    for (const auto name : live_columns())
      columns += (columns.empty() ? "" : ",") + live_quoted(name);
    return fmt::format(
      R"({{"format":1,"about":{},"columns":[{}],{},"events_so_far":{},"details":{},)"
      R"("explain":{},"metrics":{}}})",
      about_text(state.about, state), columns,
      tick(state, whole_rows(state), events_after(state, 0)), state.events_so_far,
      page_details(state), from_.explain ? "null" : live_quoted(from_.why_no_explain),
      from_.metrics ? "null" : live_quoted(from_.why_no_metrics));
  });
}

void live_page::refresh(bool at_once) {
  const std::lock_guard lock{mutex_};
  const auto now = wall::now();
  if (!at_once && now < next_tick_)
    return;
  const bool with_details = at_once || now >= next_details_;
  next_tick_ = now + tick_gap;
  if (with_details)
    next_details_ = now + details_gap;
  const bool read = feed_->readers() > 0;
  std::string news;
  std::string details;
  from_.board->read([&](const live_state& state) {
    if (read) {
      news = '{' +
             tick(state, rows_after(state, told_samples_, rows_of_tick),
                  events_after(state, told_events_)) +
             '}';
      if (with_details)
        details = page_details(state);
    }
    told_samples_ = state.samples;
    told_events_ = state.events_so_far;
    return 0;
  });
  if (!read)
    return;
  feed_->publish("tick", news, event_kind::news);
  if (with_details)
    feed_->publish("details", details, event_kind::newest);
}

void live_page::show_all() {
  const std::lock_guard lock{mutex_};
  if (feed_->readers() > 0)
    feed_->publish("hello", hello(), event_kind::newest);
  from_.board->read([&](const live_state& state) {
    told_samples_ = state.samples;
    told_events_ = state.events_so_far;
    return 0;
  });
}

void live_page::end() {
  from_.board->change([](live_state& state) { state.over = true; });
  refresh(true);
}

web_response live_page::control(const web_request& request) {
  if (!from_.clock)
    return error_response(409, "the clock of this run is real: time passes by itself");
  const auto body = nlohmann::json::parse(request.body, nullptr, false);
  const auto expected =
    "expected one of {\"pause\": true}, {\"pause\": false}, {\"step\": N} with N "
    "from 1, {\"speed\": X} with X from 0.001 to 1000000, {\"speed\": \"max\"}";
  if (!body.is_object() || body.size() != 1)
    return error_response(400, std::string{"the body is not a command; "} + expected);
  const auto& name = body.begin().key();
  const auto& value = body.begin().value();
  if (name == "pause" && value.is_boolean()) {
    value.get<bool>() ? from_.clock->pause() : from_.clock->go_on();
  } else if (name == "step" && value.is_number_unsigned() && value.get<std::uint64_t>() > 0 &&
             value.get<std::uint64_t>() <= most_steps) {
    from_.clock->step(value.get<std::uint64_t>());
  } else if (name == "speed" && value == "max") {
    from_.clock->set_speed(0);
  } else if (name == "speed" && value.is_number() && value.get<double>() >= least_speed &&
             value.get<double>() <= most_speed) {
    from_.clock->set_speed(value.get<double>());
  } else {
    return error_response(400, "'" + name + "' has an unknown name or value; " + expected);
  }
  const auto clock = clock_text();
  feed_->publish("clock", clock, event_kind::newest);
  return json_response(clock + '\n');
}

void live_page::mount(route_table& routes) {
  mount_texts(routes);
  routes.get(state_path, [this](const web_request&) { return json_response(hello() + '\n'); });
  routes.events(events_path, feed_);
  routes.post(control_path, [this](const web_request& r) { return control(r); });
  routes.get(ages_path, [this](const web_request& r) {
    const auto& text = r.parts.at("number");
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool valid = error == std::errc{} && end == text.data() + text.size();
    auto ages = from_.board->read(
      [&](const live_state& state) { return valid ? ages_of(state, number) : std::string{}; });
    return ages.empty() ? error_response(404, "there is no scheduler " + text)
                        : json_response("{\"age_s\":" + std::move(ages) + "}\n");
  });
  const auto add_if_known = [&](const char* path, const web_handler& handler) {
    if (handler)
      routes.add("GET", path, handler);
    else
      routes.get(path,
                 [this](const web_request&) { return error_response(501, from_.why_no_explain); });
  };
  add_if_known(explain_path, from_.explain);
  add_if_known(why_not_path, from_.why_not);
  routes.get(metrics_path, [this](const web_request&) {
    if (!from_.metrics)
      return error_response(501, from_.why_no_metrics);
    auto out = json_response(from_.metrics());
    out.type = "text/plain; version=0.0.4; charset=utf-8";
    return out;
  });
}

void mount_without_run(route_table& routes, const std::function<web_response()>& answer) {
  mount_texts(routes);
  for (const auto* path :
       {state_path, events_path, ages_path, explain_path, why_not_path, metrics_path})
    routes.get(path, [answer](const web_request&) { return answer(); });
  routes.post(control_path, [answer](const web_request&) { return answer(); });
}

} // namespace troupe

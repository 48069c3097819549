#include "support/live_run.hpp"

#include "cluster/node_options.hpp"
#include "commands/commands.hpp"
#include "report/metrics/metrics_text.hpp"
#include "runtime/run/live_about.hpp"
#include "settings/toml/print.hpp"
#include "support/option_hints.hpp"
#include "web/token.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <thread>
#include <utility>

namespace troupe {

namespace {

constexpr auto pause_after_end = std::chrono::milliseconds{50};
constexpr double least_serve_speed = 0.001;
constexpr double most_serve_speed = 1e6;

run_pace::reading pace_of(const std::string& text) {
  if (text.empty() || text == "max")
    return {};
  if (text == "paused")
    return {true, 0};
  double speed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), speed);
  if (error != std::errc{} || end != text.data() + text.size() || !(speed >= least_serve_speed) ||
      speed > most_serve_speed)
    throw usage_error{
      "run: --speed " + text +
      ": expected a number from 0.001 to 1000000 (virtual seconds in a second), max "
      "or paused"};
  return {false, speed};
}

web_options server_options_of(const serve_options& options) {
  web_options made;
  const auto name = options.as.empty() ? std::string{"client"} : options.as;
  read_address(default_serve_address, made);
  if (const auto wrong = read_address(options.address, made); !wrong.empty())
    throw usage_error{"run: --serve " + options.address + ": " + wrong};
  if (options.certs.empty())
    return made;
  made.tls = credentials_of(options.certs, name);
  made.token = token_in(std::filesystem::path{options.certs} / (name + ".token"));
  return made;
}

page_clock_controls controls_of(run_pace& pace) {
  return {[&pace] {
            const auto now = pace.read();
            return page_clock{now.paused, now.speed};
          },
          [&pace] { pace.pause(); }, [&pace] { pace.go_on(); },
          [&pace](std::uint64_t intervals) { pace.step(intervals); },
          [&pace](double speed) { pace.set_speed(speed); }};
}

/// Why tasks of such a run cannot be explained; empty if they can.
std::string why_no_explanation(const run_settings& settings) {
  if (settings.clock == clock_kind::virtual_time || settings.records == record_level::tasks)
    return "";
  return "this run is in real time, and keeps no records of tasks; runs with --records tasks do";
}

web_handler answer_by(explain_desk& desk, bool why_not) {
  return [&desk, why_not](const web_request& request, const web_reply& reply) {
    desk.ask(question_in(request, why_not),
             [reply](web_response answer) { reply(std::move(answer)); });
  };
}

} // namespace

void add_serve_options(CLI::App& command, serve_options& options) {
  auto* serve = command
                  .add_option_function<std::vector<std::string>>(
                    "--serve",
                    [&options](const std::vector<std::string>& given) {
                      options.wanted = true;
                      options.address = given.empty() ? "" : given.front();
                    },
                    "Serve a live page; default: " + std::string{default_serve_address})
                  ->expected(0, 1)
                  ->type_name("[HOST:PORT]");
  auto* speed = command
                  .add_option("--speed", options.speed,
                              "With --serve: virtual seconds in a second, max (default) or paused")
                  ->type_name("SPEED")
                  ->needs(serve);
  suggest(speed, {"1", "10", "100", "max", "paused"});
  command.add_flag("--stay", options.stay, "With --serve: serve after the end, too, until Ctrl-C")
    ->needs(serve);
  command
    .add_option("--certs", options.certs,
                "With --serve: a directory with ca.crt, NAME.crt, NAME.key, for TLS")
    ->type_name("DIR")
    ->needs(serve);
  command.add_option("--as", options.as, "With --certs: the NAME; default: client")
    ->type_name("NAME")
    ->needs(serve);
}

explain_desk::sources live_run::sources_for_desk(const run_settings& settings,
                                                 const std::filesystem::path& results) {
  explain_desk::sources from;
  from.config = to_toml(settings);
  if (settings.clock == clock_kind::virtual_time) {
    from.words = [board = board_]() -> std::vector<std::string> {
      const auto [now, over] = board->read([](const live_state& state) {
        return std::pair{state.now, state.over};
      });
      if (over)
        return {};
      return {"--until", std::to_string(now.count()) + "ns"};
    };
    return from;
  }
  from.records = results;
  from.write_records = [this]() -> std::function<bool()> {
    const auto number = ++records_wanted_;
    return [this, number] { return ended_ || records_written_ >= number; };
  };
  return from;
}

live_sources live_run::sources_for_page(const run_settings& settings) {
  live_sources made;
  made.board = board_;
  if (settings.clock == clock_kind::virtual_time)
    made.clock = controls_of(pace_);
  else
    made.metrics = [board = board_] { return board->read(metrics_text); };
  made.why_no_explain = why_no_explanation(settings);
  if (desk_) {
    made.explain = answer_by(*desk_, false);
    made.why_not = answer_by(*desk_, true);
  }
  made.why_no_metrics =
    "metrics are for Prometheus, which knows no virtual time; runs in real time "
    "and nodes of a cluster have them";
  return made;
}

live_run::live_run(const serve_options& options, const run_settings& settings,
                   const std::filesystem::path& results)
  : pace_(pace_of(options.speed)),
    stay_(options.stay),
    desk_(why_no_explanation(settings).empty()
            ? std::make_unique<explain_desk>(sources_for_desk(settings, results))
            : nullptr),
    page_(sources_for_page(settings)) {
  if (!options.speed.empty() && settings.clock != clock_kind::virtual_time)
    throw usage_error{"run: --speed with clock = \"real\", whose time passes by itself; expected "
                      "clock = \"virtual\", or no --speed"};
  board_->begin(live_about_of(settings)); // for those who ask before the run begins
  const auto routes = std::make_shared<route_table>();
  page_.mount(*routes);
  const auto where = server_options_of(options);
  try {
    server_ = std::make_unique<web_server>(where, routes);
  } catch (const std::exception& e) {
    throw usage_error{std::string{"run: --serve: "} + e.what() +
                      (where.tls ? "" : "; see also --certs")};
  }
  url_ = server_->url();
  std::cerr << "troupe: the live page is at " << url_ << std::endl;
}

void live_run::before_interval(instant from, instant to, const std::function<bool()>& stop) {
  pace_.wait(from, to, stop, [this](bool paused) { page_.refresh(paused); });
}

void live_run::end(const std::function<bool()>& stop) {
  ended_ = true;
  page_.end();
  if (!stay_ || stop())
    return;
  std::cerr << "troupe: the run is over; its page is at " << url_ << " until Ctrl-C" << std::endl;
  while (!stop())
    std::this_thread::sleep_for(pause_after_end);
}

} // namespace troupe

#include "top/watch_cluster.hpp"

#include "commands/commands.hpp"
#include "nodes/client/cluster_live.hpp"
#include "report/top/live_json.hpp"
#include "report/top/top_frame.hpp"
#include "support/json_output.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"
#include "top/screen.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <future>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace troupe {

namespace {

using wall = std::chrono::steady_clock;

/// How long a first sample may take: the recorder takes one each interval, once somebody watches.
constexpr auto first_sample_within = std::chrono::seconds{10};

/// The first sample of a running workload with the details of members, or what there is without
/// one.
live_state first_sample(cluster_live& live) {
  const auto deadline = wall::now() + first_sample_within;
  for (;;) {
    if (const auto why = live.poll(); !why.empty())
      throw std::runtime_error(why);
    auto state = live.shown();
    if (state.detailed || state.about.run.empty() || state.over || wall::now() > deadline ||
        caught_signal() != 0)
      return state;
    std::this_thread::sleep_for(std::chrono::milliseconds{200});
  }
}

int show_once(cluster_live& live, const watch_options& options) {
  const auto state = first_sample(live);
  if (options.json)
    print_json(live_json(state));
  else
    std::cout << top_block(state);
  return exit_code::done;
}

/// Waits in small steps, so that a signal ends it soon.
void pause_for(std::chrono::milliseconds time) {
  const auto end = wall::now() + time;
  while (wall::now() < end && caught_signal() == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
}

int show_blocks(cluster_live& live, const watch_options& options) {
  auto state = first_sample(live);
  for (bool first = true; caught_signal() == 0; first = false) {
    std::cout << (first ? "" : "\n") << top_block(state) << std::flush;
    if (!std::cout || state.over)
      break;
    pause_for(options.interval);
    if (const auto why = live.poll(); !why.empty())
      std::cerr << why << std::endl;
    state = live.shown();
  }
  return caught_signal() == 0 ? exit_code::done : 128 + caught_signal();
}

/// Changes the view by a key; returns whether it ends the program.
bool obey(int key, top_view& view) {
  constexpr int escape = 27;
  constexpr int backspace = 127;
  if (view.typing) {
    if (key == '\r' || key == '\n')
      view.typing = false;
    else if (key == escape)
      view.typing = false, view.filter.clear();
    else if (key == backspace || key == '\b') {
      if (!view.filter.empty())
        view.filter.pop_back();
    } else if (key >= ' ' && view.filter.size() < 40)
      view.filter += static_cast<char>(key);
    return false;
  }
  const auto choose = [&](top_table table) {
    view.table = table;
    view.sort = 0;
    view.help = false;
  };
  const auto columns = top_columns(view.table);
  switch (key) {
  case 'q':
    return true;
  case 's':
    choose(top_table::schedulers);
    break;
  case 'o':
    choose(top_table::owners);
    break;
  case 'n':
    choose(top_table::nodes);
    break;
  case 'e':
    choose(top_table::events);
    break;
  case '<':
    view.sort = columns == 0 ? 0 : (view.sort + columns - 1) % columns;
    break;
  case '>':
    view.sort = columns == 0 ? 0 : (view.sort + 1) % columns;
    break;
  case '/':
    view.typing = true;
    break;
  case 'p':
    view.paused = !view.paused;
    break;
  case '?':
    view.help = !view.help;
    break;
  default:
    break;
  }
  return false;
}

/// Asks the cluster in threads of its own, which end with each answer: an answer may take seconds,
/// and keys must not wait. No other thread may ask: CAF keeps a system's logger for each thread
/// that has used it, and the end of a connection waits until all have let go of it.
int show_frames(cluster_live& live, const watch_options& options) {
  const auto ask = [&live] {
    return std::async(std::launch::async, [&live] { return live.poll(); });
  };
  if (const auto why = ask().get(); !why.empty())
    throw std::runtime_error(why);
  auto state = live.shown();
  top_view view;
  view.color = has_color(STDOUT_FILENO);
  view.utf8 = locale_is_utf8();
  screen terminal;
  std::future<std::string> answer;
  auto next = wall::now() + options.interval;
  bool ends = false;
  while (!ends && caught_signal() == 0) {
    view.width = terminal.width();
    view.height = terminal.height();
    terminal.show(top_frame(state, view));
    const auto key = terminal.wait_for_key(std::chrono::milliseconds{100});
    ends = key < 0 || (key > 0 && obey(key, view));
    if (answer.valid() && answer.wait_for(std::chrono::seconds{0}) == std::future_status::ready) {
      const auto why = answer.get();
      view.note = why.empty() ? "" : "no answer";
      if (why.empty())
        state = live.shown();
    }
    if (!answer.valid() && !view.paused && wall::now() >= next) {
      next = wall::now() + options.interval;
      answer = ask();
    }
  }
  if (answer.valid())
    answer.wait();
  return caught_signal() == 0 || caught_signal() == SIGINT ? exit_code::done
                                                           : 128 + caught_signal();
}

} // namespace

int watch_cluster(const watch_options& options) {
  watch_signals();
  cluster_live live{[&options] { return std::make_unique<cluster_client>(options.to); }};
  if (options.once || options.json)
    return show_once(live, options);
  if (redraws(STDOUT_FILENO) && isatty(STDIN_FILENO) != 0)
    return show_frames(live, options);
  return show_blocks(live, options);
}

} // namespace troupe

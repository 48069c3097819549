#include "cluster/cluster_story.hpp"

#include "commands/commands.hpp"
#include "nodes/client/cluster_client.hpp"
#include "report/text/printable.hpp"
#include "support/explain_input.hpp"
#include "support/json_output.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace troupe {

namespace {

// Of a story_reply.
constexpr unsigned story_found = 200;
constexpr unsigned story_is_sought = 202;
constexpr unsigned story_asked_badly = 400;
constexpr unsigned story_not_kept = 501;
constexpr std::size_t longest_sentence = 4000;

story_reply story_from(const story_request& asked, const cluster_access& access) {
  cluster_client client{contact_of(access)};
  for (;;) {
    auto told = client.story(asked);
    if (told.status != story_is_sought)
      return told;
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
  }
}

} // namespace

int tell_from_cluster(const std::string& command, const story_request& asked,
                      const cluster_access& access, bool as_json) {
  const auto told = story_from(asked, access);
  const auto all = nlohmann::ordered_json::parse(told.text, nullptr, false);
  if (told.status != story_found) {
    const auto why =
      command + ": " +
      printable(all.is_object() ? all.value("error", told.text) : told.text, longest_sentence);
    if (told.status == story_asked_badly || told.status == story_not_kept)
      throw usage_error{why};
    throw std::runtime_error{why};
  }
  if (as_json) {
    print_json(all);
    return exit_code::done;
  }
  std::vector<std::string> sentences;
  for (const auto& s : all.value("sentences", nlohmann::ordered_json::array()))
    sentences.push_back(printable(s.is_string() ? s.get<std::string>() : "", longest_sentence));
  print_sentences(sentences);
  return exit_code::done;
}

} // namespace troupe

#include "jobs/http/job_requests.hpp"

#include <nlohmann/json.hpp>

#include <charconv>

namespace troupe {

web_response answer_of(unsigned status, const answer_json& body) {
  auto made =
    json_response(body.dump(-1, ' ', false, answer_json::error_handler_t::replace) + '\n');
  made.status = status;
  return made;
}

web_response away() {
  auto made = error_response(503, "the store of jobs does not work now; ask again later");
  made.headers.emplace_back("Retry-After", "1");
  return made;
}

std::uint64_t number_in(const std::string& text, const std::string& name, std::uint64_t most,
                        unsigned status) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number > most)
    throw refused{error_response(status, status == 404 ? "there is no " + name + ' ' + text
                                                       : name + " is '" + text +
                                                           "'; expected a whole number up to " +
                                                           std::to_string(most))};
  return number;
}

std::uint64_t job_id_of(const web_request& r) {
  return number_in(r.parts.at("job"), "job", most_job, 404);
}

std::uint32_t task_of_path(const web_request& r) {
  return static_cast<std::uint32_t>(number_in(r.parts.at("task"), "task", 0xFFFFFFFFU, 404));
}

std::uint64_t option_of(const web_request& r, const std::string& name, std::uint64_t otherwise,
                        std::uint64_t most) {
  const auto text = r.value(name);
  return text.empty() ? otherwise : number_in(text, name, most, 400);
}

std::size_t limit_of(const web_request& r) {
  const auto limit = option_of(r, "limit", usual_page, longest_page);
  if (limit == 0)
    throw refused{error_response(400, "limit is '0'; expected a whole number from 1 to " +
                                        std::to_string(longest_page))};
  return limit;
}

job_row existing(job_service& service, std::uint64_t id) {
  auto row = service.stored().job(id);
  if (!row)
    throw refused{error_response(404, "there is no job " + std::to_string(id))};
  return std::move(*row);
}

} // namespace troupe

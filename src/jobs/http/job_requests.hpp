#pragma once

#include "jobs/http/job_lists.hpp"
#include "jobs/service/job_service.hpp"
#include "web/route_table.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What the routes of jobs read from requests, and how they answer.
namespace troupe {

using answer_json = nlohmann::ordered_json;

/// The greatest number of a job: JSON numbers hold it exactly.
inline constexpr std::uint64_t most_job = std::uint64_t{1} << 53;

/// A mistake in a request.
struct refused {
  web_response response;
};

web_response answer_of(unsigned status, const answer_json& body);

/// The answer while the store does not work.
web_response away();

/// These throw `refused` if the request has something else there, or there is no such job.
std::uint64_t number_in(const std::string& text, const std::string& name, std::uint64_t most,
                        unsigned status);
std::uint64_t job_id_of(const web_request& r);
std::uint32_t task_of_path(const web_request& r);
std::uint64_t option_of(const web_request& r, const std::string& name, std::uint64_t otherwise,
                        std::uint64_t most);
std::size_t limit_of(const web_request& r);
job_row existing(job_service& service, std::uint64_t id);

/// The requested state; nothing without one, or with `also`.
template <choice Enum>
std::optional<Enum> state_of(const web_request& r, std::string_view also = "") {
  const auto text = r.value("state");
  if (text.empty() || text == also)
    return std::nullopt;
  if (const auto state = choice_named<Enum>(text))
    return state;
  std::string known{also};
  for (const auto n : choice_names<Enum>::value)
    known += (known.empty() ? "" : ", ") + std::string{n};
  throw refused{error_response(400, "state is '" + text + "'; expected one of " + known)};
}

} // namespace troupe

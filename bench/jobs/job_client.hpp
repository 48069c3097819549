#pragma once

#include "web/http_client.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace troupe::trials {

/// Submits jobs over a connection that stays open, without a process for each.
class job_client {
public:
  /// `url` is the address of the API, with its token. Throws `std::runtime_error` if it is none.
  explicit job_client(const std::string& url);

  /// Returns the number of the job. Throws `std::runtime_error` if it is not accepted.
  std::uint64_t submit(const nlohmann::json& job);

  /// Waits until a job has succeeded. Throws `std::runtime_error` if it has not.
  void wait(std::uint64_t job);

private:
  http_client http_;
};

} // namespace troupe::trials

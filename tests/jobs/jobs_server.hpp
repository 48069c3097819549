#pragma once

#include "fake_cluster.hpp"
#include "jobs/store/sqlite_database.hpp"
#include "store_rows.hpp"
#include "web/server.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace troupe::test {

/// The API of jobs on a port of loopback, with a fake cluster behind it.
struct jobs_server {
  store_directory dir;
  std::shared_ptr<job_service> service;
  std::optional<fake_cluster> cluster;
  std::unique_ptr<web_server> server;

  explicit jobs_server(const std::string& token = "", bool gangs = true,
                       machine_lister machines = {}, service_options of = {}) {
    service = std::make_shared<job_service>(
      std::make_shared<sqlite_database>(dir.store(), store_sync::off), std::move(of));
    cluster.emplace(*service);
    auto routes = std::make_shared<route_table>();
    mount(*routes, *service, cluster->reader(), std::move(machines), gangs);
    web_options options;
    options.token = token;
    server = std::make_unique<web_server>(options, routes);
  }

  ~jobs_server() { server.reset(); }
};

} // namespace troupe::test

#include "nodes/execution/job_desk.hpp"

#include "jobs/http/job_routes.hpp"
#include "jobs/store/postgres_database.hpp"
#include "jobs/store/sqlite_database.hpp"
#include "jobs/store/store_place.hpp"
#include "nodes/execution/inspect_work.hpp"
#include "nodes/execution/stored_policies.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace troupe {

namespace {

/// The gateway gives up on other nodes sooner.
constexpr auto output_patience = std::chrono::seconds{6};

/// Between two looks at the machines that there are.
constexpr auto between_looks = std::chrono::milliseconds{200};
/// The same after the store has not kept what the last one has found.
constexpr auto after_loss = std::chrono::seconds{10};

std::shared_ptr<job_database> open_store(const std::filesystem::path& state,
                                         std::shared_ptr<keeper_lease> lease) {
  if (!lease)
    return std::make_shared<sqlite_database>(state / store_file_name);
  return std::make_shared<postgres_database>(std::move(lease));
}

} // namespace

job_desk::job_desk(const std::filesystem::path& state, std::shared_ptr<keeper_lease> lease,
                   service_options options) {
  service_ = std::make_unique<job_service>(open_store(state, std::move(lease)), std::move(options));
  machines_ = machine_history{service_->kept_machines()};
  source_->when_over(
    [this](const task_id& task, task_fate fate) { service_->scheduled_over(task, fate); });
  service_->on_new([this] { pass_on(); });
  pass_on();
}

job_desk::~job_desk() {
  source_->when_over({});
  service_->on_new({});
}

void job_desk::pass_on() {
  for (auto& j : service_->take_new())
    source_->push(std::move(j));
  for (const auto id : service_->take_withdrawn())
    source_->withdraw(id);
}

void job_desk::mount(route_table& routes, caf::actor_system& system, const caf::actor& way,
                     std::function<std::vector<machine_description>()> machines, bool gangs) {
  const auto read = [&system, way](const attempt_row& of, bool errors, std::uint64_t offset,
                                   std::uint32_t limit,
                                   std::function<void(std::optional<found_output>)> answer) {
    const output_request asked{of.node, of.which, errors, offset, limit};
    system.spawn([=, answer = std::move(answer)](caf::event_based_actor* self) {
      self->request(way, output_patience, asked)
        .then(
          [answer](output_reply& r) {
            answer(found_output{r.known, r.offset, r.size, std::move(r.bytes)});
          },
          [answer](const caf::error&) { answer(std::nullopt); });
    });
  };
  troupe::mount(routes, *service_, read, std::move(machines), gangs);
}

std::vector<policy_order> job_desk::kept_policies() const {
  return orders_of(service_->kept_policies());
}

void job_desk::keep(const std::vector<policy_order>& orders, std::int64_t origin,
                    std::function<void(bool durable)> tell) {
  service_->keep_policies(rows_of(orders, origin), std::move(tell));
}

void job_desk::note_machines(const std::function<std::vector<named_machine>()>& hosts) {
  const auto time = std::chrono::steady_clock::now();
  if (time < looks_at_machines_ || (noted_ && noted_->at == note::state::under_way))
    return;
  looks_at_machines_ = time + between_looks;
  std::vector<machine_row> rows;
  if (const auto last = std::exchange(noted_, nullptr); last && last->at == note::state::lost) {
    rows = std::move(last->rows);
    looks_at_machines_ = time + after_loss;
  }
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
    std::chrono::system_clock::now().time_since_epoch());
  std::ranges::move(machines_.look(hosts(), now.count()), std::back_inserter(rows));
  if (rows.empty())
    return;
  noted_ = std::make_shared<note>();
  noted_->rows = rows;
  service_->keep_machines(std::move(rows), [noted = noted_](bool durable) {
    noted->at = durable ? note::state::kept : note::state::lost;
  });
}

void job_desk::hear(const work_report& report,
                    const std::function<void(std::optional<work_answer>)>& tell) {
  service_->hear(report, [tell](work_answer answer) { tell(std::move(answer)); });
}

} // namespace troupe

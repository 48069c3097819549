#include "workload/trace_files.hpp"
#include "workload/traces/trace_format.hpp"

#include <doctest/doctest.h>

namespace troupe {

using test::temp_directory;
using test::temp_file;

TEST_CASE("what a file holds is recognised by its first lines") {
  CHECK(recognise({"0.5 2 1.5 1 2"}) == table::tr_jobs);
  CHECK(recognise({"# jobs", "", " 0.5   2 1.5 1 2 "}) == table::tr_jobs);
  CHECK(recognise({"; Version: 2.2", "1 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1"}) ==
        table::swf_jobs);
  CHECK(recognise({"1 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1"}) == table::swf_jobs);
  CHECK(recognise({"0 15 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "1 1 1 1"}) == table::tr_jobs);
  CHECK(recognise({"0 15 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
                   "1 15 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"}) == table::tr_jobs);
  CHECK(recognise({"1 15 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1",
                   "2 16 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1"}) == table::swf_jobs);
  CHECK(recognise({"0,2,3418309,0,4155527081,0,70s3v5q=,3,9,,,,"}) == table::google_task_events);
  CHECK(recognise({"601000000,,5,0,user,2,name,logical"}) == table::google_job_events);
  CHECK(recognise({"0,5,0,HofLGzk1Or=,0.5,0.2493"}) == table::google_machine_events);
  CHECK(recognise({"601000000,5,0,0,gpu,yes"}) == table::google_task_constraints);
  CHECK(recognise({"0,5,ssd,yes,0"}) == table::google_machine_attributes);
  CHECK(recognise({"M1,1,j_1,1,Terminated,10,20,100,0.3"}) == table::alibaba_batch_task);
  CHECK(recognise({"0,j_1,M1,30,100,0.39,2"}) == table::alibaba_spar_tasks);
  CHECK(recognise({"100,130,7,1,2,Terminated,50,0.004"}) == table::alibaba2017_batch_task);
  CHECK(recognise({"0,1,add,,64,0.69,1"}) == table::alibaba2017_server_event);
  CHECK(recognise({"m_1,0,1,abc,96,100,USING"}) == table::alibaba_machine_meta);
  CHECK(recognise({"name,cpu_milli,memory_mib,num_gpu,gpu_milli"}) == table::openb_pods);
  CHECK(recognise({"sn,cpu_milli,memory_mib,gpu,model"}) == table::openb_nodes);
  CHECK(recognise({"a,b"}) == table::unknown);
  CHECK(recognise({""}) == table::unknown);
}

TEST_CASE("the tables of a trace are found in a directory, parts in the order of their names") {
  const temp_directory here;
  here.write("task_events/part-00001-of-00002.csv", "x");
  here.write("task_events/part-00000-of-00002.csv", "x");
  here.write("machine_events.csv.gz", "x");
  here.write("job_events/part-00000.csv", "x");
  here.write("google_task_events_schema.csv", "x");
  here.write("openb_pod_list.csv", "x");
  here.write("notes.txt", "x");
  const auto google = find_trace(here.path(), trace_format::automatic);
  CHECK(google.format == trace_format::google2011);
  REQUIRE(google.jobs.size() == 2);
  CHECK(google.jobs[0].ends_with("part-00000-of-00002.csv"));
  CHECK_FALSE(google.job_events);
  CHECK(google.machines.size() == 1);
  const auto openb = find_trace(here.path(), trace_format::openb);
  CHECK(openb.format == trace_format::openb);
  CHECK(openb.jobs.size() == 1);
  CHECK(openb.machines.empty());
  CHECK_THROWS_AS(find_trace(here.path(), trace_format::alibaba2018), std::runtime_error);
}

TEST_CASE("a format that is named is believed") {
  const temp_file file{"0.5 2 1.5 1 2\n"};
  CHECK(find_trace(file.path(), trace_format::automatic).format == trace_format::tr);
  CHECK(find_trace(file.path(), trace_format::swf).format == trace_format::swf);
  CHECK(find_trace(file.path(), trace_format::google2011).format == trace_format::google2011);
}

TEST_CASE("a table of machines holds no jobs") {
  const temp_file file{"0,5,0,p,0.5,0.2493\n"};
  CHECK_THROWS_WITH(
    open_trace(file.path(), {}),
    (file.path() + ": no jobs can be read from this table; expected a table of jobs").c_str());
}

} // namespace troupe

#include "actors/owner/answered_commits.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

commit_reply answer(commit_id id, std::size_t rejections) {
  commit_reply reply{3, id, {}};
  reply.rejections.resize(rejections);
  return reply;
}

} // namespace

TEST_CASE("a commit that arrives again gets its first answer") {
  answered_commits commits;
  CHECK_FALSE(commits.find(3, 7));
  commits.keep(answer(7, 2));
  commits.keep(answer(5, 1)); // an older one that came late
  REQUIRE(commits.find(3, 7));
  CHECK(commits.find(3, 7)->rejections.size() == 2);
  CHECK(commits.find(3, 5)->rejections.size() == 1);
  CHECK(commits.latest() == 7);
}

TEST_CASE("answers are kept until the scheduler has them, and late copies are not decided again") {
  answered_commits commits;
  commits.keep(answer(5, 1));
  commits.keep(answer(7, 2));
  commits.forget_below(7);
  commits.forget_below(2); // an acknowledgement that came late
  REQUIRE(commits.find(3, 5));
  CHECK(commits.find(3, 5)->owner == 3);
  CHECK(commits.find(3, 5)->id == 5);
  CHECK(commits.find(3, 5)->rejections.empty());
  CHECK(commits.find(3, 7)->rejections.size() == 2);
  CHECK_FALSE(commits.find(3, 8));
  CHECK(commits.latest() == 7);
}

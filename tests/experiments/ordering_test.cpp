#include "runtime/running.hpp"

using namespace troupe;
using namespace troupe::test;

// The options of podium/auto.h.
#include "podium/auto.h"

namespace podium {

const OptionTable<AutoOptions>& auto_option_table() {
  static const auto table =
      OptionTable<AutoOptions>()
          .add("measure", &AutoOptions::measure, "measure to maximise")
          .add("convention", &AutoOptions::convention, "convention for computing measures")
          .add("learners", &AutoOptions::learners,
               "learners to try, separated by commas; none: one list for all data")
          .add("folds", &AutoOptions::folds, "folds over queries that judge", between(3, 100))
          .add("trials", &AutoOptions::trials,
               "number of trials, each a learner with one choice of options; 0: as many as "
               "‹seconds› allow",
               at_least(0))
          .add("seconds", &AutoOptions::seconds, "time for everything, if no ‹trials› are given",
               above(0))
          .add("members", &AutoOptions::members, "maximum members of the blend", between(1, 10))
          .add("simple", &AutoOptions::simple, "the best single learner instead of a blend")
          .add("max-latency", &AutoOptions::max_latency,
               "maximum microseconds per document, measured on one thread of this machine; 0: any",
               at_least(0));
  return table;
}

}  // namespace podium

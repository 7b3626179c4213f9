// Counts, summed over queries: NumQ queries, NumRet retrieved (all, or those with grade ≥ rel),
// NumRel relevant, NumRelRet relevant retrieved, NumNonRelRet judged non-relevant retrieved.
#include <limits>

#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/labels.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

struct RelevantOptions {
  double rel = 1;
  bool is_usual(const Convention& convention) const { return rel == convention.relevant_from; }
};
struct RetrievedOptions {
  double rel = -std::numeric_limits<double>::infinity();
  bool is_usual(const Convention&) const { return rel == RetrievedOptions{}.rel; }
};
struct NoOptions {
  static bool is_usual(const Convention&) { return true; }
};

template <class Options>
const OptionTable<Options>& count_table() {
  static const auto table = [] {
    if constexpr (requires { &Options::rel; })
      return OptionTable<Options>().add("rel", &Options::rel, "lowest grade to count");
    else
      return OptionTable<Options>();
  }();
  return table;
}

struct Queries {
  static constexpr std::string_view kName = "NumQ", kTrecName = "num_q";
  using Options = NoOptions;
  static std::size_t count(const RankedLabels&, const Options&) { return 1; }
};
struct Retrieved {
  static constexpr std::string_view kName = "NumRet", kTrecName = "num_ret";
  using Options = RetrievedOptions;
  static std::size_t count(const RankedLabels& ranking, const Options& options) {
    return options.rel == Options{}.rel ? ranking.by_rank.size()
                                        : count_relevant_in(ranking.by_rank, options.rel);
  }
};
struct Relevant {
  static constexpr std::string_view kName = "NumRel", kTrecName = "num_rel";
  using Options = RelevantOptions;
  static std::size_t count(const RankedLabels& ranking, const Options& options) {
    return count_relevant(ranking.ideal, options.rel);
  }
};
struct RelevantRetrieved {
  static constexpr std::string_view kName = "NumRelRet", kTrecName = "num_rel_ret";
  using Options = RelevantOptions;
  static std::size_t count(const RankedLabels& ranking, const Options& options) {
    return count_relevant_in(ranking.by_rank, options.rel);
  }
};
struct NonRelevantRetrieved {
  static constexpr std::string_view kName = "NumNonRelRet", kTrecName = "num_nonrel_judged_ret";
  using Options = RelevantOptions;
  static std::size_t count(const RankedLabels& ranking, const Options& options) {
    std::size_t count = 0;
    for (const float label : ranking.by_rank)
      count += label >= 0 && !is_relevant(label, options.rel);
    return count;
  }
};

template <class What>
class Count final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = What::kName;
  static const auto& table() { return count_table<typename What::Options>(); }

  Count(std::string name, const typename What::Options& options)
      : DefinedMeasure(std::move(name)), options_(options) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    return static_cast<double>(What::count(ranking, options_));
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return value(ties.ranking);
  }
  double swap_delta(const RankedLabels&, std::size_t, std::size_t) const override { return 0; }
  MeasureForm form() const override { return {.kind = MeasureForm::Kind::constant}; }
  std::string trec_name(const Convention& convention) const override {
    return options_.is_usual(convention) ? std::string(What::kTrecName) : "";
  }
  Aggregation aggregation() const override { return Aggregation::sum; }

 private:
  typename What::Options options_;
};

}  // namespace

const Entry<Measure> kCountQueries = define<Count<Queries>>("number of queries", "");
const Entry<Measure> kCountRetrieved =
    define<Count<Retrieved>>("number of documents retrieved", "");
const Entry<Measure> kCountRelevant = define<Count<Relevant>>("number of relevant documents", "");
const Entry<Measure> kCountRelevantRetrieved =
    define<Count<RelevantRetrieved>>("number of relevant documents retrieved", "");
const Entry<Measure> kCountNonRelevantRetrieved =
    define<Count<NonRelevantRetrieved>>("number of judged non-relevant documents retrieved", "");

}  // namespace podium

// Two TREC runs against judgements, as read by `podium eval --run A --run B` and `podium fuse`: any
// bytes give values in [0, 1] for both, the same for any number of threads, or an Error. The text
// is the three files, separated by a line of dashes; the first byte chooses topics and ties.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "measures/trec_reader.h"
#include "podium/evaluator.h"
#include "podium/rank_fusion.h"
#include "podium/trec.h"

namespace podium {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

struct Files {
  std::string_view qrels, first, second;
};

Files cut(std::string_view text) {
  constexpr std::string_view kBetween = "\n---\n";
  const auto next = [&] {
    const std::size_t end = text.find(kBetween);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + kBetween.size());
    return part;
  };
  Files files;
  files.qrels = next();
  files.first = next();
  files.second = next();
  return files;
}

std::vector<double> values_of(const Files& files, unsigned choice, ThreadPool& pool,
                              std::string& error) {
  static const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  std::vector<double> values;
  try {
    const auto read = [&](std::string_view text, const TrecFormat& format) {
      return read_trec(*text_in_memory(text, {}), "file", format, context);
    };
    const TrecFile qrels = read(files.qrels, kQrelsFormat);
    const std::vector<TrecFile> runs = {read(files.first, kRunFormat),
                                        read(files.second, kRunFormat)};
    Convention convention = find_convention("trec");
    if (choice & 2) convention.ties = Ties::expected;
    const Evaluator evaluator(parse_measures("nDCG@10,AP,RR,P@5,Bpref", convention), convention);
    for (const TrecFile& run : runs) {
      const Evaluation evaluation = evaluate_run(
          evaluator, qrels, run, choice & 1 ? Topics::judged : Topics::in_both, context);
      values.insert(values.end(), evaluation.values.begin(), evaluation.values.end());
      for (const auto& of_measure : evaluation.per_query)
        require(of_measure.size() == evaluation.qids.size());
    }
    FusionOptions options;
    for (const FusionMethod method : {FusionMethod::combsum, FusionMethod::rrf}) {
      options.method = method;
      for (const FusedTopic& topic : fuse(runs, options, context))
        require(!topic.documents.empty());
    }
  } catch (const Error& refused) {
    error = refused.what();
  }
  return values;
}

}  // namespace
}  // namespace podium

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace podium;
  if (size == 0) return 0;
  static ThreadPool one(1), three(3);
  const Files files = cut({reinterpret_cast<const char*>(bytes) + 1, size - 1});
  std::string error, same_error;
  const std::vector<double> values = values_of(files, bytes[0], one, error);
  const std::vector<double> same = values_of(files, bytes[0], three, same_error);
  require(error == same_error && values.size() == same.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(values[i] == same[i] || (std::isnan(values[i]) && std::isnan(same[i])));
    require(std::isnan(values[i]) || (values[i] >= 0 && values[i] <= 1 + 1e-12));
  }
  return 0;
}

// A small scoring service: queries on standard input, scores on standard output.
//
//   scoring_service MODEL
//
// One line per document, `feature:value feature:value …` with the model's feature names; a feature
// that is not mentioned is 0. An empty line ends a query: its scores follow, one per line in the
// order of the documents, and an empty line. A query with an error is answered by one line, `error:
// …`, and the service continues.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <podium/compiled_model.h>
#include <podium/error.h>

namespace {

class Service {
 public:
  explicit Service(const std::string& model_file) : model_(podium::load_model(model_file)) {
    const std::vector<std::string>& names = model_.saved().features;
    for (std::size_t f = 0; f < names.size(); ++f) columns_.emplace(names[f], f);
  }

  void add_document(std::string_view line) {
    values_.resize(values_.size() + width());
    float* const row = values_.data() + values_.size() - width();
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      if (line.empty()) return;
      const std::string_view word = line.substr(0, line.find_first_of(" \t"));
      line.remove_prefix(word.size());
      set(word, row);
    }
  }

  // The scores of the documents since the last call.
  std::vector<double> score() {
    const std::size_t documents = width() ? values_.size() / width() : 0;
    podium::DatasetParts parts;
    parts.query_begin = std::vector<std::uint64_t>{0, documents};
    parts.labels = std::vector<float>(documents);
    parts.qids = podium::make_strings(std::vector<std::string>{"1"});
    parts.features = width();
    parts.feature_names = model_.saved().features;
    parts.dense = std::move(values_);
    forget();
    return model_.score(podium::Dataset(std::move(parts)));
  }

  void forget() { values_ = {}; }

 private:
  std::size_t width() const { return model_.saved().features.size(); }

  void set(std::string_view word, float* row) const {
    const std::size_t colon = word.rfind(':');
    if (colon == word.npos) wrong(word, "is not feature:value");
    const auto column = columns_.find(std::string(word.substr(0, colon)));
    if (column == columns_.end()) wrong(word, "names a feature that the model does not have");
    const char* const end = word.data() + word.size();
    float value = 0;
    const auto [stop, error] = std::from_chars(word.data() + colon + 1, end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
      wrong(word, "has no number behind the colon");
    row[column->second] = value;
  }
  [[noreturn]] static void wrong(std::string_view word, const char* what) {
    throw podium::Error(podium::ErrorCode::data, "'" + std::string(word) + "' " + what);
  }

  podium::CompiledModel model_;
  std::unordered_map<std::string, std::size_t> columns_;
  std::vector<float> values_;  // the documents so far, row by row
};

void serve(Service& service) {
  std::string line, problem;
  while (std::getline(std::cin, line)) {
    if (!line.empty()) {
      try {
        if (problem.empty()) service.add_document(line);
      } catch (const podium::Error& error) {
        problem = error.what();
      }
      continue;
    }
    if (!problem.empty()) {
      service.forget();
      std::cout << "error: " << problem << "\n" << std::endl;
      problem.clear();
      continue;
    }
    for (const double score : service.score()) {
      char text[32];
      std::snprintf(text, sizeof text, "%.17g", score);
      std::cout << text << '\n';
    }
    std::cout << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MODEL < QUERIES\n", argv[0]);
    return 2;
  }
  try {
    Service service(argv[1]);
    serve(service);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

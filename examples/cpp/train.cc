// Trains a model, evaluates it on unseen data, and saves it.
//
//   train TRAIN VALID TEST MODEL [LEARNER]
//
// The model file is the same as that of `podium train`: `podium score`, `podium export`, Python and
// the scoring service in this folder read it.
#include <cstdio>
#include <exception>
#include <string>

#include <podium/data_io.h>
#include <podium/error.h>
#include <podium/evaluator.h>
#include <podium/model.h>
#include <podium/training.h>

namespace {

// Shows the last iteration, and the library's notes. The library itself prints nothing.
class Progress : public podium::Observer {
 public:
  void iteration(const podium::Iteration& step) override { last_ = step; }
  void note(std::string_view text) override {
    std::fprintf(stderr, "note: %.*s\n", static_cast<int>(text.size()), text.data());
  }
  void print() const {
    std::printf("iterations %lld", static_cast<long long>(last_.number));
    for (const auto& [name, value] : last_.values) std::printf("  %s %.6f", name.c_str(), value);
    std::printf("\n");
  }

 private:
  podium::Iteration last_;
};

int run(const std::string& train_file, const std::string& valid_file, const std::string& test_file,
        const std::string& model_file, const std::string& learner_name) {
  // Everything that an algorithm may use: the seed, threads, other machines, the observer.
  podium::ThreadPool pool;
  const auto alone = podium::make_local_communicator();
  Progress progress;
  podium::Context context{1, pool, *alone, progress};

  const podium::Dataset train = podium::read_dataset(train_file, {}, context);
  const podium::Dataset valid = podium::read_dataset(valid_file, {}, context);
  const podium::Dataset test = podium::read_dataset(test_file, {}, context);

  // What to train: a learner by name, with options as listed by `podium learners NAME`. All others
  // have their defaults.
  podium::TrainingSpec spec{.learner = learner_name};
  spec.measures = podium::parse_measures("nDCG@10", spec.convention);
  const podium::SavedModel model = podium::train(spec, train, &valid, context);
  progress.print();
  podium::save_model(model, model_file);

  const podium::Evaluator evaluator(podium::parse_measures("nDCG@10,AP,RR", spec.convention),
                                    spec.convention);
  const auto evaluation = evaluator.evaluate(test, podium::score(model, test, context), context);
  for (std::size_t m = 0; m < evaluation.values.size(); ++m)
    std::printf("%s %.6f\n", evaluation.measures[m].c_str(), evaluation.values[m]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5 || argc > 6) {
    std::fprintf(stderr, "usage: %s TRAIN VALID TEST MODEL [LEARNER]\n", argv[0]);
    return 2;
  }
  try {
    return run(argv[1], argv[2], argv[3], argv[4], argc == 6 ? argv[5] : "lambdamart");
  } catch (const std::exception& error) {  // podium::Error: one line, with file and line number
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

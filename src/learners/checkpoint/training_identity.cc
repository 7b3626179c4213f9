#include "learners/checkpoint/training_identity.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "data/content_hashes.h"
#include "data/shares/share_totals.h"
#include "learners/preference_learner.h"
#include "podium/option_text.h"

namespace podium {
namespace {

using Named = TrainingIdentity::Named;

// Increment it when the saved state of a trainer changes.
constexpr const char* kStateForm = "3";

// Up to 2³² of these can be added without overflow.
std::int64_t part_of_sum(std::uint64_t hash) {
  return static_cast<std::int64_t>(hash >> 33);
}

// Also of what Dataset::fingerprint() leaves out: weights and positions, and the offset of the
// scores. A sum over queries, so that it does not depend on how they are distributed.
std::int64_t contents_of(const Dataset& data, std::span<const double> offset, ThreadPool& pool) {
  std::int64_t sum = 0;
  for (std::size_t q = 0; q < data.queries(); ++q)
    if (const auto pairs = data.preferences(q); !pairs.empty())
      sum += part_of_sum(XXH3_64bits_withSeed(pairs.data(), pairs.size_bytes(), data.query_key(q)));
  for (const std::uint64_t hash : content_hashes(data, offset, pool).queries)
    sum += part_of_sum(hash);
  return sum;
}

void add_data(Named& out, const std::string& part, const Dataset* data, const ShareTotals& totals,
              std::span<const double> offset, Context& context) {
  std::int64_t contents = 0;
  if (data) {
    contents = contents_of(*data, offset, context.pool);
    context.comm.all_reduce_sum(std::span(&contents, 1));
  }
  out.emplace_back(fmt::format("the number of {} queries", part),
                   fmt::format("{}", totals.queries));
  out.emplace_back(fmt::format("the number of {} documents", part),
                   fmt::format("{}", totals.documents));
  out.emplace_back(fmt::format("the fingerprint of the {} data", part),
                   fmt::format("{:016x}", totals.fingerprint));
  out.emplace_back(
      fmt::format("the fingerprint of the {} data's weights, positions and scores", part),
      fmt::format("{:x}", contents));
}

// Of the model to continue.
std::string fingerprint_of(const Model& model) {
  SavedModel saved;
  saved.model = model;
  const std::string json = to_json(saved);
  return fmt::format("{:016x}", XXH3_64bits(json.data(), json.size()));
}

std::string measures_text(const TrainingProblem& problem) {
  std::string text = problem.measure->name();
  for (const MeasurePtr& measure : problem.also_log) text += "," + measure->name();
  return text;
}

}  // namespace

TrainingIdentity identity_of(const TrainingSpec& spec, const PreparedData& data, Context& context) {
  const ChosenLearner learner = choose_learner(spec);
  const TrainingProblem problem = problem_of(spec, data);
  TrainingIdentity identity;
  Named& options = identity.options;
  options.emplace_back("the learner", learner.name);
  options.emplace_back("the form of kept states", kStateForm);
  for (const auto& [name, value] : learner.settings.values())
    options.emplace_back(option(name), to_text(value));
  options.emplace_back("‹loss›", loss_text(*learner.learner));
  options.emplace_back("‹convention›", problem.convention.text());
  options.emplace_back("‹measure›", measures_text(problem));
  options.emplace_back("‹seed›", fmt::format("{}", context.seed));
  const Preparation& wanted = spec.preparation;
  options.emplace_back("‹normalize›",
                       wanted.normalize ? std::string(to_text(*wanted.normalize)) : "");
  options.emplace_back("‹bins›", wanted.bins > 0 ? std::to_string(wanted.bins) : "");
  options.emplace_back("‹features›", wanted.features);
  if (wanted.bin_rule) options.emplace_back("‹bin-rule›", to_text(*wanted.bin_rule));
  if (wanted.impute) options.emplace_back("‹impute›", to_text(*wanted.impute));
  if (wanted.indicators) options.emplace_back("‹indicators›", to_text(*wanted.indicators));
  if (wanted.encode) options.emplace_back("‹encode›", to_text(*wanted.encode));
  const ShareTotals train = totals_of(problem.train, context);
  const ShareTotals valid = problem.valid ? totals_of(*problem.valid, context) : ShareTotals{};
  add_data(identity.data, "training", &problem.train, train, problem.start.train_offset, context);
  add_data(identity.data, "validation", problem.valid, valid, problem.start.valid_offset, context);
  const auto& start = problem.start;
  identity.data.emplace_back("the fingerprint of the model to begin with",
                             start.model ? fingerprint_of(*start.model) : "");
  identity.data.emplace_back(
      "the number of the feature to begin with",
      start.offset_feature ? fmt::format("{}", *start.offset_feature + 1) : "");
  return identity;
}

}  // namespace podium

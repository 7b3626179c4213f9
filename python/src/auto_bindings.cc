// The search for the best ranker, and blends of models.
#include "bindings.h"
#include "experiments/report/report.h"
#include "foreground.h"
#include "models/model_kinds.h"
#include "podium/auto.h"
#include "podium/blend.h"
#include "podium/version.h"

namespace podium::python {
namespace {

AutoOptions auto_options(const Assignments& given) {
  const auto& table = auto_option_table();
  return table.read(Settings(table.fields(), given));
}

struct AutoCall {
  const Assignments& options;
  const std::string &folder, &replay;
  std::uint64_t seed;
  int threads;
  const std::string& device;
};

std::pair<SavedModel, nb::dict> search(const AutoCall& call, const Dataset& data,
                                       const Dataset* valid, nb::object callback) {
  const AutoOptions options = auto_options(call.options);
  const AutoRun run{call.folder, PODIUM_VERSION, call.replay, "", {}};
  Foreground foreground(std::move(callback), Foreground::Interrupt::stops);
  AutoResult result;
  foreground.run([&](std::stop_token stop) {
    ThreadPool pool(call.threads);
    const auto comm = make_local_communicator();
    Context context{.seed = call.seed,
                    .pool = pool,
                    .comm = *comm,
                    .observer = foreground,
                    .stop = std::move(stop),
                    .device = device_of(call.device, *comm)};
    result = find_ranker(options, run, data, valid, context);
  });
  nb::dict out;
  out["summary"] = result.summary;
  out["stopped"] = result.stopped;
  out["interrupted"] = foreground.interrupted();
  out["notes"] = foreground.notes();
  return {std::move(result.model), std::move(out)};
}

struct BlendCall {
  std::string measure, convention;
  std::size_t folds;
  bool negative;
  std::uint64_t seed;
  int threads;
  const std::string& device;
};

std::pair<SavedModel, nb::dict> blend(const BlendCall& call, std::vector<SavedModel> models,
                                      const Dataset& data) {
  BlendOptions options;
  options.convention = find_convention(call.convention);
  options.measure = parse_measures(call.measure, options.convention).front();
  options.folds = call.folds;
  if (call.negative) options.signs = BlendOptions::Signs::any;
  Foreground foreground{nb::none()};
  BlendedModels blended;
  foreground.run([&](std::stop_token stop) {
    ThreadPool pool(call.threads);
    const auto comm = make_local_communicator();
    Context context{.seed = call.seed,
                    .pool = pool,
                    .comm = *comm,
                    .observer = foreground,
                    .stop = std::move(stop),
                    .device = device_of(call.device, *comm)};
    blended = blend_models(std::move(models), data, options, context);
  });
  nb::dict out;
  out["values"] = blended.values;
  out["shrinkage"] = blended.fit.shrinkage;
  out["value"] = blended.fit.value;
  out["equal_value"] = blended.fit.equal_value;
  out["held_out"] = blended.fit.held_out;
  out["notes"] = foreground.notes();
  return {std::move(blended.model), std::move(out)};
}

nb::list members(const SavedModel& model) {
  nb::list out;
  for (BlendMember& member : members_of(model.model)) {
    nb::dict row;
    row["weight"] = member.weight;
    row["scale"] = member.scale;
    row["model"] = nb::cast(std::move(member.saved));
    out.append(row);
  }
  return out;
}

}  // namespace

void bind_auto(nb::module_& module) {
  module.def(
      "find_ranker",
      [](const Assignments& options, const std::string& folder, const std::string& replay,
         std::uint64_t seed, int threads, const std::string& device, const Dataset& data,
         const Dataset* valid, nb::object callback) {
        return search({options, folder, replay, seed, threads, device}, data, valid,
                      std::move(callback));
      },
      nb::arg("options"), nb::arg("folder"), nb::arg("replay"), nb::arg("seed"), nb::arg("threads"),
      nb::arg("device"), nb::arg("data"), nb::arg("valid").none(), nb::arg("callback").none());
  module.def(
      "write_auto_report",
      [](const std::string& summary, const std::string& path) { write_auto_report(summary, path); },
      nb::arg("summary"), nb::arg("path"));
  module.def("auto_learners", &auto_learners, "The learners that auto tries if none are named.");
  module.def(
      "blend_models",
      [](const nb::list& models, const Dataset& data, const std::string& measure,
         const std::string& convention, std::size_t folds, bool negative, std::uint64_t seed,
         int threads, const std::string& device) {
        std::vector<SavedModel> saved;
        for (const nb::handle model : models) saved.push_back(nb::cast<const SavedModel&>(model));
        return blend({measure, convention, folds, negative, seed, threads, device},
                     std::move(saved), data);
      },
      nb::arg("models"), nb::arg("data"), nb::arg("measure"), nb::arg("convention"),
      nb::arg("folds"), nb::arg("negative"), nb::arg("seed"), nb::arg("threads"),
      nb::arg("device"));
  module.def("members_of", &members, nb::arg("model"), "The members of a blend; [] of others.");
}

}  // namespace podium::python

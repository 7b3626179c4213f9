// fit() as Python calls it: the request's fields, and the run in the foreground.
#include "foreground.h"
#include "podium/error.h"
#include "python_communicator.h"
#include "python_loss.h"
#include "python_measure.h"
#include "training.h"

namespace podium::python {
namespace {

nb::list to_python(const std::vector<Iteration>& log) {
  nb::list out;
  for (const Iteration& step : log) {
    nb::dict row;
    row["iteration"] = step.number;
    for (const auto& [name, value] : step.values) row[name.c_str()] = value;
    out.append(row);
  }
  return out;
}

nb::dict report(const TrainingResult& result, const std::vector<std::string>& notes) {
  nb::dict out, chosen;
  for (const auto& [name, value] : result.chosen) chosen[name.c_str()] = value;
  out["log"] = to_python(result.log);
  out["best_iteration"] = result.best_iteration;
  out["termination"] = std::string(to_text(result.termination));
  out["certificate"] = nb::none();
  if (result.certificate) {
    nb::dict certificate;
    certificate["primal"] = result.certificate->primal;
    certificate["dual"] = result.certificate->dual;
    certificate["gap"] = result.certificate->gap;
    out["certificate"] = certificate;
  }
  out["chosen"] = chosen;
  out["skipped_queries"] = result.skipped_queries;
  out["notes"] = notes;
  return out;
}

using WatchedList = std::vector<std::pair<std::string, nb::object>>;

std::pair<SavedModel, nb::dict> fit(const TrainingRequest& request, const Dataset& data,
                                    const Dataset* valid, const WatchedList& watched,
                                    nb::object callback, const std::string& on_interrupt,
                                    nb::object workers) {
  TrainingInput input{data, valid};
  for (const auto& [name, set] : watched)
    input.watched.emplace_back(name, nb::cast<const Dataset*>(set));
  Foreground foreground(std::move(callback), on_interrupt == "keep"
                                                 ? Foreground::Interrupt::stops
                                                 : Foreground::Interrupt::raises);
  const auto comm = workers.is_none() ? make_local_communicator()
                                      : make_python_communicator(std::move(workers), foreground);
  std::optional<TrainingAnswer> answer;
  foreground.run([&](std::stop_token stop) {
    ThreadPool pool(request.threads);
    Context context{.seed = request.seed,
                    .pool = pool,
                    .comm = *comm,
                    .observer = foreground,
                    .stop = std::move(stop),
                    .device = device_of(request.device, *comm)};
    answer = train(request, input, context);
  });
  nb::dict out = report(answer->trained.result, foreground.notes());
  out["watched"] = answer->watched;
  out["interrupted"] = foreground.interrupted();
  return {std::move(answer->trained.model), std::move(out)};
}

// A member of the preparation as a property of the request.
template <auto member>
auto get(const TrainingRequest& request) {
  return request.preparation.*member;
}
template <auto member>
void set(TrainingRequest& request, std::remove_cvref_t<decltype(Preparation{}.*member)> value) {
  request.preparation.*member = std::move(value);
}

void bind_request(nb::module_& module) {
  nb::class_<TrainingRequest>(module, "TrainingRequest")
      .def(nb::init<>())
      .def_rw("learner", &TrainingRequest::learner)
      .def_rw("options", &TrainingRequest::options)
      .def_prop_rw(
          "convention", [](const TrainingRequest& request) { return request.convention.name; },
          [](TrainingRequest& request, const std::string& name) {
            request.convention = find_convention(name);
          })
      .def_rw("pointwise", &TrainingRequest::pointwise)
      .def("log_training_measure",
           [](TrainingRequest& request) { request.logged = TrainingProblem::Logged::training_too; })
      .def_prop_rw(
          "normalize",
          [](const TrainingRequest& request) {
            const auto& wanted = request.preparation.normalize;
            return wanted ? std::string(to_text(*wanted)) : std::string();
          },
          [](TrainingRequest& request, const std::string& name) {
            request.preparation.normalize = wanted_normalization(name);
          })
      .def_prop_rw("bins", get<&Preparation::bins>, set<&Preparation::bins>)
      .def_prop_rw(
          "bin_rule",
          [](const TrainingRequest& request) {
            const auto& wanted = request.preparation.bin_rule;
            return wanted ? to_text(*wanted) : std::string();
          },
          [](TrainingRequest& request, const std::string& name) {
            request.preparation.bin_rule = wanted_bin_rule(name);
          })
      .def("use_preferences",
           [](TrainingRequest& request, bool only) {
             request.preferences = only ? TrainingSpec::Preferences::instead_of_grades
                                        : TrainingSpec::Preferences::beside_grades;
           })
      .def("set_missing",
           [](TrainingRequest& request, const std::string& impute, const std::string& indicators,
              const std::string& encode) {
             request.preparation.impute = wanted_imputation(impute);
             request.preparation.indicators = wanted_indicators(indicators);
             request.preparation.encode = wanted_encoding(encode);
           })
      .def_prop_rw("features", get<&Preparation::features>, set<&Preparation::features>)
      .def_rw("seed", &TrainingRequest::seed)
      .def_rw("threads", &TrainingRequest::threads)
      .def_rw("device", &TrainingRequest::device)
      .def_rw("checkpoint", &TrainingRequest::checkpoint)
      .def_rw("checkpoint_seconds", &TrainingRequest::checkpoint_seconds)
      .def("start_from_model",
           [](TrainingRequest& request, const SavedModel& model) {
             request.start = std::make_shared<const SavedModel>(model);
           })
      .def("start_from_feature",
           [](TrainingRequest& request, const std::string& name) {
             request.start = TrainingSpec::StartFeature{name};
           })
      .def("start_from_scores",
           [](TrainingRequest& request, std::vector<double> train, std::vector<double> valid) {
             request.start = TrainingSpec::StartScores{std::move(train), std::move(valid)};
           })
      .def(
          "set_measures",
          [](TrainingRequest& request, const nb::list& measures) {
            request.measures = to_measures(measures, request.convention);
          },
          nb::arg("measures"), "Names, or pairs of a name and a callable; after the convention.")
      .def(
          "set_loss",
          [](TrainingRequest& request, const std::string& name) {
            request.loss = parse_loss(name);
          },
          nb::arg("name"))
      .def(
          "set_python_loss",
          [](TrainingRequest& request, const std::string& name, nb::object function, bool convex,
             bool shift_invariant) {
            request.loss = make_python_loss({name, convex, shift_invariant}, std::move(function));
          },
          nb::arg("name"), nb::arg("function"), nb::arg("convex"), nb::arg("shift_invariant"));
}

}  // namespace

void bind_training(nb::module_& module) {
  bind_request(module);
  module.def("fit", &fit, nb::arg("request"), nb::arg("data"), nb::arg("valid").none(),
             nb::arg("watched"), nb::arg("callback").none(), nb::arg("on_interrupt"),
             nb::arg("workers").none());
}

}  // namespace podium::python

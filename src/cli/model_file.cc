#include "cli/model_file.h"

#include <filesystem>

#include "core/unpack.h"

namespace podium::cli {
namespace {

// The format's name is among the first bytes of every model; of other files, they may not even
// unpack.
bool begins_like_a_model(const std::string& path) {
  std::string begin(4096, '\0');
  try {
    begin.resize(open_stream(path)->read(begin));
  } catch (const Error&) {
    return false;
  }
  return begin.find("\"podium-model\"") != std::string::npos;
}

}  // namespace

void ModelFile::add(CLI::App& command, const std::string& help) {
  CLI::Option* const model = command.add_option("--model", path, help)->type_name("FILE");
  command.add_flag("--force", force, "replace --model FILE even if that is not a model")
      ->needs(model);
}

void ModelFile::require_replaceable() const {
  std::error_code ignored;
  if (force || path.empty() || path == "-" || !std::filesystem::is_regular_file(path, ignored) ||
      std::filesystem::file_size(path, ignored) == 0 || begins_like_a_model(path))
    return;
  throw Error(ErrorCode::usage,
              "--model: this file is not a model, and would be lost: choose another name, or add "
              "--force",
              {path});
}

}  // namespace podium::cli

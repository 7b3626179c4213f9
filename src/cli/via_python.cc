#include "cli/via_python.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file_errors.h"
#include "podium/error.h"

namespace podium::cli {
namespace {

// Without the current folder in the path, so that a file there cannot pose as a module. The last
// line on standard error is the message where the status is not 0.
constexpr const char* kTableScript = R"python(
import sys
sys.path[:] = [folder for folder in sys.path if folder]
import json, os
what, path = sys.argv[1:]
try:
    import pyarrow, pyarrow.csv, pyarrow.dataset
except ImportError as error:
    sys.exit(f"{sys.executable} cannot import pyarrow ({error}): pip install pyarrow, or name another interpreter in PODIUM_PYTHON")
types = pyarrow.types

def plain(field):
    kind = field.type
    if types.is_dictionary(kind):
        kind = kind.value_type
    if types.is_boolean(kind):
        return pyarrow.uint8()
    if types.is_decimal(kind):
        return pyarrow.float64()
    if types.is_nested(kind):
        sys.exit(f"column '{field.name}' holds {field.type}: a column of numbers or text is needed")
    return kind

try:
    with open(path, "rb") as file:
        magic = file.read(6)
    kind = "parquet" if magic[:4] == b"PAR1" else "ipc" if magic == b"ARROW1" else None
    if kind is None:
        sys.exit("this is neither a Parquet file nor a Feather or Arrow IPC file")
    table = pyarrow.dataset.dataset(path, format=kind)
    schema = pyarrow.schema([pyarrow.field(field.name, plain(field)) for field in table.schema])
    if what == "categories":
        print(json.dumps([field.name for field in table.schema if types.is_dictionary(field.type)]))
    else:
        with os.fdopen(1, "wb") as out, pyarrow.csv.CSVWriter(out, schema) as writer:
            for batch in table.to_batches():
                columns = [column.dictionary_decode() if types.is_dictionary(column.type) else column for column in batch.columns]
                writer.write_batch(pyarrow.record_batch([column.cast(to) for column, to in zip(columns, schema.types)], schema))
except BrokenPipeError:
    os._exit(0)
except (OSError, ValueError, pyarrow.ArrowException) as error:
    sys.exit(" ".join(str(error).split()))
)python";

struct Pipe {
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw Error(ErrorCode::file, fmt::format("--via python: no pipe: {}", std::strerror(errno)));
  }
  ~Pipe() {
    close_reader();
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_reader() { close_end(ends_[0]); }
  void close_writer() { close_end(ends_[1]); }
  std::string read_all() const {
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t size = ::read(reader(), buffer.data(), buffer.size());
      if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
      if (size == 0 || (size < 0 && errno != EINTR)) return text;
    }
  }

 private:
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }

  std::array<int, 2> ends_ = {-1, -1};
};

const char* interpreter() {
  const char* const given = std::getenv("PODIUM_PYTHON");
  return given && *given ? given : "python3";
}

// The script at work on a file. Its messages are short enough to wait in their pipe.
class TableProcess {
 public:
  TableProcess(std::string what, std::string path) : path_(std::move(path)) {
    std::string program = interpreter(), flag = "-c", script = kTableScript;
    char* arguments[] = {program.data(), flag.data(),  script.data(),
                         what.data(),    path_.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out_.writer(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages_.writer(), STDERR_FILENO);
    const int failed =
        posix_spawnp(&child_, program.c_str(), &actions, nullptr, arguments, __environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
      child_ = -1;
      throw Error(ErrorCode::file, fmt::format("--via python: {} cannot be started: {}", program,
                                               std::strerror(failed)));
    }
    out_.close_writer();
    messages_.close_writer();
  }
  ~TableProcess() {
    if (child_ < 0) return;
    kill(child_, SIGTERM);
    wait();
  }
  TableProcess(const TableProcess&) = delete;
  TableProcess& operator=(const TableProcess&) = delete;

  const Pipe& out() const { return out_; }

  // Waits for the end; throws what the script says if it failed.
  void finish() {
    out_.close_reader();
    const std::string text = messages_.read_all();
    const int status = wait();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::size_t end = text.find_last_not_of('\n');
    const std::size_t begin = end == text.npos ? 0 : text.rfind('\n', end) + 1;
    throw Error(ErrorCode::data,
                end == text.npos ? fmt::format("--via python: {} was killed", interpreter())
                                 : "--via python: " + text.substr(begin, end + 1 - begin),
                {path_});
  }

 private:
  int wait() {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return status;
  }

  std::string path_;
  Pipe out_, messages_;
  pid_t child_ = -1;
};

void add_categories(const std::string& path, ReadOptions& options) {
  TableProcess table("categories", path);
  const std::string names = table.out().read_all();
  table.finish();
  for (const auto& name : nlohmann::json::parse(names))
    options.expected.emplace_back(name.get<std::string>(), FeatureType::category);
}

}  // namespace

Dataset read_via_python(const std::string& path, ReadOptions options, Context& context) {
  open_for_reading(path);  // or throws, before Python starts
  add_categories(path, options);
  options.format = "csv";
  options.separator = ",";
  TableProcess table("rows", path);
  std::optional<Dataset> data;
  std::optional<Error> failure;
  try {
    data = read_dataset(fmt::format("/dev/fd/{}", table.out().reader()), options, context);
  } catch (const Error& error) {  // the line of the CSV: 1 is that of the names
    failure.emplace(error.code(),
                    error.where().line > 1
                        ? fmt::format("row {}: {}", error.where().line - 1, error.message())
                        : error.message(),
                    Place{path});
  }
  table.finish();
  if (failure) throw Error(*failure);
  return std::move(*data);
}

}  // namespace podium::cli

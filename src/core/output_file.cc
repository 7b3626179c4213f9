#include "core/output_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "core/file_errors.h"
#include "core/unfinished_files.h"
#include "core/unpack.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
constexpr int kZstdLevel = 3;

// The target of a symbolic link: the link stays, and its target is replaced. (std::filesystem
// terminates the program if it runs out of memory.)
std::string follow_links(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  if (!real && errno == ENOMEM) throw std::bad_alloc();
  return real ? real.get() : path;  // a dangling link is used as it is
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return path.substr(0, std::max<std::size_t>(slash, 1));
}

bool is_special(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// Returns false and sets errno on failure. File systems that do not support fsync count as success.
bool bring_to_disk(int file) {
  int result = 0;
  do result = fsync(file);
  while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

// Makes the rename durable. If this fails, the file is complete under its old or its new name.
void bring_folder_to_disk(const std::string& path) {
  const FileDescriptor folder = open_patiently(folder_of(path), O_RDONLY | O_DIRECTORY);
  if (folder.get() >= 0) bring_to_disk(folder.get());
}

// The process that writes a file named PATH.PID-COUNT.tmp; nullopt for other names.
std::optional<pid_t> writer_of(std::string_view name, std::string_view path_name) {
  constexpr std::string_view kEnding = ".tmp";
  if (!name.starts_with(path_name) || !name.ends_with(kEnding)) return {};
  name.remove_prefix(path_name.size());
  if (name.size() <= kEnding.size() || !name.starts_with('.')) return {};
  name = name.substr(1, name.size() - 1 - kEnding.size());
  pid_t process = 0;
  unsigned count = 0;
  const char* const end = name.data() + name.size();
  const auto [dash, first] = std::from_chars(name.data(), end, process);
  if (first != std::errc() || dash == end || *dash != '-') return {};
  const auto [stop, second] = std::from_chars(dash + 1, end, count);
  if (second != std::errc() || stop != end || process <= 0) return {};
  return process;
}

bool is_gone(pid_t process) {
  return kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace

// The bytes on disk.
class OutputFile::Target {
 public:
  explicit Target(const std::string& path) : path_(path) {
    buffer_.reserve(kBufferBytes);
    if (path == "-") {
      file_ = FileDescriptor(STDOUT_FILENO);
    } else if (is_special(path)) {
      file_ = open_patiently(path, O_WRONLY);
    } else {
      final_ = follow_links(path);
      open_temporary();
    }
    if (file_.get() < 0) throw file_error(path, "cannot be written", errno);
  }
  ~Target() {
    if (!temporary_.empty()) unlink(temporary_.c_str());
    forget_unfinished(ticket_);
  }

  const std::string& path() const noexcept { return path_; }

  void write(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBufferBytes) flush();
    if (bytes.size() >= kBufferBytes)
      write_through(bytes);
    else
      buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }

  void commit() {
    flush();
    if (!temporary_.empty() && !bring_to_disk(file_.get()))
      throw file_error(path_, "cannot be written", errno);
    if (const int error = file_.close()) throw file_error(path_, "cannot be written", error);
    if (temporary_.empty()) return;
    if (rename(temporary_.c_str(), final_.c_str()) != 0)
      throw file_error(path_, "cannot be written", errno);
    temporary_.clear();
    forget_unfinished(std::exchange(ticket_, -1));
    bring_folder_to_disk(final_);
  }

 private:
  void open_temporary() {
    static std::atomic<unsigned> counter{0};
    do {
      forget_unfinished(std::exchange(ticket_, -1));
      temporary_ = fmt::format("{}.{}-{}.tmp", final_, getpid(), counter++);
      // Recorded before the file exists: a signal may arrive at any moment.
      ticket_ = remember_unfinished(temporary_);
      file_ = open_patiently(temporary_, O_WRONLY | O_CREAT | O_EXCL);
    } while (file_.get() < 0 && errno == EEXIST);
    if (file_.get() >= 0) return;
    const int cause = errno;
    forget_unfinished(std::exchange(ticket_, -1));
    temporary_.clear();
    errno = cause;
  }
  void flush() {
    write_through({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }
  void write_through(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t done = ::write(file_.get(), bytes.data(), bytes.size());
      if (done > 0)
        bytes.remove_prefix(static_cast<std::size_t>(done));
      else if (done == 0 || errno != EINTR)
        throw file_error(path_, "cannot be written", done == 0 ? EIO : errno);
    }
  }

  std::string path_, final_, temporary_;
  FileDescriptor file_;
  int ticket_ = -1;  // among the unfinished files
  std::vector<char> buffer_;
};

class OutputFile::Packer {
 public:
  virtual ~Packer() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void finish() = 0;
};

class OutputFile::GzipPacker final : public Packer {
 public:
  explicit GzipPacker(Target& target) : target_(target), out_(kBufferBytes) {
    if (deflateInit2(&state_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      throw Error(ErrorCode::file, "not enough memory to compress it", {target.path()});
  }
  ~GzipPacker() override { deflateEnd(&state_); }
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::string_view part = bytes.substr(0, std::size_t{1} << 30);
      pack(part, Z_NO_FLUSH);
      bytes.remove_prefix(part.size());
    }
  }
  void finish() override { pack({}, Z_FINISH); }

 private:
  void pack(std::string_view bytes, int flush) {
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    state_.avail_in = static_cast<uInt>(bytes.size());
    do {
      state_.next_out = reinterpret_cast<Bytef*>(out_.data());
      state_.avail_out = static_cast<uInt>(out_.size());
      deflate(&state_, flush);
      target_.write({out_.data(), out_.size() - state_.avail_out});
    } while (state_.avail_out == 0);
  }

  Target& target_;
  std::vector<char> out_;
  z_stream state_{};
};

class OutputFile::ZstdPacker final : public Packer {
 public:
  explicit ZstdPacker(Target& target)
      : target_(target), out_(kBufferBytes), state_(ZSTD_createCStream(), ZSTD_freeCStream) {
    if (!state_) throw Error(ErrorCode::file, "not enough memory to compress it", {target.path()});
    ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(state_.get(), ZSTD_c_checksumFlag, 1);
  }

  void write(std::string_view bytes) override { pack(bytes, ZSTD_e_continue); }
  void finish() override { pack({}, ZSTD_e_end); }

 private:
  void pack(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(state_.get(), &out, &in, directive);
      if (ZSTD_isError(left))
        throw Error(ErrorCode::file,
                    fmt::format("cannot be compressed: {}", ZSTD_getErrorName(left)),
                    {target_.path()});
      target_.write({out_.data(), out.pos});
      if (directive == ZSTD_e_end ? left == 0 : in.pos == in.size) return;
    }
  }

  Target& target_;
  std::vector<char> out_;
  std::unique_ptr<ZSTD_CStream, std::size_t (*)(ZSTD_CStream*)> state_;
};

OutputFile::OutputFile(const std::string& path) {
  if (!can_be_packed(packing_of(path)))
    throw Error(ErrorCode::usage, "xz and bzip2 files are only read: write .gz or .zst", {path});
  target_ = std::make_unique<Target>(path);
  switch (packing_of(path)) {
    case Packing::gzip:
      packer_ = std::make_unique<GzipPacker>(*target_);
      break;
    case Packing::zstd:
      packer_ = std::make_unique<ZstdPacker>(*target_);
      break;
    case Packing::xz:
    case Packing::bzip2:
    case Packing::none:
      break;
  }
}

OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view bytes) {
  if (packer_)
    packer_->write(bytes);
  else
    target_->write(bytes);
}

void OutputFile::commit() {
  if (packer_) packer_->finish();
  target_->commit();
}

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

void require_writable(const std::string& path) {
  if (path != "-" && !is_special(path)) OutputFile unused(path);
}

void remove_leftovers(const std::string& path) {
  const std::string final = follow_links(path), folder = folder_of(final);
  const std::string name = final.substr(final.find_last_of('/') + 1);
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
  if (!listing) return;
  while (const dirent* const entry = readdir(listing.get())) {
    const auto writer = writer_of(entry->d_name, name);
    if (writer && is_gone(*writer)) unlink((folder + "/" + entry->d_name).c_str());
  }
}

}  // namespace podium

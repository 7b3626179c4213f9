#include "python_communicator.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium::python {
namespace {

// The content of bytes, or of anything else with a buffer.
std::vector<std::byte> copy_of(nb::handle item) {
  Py_buffer view;
  if (PyObject_GetBuffer(item.ptr(), &view, PyBUF_SIMPLE) != 0) throw nb::python_error();
  std::vector<std::byte> out(static_cast<std::size_t>(view.len));
  if (!out.empty()) std::memcpy(out.data(), view.buf, out.size());
  PyBuffer_Release(&view);
  return out;
}

class PythonCommunicator final : public Communicator {
 public:
  PythonCommunicator(nb::object workers, Foreground& foreground)
      : workers_(std::move(workers)),
        foreground_(foreground),
        rank_(nb::cast<int>(workers_.attr("rank"))),
        size_(nb::cast<int>(workers_.attr("size"))),
        adds_(nb::hasattr(workers_, "all_reduce_sum")) {
    if (size_ < 1 || rank_ < 0 || rank_ >= size_)
      throw Error(ErrorCode::usage,
                  fmt::format("workers: rank {} of {} is impossible", rank_, size_));
  }

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return size_; }

  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) override {
    if (size_ == 1) return {{mine.begin(), mine.end()}};
    std::vector<std::vector<std::byte>> all;
    foreground_.in_caller([&] {
      const nb::object parts = workers_.attr("all_gather")(nb::bytes(mine.data(), mine.size()));
      for (nb::handle part : parts) all.push_back(copy_of(part));
    });
    if (all.size() != static_cast<std::size_t>(size_))
      throw Error(
          ErrorCode::group,
          fmt::format("workers: all_gather returned {} parts for {} workers", all.size(), size_));
    bytes_sent_ += mine.size() * others();
    return all;
  }

  void all_reduce_sum(std::span<std::int64_t> values) override {
    if (!adds_) return Communicator::all_reduce_sum(values);
    if (size_ == 1) return;
    foreground_.in_caller([&] {
      const nb::object array =
          nb::cast(give(std::vector<std::int64_t>(values.begin(), values.end())));
      workers_.attr("all_reduce_sum")(array);
      const auto sums = nb::cast<Vector<std::int64_t>>(array);
      std::copy_n(sums.data(), values.size(), values.begin());
    });
    bytes_sent_ += 2 * values.size_bytes() * others() / static_cast<std::uint64_t>(size_);
  }

 private:
  std::uint64_t others() const noexcept { return static_cast<std::uint64_t>(size_) - 1; }

  nb::object workers_;
  Foreground& foreground_;
  int rank_, size_;
  bool adds_;
};

}  // namespace

std::unique_ptr<Communicator> make_python_communicator(nb::object workers, Foreground& foreground) {
  return std::make_unique<PythonCommunicator>(std::move(workers), foreground);
}

}  // namespace podium::python

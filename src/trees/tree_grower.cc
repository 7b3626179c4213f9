#include "trees/tree_grower.h"

#include "distributed/over_ranks.h"
#include "podium/error.h"
#include "trees/cpu_tree_grower.h"
#include "trees/device/device_tree_grower.h"

namespace podium {
namespace {

// The two kinds of grower exchange the same sums, but not in the same messages.
void require_one_kind(bool on_cpu, Communicator& comm) {
  if (comm.size() == 1) return;
  const bool cpu = on_any_rank(on_cpu, comm), gpu = on_any_rank(!on_cpu, comm);
  if (cpu && gpu)
    throw Error(ErrorCode::usage,
                "‹device›: some ranks have the CPU, others a GPU: use the same kind on all");
}

}  // namespace

std::unique_ptr<TreeGrower> make_tree_grower(const TreeGrower::Setup& setup, Context& context) {
  const bool on_cpu = context.device.kind == Device::Kind::cpu;
  require_one_kind(on_cpu, context.comm);
  if (on_cpu) return std::make_unique<CpuTreeGrower>(setup, context);
  return std::make_unique<DeviceTreeGrower>(setup, open_device(context), context);
}

}  // namespace podium

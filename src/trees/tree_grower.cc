#include "trees/tree_grower.h"

#include "trees/cpu_tree_grower.h"
#include "trees/device/device_tree_grower.h"

namespace podium {

std::unique_ptr<TreeGrower> make_tree_grower(const TreeGrower::Setup& setup, Context& context) {
  if (context.device.kind == Device::Kind::cpu)
    return std::make_unique<CpuTreeGrower>(setup, context);
  return std::make_unique<DeviceTreeGrower>(setup, open_device(context.device), context);
}

}  // namespace podium

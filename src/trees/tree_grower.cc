#include "trees/tree_grower.h"

#include "podium/error.h"
#include "trees/cpu_tree_grower.h"

namespace podium {

std::unique_ptr<TreeGrower> make_tree_grower(const TreeGrower::Setup& setup, Context& context) {
  switch (context.device) {
    case Device::cpu:
      return std::make_unique<CpuTreeGrower>(setup, context);
  }
  throw Error(ErrorCode::usage, "trees cannot be grown on this device");
}

}  // namespace podium

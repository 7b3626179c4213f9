// One function object with an overload per alternative of a variant, for std::visit: an alternative
// without one does not compile.
#pragma once

namespace podium {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace podium

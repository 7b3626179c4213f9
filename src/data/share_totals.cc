#include "data/share_totals.h"

#include "distributed/gathered.h"

namespace podium {

ShareTotals totals_of(const Dataset& share, Communicator& comm) {
  ShareTotals all;
  for (const ShareTotals& rank :
       gathered(ShareTotals{share.documents(), share.queries(), share.fingerprint()}, comm)) {
    all.documents += rank.documents;
    all.queries += rank.queries;
    all.fingerprint += rank.fingerprint;
  }
  return all;
}

}  // namespace podium

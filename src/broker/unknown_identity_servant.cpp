#include "broker/unknown_identity_servant.hpp"

#include <Ice/Current.h>
#include <Ice/LocalException.h>
#include <Ice/ObjectAdapter.h>

namespace squall::broker {

bool UnknownIdentityServant::ice_invoke(std::pair<const Ice::Byte*, const Ice::Byte*>,
                                        std::vector<Ice::Byte>&, const Ice::Current& current) {
    unknown_.log(current);
    // An object that appeared meanwhile is on the default facet, as all are.
    if (!current.facet.empty() && !current.adapter->findAllFacets(current.id).empty()) {
        throw Ice::FacetNotExistException(__FILE__, __LINE__, current.id, current.facet,
                                          current.operation);
    }
    throw Ice::ObjectNotExistException(__FILE__, __LINE__, current.id, current.facet,
                                       current.operation);
}

}  // namespace squall::broker

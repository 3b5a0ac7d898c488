#include "broker/property_rows.hpp"

namespace squall::broker {
namespace {

Property unsupported(std::string name, std::string instead) {
    return {Scope::kService, std::move(name),   Support::kUnsupported, "", "", "",
            nullptr,         std::move(instead)};
}

Property historic(Scope scope, std::string name, std::string instead) {
    return {scope, std::move(name), Support::kHistoric, "", "", "", nullptr, std::move(instead)};
}

void add_adapter(std::vector<Property>& rows, const std::string& adapter) {
    // Object-adapter properties of Ice 3.8 and later.
    rows.push_back(unsupported(adapter + ".PublishedHost", "the Ice run time is 3.7; use `" +
                                                               adapter + ".PublishedEndpoints`"));
    rows.push_back(unsupported(adapter + ".MaxConnections", "connections are not limited"));
    rows.push_back(unsupported(adapter + ".Connection.*",
                               "the Ice run time is 3.7; use `" + adapter + ".ACM.*`"));
    // Of Ice 3.0 to 3.5.
    rows.push_back(historic(Scope::kService, adapter + ".RegisterProcess",
                            "the process is not registered with the locator"));
    rows.push_back(historic(Scope::kService, adapter + ".ThreadPerConnection",
                            "connections share the threads of `" + adapter + ".ThreadPool`"));
    rows.push_back(historic(Scope::kService, adapter + ".ThreadPerConnection.*",
                            "connections share the threads of `" + adapter + ".ThreadPool`"));
}

}  // namespace

std::vector<Property> ignored_properties() {
    std::vector<Property> rows{
        unsupported("LMDB.Path",
                    "topics and subscriptions are kept in memory only: nothing survives a restart"),
        unsupported("LMDB.MapSize", "topics and subscriptions are kept in memory only"),
        unsupported("NodeId", "the broker runs alone, without replicas"),
        unsupported("Nodes.*", "the broker runs alone, without replicas"),
        unsupported("Node.*", "the broker runs alone, without replicas"),
        unsupported("Election.*", "the broker runs alone, so nothing is elected"),
        unsupported("ReplicatedTopicManagerEndpoints",
                    "proxies carry `TopicManager.PublishedEndpoints`"),
        unsupported("ReplicatedPublishEndpoints", "proxies carry `Publish.PublishedEndpoints`"),
        unsupported("Trace.Election", "nothing is elected, so nothing is logged"),
        unsupported("Trace.Replication", "nothing is replicated, so nothing is logged"),
        unsupported("Publish.ThreadPool.SizeMax",
                    "the pool keeps the size that `Publish.ThreadPool.Size` gives it"),
        unsupported("Publish.ThreadPool.SizeWarn",
                    "the pool keeps the size that `Publish.ThreadPool.Size` gives it"),
        unsupported("Publish.ThreadPool.ThreadIdleTime",
                    "the pool keeps the size that `Publish.ThreadPool.Size` gives it"),
        unsupported("Publish.ThreadPool.Serialize",
                    "the order of a publisher's events is always kept"),
        historic(Scope::kService, "TopicManager.Proxy",
                 "a client's property; the broker needs none"),
        historic(Scope::kService, "TopicManager.Proxy.*",
                 "a client's property; the broker needs none"),
        historic(Scope::kService, "Trace.Flush", "`Trace.Subscriber` logs flushes that fail"),
        historic(Scope::kService, "SQL.*", "topics and subscriptions are kept in memory only"),
        historic(Scope::kGlobal, "Freeze.*",
                 "there is no Freeze database: topics and subscriptions are kept in memory only"),
        historic(Scope::kGlobal, "IceBox.*",
                 "squalld is a program of its own, not a service of an IceBox"),
    };
    add_adapter(rows, "TopicManager");
    add_adapter(rows, "Publish");
    return rows;
}

}  // namespace squall::broker

#include "broker/endpoint_text.hpp"

#include <sstream>

namespace squall::broker {

std::vector<std::string> split_endpoints(const std::string& endpoints) {
    std::vector<std::string> items;
    std::string item;
    char quote = 0;
    for (const char c : endpoints + ':') {
        if (quote == 0 && c == ':') {
            if (item.find_first_not_of(" \t\n\r") != std::string::npos) {
                items.push_back(item);
            }
            item.clear();
            continue;
        }
        if (c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        }
        item += c;
    }
    return items;
}

std::string join_endpoints(const std::vector<std::string>& endpoints) {
    std::string joined;
    for (const std::string& endpoint : endpoints) {
        joined += (joined.empty() ? "" : ":") + endpoint;
    }
    return joined;
}

std::string without_star_hosts(const std::string& endpoints, bool ipv6) {
    const std::string any = ipv6 ? "\"::\"" : "0.0.0.0";
    std::istringstream words(endpoints);
    std::string result;
    bool host = false;
    for (std::string word; words >> word; host = word == "-h") {
        for (const std::string star : {"*", "\"*\"", "'*'"}) {
            const bool whole = word == star || word.starts_with(star + ":");
            if (host && whole) {
                word.replace(0, star.size(), any);
            }
        }
        result += (result.empty() ? "" : " ") + word;
    }
    return result;
}

}  // namespace squall::broker

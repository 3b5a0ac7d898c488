#include "squallctl/error.hpp"

#include <Ice/Ice.h>

#include <cstdio>
#include <cstring>

namespace squall::ctl {

std::string explain(const std::exception_ptr& error, const Target& target) {
    const std::string& name = target.name;
    try {
        std::rethrow_exception(error);
    } catch (const Ice::ConnectionRefusedException&) {
        return "cannot reach " + name + ": nothing is listening there; " + target.when_unreachable;
    } catch (const Ice::DNSException& e) {
        return "cannot resolve the host '" + e.host + "' of " + name + "; check the host name";
    } catch (const Ice::TimeoutException&) {
        return "no answer from " + name +
               " in time: it is overloaded or stuck, or another program is listening there; check "
               "host and port, or raise --Ice.Override.ConnectTimeout and "
               "--Ice.Default.InvocationTimeout (milliseconds)";
    } catch (const Ice::ConnectionLostException&) {
        return name +
               " closed the connection without an answer: it stopped, or another program is "
               "listening there, or the message is larger than the broker's Ice.MessageSizeMax";
    } catch (const Ice::ObjectNotExistException&) {
        return name + " does not exist; " + target.when_absent;
    } catch (const Ice::NotRegisteredException& e) {
        return "the locator knows no " + e.kindOfObject + " '" + e.id + "' for " + name +
               "; check --manager and --Ice.Default.Locator";
    } catch (const Ice::NoEndpointException&) {
        return name +
               " has no address; add one (`:tcp -h HOST -p PORT`) or name a locator with "
               "--Ice.Default.Locator=PROXY";
    } catch (const Ice::ProtocolException& e) {
        return name + " does not speak the Ice protocol (" + e.ice_id() + "); check host and port";
    } catch (const Ice::SocketException& e) {
        return "cannot reach " + name + ": " + std::strerror(e.error) + "; " +
               target.when_unreachable;
    } catch (const Ice::UnknownException& e) {
        return name + " failed: " + e.unknown.substr(0, e.unknown.find('\n')) +
               " (the broker's log may say more)";
    } catch (const Ice::Exception& e) {
        return "the call to " + name + " failed: " + e.ice_id();
    } catch (const std::exception& e) {
        return "the call to " + name + " failed: " + e.what();
    }
}

void print_error(const std::string& message) {
    std::fprintf(stderr, "squallctl: %s\n", message.c_str());
}

}  // namespace squall::ctl

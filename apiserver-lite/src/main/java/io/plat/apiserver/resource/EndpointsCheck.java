package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is wrong with where services end, in one object or in slices: in the words of existing servers. */
final class EndpointsCheck {
    private static final int MOST_ENDPOINTS = 1000;
    private static final int MOST_PORTS = 100;
    private static final int MOST_ADDRESSES = 100;

    private final Causes causes;

    private EndpointsCheck(Causes causes) {
        this.causes = causes;
    }

    /** Checks one object with all of a service's ends. */
    static void check(JsonNode endpoints, Causes causes) {
        new EndpointsCheck(causes).subsets(endpoints.path("subsets"));
    }

    private void subsets(JsonNode subsets) {
        for (int i = 0; i < subsets.size(); i++) {
            JsonNode subset = subsets.path(i);
            String field = "subsets[" + i + "]";
            if (subset.path("addresses").isEmpty()
                    && subset.path("notReadyAddresses").isEmpty()) {
                causes.required(field, "must specify `addresses` or `notReadyAddresses`");
            }
            for (String list : List.of("addresses", "notReadyAddresses")) {
                for (int j = 0; j < subset.path(list).size(); j++) {
                    JsonNode address = subset.path(list).path(j);
                    String at = field + "." + list + "[" + j + "]";
                    IpLiterals.check(at + ".ip", Json.text(address, "ip"), causes);
                    ordinary(at + ".ip", Json.text(address, "ip"));
                    hostname(at, address);
                }
            }
            ports(field + ".ports", subset.path("ports"), subset.path("ports").size() > 1);
        }
    }

    private void ports(String field, JsonNode ports, boolean named) {
        for (int j = 0; j < ports.size(); j++) {
            JsonNode port = ports.path(j);
            String at = field + "[" + j + "]";
            String name = Json.text(port, "name");
            if (!name.isEmpty()) {
                causes.name(at + ".name", name, NameRule.LABEL);
            } else if (named) {
                causes.required(at + ".name", "");
            }
            ServiceRules.checkPort(at + ".port", port.path("port"), causes);
            protocolOfApplication(at, port);
        }
        unique(field, ports, false);
    }

    private void hostname(String field, JsonNode of) {
        String name = Json.text(of, "hostname");
        if (!name.isEmpty()) {
            causes.name(field + ".hostname", name, NameRule.LABEL);
        }
    }

    private void protocolOfApplication(String field, JsonNode port) {
        String protocol = Json.text(port, "appProtocol");
        if (!protocol.isEmpty()) {
            causes.qualifiedName(field + ".appProtocol", protocol);
        }
    }

    /** Says so of names that stand there more than once; having none is a name of its own in slices. */
    private void unique(String field, JsonNode ports, boolean none) {
        Set<String> names = new HashSet<>();
        for (int j = 0; j < ports.size(); j++) {
            String name = Json.text(ports.path(j), "name");
            if ((none || !name.isEmpty()) && !names.add(name)) {
                causes.duplicate(field + "[" + j + "].name", name);
            }
        }
    }

    /** An address that means the same from everywhere: services do not end at whoever asks. */
    private void ordinary(String field, String text) {
        Optional<InetAddress> found = IpLiterals.address(text);
        if (found.isEmpty()) {
            return;
        }
        InetAddress address = found.get();
        if (address.isAnyLocalAddress()) {
            causes.invalid(field, text, "may not be unspecified (" + text + ")");
        }
        if (address.isLoopbackAddress()) {
            causes.invalid(field, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (address.isLinkLocalAddress()) {
            causes.invalid(field, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (address.isMCLinkLocal()) {
            causes.invalid(field, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }

    /** Checks a slice, which has addresses of one kind. */
    static void checkSlice(JsonNode slice, Causes causes) {
        new EndpointsCheck(causes).slice(slice);
    }

    private void slice(JsonNode slice) {
        JsonNode endpoints = slice.path("endpoints");
        String type = Json.text(slice, "addressType");
        causes.atMost("endpoints", endpoints.size(), MOST_ENDPOINTS);
        for (int i = 0; i < Math.min(endpoints.size(), MOST_ENDPOINTS); i++) {
            JsonNode addresses = endpoints.path(i).path("addresses");
            String field = "endpoints[" + i + "]";
            if (addresses.isEmpty()) {
                causes.required(field + ".addresses", "must contain at least 1 address");
            }
            causes.atMost(field + ".addresses", addresses.size(), MOST_ADDRESSES);
            for (int j = 0; j < addresses.size(); j++) {
                address(field + ".addresses[" + j + "]", addresses.path(j).asText(), type);
            }
            hostname(field, endpoints.path(i));
        }
        JsonNode ports = slice.path("ports");
        causes.atMost("ports", ports.size(), MOST_PORTS);
        for (int i = 0; i < Math.min(ports.size(), MOST_PORTS); i++) {
            String name = Json.text(ports.path(i), "name");
            if (!name.isEmpty()) {
                causes.name("ports[" + i + "].name", name, NameRule.LABEL);
            }
            protocolOfApplication("ports[" + i + "]", ports.path(i));
        }
        unique("ports", ports, true);
    }

    private void address(String field, String text, String type) {
        switch (type) {
            case "IPv4" -> {
                if (IpLiterals.address(text)
                        .filter(Inet4Address.class::isInstance)
                        .isEmpty()) {
                    causes.invalid(field, text, "must be a valid IPv4 address");
                }
                ordinary(field, text);
            }
            case "IPv6" -> {
                if (IpLiterals.address(text)
                        .filter(Inet6Address.class::isInstance)
                        .isEmpty()) {
                    causes.invalid(field, text, "must be a valid IPv6 address");
                }
                ordinary(field, text);
            }
            case "FQDN" -> DomainNames.check(field, text, 2, causes);
            default -> {
                // That there is no such kind is said of the kind.
            }
        }
    }
}

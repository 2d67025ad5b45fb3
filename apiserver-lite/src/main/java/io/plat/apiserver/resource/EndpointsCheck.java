package io.plat.apiserver.resource;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Validation of Endpoints and EndpointSlice objects, with the messages of kube-apiserver. */
final class EndpointsCheck {
    private static final int MOST_ENDPOINTS = 1000;
    private static final int MOST_PORTS = 100;
    private static final int MOST_ADDRESSES = 100;

    private EndpointsCheck() {}

    /** Checks a subset of an Endpoints object. */
    static void subset(Field subset) {
        if (subset.at("addresses").isEmpty() && subset.at("notReadyAddresses").isEmpty()) {
            subset.required("must specify `addresses` or `notReadyAddresses`");
        }
        for (String list : List.of("addresses", "notReadyAddresses")) {
            for (Field address : subset.at(list)) {
                address.at("ip").address();
                ordinary(address.at("ip"));
                address.at("hostname").optionalName(NameRule.LABEL);
            }
        }
        ports(subset.at("ports"));
    }

    private static void ports(Field ports) {
        boolean named = ports.value().size() > 1;
        for (Field port : ports) {
            Field name = port.at("name");
            if (named) {
                name.requiredName(NameRule.LABEL);
            } else {
                name.optionalName(NameRule.LABEL);
            }
            PortNames.checkNumber(port.at("port"));
            port.at("appProtocol").optionalQualifiedName();
        }
        unique(ports, false);
    }

    /** Checks that no name is repeated; having none is a name of its own in slices. */
    private static void unique(Field ports, boolean none) {
        Set<String> names = new HashSet<>();
        for (Field port : ports) {
            if (none || !port.text("name").isEmpty()) {
                port.at("name").unique(names);
            }
        }
    }

    /** Checks that an address, if it is one, means the same from everywhere. */
    private static void ordinary(Field field) {
        Optional<InetAddress> found = IpLiterals.address(field.text());
        if (found.isEmpty()) {
            return;
        }
        InetAddress address = found.get();
        if (address.isAnyLocalAddress()) {
            field.invalid("may not be unspecified (" + field.text() + ")");
        }
        if (address.isLoopbackAddress()) {
            field.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (address.isLinkLocalAddress()) {
            field.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (address.isMCLinkLocal()) {
            field.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }

    static void checkSlice(Field slice) {
        Field endpoints = slice.at("endpoints");
        String type = slice.text("addressType");
        endpoints.atMost(MOST_ENDPOINTS);
        for (int i = 0; i < Math.min(endpoints.value().size(), MOST_ENDPOINTS); i++) {
            Field addresses = endpoints.element(i).at("addresses");
            addresses.require("must contain at least 1 address");
            addresses.atMost(MOST_ADDRESSES);
            addresses.forEach(address -> address(address, type));
            endpoints.element(i).at("hostname").optionalName(NameRule.LABEL);
        }
        Field ports = slice.at("ports");
        ports.atMost(MOST_PORTS);
        for (int i = 0; i < Math.min(ports.value().size(), MOST_PORTS); i++) {
            ports.element(i).at("name").optionalName(NameRule.LABEL);
            ports.element(i).at("appProtocol").optionalQualifiedName();
        }
        unique(ports, true);
    }

    private static void address(Field address, String type) {
        switch (type) {
            case "IPv4" -> address(address, type, Inet4Address.class);
            case "IPv6" -> address(address, type, Inet6Address.class);
            case "FQDN" -> DomainNames.check(address, 2);
            default -> {
                // The schema's check reports the unknown type.
            }
        }
    }

    private static void address(Field address, String type, Class<? extends InetAddress> family) {
        if (IpLiterals.address(address.text()).filter(family::isInstance).isEmpty()) {
            address.invalid("must be a valid " + type + " address");
        }
        ordinary(address);
    }
}

package io.plat.apiserver.resource;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of resource claims and of device classes, with the messages of kube-apiserver. */
final class DeviceCheck {
    private static final int MOST = 32;
    private static final int MOST_ALTERNATIVES = 8;
    private static final List<String> MODES = List.of("All", "ExactCount");
    private static final String ONE_OF = "exactly one of `exactly` or `firstAvailable` is required";
    private static final String NO_REQUEST = "must be the name of a request in the claim or the name of a request and a"
            + " subrequest separated by '/'";

    /** The names of requests, and of the alternatives below them. */
    private final Map<String, Set<String>> requests = new HashMap<>();

    private DeviceCheck() {}

    static void checkClass(Field spec) {
        selectors(spec.at("selectors"));
        spec.at("config").atMost(MOST);
        spec.at("config").forEach(DeviceCheck::configuration);
    }

    static void checkClaim(Field spec) {
        new DeviceCheck().claim(spec.at("devices"));
    }

    private void claim(Field devices) {
        devices.at("requests").atMost(MOST);
        for (Field request : devices.at("requests")) {
            request.at("name").name(NameRule.LABEL);
            Set<String> alternatives = new HashSet<>();
            request(request, alternatives);
            if (requests.putIfAbsent(request.text("name"), alternatives) != null) {
                request.duplicate(request.text("name"));
            }
        }
        devices.at("constraints").atMost(MOST);
        devices.at("constraints").forEach(this::constraint);
        devices.at("config").atMost(MOST);
        for (Field configuration : devices.at("config")) {
            named(configuration.at("requests"));
            configuration(configuration);
        }
    }

    private static void request(Field request, Set<String> names) {
        Field either = request.at("firstAvailable");
        if (request.has("exactly") && !either.isEmpty()) {
            request.invalidLiteral("null", ONE_OF + ", but multiple fields are set");
        } else if (request.has("exactly")) {
            devices(request.at("exactly"));
        } else if (either.isEmpty()) {
            request.required(ONE_OF);
        }
        either.atMost(MOST_ALTERNATIVES);
        for (Field one : either) {
            one.at("name").name(NameRule.LABEL);
            devices(one);
            if (!names.add(one.text("name"))) {
                one.duplicate(one.text("name"));
            }
        }
    }

    private static void devices(Field wanted) {
        wanted.at("deviceClassName").requiredName(NameRule.SUBDOMAIN);
        selectors(wanted.at("selectors"));
        Field mode = wanted.at("allocationMode");
        Field count = wanted.at("count");
        mode.oneOf(MODES);
        if (mode.is("All") && count.number() != 0) {
            count.invalidValue("must not be specified when allocationMode is 'All'");
        } else if (mode.is("ExactCount")) {
            count.range(1, Long.MAX_VALUE, "must be greater than zero");
        }
    }

    private static void selectors(Field selectors) {
        selectors.atMost(MOST);
        for (Field selector : selectors) {
            if (!selector.has("cel")) {
                selector.at("cel").required("");
            }
        }
    }

    private void constraint(Field constraint) {
        named(constraint.at("requests"));
        Field attribute = constraint.at("matchAttribute");
        if (!attribute.isMissing()) {
            if (attribute.text().indexOf('/') < 0) {
                attribute.invalid("must include a domain");
            }
        } else if (!constraint.has("distinctAttribute")) {
            attribute.required("");
        }
    }

    private void named(Field names) {
        Set<String> seen = new HashSet<>();
        for (Field name : names) {
            if (!isRequest(name.text())) {
                name.invalid(NO_REQUEST);
            }
            name.unique(seen);
        }
    }

    private boolean isRequest(String name) {
        int slash = name.indexOf('/');
        return slash < 0
                ? requests.containsKey(name)
                : requests.getOrDefault(name.substring(0, slash), Set.of()).contains(name.substring(slash + 1));
    }

    private static void configuration(Field configuration) {
        Field opaque = configuration.at("opaque");
        if (opaque.isMissing()) {
            opaque.required("");
            return;
        }
        opaque.at("driver").requiredName(NameRule.SUBDOMAIN);
        if (!opaque.has("parameters")) {
            opaque.at("parameters").required("");
        }
    }
}

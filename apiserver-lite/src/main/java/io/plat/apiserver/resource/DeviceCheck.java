package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is wrong with which devices are asked for, and with classes of them: in the words of existing servers. */
final class DeviceCheck {
    private static final int MOST = 32;
    private static final int MOST_ALTERNATIVES = 8;
    private static final List<String> MODES = List.of("All", "ExactCount");
    private static final String ONE_OF = "exactly one of `exactly` or `firstAvailable` is required";
    private static final String NO_REQUEST = "must be the name of a request in the claim or the name of a request and a"
            + " subrequest separated by '/'";

    private final Causes causes;

    /** The names of requests, and of the alternatives below them. */
    private final Map<String, Set<String>> requests = new HashMap<>();

    private DeviceCheck(Causes causes) {
        this.causes = causes;
    }

    /** Checks a class. */
    static void checkClass(JsonNode object, Causes causes) {
        DeviceCheck check = new DeviceCheck(causes);
        JsonNode spec = object.path("spec");
        check.selectors("spec", spec.path("selectors"));
        check.configurations("spec", spec.path("config"), false);
    }

    /** Checks a claim that stands at a path. */
    static void checkClaim(String path, JsonNode claim, Causes causes) {
        new DeviceCheck(causes).claim(path + ".devices", claim.path("devices"));
    }

    private void claim(String path, JsonNode devices) {
        JsonNode list = devices.path("requests");
        causes.atMost(path + ".requests", list.size(), MOST);
        for (int i = 0; i < list.size(); i++) {
            String name = Json.text(list.path(i), "name");
            String field = path + ".requests[" + i + "]";
            causes.name(field + ".name", name, NameRule.LABEL);
            Set<String> alternatives = new HashSet<>();
            request(field, list.path(i), alternatives);
            if (requests.putIfAbsent(name, alternatives) != null) {
                causes.duplicate(field, name);
            }
        }
        constraints(path + ".constraints", devices.path("constraints"));
        configurations(path, devices.path("config"), true);
    }

    private void request(String field, JsonNode request, Set<String> names) {
        JsonNode either = request.path("firstAvailable");
        if (request.has("exactly") && !either.isEmpty()) {
            causes.invalidLiteral(field, "null", ONE_OF + ", but multiple fields are set");
        } else if (request.has("exactly")) {
            devices(field + ".exactly", request.path("exactly"));
        } else if (either.isEmpty()) {
            causes.required(field, ONE_OF);
        }
        causes.atMost(field + ".firstAvailable", either.size(), MOST_ALTERNATIVES);
        for (int i = 0; i < either.size(); i++) {
            String name = Json.text(either.path(i), "name");
            String at = field + ".firstAvailable[" + i + "]";
            causes.name(at + ".name", name, NameRule.LABEL);
            devices(at, either.path(i));
            if (!names.add(name)) {
                causes.duplicate(at, name);
            }
        }
    }

    private void devices(String field, JsonNode wanted) {
        String type = Json.text(wanted, "deviceClassName");
        if (type.isEmpty()) {
            causes.required(field + ".deviceClassName", "");
        } else {
            causes.name(field + ".deviceClassName", type, NameRule.SUBDOMAIN);
        }
        selectors(field, wanted.path("selectors"));
        String mode = Json.text(wanted, "allocationMode");
        JsonNode count = wanted.path("count");
        causes.oneOf(field + ".allocationMode", mode, MODES);
        if (mode.equals("All") && count.asLong() != 0) {
            causes.invalidValue(field + ".count", count, "must not be specified when allocationMode is 'All'");
        } else if (mode.equals("ExactCount") && count.isNumber() && count.asLong() <= 0) {
            causes.invalidValue(field + ".count", count, "must be greater than zero");
        }
    }

    private void selectors(String field, JsonNode selectors) {
        causes.atMost(field + ".selectors", selectors.size(), MOST);
        for (int i = 0; i < selectors.size(); i++) {
            if (!selectors.path(i).has("cel")) {
                causes.required(field + ".selectors[" + i + "].cel", "");
            }
        }
    }

    private void constraints(String field, JsonNode constraints) {
        causes.atMost(field, constraints.size(), MOST);
        for (int i = 0; i < constraints.size(); i++) {
            JsonNode constraint = constraints.path(i);
            named(field + "[" + i + "].requests", constraint.path("requests"));
            if (constraint.has("matchAttribute")) {
                String name = Json.text(constraint, "matchAttribute");
                if (name.indexOf('/') < 0) {
                    causes.invalid(field + "[" + i + "].matchAttribute", name, "must include a domain");
                }
            } else if (!constraint.has("distinctAttribute")) {
                causes.required(field + "[" + i + "].matchAttribute", "");
            }
        }
    }

    private void named(String field, JsonNode names) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.path(i).asText();
            if (!isRequest(name)) {
                causes.invalid(field + "[" + i + "]", name, NO_REQUEST);
            }
            if (!seen.add(name)) {
                causes.duplicate(field + "[" + i + "]", name);
            }
        }
    }

    private boolean isRequest(String name) {
        int slash = name.indexOf('/');
        return slash < 0
                ? requests.containsKey(name)
                : requests.getOrDefault(name.substring(0, slash), Set.of()).contains(name.substring(slash + 1));
    }

    private void configurations(String path, JsonNode list, boolean ofClaim) {
        causes.atMost(path + ".config", list.size(), MOST);
        for (int i = 0; i < list.size(); i++) {
            JsonNode one = list.path(i);
            String field = path + ".config[" + i + "]";
            if (ofClaim) {
                named(field + ".requests", one.path("requests"));
            }
            if (!one.has("opaque")) {
                causes.required(field + ".opaque", "");
                continue;
            }
            String driver = Json.text(one.path("opaque"), "driver");
            if (driver.isEmpty()) {
                causes.required(field + ".opaque.driver", "");
            } else {
                causes.name(field + ".opaque.driver", driver, NameRule.SUBDOMAIN);
            }
            if (!one.path("opaque").has("parameters")) {
                causes.required(field + ".opaque.parameters", "");
            }
        }
    }
}

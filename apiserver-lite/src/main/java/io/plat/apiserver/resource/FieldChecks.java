package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** What is wrong with new objects of types that are described by data otherwise: rules about several fields, in the words of existing servers. */
final class FieldChecks {
    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
    private final JsonNode spec;
    private final Causes causes;

    private FieldChecks(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    static void check(String storage, JsonNode object, Causes causes) {
        FieldChecks checks = new FieldChecks(object.path("spec"), causes);
        switch (storage) {
            case "persistentvolumeclaims" -> checks.claim();
            case "persistentvolumes" -> checks.volume();
            case "deployments.apps" -> checks.deployment();
            case AutoscalerForms.STORAGE -> checks.autoscaler();
            case "poddisruptionbudgets.policy" -> checks.budget();
            case "ingresses.networking.k8s.io" -> checks.ingress();
            case "networkpolicies.networking.k8s.io" -> checks.networkPolicy();
            case "limitranges" -> checks.limits();
            case "endpoints" -> checkEndpoints(object, causes);
            default -> {}
        }
    }

    private void claim() {
        if (spec.path("accessModes").isEmpty()) {
            causes.required("spec.accessModes", "at least 1 access mode is required");
        }
        if (!spec.at("/resources/requests").has("storage")) {
            causes.required("spec.resources[storage]", "");
        }
    }

    private void volume() {
        if (spec.path("accessModes").isEmpty()) {
            causes.required("spec.accessModes", "");
        }
        if (!spec.path("capacity").has("storage")) {
            causes.required("spec.capacity", "");
        } else if (QualityOfService.amount(spec.path("capacity").path("storage"))
                        .signum()
                <= 0) {
            causes.invalid(
                    "spec.capacity[storage]",
                    spec.path("capacity").path("storage").asText(),
                    "must be greater than zero");
        }
    }

    private void deployment() {
        JsonNode strategy = spec.path("strategy");
        JsonNode rolling = strategy.path("rollingUpdate");
        if (Json.text(strategy, "type").equals("Recreate") && !rolling.isMissingNode()) {
            causes.forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        } else if (isNone(rolling.path("maxUnavailable")) && isNone(rolling.path("maxSurge"))) {
            causes.invalidValue(
                    "spec.strategy.rollingUpdate.maxUnavailable",
                    rolling.path("maxUnavailable"),
                    "may not be 0 when `maxSurge` is 0");
        }
    }

    private static boolean isNone(JsonNode amount) {
        return amount.isInt() ? amount.asInt() == 0 : amount.asText("").equals("0%");
    }

    private void autoscaler() {
        int most = spec.path("maxReplicas").asInt();
        int least = spec.path("minReplicas").asInt(1);
        if (least < 1) {
            causes.invalidLiteral("spec.minReplicas", Integer.toString(least), "must be greater than or equal to 1");
        }
        if (most < 1) {
            causes.invalidLiteral("spec.maxReplicas", Integer.toString(most), "must be greater than 0");
        }
        if (most < least) {
            causes.invalidLiteral(
                    "spec.maxReplicas", Integer.toString(most), "must be greater than or equal to `minReplicas`");
        }
    }

    private void budget() {
        if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
            causes.invalidLiteral("spec", spec.toString(), "minAvailable and maxUnavailable cannot be both set");
        }
        for (String field : new String[] {"minAvailable", "maxUnavailable"}) {
            JsonNode amount = spec.path(field);
            if (amount.isInt() && amount.asInt() < 0) {
                causes.invalidLiteral("spec." + field, amount.asText(), "must be greater than or equal to 0");
            }
            if (amount.isTextual()) {
                percent("spec." + field, amount.asText());
            }
        }
    }

    private void percent(String field, String text) {
        if (!PERCENT.matcher(text).matches()) {
            causes.invalid(
                    field,
                    text,
                    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%',"
                            + " regex used for validation is '[0-9]+%')");
        } else if (text.length() > 4 || Integer.parseInt(text.substring(0, text.length() - 1)) > 100) {
            causes.invalid(field, text, "must not be greater than 100%");
        }
    }

    private void ingress() {
        if (spec.path("rules").isEmpty() && spec.path("defaultBackend").isMissingNode()) {
            causes.invalidLiteral("spec", "null", "either `defaultBackend` or `rules` must be specified");
        }
        for (int i = 0; i < spec.path("rules").size(); i++) {
            JsonNode rule = spec.path("rules").path(i);
            String host = Json.text(rule, "host");
            String field = "spec.rules[" + i + "]";
            String named = host.startsWith("*.") ? host.substring(2) : host;
            if (!host.isEmpty()) {
                NameRule.SUBDOMAIN.problems(named).forEach(why -> causes.invalid(field + ".host", host, why));
            }
            JsonNode paths = rule.path("http").path("paths");
            for (int j = 0; j < paths.size(); j++) {
                String path = Json.text(paths.path(j), "path");
                boolean free = Json.text(paths.path(j), "pathType").equals("ImplementationSpecific");
                if (!path.startsWith("/") && !(free && path.isEmpty())) {
                    causes.invalid(field + ".http.paths[" + j + "].path", path, "must be an absolute path");
                }
            }
        }
    }

    private void networkPolicy() {
        peers("ingress", "from");
        peers("egress", "to");
    }

    private void peers(String direction, String peers) {
        for (int i = 0; i < spec.path(direction).size(); i++) {
            JsonNode list = spec.path(direction).path(i).path(peers);
            for (int j = 0; j < list.size(); j++) {
                JsonNode block = list.path(j).path("ipBlock");
                String cidr = Json.text(block, "cidr");
                if (!block.isMissingNode() && IpLiterals.range(cidr).isEmpty()) {
                    causes.invalid(
                            "spec." + direction + "[" + i + "]." + peers + "[" + j + "].ipBlock.cidr",
                            cidr,
                            "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
                }
            }
        }
    }

    private void limits() {
        for (int i = 0; i < spec.path("limits").size(); i++) {
            JsonNode item = spec.path("limits").path(i);
            for (var least : item.path("min").properties()) {
                JsonNode most = item.path("max").path(least.getKey());
                if (!most.isMissingNode()
                        && QualityOfService.amount(least.getValue()).compareTo(QualityOfService.amount(most)) > 0) {
                    causes.invalid(
                            "spec.limits[" + i + "].min[" + least.getKey() + "]",
                            least.getValue().asText(),
                            "min value " + least.getValue().asText() + " is greater than max value " + most.asText());
                }
            }
        }
    }

    private static void checkEndpoints(JsonNode object, Causes causes) {
        for (int i = 0; i < object.path("subsets").size(); i++) {
            JsonNode subset = object.path("subsets").path(i);
            String field = "subsets[" + i + "]";
            for (String list : new String[] {"addresses", "notReadyAddresses"}) {
                for (int j = 0; j < subset.path(list).size(); j++) {
                    String address = Json.text(subset.path(list).path(j), "ip");
                    if (IpLiterals.address(address).isEmpty()) {
                        causes.invalid(
                                field + "." + list + "[" + j + "].ip",
                                address,
                                "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
                    }
                }
            }
            Set<String> names = new HashSet<>();
            for (int j = 0; j < subset.path("ports").size(); j++) {
                JsonNode port = subset.path("ports").path(j);
                ServiceRules.checkPort(field + ".ports[" + j + "].port", port.path("port"), causes);
                String name = Json.text(port, "name");
                if (!name.isEmpty() && !names.add(name)) {
                    causes.duplicate(field + ".ports[" + j + "].name", name);
                }
            }
        }
    }
}

package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
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
            case "ingresses.networking.k8s.io" -> IngressCheck.check(object, causes);
            case "ingressclasses.networking.k8s.io" -> IngressCheck.checkClass(object, causes);
            case "networkpolicies.networking.k8s.io" -> NetworkPolicyCheck.check(object, causes);
            case "limitranges" -> checks.limits();
            case "endpoints" -> EndpointsCheck.check(object, causes);
            case "endpointslices.discovery.k8s.io" -> EndpointsCheck.checkSlice(object, causes);
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
}

package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldWords;
import java.util.HashSet;
import java.util.Set;

/** What is wrong with whom a service is for and how it tells them apart: in the words of existing servers. */
final class ServiceCheck {
    private static final int LONGEST_AFFINITY = 86_400;
    private static final int PORT_OF_NODES = 10_250;

    private final JsonNode spec;
    private final Causes causes;

    private ServiceCheck(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    static void check(JsonNode spec, Causes causes) {
        ServiceCheck check = new ServiceCheck(spec, causes);
        SelectorCheck.labels("spec.selector", spec.path("selector"), causes);
        check.ports();
        check.affinity();
        check.outside();
    }

    private void ports() {
        Set<String> seen = new HashSet<>();
        boolean balanced = Json.text(spec, "type").equals("LoadBalancer");
        for (int i = 0; i < spec.path("ports").size(); i++) {
            JsonNode port = spec.path("ports").path(i);
            String field = "spec.ports[" + i + "]";
            String protocol = Json.text(port, "protocol");
            int number = port.path("port").asInt();
            if (!seen.add(protocol + number)) {
                causes.add("FieldValueDuplicate", FieldWords.duplicate(shown(protocol, number)), field);
            }
            if (balanced && number == PORT_OF_NODES) {
                causes.invalidLiteral(
                        field,
                        Integer.toString(number),
                        "may not expose port " + number + " externally since it is used by kubelet");
            }
        }
    }

    /** What two ports have in common, as existing servers write it. */
    private static String shown(String protocol, int number) {
        return "{\"Name\":\"\",\"Protocol\":" + FieldWords.quoted(protocol) + ",\"AppProtocol\":null,\"Port\":" + number
                + ",\"TargetPort\":0,\"NodePort\":0}";
    }

    private void affinity() {
        JsonNode seconds = spec.at("/sessionAffinityConfig/clientIP/timeoutSeconds");
        if (seconds.isNumber() && (seconds.asLong() <= 0 || seconds.asLong() > LONGEST_AFFINITY)) {
            causes.invalidValue(
                    "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
                    seconds,
                    "must be greater than 0 and less than " + LONGEST_AFFINITY);
        }
        if (Json.text(spec, "sessionAffinity").equals("None") && spec.has("sessionAffinityConfig")) {
            causes.forbidden("spec.sessionAffinityConfig", "must not be set when session affinity is None");
        }
    }

    private void outside() {
        JsonNode addresses = spec.path("externalIPs");
        for (int i = 0; i < addresses.size(); i++) {
            IpLiterals.check("spec.externalIPs[" + i + "]", addresses.path(i).asText(), causes);
        }
        JsonNode ranges = spec.path("loadBalancerSourceRanges");
        if (!ranges.isEmpty() && !Json.text(spec, "type").equals("LoadBalancer")) {
            causes.forbidden("spec.loadBalancerSourceRanges", "may only be used when `type` is 'LoadBalancer'");
        }
        for (int i = 0; i < ranges.size(); i++) {
            // Spaces around one are no part of it.
            String range = ranges.path(i).asText().strip();
            IpLiterals.checkRange("spec.loadBalancerSourceRanges[" + i + "]", range, causes);
        }
        String policy = Json.text(spec, "externalTrafficPolicy");
        if (!policy.isEmpty() && !ServicePorts.outside(spec) && addresses.isEmpty()) {
            causes.invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services");
        }
    }
}

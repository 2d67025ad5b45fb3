package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.apiserver.schema.FieldWords;
import java.util.HashSet;
import java.util.Set;

/** Validation of what a service selects and how it tells clients apart, with the messages of kube-apiserver. */
final class ServiceCheck {
    private static final int LONGEST_AFFINITY = 86_400;
    private static final int PORT_OF_NODES = 10_250;

    private ServiceCheck() {}

    static void check(Field spec) {
        SelectorCheck.labels(spec.at("selector"));
        ports(spec);
        affinity(spec);
        outside(spec);
    }

    private static void ports(Field spec) {
        Set<String> seen = new HashSet<>();
        boolean balanced = spec.at("type").is("LoadBalancer");
        for (Field port : spec.at("ports")) {
            String protocol = port.text("protocol");
            int number = port.value().path("port").asInt();
            if (!seen.add(protocol + number)) {
                port.add("FieldValueDuplicate", FieldWords.duplicate(shown(protocol, number)));
            }
            if (balanced && number == PORT_OF_NODES) {
                port.invalidLiteral(
                        Integer.toString(number),
                        "may not expose port " + number + " externally since it is used by kubelet");
            }
        }
    }

    /** What two ports have in common, as kube-apiserver writes it. */
    private static String shown(String protocol, int number) {
        return "{\"Name\":\"\",\"Protocol\":" + FieldWords.quoted(protocol) + ",\"AppProtocol\":null,\"Port\":" + number
                + ",\"TargetPort\":0,\"NodePort\":0}";
    }

    private static void affinity(Field spec) {
        Field config = spec.at("sessionAffinityConfig");
        config.at("clientIP")
                .at("timeoutSeconds")
                .range(1, LONGEST_AFFINITY, "must be greater than 0 and less than " + LONGEST_AFFINITY);
        if (spec.at("sessionAffinity").is("None") && !config.isMissing()) {
            config.forbidden("must not be set when session affinity is None");
        }
    }

    private static void outside(Field spec) {
        spec.at("externalIPs").forEach(Field::address);
        Field ranges = spec.at("loadBalancerSourceRanges");
        if (!ranges.isEmpty() && !spec.at("type").is("LoadBalancer")) {
            ranges.forbidden("may only be used when `type` is 'LoadBalancer'");
        }
        for (Field range : ranges) {
            // Spaces around one are no part of it.
            new Field(range.path(), TextNode.valueOf(range.text().strip()), range.causes()).cidr();
        }
        Field policy = spec.at("externalTrafficPolicy");
        if (!policy.isEmpty()
                && !ServicePorts.outside(spec.value())
                && spec.at("externalIPs").isEmpty()) {
            policy.invalid("may only be set for externally-accessible services");
        }
    }
}

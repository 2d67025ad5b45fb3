package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Services: what clients show and rely on. {@link ServiceLending} gives them addresses and ports; nothing here routes to them. */
final class ServiceRules implements TypeRules {
    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private static final String BY_CLIENT = "ClientIP";
    private static final int AFFINITY_SECONDS = 10_800;

    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    @Override
    public void prepare(ObjectNode service, @Nullable ObjectNode before) {
        ObjectNode spec = Json.child(service, "spec");
        putAbsent(spec, "type", "ClusterIP");
        putAbsent(spec, "sessionAffinity", "None");
        if (Json.text(spec, "sessionAffinity").equals(BY_CLIENT)) {
            ObjectNode byClient = Json.child(Json.child(spec, "sessionAffinityConfig"), "clientIP");
            if (!byClient.has("timeoutSeconds")) {
                byClient.put("timeoutSeconds", AFFINITY_SECONDS);
            }
        }
        if (!Json.text(spec, "type").equals("ExternalName")) {
            putAbsent(spec, "internalTrafficPolicy", "Cluster");
        }
        @Nullable JsonNode had = before == null ? null : before.path("spec");
        ServiceAddresses.prepare(spec, had);
        ServicePorts.prepare(spec, had);
        for (JsonNode item : spec.path("ports")) {
            if (item instanceof ObjectNode port) {
                putAbsent(port, "protocol", "TCP");
                if (!port.has("targetPort")) {
                    port.set("targetPort", port.path("port"));
                }
            }
        }
        if (before == null) {
            service.putObject("status").putObject("loadBalancer");
        } else {
            service.set("status", before.path("status").deepCopy());
        }
    }

    static void putAbsent(ObjectNode object, String field, String value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }

    @Override
    public void check(ObjectNode service, @Nullable ObjectNode before, Causes causes) {
        Field spec = Field.of(service, causes).at("spec");
        Field type = spec.at("type");
        if (!TYPES.contains(type.text())) {
            type.notSupported(TYPES);
        }
        if (type.is("ExternalName")) {
            Field name = spec.at("externalName");
            if (name.require("")) {
                name.name(name.text().replaceFirst("\\.$", ""), NameRule.SUBDOMAIN);
            }
        } else if (!spec.at("clusterIP").is("None")) {
            spec.at("ports").require("");
        }
        checkPorts(spec.at("ports"));
        if (before == null || !spec.value().equals(before.path("spec"))) {
            // What is there already was checked by the rules of its time.
            ServiceCheck.check(spec);
        }
        ServiceAddresses.check(spec, before == null ? null : before.path("spec"));
        ServicePorts.check(spec);
    }

    private static void checkPorts(Field ports) {
        var names = new HashSet<String>();
        for (Field port : ports) {
            Field name = port.at("name");
            if (!name.isEmpty()) {
                name.name(NameRule.LABEL);
                name.unique(names);
            } else if (ports.value().size() > 1) {
                name.required("");
            }
            PortNames.checkNumber(port.at("port"));
            PortNames.checkNumberOrName(port.at("targetPort"));
            port.at("appProtocol").optionalQualifiedName();
            if (!PROTOCOLS.contains(port.text("protocol"))) {
                port.at("protocol").notSupported(PROTOCOLS);
            }
        }
    }
}

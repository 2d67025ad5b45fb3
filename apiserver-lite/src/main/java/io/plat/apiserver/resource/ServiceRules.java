package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.rules.NameRule;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Services: what clients show and rely on. {@link ServiceLending} gives them addresses and ports; nothing here routes to them. */
final class ServiceRules implements TypeRules {
    private static final String BY_CLIENT = "ClientIP";
    private static final int AFFINITY_SECONDS = 10_800;


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
        Rules.check("services", Field.of(service, before, causes));
        Field spec = Field.of(service, causes).at("spec");
        ServiceAddresses.check(spec, before == null ? null : before.path("spec"));
        ServicePorts.check(spec);
    }
}

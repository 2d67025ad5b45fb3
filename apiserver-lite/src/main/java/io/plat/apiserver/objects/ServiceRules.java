package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.tree.Json;
import org.jspecify.annotations.Nullable;

/** Rules of services. {@link ServiceAllocation} allocates their cluster IPs and node ports; nothing is routed here. */
final class ServiceRules implements TypeRules {
    @Override
    public void prepare(ObjectNode service, @Nullable ObjectNode before) {
        Rules.fill("services", service, before);
        ObjectNode spec = Json.child(service, "spec");
        @Nullable JsonNode had = before == null ? null : before.path("spec");
        ServiceAddresses.prepare(spec, had);
        ServicePorts.prepare(spec, had);
        Rules.fill("services/ports", service, before);
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
    }
}

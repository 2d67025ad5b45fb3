package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Services: what clients show and rely on. {@link ServiceLending} gives them addresses and ports; nothing here routes to them. */
final class ServiceRules implements TypeRules {
    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private static final String BY_CLIENT = "ClientIP";
    private static final int AFFINITY_SECONDS = 10_800;

    private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    @Override
    public NameRule names() {
        return NameRule.DNS_1035;
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public boolean deletionShowsObject() {
        return true;
    }

    @Override
    public Set<String> selectableFields() {
        return Set.of("spec.clusterIP", "spec.type");
    }

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
        JsonNode spec = service.path("spec");
        String type = Json.text(spec, "type");
        if (!TYPES.contains(type)) {
            causes.notSupported("spec.type", type, TYPES);
        }
        if (type.equals("ExternalName")) {
            String name = Json.text(spec, "externalName");
            if (name.isEmpty()) {
                causes.required("spec.externalName", "");
            } else {
                causes.name("spec.externalName", name.replaceFirst("\\.$", ""), NameRule.SUBDOMAIN);
            }
        } else if (spec.path("ports").isEmpty() && !Json.text(spec, "clusterIP").equals("None")) {
            causes.required("spec.ports", "");
        }
        checkPorts(spec.path("ports"), causes);
        if (before == null || !spec.equals(before.path("spec"))) {
            // What is there already was checked by the rules of its time.
            ServiceCheck.check(spec, causes);
        }
        ServiceAddresses.check(spec, before == null ? null : before.path("spec"), causes);
        ServicePorts.check(spec, causes);
    }

    private static void checkPorts(JsonNode ports, Causes causes) {
        var names = new HashSet<String>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.path(i);
            String field = "spec.ports[" + i + "]";
            String name = Json.text(port, "name");
            if (name.isEmpty() && ports.size() > 1) {
                causes.required(field + ".name", "");
            } else if (!name.isEmpty()) {
                NameRule.LABEL.problems(name).forEach(why -> causes.invalid(field + ".name", name, why));
                if (!names.add(name)) {
                    causes.duplicate(field + ".name", name);
                }
            }
            checkPort(field + ".port", port.path("port"), causes);
            PortNames.checkNumberOrName(field + ".targetPort", port.path("targetPort"), causes);
            String application = Json.text(port, "appProtocol");
            if (!application.isEmpty()) {
                causes.qualifiedName(field + ".appProtocol", application);
            }
            if (!PROTOCOLS.contains(Json.text(port, "protocol"))) {
                causes.notSupported(field + ".protocol", Json.text(port, "protocol"), PROTOCOLS);
            }
        }
    }

    static void checkPort(String field, JsonNode port, Causes causes) {
        int number = port.asInt();
        if (number < 1 || number > 65535) {
            causes.invalidLiteral(
                    field, port.isMissingNode() ? "0" : port.asText(), "must be between 1 and 65535, inclusive");
        }
    }
}

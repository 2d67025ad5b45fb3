package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the spec of a pod, or of a template of pods, beyond its containers' names: in the words of existing servers. */
final class PodSpecCheck {
    private static final int MOST_NAMESERVERS = 3;
    private static final int STANDARD_GRACE = 30;

    private final String path;
    private final JsonNode spec;
    private final Causes causes;
    private final Set<String> volumes = new HashSet<>();
    private final MountCheck mounts;
    private final PodClaimsCheck claims;
    private final Set<String> hostPorts = new HashSet<>();

    private PodSpecCheck(String path, JsonNode spec, JsonNode claims, Causes causes) {
        this.path = path;
        this.spec = spec;
        this.causes = causes;
        this.mounts = new MountCheck(spec.path("volumes"), claims, causes);
        this.claims = new PodClaimsCheck(causes);
    }

    /**
     * Checks a spec that stands at a path.
     *
     * @param claims templates of claims, each of which a pod has a volume from; a missing node for none
     */
    static void check(String path, JsonNode spec, JsonNode claims, Causes causes) {
        PodSpecCheck check = new PodSpecCheck(path, spec, claims, causes);
        check.volumes();
        check.claims.claims(path + ".resourceClaims", spec.path("resourceClaims"));
        long grace = spec.path("terminationGracePeriodSeconds").asLong(STANDARD_GRACE);
        for (String list : PodRules.CONTAINERS) {
            boolean first = list.equals("initContainers");
            for (int i = 0; i < spec.path(list).size(); i++) {
                JsonNode container = spec.path(list).path(i);
                String at = path + "." + list + "[" + i + "]";
                check.container(at, container);
                if (first && Json.text(container, "restartPolicy").isEmpty()) {
                    HandlerCheck.checkNone(at, container, causes);
                } else {
                    HandlerCheck.check(at, container, grace, causes);
                }
            }
        }
        check.host();
        PodSecurityCheck.check(path, spec, causes);
        check.names();
        SchedulingCheck.check(path, spec, causes);
    }

    private void volumes() {
        JsonNode list = spec.path("volumes");
        for (int i = 0; i < list.size(); i++) {
            JsonNode volume = list.path(i);
            String field = path + ".volumes[" + i + "]";
            String name = Json.text(volume, "name");
            if (name.isEmpty()) {
                causes.required(field + ".name", "");
            } else {
                causes.name(field + ".name", name, NameRule.LABEL);
                if (!volumes.add(name)) {
                    causes.duplicate(field + ".name", name);
                }
            }
            int sources = 0;
            for (var member : volume.properties()) {
                if (!member.getKey().equals("name") && ++sources == 2) {
                    causes.forbidden(field + "." + member.getKey(), "may not specify more than 1 volume type");
                }
            }
            VolumeSourceCheck.check(field, volume, causes);
        }
    }

    private void host() {
        JsonNode deadline = spec.path("activeDeadlineSeconds");
        if (deadline.isNumber()) {
            between(path + ".activeDeadlineSeconds", deadline, 1);
        }
        dns(path + ".dnsConfig", spec.path("dnsConfig"));
        identities(path + ".securityContext", spec.path("securityContext"));
        JsonNode groups = spec.path("securityContext").path("supplementalGroups");
        for (int i = 0; i < groups.size(); i++) {
            between(path + ".securityContext.supplementalGroups[" + i + "]", groups.path(i), 0);
        }
        if (spec.path("shareProcessNamespace").asBoolean()
                && spec.path("hostPID").asBoolean()) {
            causes.invalidValue(
                    path + ".shareProcessNamespace",
                    spec.path("shareProcessNamespace"),
                    "ShareProcessNamespace and HostPID cannot both be enabled");
        }
        JsonNode aliases = spec.path("hostAliases");
        for (int i = 0; i < aliases.size(); i++) {
            String at = path + ".hostAliases[" + i + "]";
            IpLiterals.check(at + ".ip", Json.text(aliases.path(i), "ip"), causes);
            JsonNode names = aliases.path(i).path("hostnames");
            for (int j = 0; j < names.size(); j++) {
                causes.name(at + ".hostnames[" + j + "]", names.path(j).asText(), NameRule.SUBDOMAIN);
            }
        }
    }

    private void dns(String field, JsonNode config) {
        JsonNode servers = config.path("nameservers");
        if (Json.text(spec, "dnsPolicy").equals("None") && servers.isEmpty()) {
            causes.required(
                    field + ".nameservers", "must provide at least one DNS nameserver when `dnsPolicy` is None");
        }
        if (servers.size() > MOST_NAMESERVERS) {
            causes.invalidValue(
                    field + ".nameservers", servers, "must not have more than " + MOST_NAMESERVERS + " nameservers");
        }
        for (int i = 0; i < servers.size(); i++) {
            IpLiterals.check(field + ".nameservers[" + i + "]", servers.path(i).asText(), causes);
        }
        for (int i = 0; i < config.path("options").size(); i++) {
            if (Json.text(config.path("options").path(i), "name").isEmpty()) {
                causes.required(field + ".options[" + i + "].name", "must not be empty");
            }
        }
    }

    /** What a pod names: itself, its node, other objects, what it waits for. */
    private void names() {
        List.of("hostname", "subdomain").forEach(field -> name(field, NameRule.LABEL));
        List.of("nodeName", "serviceAccountName", "priorityClassName", "runtimeClassName")
                .forEach(field -> name(field, NameRule.SUBDOMAIN));
        Set<String> gates = new HashSet<>();
        for (int i = 0; i < spec.path("schedulingGates").size(); i++) {
            String at = path + ".schedulingGates[" + i + "]";
            String name = Json.text(spec.path("schedulingGates").path(i), "name");
            causes.qualifiedName(at, name);
            if (!gates.add(name)) {
                causes.duplicate(at, name);
            }
        }
        for (int i = 0; i < spec.path("readinessGates").size(); i++) {
            String type = Json.text(spec.path("readinessGates").path(i), "conditionType");
            causes.qualifiedName(path + ".readinessGates[" + i + "].conditionType", type);
        }
    }

    private void name(String field, NameRule rule) {
        String name = Json.text(spec, field);
        if (!name.isEmpty()) {
            causes.name(path + "." + field, name, rule);
        }
    }

    private void identities(String field, JsonNode context) {
        for (String id : List.of("fsGroup", "runAsGroup", "runAsUser")) {
            if (context.path(id).isNumber()) {
                between(field + "." + id, context.path(id), 0);
            }
        }
    }

    private void between(String field, JsonNode number, int least) {
        if (number.asLong() < least || number.asLong() > Integer.MAX_VALUE) {
            causes.invalidValue(field, number, "must be between " + least + " and 2147483647, inclusive");
        }
    }

    private void container(String field, JsonNode container) {
        String image = Json.text(container, "image");
        if (!image.equals(image.strip())) {
            causes.invalid(field + ".image", image, "must not have leading or trailing whitespace");
        }
        ports(field + ".ports", container.path("ports"));
        EnvironmentCheck.check(field, container, causes);
        mounts.check(field, container);
        ContainerResources.check(field + ".resources", container.path("resources"), causes);
        claims.used(field, container);
        claims.resized(
                field + ".resizePolicy",
                container.path("resizePolicy"),
                Json.text(spec, "restartPolicy").equals("Never"));
        identities(field + ".securityContext", container.path("securityContext"));
        PodSecurityCheck.checkContainer(field, container, spec, causes);
    }

    private void ports(String field, JsonNode ports) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.path(i);
            String at = field + "[" + i + "]";
            String name = Json.text(port, "name");
            if (!name.isEmpty() && PortNames.check(at + ".name", name, causes) && !names.add(name)) {
                causes.duplicate(at + ".name", name);
            }
            JsonNode host = port.path("hostPort");
            if (host.asInt() != 0) {
                ServiceRules.checkPort(at + ".hostPort", host, causes);
                String bound = Json.text(port, "protocol") + "/" + Json.text(port, "hostIP") + "/" + host.asInt();
                if (!hostPorts.add(bound)) {
                    causes.duplicate(at + ".hostPort", bound);
                }
                if (spec.path("hostNetwork").asBoolean() && !host.equals(port.path("containerPort"))) {
                    causes.invalidValue(
                            at + ".containerPort",
                            port.path("containerPort"),
                            "must match `hostPort` when `hostNetwork` is true");
                }
            }
        }
    }
}

package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of the spec of a pod, or of a template of pods, beyond its containers' names, with the messages of kube-apiserver. */
final class PodSpecCheck {
    private static final int MOST_NAMESERVERS = 3;
    private static final int STANDARD_GRACE = 30;

    private final Field spec;
    private final MountCheck mounts;
    private final PodClaimsCheck claims = new PodClaimsCheck();
    private final Set<String> hostPorts = new HashSet<>();

    private PodSpecCheck(Field spec, JsonNode claims) {
        this.spec = spec;
        this.mounts = new MountCheck(spec.value().path("volumes"), claims);
    }

    /**
     * Checks a spec.
     *
     * @param claims templates of claims, each of which a pod has a volume from; a missing node for none
     */
    static void check(Field spec, JsonNode claims) {
        PodSpecCheck check = new PodSpecCheck(spec, claims);
        Set<String> volumes = new HashSet<>();
        spec.at("volumes").forEach(volume -> volume(volume, volumes));
        check.claims.claims(spec.at("resourceClaims"));
        long grace = spec.value().path("terminationGracePeriodSeconds").asLong(STANDARD_GRACE);
        for (String list : PodRules.CONTAINERS) {
            boolean first = list.equals("initContainers");
            for (Field container : spec.at(list)) {
                check.container(container);
                if (first && container.at("restartPolicy").isEmpty()) {
                    HandlerCheck.checkNone(container);
                } else {
                    HandlerCheck.check(container, grace);
                }
            }
        }
        check.host();
        PodSecurityCheck.check(spec);
        check.names();
        SchedulingCheck.check(spec);
    }

    private static void volume(Field volume, Set<String> names) {
        if (volume.at("name").require("")) {
            volume.at("name").name(NameRule.LABEL);
            volume.at("name").unique(names);
        }
        volume.value().properties().stream()
                .map(Map.Entry::getKey)
                .filter(member -> !member.equals("name"))
                .skip(1)
                .limit(1)
                .forEach(member -> volume.at(member).forbidden("may not specify more than 1 volume type"));
        VolumeSourceCheck.check(volume);
    }

    private void host() {
        between(spec.at("activeDeadlineSeconds"), 1);
        dns(spec.at("dnsConfig"));
        Field context = spec.at("securityContext");
        identities(context);
        context.at("supplementalGroups").forEach(group -> between(group, 0));
        Field shares = spec.at("shareProcessNamespace");
        if (shares.flag() && spec.at("hostPID").flag()) {
            shares.invalidValue("ShareProcessNamespace and HostPID cannot both be enabled");
        }
        for (Field alias : spec.at("hostAliases")) {
            alias.at("ip").address();
            alias.at("hostnames").forEach(name -> name.name(NameRule.SUBDOMAIN));
        }
    }

    private void dns(Field config) {
        Field servers = config.at("nameservers");
        if (spec.at("dnsPolicy").is("None")) {
            servers.require("must provide at least one DNS nameserver when `dnsPolicy` is None");
        }
        if (servers.value().size() > MOST_NAMESERVERS) {
            servers.invalidValue("must not have more than " + MOST_NAMESERVERS + " nameservers");
        }
        servers.forEach(Field::address);
        config.at("options").forEach(option -> option.at("name").require("must not be empty"));
    }

    /** Checks what a pod names: itself, its node, other objects, what it waits for. */
    private void names() {
        List.of("hostname", "subdomain").forEach(field -> spec.at(field).optionalName(NameRule.LABEL));
        List.of("nodeName", "serviceAccountName", "priorityClassName", "runtimeClassName")
                .forEach(field -> spec.at(field).optionalName(NameRule.SUBDOMAIN));
        Set<String> gates = new HashSet<>();
        for (Field gate : spec.at("schedulingGates")) {
            String name = gate.text("name");
            gate.qualifiedName(name);
            if (!gates.add(name)) {
                gate.duplicate(name);
            }
        }
        spec.at("readinessGates").forEach(gate -> gate.at("conditionType").qualifiedName());
    }

    private static void identities(Field context) {
        List.of("fsGroup", "runAsGroup", "runAsUser").forEach(id -> between(context.at(id), 0));
    }

    private static void between(Field number, int least) {
        number.range(least, Integer.MAX_VALUE, "must be between " + least + " and 2147483647, inclusive");
    }

    private void container(Field container) {
        Field image = container.at("image");
        if (!image.is(image.text().strip())) {
            image.invalid("must not have leading or trailing whitespace");
        }
        ports(container.at("ports"));
        EnvironmentCheck.check(container);
        mounts.check(container);
        ContainerResources.check(container.at("resources"));
        claims.used(container);
        PodClaimsCheck.resized(
                container.at("resizePolicy"), spec.at("restartPolicy").is("Never"));
        identities(container.at("securityContext"));
        PodSecurityCheck.checkContainer(container.at("securityContext"), spec);
    }

    private void ports(Field ports) {
        Set<String> names = new HashSet<>();
        for (Field port : ports) {
            Field name = port.at("name");
            if (!name.isEmpty() && PortNames.check(name)) {
                name.unique(names);
            }
            Field host = port.at("hostPort");
            if (host.number() != 0) {
                PortNames.checkNumber(host);
                String bound = port.text("protocol") + "/" + port.text("hostIP") + "/" + host.number();
                if (!hostPorts.add(bound)) {
                    host.duplicate(bound);
                }
                Field inside = port.at("containerPort");
                if (spec.at("hostNetwork").flag() && !host.value().equals(inside.value())) {
                    inside.invalidValue("must match `hostPort` when `hostNetwork` is true");
                }
            }
        }
    }
}

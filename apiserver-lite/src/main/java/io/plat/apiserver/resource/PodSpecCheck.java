package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is wrong with the spec of a pod, or of a template of pods, beyond its containers' names: in the words of existing servers. */
final class PodSpecCheck {
    private static final List<String> DNS = List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final List<String> HANDLERS = List.of("exec", "grpc", "httpGet", "tcpSocket");
    private static final List<String> COUNTS =
            List.of("failureThreshold", "initialDelaySeconds", "periodSeconds", "successThreshold", "timeoutSeconds");
    private static final Pattern PORT_NAME = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");
    private static final int LONGEST_PORT_NAME = 15;

    private final String path;
    private final JsonNode spec;
    private final Causes causes;
    private final Set<String> volumes = new HashSet<>();
    private final Set<String> hostPorts = new HashSet<>();

    private PodSpecCheck(String path, JsonNode spec, JsonNode claims, Causes causes) {
        claims.forEach(claim -> volumes.add(Json.text(claim.path("metadata"), "name")));
        this.path = path;
        this.spec = spec;
        this.causes = causes;
    }

    /**
     * Checks a spec that stands at a path.
     *
     * @param claims templates of claims, each of which a pod has a volume from; a missing node for none
     */
    static void check(String path, JsonNode spec, JsonNode claims, Causes causes) {
        PodSpecCheck check = new PodSpecCheck(path, spec, claims, causes);
        check.volumes();
        for (String list : PodRules.CONTAINERS) {
            for (int i = 0; i < spec.path(list).size(); i++) {
                check.container(
                        path + "." + list + "[" + i + "]", spec.path(list).path(i));
            }
        }
        check.host();
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
                NameRule.LABEL.problems(name).forEach(why -> causes.invalid(field + ".name", name, why));
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
        }
    }

    private void host() {
        JsonNode deadline = spec.path("activeDeadlineSeconds");
        if (deadline.isNumber()) {
            between(path + ".activeDeadlineSeconds", deadline, 1);
        }
        for (String field : List.of("hostname", "subdomain")) {
            String name = Json.text(spec, field);
            if (!name.isEmpty()) {
                NameRule.LABEL.problems(name).forEach(why -> causes.invalid(path + "." + field, name, why));
            }
        }
        String node = Json.text(spec, "nodeName");
        if (!node.isEmpty()) {
            NameRule.SUBDOMAIN.problems(node).forEach(why -> causes.invalid(path + ".nodeName", node, why));
        }
        String dns = Json.text(spec, "dnsPolicy");
        if (!dns.isEmpty() && !DNS.contains(dns)) {
            causes.notSupported(path + ".dnsPolicy", dns, DNS);
        }
        if (dns.equals("None") && spec.path("dnsConfig").path("nameservers").isEmpty()) {
            causes.required(
                    path + ".dnsConfig.nameservers",
                    "must provide at least one DNS nameserver when `dnsPolicy` is None");
        }
        identities(path + ".securityContext", spec.path("securityContext"));
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
            causes.invalidLiteral(field, number.asText(), "must be between " + least + " and 2147483647, inclusive");
        }
    }

    private void container(String field, JsonNode container) {
        String image = Json.text(container, "image");
        if (!image.equals(image.strip())) {
            causes.invalid(field + ".image", image, "must not have leading or trailing whitespace");
        }
        ports(field + ".ports", container.path("ports"));
        env(field + ".env", container.path("env"));
        mounts(field + ".volumeMounts", container.path("volumeMounts"));
        resources(field + ".resources", container.path("resources"));
        for (String probe : PROBES) {
            if (container.has(probe)) {
                probe(field + "." + probe, container.path(probe), !probe.equals("readinessProbe"));
            }
        }
        JsonNode context = container.path("securityContext");
        identities(field + ".securityContext", context);
        if (context.path("privileged").asBoolean()
                && context.has("allowPrivilegeEscalation")
                && !context.path("allowPrivilegeEscalation").asBoolean()) {
            causes.invalidLiteral(
                    field + ".securityContext",
                    context.toString(),
                    "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
        }
    }

    private void ports(String field, JsonNode ports) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.path(i);
            String at = field + "[" + i + "]";
            String name = Json.text(port, "name");
            if (!name.isEmpty()) {
                if (portName(at + ".name", name) && !names.add(name)) {
                    causes.duplicate(at + ".name", name);
                }
            }
            JsonNode host = port.path("hostPort");
            if (host.asInt() != 0) {
                ServiceRules.checkPort(at + ".hostPort", host, causes);
                String bound = Json.text(port, "protocol") + "/" + Json.text(port, "hostIP") + "/" + host.asInt();
                if (!hostPorts.add(bound)) {
                    causes.duplicate(at + ".hostPort", bound);
                }
            }
        }
    }

    private boolean portName(String field, String name) {
        if (name.length() > LONGEST_PORT_NAME) {
            causes.invalid(field, name, "must be no more than 15 characters");
            return false;
        }
        if (!PORT_NAME.matcher(name).matches()) {
            causes.invalid(field, name, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
            return false;
        }
        if (name.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
            causes.invalid(field, name, "must contain at least one letter (a-z)");
            return false;
        }
        return true;
    }

    private void env(String field, JsonNode env) {
        for (int i = 0; i < env.size(); i++) {
            JsonNode variable = env.path(i);
            if (Json.text(variable, "name").isEmpty()) {
                causes.required(field + "[" + i + "].name", "");
            }
            if (!Json.text(variable, "value").isEmpty() && variable.has("valueFrom")) {
                causes.invalid(field + "[" + i + "].valueFrom", "", "may not be specified when `value` is not empty");
            }
        }
    }

    private void mounts(String field, JsonNode mounts) {
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            String at = field + "[" + i + "]";
            String name = Json.text(mounts.path(i), "name");
            if (name.isEmpty()) {
                causes.required(at + ".name", "");
            } else if (!volumes.contains(name)) {
                causes.notFound(at + ".name", name);
            }
            String where = Json.text(mounts.path(i), "mountPath");
            if (where.isEmpty()) {
                causes.required(at + ".mountPath", "");
            } else if (!paths.add(where)) {
                causes.invalid(at + ".mountPath", where, "must be unique");
            }
        }
    }

    private void resources(String field, JsonNode resources) {
        for (String kind : List.of("limits", "requests")) {
            for (var amount : resources.path(kind).properties()) {
                if (QualityOfService.amount(amount.getValue()).signum() < 0) {
                    causes.invalid(
                            field + "." + kind + "[" + amount.getKey() + "]",
                            amount.getValue().asText(),
                            "must be greater than or equal to 0");
                }
            }
        }
        for (var asked : resources.path("requests").properties()) {
            JsonNode limit = resources.path("limits").path(asked.getKey());
            if (!limit.isMissingNode()
                    && QualityOfService.amount(asked.getValue()).compareTo(QualityOfService.amount(limit)) > 0) {
                causes.invalid(
                        field + ".requests",
                        asked.getValue().asText(),
                        "must be less than or equal to " + asked.getKey() + " limit of " + limit.asText());
            }
        }
    }

    private void probe(String field, JsonNode probe, boolean once) {
        long handlers = HANDLERS.stream().filter(probe::has).count();
        if (handlers == 0) {
            causes.required(field, "must specify a handler type");
        }
        if (handlers > 1) {
            HANDLERS.stream()
                    .filter(probe::has)
                    .skip(1)
                    .forEach(handler ->
                            causes.forbidden(field + "." + handler, "may not specify more than 1 handler type"));
        }
        for (String handler : List.of("httpGet", "tcpSocket")) {
            JsonNode port = probe.path(handler).path("port");
            if (port.isInt()) {
                ServiceRules.checkPort(field + "." + handler + ".port", port, causes);
            } else if (port.isTextual()) {
                portName(field + "." + handler + ".port", port.asText());
            }
        }
        for (String count : COUNTS) {
            if (probe.path(count).asLong() < 0) {
                causes.invalidLiteral(
                        field + "." + count, probe.path(count).asText(), "must be greater than or equal to 0");
            }
        }
        if (once && probe.path("successThreshold").asInt(1) > 1) {
            causes.invalidLiteral(
                    field + ".successThreshold", probe.path("successThreshold").asText(), "must be 1");
        }
    }
}

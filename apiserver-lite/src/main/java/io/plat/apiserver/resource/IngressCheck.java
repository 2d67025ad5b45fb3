package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.regex.Pattern;

/** What is wrong with ways in from outside, and with the classes of those: in the words of existing servers. */
final class IngressCheck {
    private static final String OLD_CLASS = "kubernetes.io/ingress.class";
    private static final List<String> MISLEADING = List.of("//", "/./", "/../", "%2f", "%2F");
    private static final List<String> MISLEADING_ENDS = List.of("/..", "/.");
    private static final Pattern WILDCARD =
            Pattern.compile("\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final int LONGEST_HOST = 253;
    private static final int LONGEST_CONTROLLER = 250;
    private static final List<String> SCOPES = List.of("Cluster", "Namespace");

    private final JsonNode spec;
    private final Causes causes;

    private IngressCheck(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    /** Checks one that is new or that was changed. */
    static void check(JsonNode ingress, Causes causes) {
        new IngressCheck(ingress.path("spec"), causes).check();
    }

    /** Checks what only a new one may not say: its class in both ways. */
    static void checkNew(JsonNode ingress, Causes causes) {
        String old = Json.text(ingress.path("metadata").path("annotations"), OLD_CLASS);
        if (!old.isEmpty() && ingress.path("spec").has("ingressClassName")) {
            causes.invalid("annotations." + OLD_CLASS, old, "can not be set when the class field is also set");
        }
    }

    private void check() {
        if (spec.path("rules").isEmpty() && spec.path("defaultBackend").isMissingNode()) {
            causes.invalidLiteral("spec", "null", "either `defaultBackend` or `rules` must be specified");
        }
        if (spec.has("defaultBackend")) {
            backend("spec.defaultBackend", spec.path("defaultBackend"));
        }
        for (int i = 0; i < spec.path("rules").size(); i++) {
            rule("spec.rules[" + i + "]", spec.path("rules").path(i));
        }
        for (int i = 0; i < spec.path("tls").size(); i++) {
            JsonNode tls = spec.path("tls").path(i);
            for (int j = 0; j < tls.path("hosts").size(); j++) {
                host(
                        "spec.tls[" + i + "].hosts[" + j + "]",
                        tls.path("hosts").path(j).asText());
            }
            name("spec.tls[" + i + "].secretName", Json.text(tls, "secretName"));
        }
        name("spec.ingressClassName", Json.text(spec, "ingressClassName"));
    }

    private void name(String field, String name) {
        if (!name.isEmpty()) {
            causes.name(field, name, NameRule.SUBDOMAIN);
        }
    }

    private void rule(String field, JsonNode rule) {
        String host = Json.text(rule, "host");
        if (IpLiterals.address(host).isPresent()) {
            causes.invalid(field + ".host", host, "must be a DNS name, not an IP address");
        } else if (!host.isEmpty()) {
            host(field + ".host", host);
        }
        JsonNode paths = rule.path("http").path("paths");
        for (int j = 0; j < paths.size(); j++) {
            String at = field + ".http.paths[" + j + "]";
            path(at + ".path", Json.text(paths.path(j), "path"), Json.text(paths.path(j), "pathType"));
            backend(at + ".backend", paths.path(j).path("backend"));
        }
    }

    private void host(String field, String host) {
        if (!host.contains("*")) {
            causes.name(field, host, NameRule.SUBDOMAIN);
        } else if (host.length() > LONGEST_HOST || !WILDCARD.matcher(host).matches()) {
            causes.invalid(
                    field,
                    host,
                    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must"
                            + " consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric"
                            + " character (e.g. '*.example.com', regex used for validation is '" + WILDCARD + "')");
        }
    }

    private void path(String field, String path, String type) {
        boolean free = type.equals("ImplementationSpecific");
        if (!path.startsWith("/") && !(free && path.isEmpty())) {
            causes.invalid(field, path, "must be an absolute path");
        }
        if (type.isEmpty()) {
            causes.required(field + "Type", "pathType must be specified");
        }
        if (free || type.isEmpty()) {
            return;
        }
        for (String part : MISLEADING) {
            if (path.contains(part)) {
                causes.invalid(field, path, "must not contain '" + part + "'");
            }
        }
        for (String end : MISLEADING_ENDS) {
            if (path.endsWith(end)) {
                causes.invalid(field, path, "cannot end with '" + end + "'");
            }
        }
    }

    private void backend(String field, JsonNode backend) {
        JsonNode service = backend.path("service");
        if (backend.has("service") && backend.has("resource")) {
            causes.invalid(field, "", "cannot set both resource and service backends");
        } else if (backend.has("service")) {
            String name = Json.text(service, "name");
            if (!name.isEmpty()) {
                causes.name(field + ".service.name", name, NameRule.DNS_1035);
            }
            port(field, service.path("port"));
        } else if (!backend.has("resource")) {
            causes.invalid(field, "", "resource or service backend is required");
        }
    }

    private void port(String field, JsonNode port) {
        String name = Json.text(port, "name");
        boolean numbered = port.path("number").asInt() != 0;
        if (!name.isEmpty() && numbered) {
            causes.invalid(field, "", "cannot set both port name & port number");
        } else if (!name.isEmpty()) {
            PortNames.check(field + ".service.port.name", name, causes);
        } else if (numbered) {
            ServiceRules.checkPort(field + ".service.port.number", port.path("number"), causes);
        } else {
            causes.required(field, "port name or number is required");
        }
    }

    /** Checks a class: who serves it, and where its parameters are. */
    static void checkClass(JsonNode ingressClass, Causes causes) {
        JsonNode spec = ingressClass.path("spec");
        String controller = Json.text(spec, "controller");
        if (controller.length() > LONGEST_CONTROLLER) {
            causes.tooLong("spec.controller", LONGEST_CONTROLLER);
        }
        domainPath("spec.controller", controller, causes);
        JsonNode parameters = spec.path("parameters");
        if (!parameters.isObject()) {
            return;
        }
        String scope = Json.text(parameters, "scope");
        if (scope.isEmpty()) {
            causes.required("spec.parameters.scope", "");
        } else if (!SCOPES.contains(scope)) {
            causes.notSupported("spec.parameters.scope", scope, SCOPES);
        } else if (scope.equals("Namespace") && !parameters.has("namespace")) {
            causes.required("spec.parameters.namespace", "`parameters.scope` is set to 'Namespace'");
        } else if (scope.equals("Cluster") && parameters.has("namespace")) {
            causes.forbidden("spec.parameters.namespace", "`parameters.scope` is set to 'Cluster'");
        }
    }

    /** A domain and a path of it: whose something is, and what it is. */
    private static void domainPath(String field, String text, Causes causes) {
        int slash = text.indexOf('/');
        if (text.isEmpty()) {
            causes.required(field, "");
        } else if (slash <= 0 || slash == text.length() - 1) {
            causes.invalid(field, text, "must be a domain-prefixed path (such as \"acme.io/foo\")");
        } else {
            causes.name(field, text.substring(0, slash), NameRule.SUBDOMAIN);
        }
    }
}

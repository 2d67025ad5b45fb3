package io.plat.apiserver.resource;

import java.util.List;
import java.util.regex.Pattern;

/** Validation of ingresses and of ingress classes, with the messages of kube-apiserver. */
final class IngressCheck {
    private static final String OLD_CLASS = "kubernetes.io/ingress.class";
    private static final List<String> MISLEADING = List.of("//", "/./", "/../", "%2f", "%2F");
    private static final List<String> MISLEADING_ENDS = List.of("/..", "/.");
    private static final Pattern WILDCARD =
            Pattern.compile("\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final int LONGEST_HOST = 253;
    private static final int LONGEST_CONTROLLER = 250;
    private static final List<String> SCOPES = List.of("Cluster", "Namespace");

    private IngressCheck() {}

    /** Checks that a new one does not name its class in both ways. */
    static void checkNew(Field ingress) {
        String old = Json.text(ingress.value().path("metadata").path("annotations"), OLD_CLASS);
        if (!old.isEmpty() && ingress.at("spec").has("ingressClassName")) {
            ingress.at("annotations." + OLD_CLASS).invalid(old, "can not be set when the class field is also set");
        }
    }

    /** Checks one that is new or that was changed. */
    static void check(Field spec) {
        Field standard = spec.at("defaultBackend");
        if (spec.at("rules").isEmpty() && standard.isMissing()) {
            spec.invalidLiteral("null", "either `defaultBackend` or `rules` must be specified");
        }
        if (!standard.isMissing()) {
            backend(standard);
        }
        spec.at("rules").forEach(IngressCheck::rule);
        for (Field tls : spec.at("tls")) {
            tls.at("hosts").forEach(IngressCheck::host);
            tls.at("secretName").optionalName(NameRule.SUBDOMAIN);
        }
        spec.at("ingressClassName").optionalName(NameRule.SUBDOMAIN);
    }

    private static void rule(Field rule) {
        Field host = rule.at("host");
        if (IpLiterals.address(host.text()).isPresent()) {
            host.invalid("must be a DNS name, not an IP address");
        } else if (!host.isEmpty()) {
            host(host);
        }
        for (Field path : rule.at("http").at("paths")) {
            path(path);
            backend(path.at("backend"));
        }
    }

    private static void host(Field host) {
        if (!host.text().contains("*")) {
            host.name(NameRule.SUBDOMAIN);
        } else if (host.text().length() > LONGEST_HOST
                || !WILDCARD.matcher(host.text()).matches()) {
            host.invalid("a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which"
                    + " must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric"
                    + " character (e.g. '*.example.com', regex used for validation is '" + WILDCARD + "')");
        }
    }

    private static void path(Field rule) {
        Field path = rule.at("path");
        Field type = rule.at("pathType");
        boolean free = type.is("ImplementationSpecific");
        if (!path.text().startsWith("/") && !(free && path.isEmpty())) {
            path.invalid("must be an absolute path");
        }
        if (!type.require("pathType must be specified") || free) {
            return;
        }
        for (String part : MISLEADING) {
            if (path.text().contains(part)) {
                path.invalid("must not contain '" + part + "'");
            }
        }
        for (String end : MISLEADING_ENDS) {
            if (path.text().endsWith(end)) {
                path.invalid("cannot end with '" + end + "'");
            }
        }
    }

    private static void backend(Field backend) {
        if (backend.has("service") && backend.has("resource")) {
            backend.invalid("", "cannot set both resource and service backends");
        } else if (backend.has("service")) {
            backend.at("service").at("name").optionalName(NameRule.DNS_1035);
            port(backend, backend.at("service").at("port"));
        } else if (!backend.has("resource")) {
            backend.invalid("", "resource or service backend is required");
        }
    }

    private static void port(Field backend, Field port) {
        Field name = port.at("name");
        boolean numbered = port.value().path("number").asInt() != 0;
        if (!name.isEmpty() && numbered) {
            backend.invalid("", "cannot set both port name & port number");
        } else if (!name.isEmpty()) {
            PortNames.check(name);
        } else if (numbered) {
            PortNames.checkNumber(port.at("number"));
        } else {
            backend.required("port name or number is required");
        }
    }

    /** Checks a class: its controller, and where its parameters are. */
    static void checkClass(Field spec) {
        Field controller = spec.at("controller");
        if (controller.text().length() > LONGEST_CONTROLLER) {
            controller.tooLong(LONGEST_CONTROLLER);
        }
        domainPath(controller);
        Field parameters = spec.at("parameters");
        if (!parameters.value().isObject()) {
            return;
        }
        Field scope = parameters.at("scope");
        scope.requiredOneOf(SCOPES);
        if (scope.is("Namespace") && !parameters.has("namespace")) {
            parameters.at("namespace").required("`parameters.scope` is set to 'Namespace'");
        } else if (scope.is("Cluster") && parameters.has("namespace")) {
            parameters.at("namespace").forbidden("`parameters.scope` is set to 'Cluster'");
        }
    }

    private static void domainPath(Field field) {
        String text = field.text();
        int slash = text.indexOf('/');
        if (!field.require("")) {
            return;
        }
        if (slash <= 0 || slash == text.length() - 1) {
            field.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
        } else {
            field.name(text.substring(0, slash), NameRule.SUBDOMAIN);
        }
    }
}

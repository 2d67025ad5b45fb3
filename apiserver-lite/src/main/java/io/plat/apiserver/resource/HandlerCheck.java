package io.plat.apiserver.resource;

import java.util.List;
import java.util.regex.Pattern;

/** Validation of the probes and of the lifecycle handlers of containers, with the messages of kube-apiserver. */
final class HandlerCheck {
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final String READINESS = "readinessProbe";
    private static final List<String> OF_PROBES = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final List<String> OF_LIFECYCLE = List.of("exec", "httpGet", "tcpSocket", "sleep");
    private static final List<String> COUNTS =
            List.of("failureThreshold", "initialDelaySeconds", "periodSeconds", "successThreshold", "timeoutSeconds");
    private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");

    private HandlerCheck() {}

    /**
     * Checks a container.
     *
     * @param grace how many seconds it has to end
     */
    static void check(Field container, long grace) {
        for (String probe : PROBES) {
            if (container.has(probe)) {
                probe(container.at(probe), probe.equals(READINESS));
            }
        }
        for (String event : List.of("postStart", "preStop")) {
            Field handler = container.at("lifecycle").at(event);
            if (handler.value().isObject()) {
                handler(handler, OF_LIFECYCLE);
                handler.as("sleep", handler.value().path("sleep").path("seconds"))
                        .range(
                                0,
                                grace,
                                "must be greater than 0 and less than terminationGracePeriodSeconds (" + grace + ")");
            }
        }
    }

    /** Checks that a container that ends before others begin has none. */
    static void checkNone(Field container) {
        for (String field : List.of("lifecycle", "livenessProbe", READINESS, "startupProbe")) {
            if (container.has(field)) {
                container.at(field).forbidden("may not be set for init containers without restartPolicy=Always");
            }
        }
    }

    private static void probe(Field probe, boolean readiness) {
        handler(probe, OF_PROBES);
        COUNTS.forEach(count -> probe.at(count).notNegative());
        if (!readiness && probe.value().path("successThreshold").asInt(1) > 1) {
            probe.at("successThreshold").invalidValue("must be 1");
        }
        Field grace = probe.at("terminationGracePeriodSeconds");
        if (grace.isNumber() && readiness) {
            grace.invalidValue("must not be set for readinessProbes");
        } else {
            grace.range(1, Long.MAX_VALUE, "must be greater than 0");
        }
    }

    private static void handler(Field handler, List<String> kinds) {
        List<String> said = kinds.stream().filter(handler::has).toList();
        if (said.isEmpty()) {
            handler.required("must specify a handler type");
        }
        said.stream().skip(1).forEach(kind -> handler.at(kind).forbidden("may not specify more than 1 handler type"));
        if (handler.has("exec")) {
            handler.at("exec").at("command").require("");
        }
        for (String kind : List.of("httpGet", "tcpSocket", "grpc")) {
            PortNames.checkNumberOrName(handler.at(kind).at("port"));
        }
        for (Field header : handler.at("httpGet").at("httpHeaders")) {
            Field name = header.at("name");
            if (!name.isEmpty() && !HEADER.matcher(name.text()).matches()) {
                name.invalid("a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name',"
                        + " regex used for validation is '[-A-Za-z0-9]+')");
            }
        }
    }
}

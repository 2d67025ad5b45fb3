package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.regex.Pattern;

/** What is wrong with how a container is asked whether it is well, and with what it is told when it starts and ends. */
final class HandlerCheck {
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final String READINESS = "readinessProbe";
    private static final List<String> OF_PROBES = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final List<String> OF_LIFECYCLE = List.of("exec", "httpGet", "tcpSocket", "sleep");
    private static final List<String> COUNTS =
            List.of("failureThreshold", "initialDelaySeconds", "periodSeconds", "successThreshold", "timeoutSeconds");
    private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");

    private final Causes causes;

    private HandlerCheck(Causes causes) {
        this.causes = causes;
    }

    /**
     * Checks a container that stands at a path.
     *
     * @param grace how many seconds it has to end
     */
    static void check(String path, JsonNode container, long grace, Causes causes) {
        HandlerCheck check = new HandlerCheck(causes);
        for (String probe : PROBES) {
            if (container.has(probe)) {
                check.probe(path + "." + probe, container.path(probe), probe.equals(READINESS));
            }
        }
        for (String event : List.of("postStart", "preStop")) {
            JsonNode handler = container.path("lifecycle").path(event);
            if (handler.isObject()) {
                check.handler(path + ".lifecycle." + event, handler, OF_LIFECYCLE);
                check.sleep(path + ".lifecycle." + event + ".sleep", handler.path("sleep"), grace);
            }
        }
    }

    private void sleep(String field, JsonNode sleep, long grace) {
        JsonNode seconds = sleep.path("seconds");
        if (seconds.isNumber() && (seconds.asLong() < 0 || seconds.asLong() > grace)) {
            causes.invalidValue(
                    field,
                    seconds,
                    "must be greater than 0 and less than terminationGracePeriodSeconds (" + grace + ")");
        }
    }

    /** Says so where a container that ends before others begin is asked whether it is well. */
    static void checkNone(String path, JsonNode container, Causes causes) {
        for (String field : List.of("lifecycle", "livenessProbe", READINESS, "startupProbe")) {
            if (container.has(field)) {
                causes.forbidden(path + "." + field, "may not be set for init containers without restartPolicy=Always");
            }
        }
    }

    private void probe(String field, JsonNode probe, boolean readiness) {
        handler(field, probe, OF_PROBES);
        COUNTS.forEach(count -> causes.notNegative(field + "." + count, probe.path(count)));
        if (!readiness && probe.path("successThreshold").asInt(1) > 1) {
            causes.invalidValue(field + ".successThreshold", probe.path("successThreshold"), "must be 1");
        }
        JsonNode grace = probe.path("terminationGracePeriodSeconds");
        if (grace.isNumber() && readiness) {
            causes.invalidValue(field + ".terminationGracePeriodSeconds", grace, "must not be set for readinessProbes");
        } else if (grace.isNumber() && grace.asLong() <= 0) {
            causes.invalidValue(field + ".terminationGracePeriodSeconds", grace, "must be greater than 0");
        }
    }

    private void handler(String field, JsonNode of, List<String> kinds) {
        List<String> said = kinds.stream().filter(of::has).toList();
        if (said.isEmpty()) {
            causes.required(field, "must specify a handler type");
        }
        said.stream()
                .skip(1)
                .forEach(kind -> causes.forbidden(field + "." + kind, "may not specify more than 1 handler type"));
        if (of.has("exec") && of.path("exec").path("command").isEmpty()) {
            causes.required(field + ".exec.command", "");
        }
        for (String kind : List.of("httpGet", "tcpSocket", "grpc")) {
            PortNames.checkNumberOrName(
                    field + "." + kind + ".port", of.path(kind).path("port"), causes);
        }
        JsonNode headers = of.path("httpGet").path("httpHeaders");
        for (int i = 0; i < headers.size(); i++) {
            String name = Json.text(headers.path(i), "name");
            if (!name.isEmpty() && !HEADER.matcher(name).matches()) {
                causes.invalid(
                        field + ".httpGet.httpHeaders[" + i + "].name",
                        name,
                        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex"
                                + " used for validation is '[-A-Za-z0-9]+')");
            }
        }
    }
}

package io.plat.http.health;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Health checks of a server. A liveness check fails if only a restart helps; a readiness check fails if requests should be sent to other servers for
 * a while. Thread-safe; checks may be added while requests are served.
 */
public final class HealthRegistry {
    /** Health endpoints with their paths. */
    public enum Endpoint {
        /** All checks (the older name). */
        HEALTHZ,
        /** Liveness. */
        LIVEZ,
        /** Readiness. */
        READYZ;

        /** Returns the name in paths and responses. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record NamedCheck(String name, HealthCheck check, boolean live) {}

    private final List<NamedCheck> checks = new CopyOnWriteArrayList<>();
    private final Map<String, Supplier<String>> remarks = new ConcurrentSkipListMap<>();
    private final Map<String, String> aliases = new ConcurrentHashMap<>();

    /** Creates a registry with the check {@code ping}. */
    public HealthRegistry() {
        live("ping", HealthCheck.PING);
    }

    /** Adds a check that liveness and readiness depend on. */
    public void live(String name, HealthCheck check) {
        add(new NamedCheck(name, check, true));
    }

    /** Adds a check that only readiness depends on. */
    public void ready(String name, HealthCheck check) {
        add(new NamedCheck(name, check, false));
    }

    /** Adds an alias of a check, which is accepted in paths and for exclusion; lists of checks show the original name. */
    public void alias(String alias, String name) {
        aliases.put(alias, name);
    }

    /**
     * Adds a line to the list of readiness checks, without effect on readiness.
     *
     * @param text the text; nothing is shown if it is empty
     */
    public void remark(String name, Supplier<String> text) {
        remarks.put(name, text);
    }

    /**
     * Adds a remark for invalid files whose last valid content is in effect.
     *
     * @param broken whether the files are invalid
     */
    public void lastGood(String name, BooleanSupplier broken) {
        remark(name, () -> broken.getAsBoolean() ? "the files are invalid, the last valid ones are in effect" : "");
    }

    private synchronized void add(NamedCheck added) {
        if (checks.stream().anyMatch(known -> known.name.equals(added.name))) {
            throw new IllegalArgumentException("two checks are called " + added.name);
        }
        checks.add(added);
    }

    /**
     * Returns the result of all checks of an endpoint.
     *
     * @param verbose whether a result without failures lists each check
     * @param excluded names of checks to leave out; unknown ones are reported
     */
    public HealthResponse answer(Endpoint endpoint, boolean verbose, Collection<String> excluded) {
        TreeSet<String> unused = new TreeSet<>(excluded);
        unused.remove("");
        // Excluding a check that is not part of this endpoint has no effect.
        Set<String> excludedChecks = new HashSet<>(excluded);
        aliases.forEach((alias, name) -> {
            if (unused.remove(alias)) {
                excludedChecks.add(name);
            }
        });
        StringBuilder lines = new StringBuilder();
        boolean failed = false;
        for (NamedCheck check : checksOf(endpoint)) {
            if (unused.remove(check.name) || excludedChecks.contains(check.name)) {
                lines.append("[+]").append(check.name).append(" excluded: ok\n");
                continue;
            }
            boolean holds = check.check.problem().isEmpty();
            failed |= !holds;
            // Reasons are only logged: these responses reach monitors that may not see more.
            lines.append(holds ? "[+]" : "[-]")
                    .append(check.name)
                    .append(holds ? " ok\n" : " failed: reason withheld\n");
        }
        if (endpoint != Endpoint.LIVEZ) {
            remarks.forEach((name, text) -> {
                String shown = text.get();
                lines.append(shown.isEmpty() ? "" : "[+]" + name + " ok: " + shown + "\n");
            });
        }
        if (!unused.isEmpty()) {
            lines.append("warn: some health checks cannot be excluded: no matches for ")
                    .append(quoted(unused))
                    .append('\n');
        }
        if (failed) {
            return new HealthResponse(500, lines + endpoint.word() + " check failed\n");
        }
        return new HealthResponse(200, verbose ? lines + endpoint.word() + " check passed\n" : "ok");
    }

    /** Returns the result of one check of an endpoint. */
    public HealthResponse answer(Endpoint endpoint, String name) {
        String meant = aliases.get(name);
        for (NamedCheck check : meant == null ? checksOf(endpoint) : checks) {
            if (check.name.equals(meant == null ? name : meant)) {
                // A single check reports its reason, as in kube-apiserver.
                String problem = check.check.problem();
                return problem.isEmpty()
                        ? new HealthResponse(200, "ok")
                        : new HealthResponse(500, "internal server error: " + problem + "\n");
            }
        }
        return new HealthResponse(404, "404 page not found\n");
    }

    /** Returns the names of an endpoint's checks, in the order in which they were added. */
    public List<String> names(Endpoint endpoint) {
        return checksOf(endpoint).stream().map(NamedCheck::name).toList();
    }

    private List<NamedCheck> checksOf(Endpoint endpoint) {
        return switch (endpoint) {
            case LIVEZ -> checks.stream().filter(NamedCheck::live).toList();
            case HEALTHZ, READYZ -> checks;
        };
    }

    private static String quoted(Collection<String> names) {
        return names.stream()
                .map(name -> '"' + name + '"')
                .reduce((a, b) -> a + "," + b)
                .orElse("");
    }

    /** A health check. Returns at once, from known state; thread-safe. */
    @FunctionalInterface
    public interface HealthCheck {
        /** A check that always succeeds, as the response itself is the proof. */
        HealthCheck PING = () -> "";

        /** Returns {@code ""} if healthy, else the problem: one line for the operator, without secrets. */
        String problem();
    }

    /**
     * Response of a health endpoint.
     *
     * @param code 200, 404 for an unknown check, 500 if a check fails
     * @param text the body, plain text
     */
    public record HealthResponse(int code, String text) {
        /** The media type of the body, as in kube-apiserver. */
        public static final String TYPE = "text/plain; charset=utf-8";
    }
}

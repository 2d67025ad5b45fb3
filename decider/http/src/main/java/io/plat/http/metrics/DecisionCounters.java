package io.plat.http.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * {@code apiserver_authorization_decisions_total}: decisions by the authorizer that made them and by outcome, as existing servers count
 * them. Counting is one look and one addition. Safe for any number of threads.
 */
public final class DecisionCounters {
    private static final String WEBHOOK = "Webhook";

    /** What became of a question. */
    public enum Outcome {
        /** Allowed. */
        ALLOWED,
        /** Not allowed. */
        DENIED,
        /** Not decided, as an authorizer failed. */
        FAILED,
        /** Not decided, as there was no policy yet. */
        NOT_LOADED;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final MeterRegistry registry;
    private final Map<Outcome, ConcurrentMap<String, Counter>> counters = new EnumMap<>(Outcome.class);
    private final ConcurrentMap<Named, Counter> named = new ConcurrentHashMap<>();

    /** What an authorizer that has a name of its own is counted by. */
    private record Named(String type, String name, Outcome outcome) {}

    /**
     * Counters of a server.
     *
     * @param types the modes whose counters are to be seen before they count
     */
    public DecisionCounters(MeterRegistry registry, Iterable<String> types) {
        this.registry = registry;
        for (Outcome outcome : Outcome.values()) {
            counters.put(outcome, new ConcurrentHashMap<>());
        }
        for (String type : types) {
            counter(type, Outcome.ALLOWED);
            counter(type, Outcome.DENIED);
        }
    }

    /**
     * Counts a decision.
     *
     * @param type the mode that made it, as {@code --authorization-mode} writes it; one of few
     */
    public void count(String type, Outcome outcome) {
        counter(type, outcome).increment();
    }

    /**
     * Counts a decision of an authorizer that a file names.
     *
     * @param type its mode; one of few
     * @param name what the file calls it; one of few
     */
    public void count(String type, String name, Outcome outcome) {
        named.computeIfAbsent(new Named(type, name, outcome), made -> register(type, name, outcome))
                .increment();
    }

    private Counter counter(String type, Outcome outcome) {
        ConcurrentMap<String, Counter> ofOutcome = Objects.requireNonNull(counters.get(outcome));
        Counter known = ofOutcome.get(type);
        return known != null ? known : ofOutcome.computeIfAbsent(type, made -> register(made, name(made), outcome));
    }

    private Counter register(String type, String name, Outcome outcome) {
        return Counter.builder("apiserver.authorization.decisions")
                .description("Decisions, by the authorizer that made them and by outcome.")
                .tag("type", type)
                .tag("name", name)
                .tag("decision", outcome.word())
                .register(registry);
    }

    /** What existing servers call an authorizer that is chosen by a flag. */
    private static String name(String type) {
        return type.equals(WEBHOOK) ? WebhookMeters.NAME : type.toLowerCase(Locale.ROOT);
    }
}

package io.plat.http.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code apiserver_authorization_decisions_total}: decisions by the authorizer that made them and by outcome, with kube-apiserver's names. Counting
 * costs one lookup and one addition. Thread-safe.
 */
public final class DecisionCounters {
    /** kube-apiserver's name of a webhook that is selected by a flag. */
    public static final String FLAG_WEBHOOK = "default";

    private static final String WEBHOOK = "Webhook";

    /** Outcomes that are counted. */
    public enum Outcome {
        ALLOWED,
        /** Not allowed. */
        DENIED,
        /** Undecided, as an authorizer failed. */
        FAILED,
        /** Undecided, as there was no policy yet. */
        NOT_LOADED;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final MeterRegistry registry;
    private final ConcurrentMap<Key, Counter> counters = new ConcurrentHashMap<>();

    /** Key of a counter. The name is {@code ""} for an authorizer that is selected by a flag. */
    private record Key(String type, String name, Outcome outcome) {}

    /**
     * Creates the counters.
     *
     * @param types the modes whose counters are registered at once
     */
    public DecisionCounters(MeterRegistry registry, Iterable<String> types) {
        this.registry = registry;
        for (String type : types) {
            counter(new Key(type, "", Outcome.ALLOWED));
            counter(new Key(type, "", Outcome.DENIED));
        }
    }

    /**
     * Counts a decision.
     *
     * @param type the mode that made it, as in {@code --authorization-mode}; bounded in number
     */
    public void count(String type, Outcome outcome) {
        counter(new Key(type, "", outcome)).increment();
    }

    /**
     * Counts a decision of an authorizer in a configuration file.
     *
     * @param type its mode; bounded in number
     * @param name its name in the file; bounded in number
     */
    public void count(String type, String name, Outcome outcome) {
        counter(new Key(type, name, outcome)).increment();
    }

    private Counter counter(Key key) {
        @Nullable Counter known = counters.get(key);
        return known != null ? known : counters.computeIfAbsent(key, this::register);
    }

    private Counter register(Key key) {
        return Counter.builder("apiserver.authorization.decisions")
                .description("Authorization decisions, by authorizer and decision.")
                .tag("type", key.type())
                .tag("name", key.name().isEmpty() ? name(key.type()) : key.name())
                .tag("decision", key.outcome().word())
                .register(registry);
    }

    /** Returns kube-apiserver's name of an authorizer that is selected by a flag. */
    private static String name(String type) {
        return type.equals(WEBHOOK) ? FLAG_WEBHOOK : type.toLowerCase(Locale.ROOT);
    }
}

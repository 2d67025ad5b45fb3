package io.plat.authorization;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Decision;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.review.UserInfo;
import java.util.List;
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
    static final String FLAG_WEBHOOK = "default";

    /** Outcomes that are counted. */
    private enum Outcome {
        ALLOWED,
        /** Not allowed. */
        DENIED,
        /** Undecided, as an authorizer failed. */
        FAILED,
        /** Undecided, as there was no policy yet. */
        NOT_LOADED
    }

    private final MeterRegistry registry;
    private final String all;
    private final boolean countsByName;
    private final ConcurrentMap<Key, Counter> counters = new ConcurrentHashMap<>();

    /** Key of a counter. The name is {@code ""} for an authorizer that is selected by a flag. */
    private record Key(String type, String name, Outcome outcome) {}

    /**
     * Creates the counters of a server.
     *
     * @param all name of all its modes together, for requests that none of them allowed
     * @param countsByName whether the decisions of authorizers in a configuration file are counted separately
     */
    public DecisionCounters(MeterRegistry registry, String all, boolean countsByName) {
        this.registry = registry;
        this.all = all;
        this.countsByName = countsByName;
        for (Outcome outcome : all.isEmpty() ? List.<Outcome>of() : List.of(Outcome.ALLOWED, Outcome.DENIED)) {
            counter(new Key(all, "", outcome));
        }
    }

    /** Counts the decision on a request. */
    public void count(Decision decision) {
        switch (decision) {
            case Decision.Allow allow -> {
                String authorizer = allow.grant().authorizer();
                // A request that passes before any authorizer of a file is consulted is not counted by name.
                if (!countsByName || authorizer.equals(UserInfo.MASTERS)) {
                    count(authorizer, "", Outcome.ALLOWED);
                }
            }
            case Decision.Deny ignored -> {
                if (!countsByName) {
                    count(all, "", Outcome.DENIED);
                }
            }
            case Decision.NoOpinion ignored -> count(all, "", Outcome.DENIED);
            case Decision.Undecided undecided ->
                count(
                        all,
                        "",
                        switch (undecided.cause()) {
                            case FAILED -> Outcome.FAILED;
                            case NOT_LOADED -> Outcome.NOT_LOADED;
                        });
        }
    }

    /** Counts the decision of an authorizer in a configuration file, as kube-apiserver does: a failure is nobody's decision. */
    void count(ConfiguredAuthorizer authorizer, Decision decision) {
        switch (decision) {
            case Decision.Allow ignored -> count(authorizer.type(), authorizer.name(), Outcome.ALLOWED);
            case Decision.Deny ignored -> count(authorizer.type(), authorizer.name(), Outcome.DENIED);
            case Decision.NoOpinion ignored -> {}
            case Decision.Undecided ignored -> {}
        }
    }

    private void count(String type, String name, Outcome outcome) {
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
                .tag("decision", key.outcome().name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    /** Returns kube-apiserver's name of an authorizer that is selected by a flag. */
    private static String name(String type) {
        return type.equals(WebhookAuthorizer.MODE) ? FLAG_WEBHOOK : type.toLowerCase(Locale.ROOT);
    }
}

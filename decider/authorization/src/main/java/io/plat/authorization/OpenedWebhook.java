package io.plat.authorization;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.plat.client.remote.RoundTrips;
import io.plat.engine.Authorizer;
import io.plat.engine.condition.ConditionalAuthorizer;
import io.plat.engine.condition.RequestMatcher;
import io.plat.engine.condition.RequestMatcher.Match;
import io.plat.engine.union.Finality;
import io.plat.engine.union.Member;
import io.plat.engine.webhook.WebhookMode;
import io.plat.http.metrics.WebhookMeters;
import io.plat.review.source.ProblemsException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Opened webhook of the file, with its member of the union.
 *
 * @param mode webhook client; to be closed
 */
record OpenedWebhook(WebhookMode mode, Member member) {
    private static final String CONDITIONS = "apiserver.authorization.match.condition.";

    /**
     * Opens a webhook. Connects only for its revision stream, if it has one; otherwise not before the first request.
     *
     * @param changed called when it has another policy; must return immediately
     * @throws ProblemsException with all problems of its kubeconfig file
     */
    static OpenedWebhook open(
            ConfiguredAuthorizer.Webhook webhook, AuthorizationConfiguration.Parts parts, Runnable changed)
            throws ProblemsException {
        MeterRegistry registry = parts.registry();
        WebhookMode mode = WebhookMode.open(webhook.options(), parts.certificates(), parts.clock());
        mode.onRoundTrip(roundTrips(webhook, mode, registry));
        mode.follow(changed);
        RequestMatcher conditions = webhook.conditions();
        Authorizer authorizer = conditions == null
                ? mode.authorizer()
                : new ConditionalAuthorizer(
                        webhook.name(), counted(webhook.name(), conditions, registry), mode.authorizer());
        Finality finality = webhook.failsClosed() ? Finality.DENY_OR_FAILURE : Finality.DENY;
        return new OpenedWebhook(mode, new Member(webhook.name(), authorizer, finality));
    }

    private static RoundTrips roundTrips(
            ConfiguredAuthorizer.Webhook webhook, WebhookMode mode, MeterRegistry registry) {
        WebhookMeters<WebhookMode> meters = new WebhookMeters<>(registry, mode, webhook.name());
        Map<RoundTrips.Result, LongConsumer> results = new EnumMap<>(RoundTrips.Result.class);
        for (RoundTrips.Result result : RoundTrips.Result.values()) {
            String word = result.name().toLowerCase(Locale.ROOT);
            LongConsumer timed = meters.roundTrips(word);
            boolean passedOn = !webhook.failsClosed() && result != RoundTrips.Result.SUCCESS;
            results.put(result, passedOn ? timed.andThen(failureCounter(webhook.name(), word, registry)) : timed);
        }
        return (result, nanos) -> Objects.requireNonNull(results.get(result)).accept(nanos);
    }

    /** Returns a counter of failures after which the next authorizer is consulted. */
    private static LongConsumer failureCounter(String name, String result, MeterRegistry registry) {
        Counter count = Counter.builder("apiserver.authorization.webhook.evaluations.fail.open")
                .description("Failed webhook requests after which the next authorizer was consulted.")
                .tag("name", name)
                .tag("result", result)
                .register(registry);
        return nanos -> count.increment();
    }

    private static RequestMatcher counted(String name, RequestMatcher conditions, MeterRegistry registry) {
        Counter exclusions = counter(
                registry, name, "exclusions", "Requests not sent to a webhook, as a match condition was false.");
        Counter errors = counter(
                registry, name, "evaluation.errors", "Requests on which a match condition of a webhook failed.");
        Timer times = Timer.builder(CONDITIONS + "evaluation")
                .description("Evaluation time of the match conditions of a webhook.")
                .tag("type", "Webhook")
                .tag("name", name)
                .register(registry);
        return attributes -> {
            long begin = System.nanoTime();
            Match match = conditions.match(attributes);
            times.record(System.nanoTime() - begin, TimeUnit.NANOSECONDS);
            switch (match) {
                case Match.Included ignored -> {}
                case Match.Excluded ignored -> exclusions.increment();
                case Match.Failed ignored -> errors.increment();
            }
            return match;
        };
    }

    private static Counter counter(MeterRegistry registry, String name, String what, String description) {
        return Counter.builder(CONDITIONS + what)
                .description(description)
                .tag("type", "Webhook")
                .tag("name", name)
                .register(registry);
    }
}

package io.plat.authorization;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.plat.engine.Authorizer;
import io.plat.engine.condition.ConditionalAuthorizer;
import io.plat.engine.condition.RequestMatcher;
import io.plat.engine.condition.RequestMatcher.Match;
import io.plat.engine.union.Finality;
import io.plat.engine.union.Member;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import io.plat.review.source.ProblemsException;
import java.util.concurrent.TimeUnit;

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
        mode.onRoundTrip(WebhookMeters.roundTrips(registry, webhook.name(), !webhook.failsClosed()));
        mode.follow(changed);
        RequestMatcher conditions = webhook.conditions();
        Authorizer authorizer = conditions == null
                ? mode.authorizer()
                : new ConditionalAuthorizer(
                        webhook.name(), counted(webhook.name(), conditions, registry), mode.authorizer());
        Finality finality = webhook.failsClosed() ? Finality.DENY_OR_FAILURE : Finality.DENY;
        return new OpenedWebhook(mode, new Member(webhook.name(), authorizer, finality));
    }

    private static RequestMatcher counted(String name, RequestMatcher conditions, MeterRegistry registry) {
        Counter exclusions = counter(
                registry, name, "exclusions", "Requests not sent to a webhook, as a match condition was false.");
        Counter errors = counter(
                registry, name, "evaluation.errors", "Requests on which a match condition of a webhook failed.");
        Timer times = Timer.builder(CONDITIONS + "evaluation")
                .description("Evaluation time of the match conditions of a webhook.")
                .tag("type", WebhookAuthorizer.MODE)
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
                .tag("type", WebhookAuthorizer.MODE)
                .tag("name", name)
                .register(registry);
    }
}

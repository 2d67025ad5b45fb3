package io.plat.apiserver.authorization;

import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.explain.DelegatingExplainer;
import io.plat.engine.explain.Explainer;
import io.plat.engine.union.Finality;
import io.plat.engine.union.Member;
import io.plat.engine.union.StructuredMember;
import io.plat.engine.union.StructuredUnion;
import io.plat.engine.union.SystemMastersAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import io.plat.http.metrics.DecisionCounters;
import io.plat.http.metrics.DecisionCounters.Outcome;
import io.plat.process.Tasks;
import io.plat.review.Attributes;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import io.plat.tls.ReloadListener;
import io.plat.tls.files.FileWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Union of the authorizers in the authorization configuration file. A changed file is read, validated and opened as a whole, and then
 * swapped in with one reference; if it has problems, the last good one stays in effect. Members of {@code system:masters} are allowed
 * before any authorizer is consulted, unless the only one is AlwaysDeny.
 */
public final class ConfiguredUnion implements Authorizer, DelegatingExplainer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredUnion.class);

    /** Longer than a webhook request may take, so that requests in progress to a removed webhook complete. */
    private static final Duration GRACE = Duration.ofSeconds(31);

    private final Parts parts;
    private final ReloadMeters meters;
    private final DecisionCounters counters;
    private String text;
    private volatile State current;
    private volatile boolean broken;
    private @Nullable FileWatch watch;

    /**
     * Parts of the union.
     *
     * @param builtIn authorizers by type, except webhooks
     * @param missing further types, and the setting that each of them lacks; built-in ones are omitted
     * @param registry metrics of reloads, webhook requests and conditions
     * @param certificates listener for reloads of webhooks' certificates
     * @param changed called when another file, or another policy of a webhook, takes effect; must return immediately
     */
    public record Parts(
            Path file,
            Map<String, Authorizer> builtIn,
            Map<String, String> missing,
            MeterRegistry registry,
            ReloadListener certificates,
            Runnable changed,
            InstantSource clock) {
        public Parts {
            Map<String, Authorizer> given = Map.copyOf(builtIn);
            builtIn = given;
            missing = missing.entrySet().stream()
                    .filter(entry -> !given.containsKey(entry.getKey()))
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        }
    }

    /** Opened state of the file. */
    private record State(Authorizer authorizer, List<WebhookMode> webhooks) {
        void close() {
            webhooks.forEach(WebhookMode::close);
        }
    }

    private ConfiguredUnion(Parts parts) throws ProblemsException {
        this.parts = parts;
        this.meters = new ReloadMeters(parts.registry(), parts.file(), parts.clock());
        this.counters = new DecisionCounters(parts.registry(), List.of());
        this.text = SourceReader.readText(parts.file());
        this.current = open(text);
        meters.decides(text);
    }

    /**
     * Reads the file and opens its authorizers.
     *
     * @throws ProblemsException with all problems of the file and of the files that it names
     */
    public static ConfiguredUnion open(Parts parts) throws ProblemsException {
        return new ConfiguredUnion(parts);
    }

    /** Starts reloading the file on changes, until closed. To be called once. */
    public void watch(FileWatch.Settings settings) {
        watch = FileWatch.of("authorization-config", List.of(parts.file()), settings, changed -> reload());
        watch.recheck();
        watch.start();
    }

    /** Returns whether the current file is invalid, so that its last good state is in effect. */
    public boolean isBroken() {
        return broken;
    }

    /** Reloads the file, and swaps the authorizers if it changed and is valid. */
    synchronized void reload() {
        try {
            String now = SourceReader.readText(parts.file());
            boolean same = now.equals(text);
            if (same || (watch != null && !watch.confirm())) {
                broken &= !same;
                return;
            }
            State before = current;
            current = open(now);
            text = now;
            broken = false;
            parts.changed().run();
            meters.decides(now);
            meters.succeeded();
            LOG.info("a file was reloaded: file={}", parts.file());
            Tasks.later("replaced-webhooks", GRACE, before::close);
        } catch (ProblemsException unusable) {
            broken = true;
            meters.failed();
            LOG.error("a changed file is invalid, the last good one stays in effect: file={}", parts.file());
            unusable.problems().forEach(problem -> LOG.error("{}", problem));
        }
    }

    private State open(String content) throws ProblemsException {
        List<ConfiguredAuthorizer> listed = AuthorizationConfigReader.read(
                parts.file().toString(), content, parts.builtIn().keySet(), parts.missing());
        List<StructuredMember> members = new ArrayList<>();
        List<WebhookMode> webhooks = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        for (ConfiguredAuthorizer one : listed) {
            try {
                members.add(member(one, webhooks));
            } catch (ProblemsException unusable) {
                problems.addAll(unusable.problems());
            }
        }
        if (!problems.isEmpty()) {
            webhooks.forEach(WebhookMode::close);
            throw new ProblemsException(problems);
        }
        Map<String, String> types = listed.stream()
                .collect(Collectors.toUnmodifiableMap(ConfiguredAuthorizer::name, ConfiguredUnion::type));
        StructuredUnion union = new StructuredUnion(
                members, (one, decision) -> count(Objects.requireNonNull(types.get(one.name())), one.name(), decision));
        boolean refusesEverything = listed.size() == 1
                && listed.getFirst() instanceof ConfiguredAuthorizer.BuiltIn only
                && only.type().equals(AlwaysDeny.MODE);
        return new State(refusesEverything ? union : new SystemMastersAuthorizer(union), webhooks);
    }

    private static String type(ConfiguredAuthorizer one) {
        return switch (one) {
            case ConfiguredAuthorizer.BuiltIn builtIn -> builtIn.type();
            case ConfiguredAuthorizer.Webhook ignored -> AuthorizationConfigReader.WEBHOOK;
        };
    }

    /** Counts decisions as kube-apiserver does: per authorizer that allows or denies; a failure is nobody's decision. */
    private void count(String type, String name, Decision decision) {
        switch (decision) {
            case Decision.Allow ignored -> counters.count(type, name, Outcome.ALLOWED);
            case Decision.Deny ignored -> counters.count(type, name, Outcome.DENIED);
            case Decision.NoOpinion ignored -> {}
            case Decision.Undecided ignored -> {}
        }
    }

    private StructuredMember member(ConfiguredAuthorizer one, List<WebhookMode> webhooks) throws ProblemsException {
        return switch (one) {
            case ConfiguredAuthorizer.BuiltIn builtIn ->
                new StructuredMember(
                        new Member(
                                builtIn.name(),
                                Objects.requireNonNull(parts.builtIn().get(builtIn.type()))),
                        Finality.ALLOW);
            case ConfiguredAuthorizer.Webhook webhook -> {
                OpenedWebhook opened = OpenedWebhook.open(webhook, parts);
                webhooks.add(opened.mode());
                yield opened.member();
            }
        };
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return current.authorizer().authorize(attributes);
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        return current.authorizer().decideFromMemory(attributes);
    }

    @Override
    public Explainer explainer() {
        return Explainer.of("the authorizers", current.authorizer());
    }

    @Override
    public synchronized void close() {
        FileWatch watching = watch;
        if (watching != null) {
            watching.close();
        }
        current.close();
    }
}

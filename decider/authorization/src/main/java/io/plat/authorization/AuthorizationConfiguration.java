package io.plat.authorization;

import io.micrometer.core.instrument.MeterRegistry;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.union.Member;
import io.plat.engine.union.StructuredUnion;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.process.Tasks;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import io.plat.tls.ReloadListener;
import io.plat.tls.files.FileWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authorization configuration file in effect. A changed file is read, validated and opened as a whole, and then swapped in with one
 * reference; if it has problems, the last good one stays in effect.
 */
public final class AuthorizationConfiguration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuthorizationConfiguration.class);

    /** Longer than a webhook request may take, so that requests in progress to a removed webhook complete. */
    private static final Duration GRACE = Duration.ofSeconds(31);

    private final Parts parts;
    private final ReloadMeters meters;
    private final DecisionCounters counters;
    private String text;
    private volatile State current;
    private volatile boolean broken;
    private volatile Runnable changed = () -> {};
    private @Nullable FileWatch watch;

    /**
     * Dependencies of the configuration.
     *
     * @param types types of authorizers that the file may name, except webhooks
     * @param missing other types, and the setting that each of them lacks; available types are omitted
     * @param registry metrics of reloads, webhook requests and conditions
     * @param certificates listener for reloads of webhooks' certificates
     */
    public record Parts(
            Path file,
            Set<String> types,
            Map<String, String> missing,
            MeterRegistry registry,
            ReloadListener certificates,
            InstantSource clock) {
        public Parts {
            Set<String> configured = Set.copyOf(types);
            types = configured;
            missing = missing.entrySet().stream()
                    .filter(entry -> !configured.contains(entry.getKey()))
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        }
    }

    /** Opened content of the file. */
    private record State(List<ConfiguredAuthorizer> listed, Map<String, OpenedWebhook> webhooks) {
        void close() {
            webhooks.values().forEach(webhook -> webhook.mode().close());
        }
    }

    private AuthorizationConfiguration(Parts parts) throws ProblemsException {
        this.parts = parts;
        this.meters = new ReloadMeters(parts.registry(), parts.file(), parts.clock());
        this.counters = new DecisionCounters(parts.registry(), "", true);
        this.text = SourceReader.readText(parts.file());
        this.current = open(text);
        meters.inEffect(text);
    }

    /**
     * Reads the file and opens its webhooks.
     *
     * @throws ProblemsException with all problems of the file and of the files that it names
     */
    public static AuthorizationConfiguration open(Parts parts) throws ProblemsException {
        return new AuthorizationConfiguration(parts);
    }

    /**
     * Starts reloading the file on changes, until closed. Must be called once.
     *
     * @param change called when another file, or another policy of a webhook, takes effect; must return immediately
     */
    public void watch(FileWatch.Settings settings, Runnable change) {
        changed = change;
        watch = new FileWatch("authorization-config", List.of(parts.file()), settings, file -> reload());
        watch.recheck();
        watch.start();
    }

    /** Returns whether the current file is invalid, in which case its last good state is in effect. */
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
            changed.run();
            meters.inEffect(now);
            meters.succeeded();
            LOG.info("a file was reloaded: file={}", parts.file());
            Tasks.later("replaced-webhooks", GRACE, before::close);
        } catch (ProblemsException unusable) {
            broken = true;
            meters.failed();
            LOG.error("a changed file is invalid, the last good one stays in effect: file={}", parts.file());
            unusable.problems().forEach(problem -> LOG.error("problem of the changed file: problem={}", problem));
        }
    }

    private State open(String content) throws ProblemsException {
        List<ConfiguredAuthorizer> listed =
                AuthorizationConfigReader.read(parts.file().toString(), content, parts.types(), parts.missing());
        Map<String, OpenedWebhook> webhooks = new HashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (ConfiguredAuthorizer one : listed) {
            try {
                if (one instanceof ConfiguredAuthorizer.Webhook webhook) {
                    webhooks.put(one.name(), OpenedWebhook.open(webhook, parts, () -> changed.run()));
                }
            } catch (ProblemsException unusable) {
                problems.addAll(unusable.problems());
            }
        }
        State opened = new State(listed, webhooks);
        if (!problems.isEmpty()) {
            opened.close();
            throw new ProblemsException(problems);
        }
        return opened;
    }

    /** Returns the types of the authorizers in the file, in its order. */
    public List<String> types() {
        return current.listed().stream().map(ConfiguredAuthorizer::type).toList();
    }

    /** Returns whether every request is refused, even those of {@code system:masters}: the only authorizer refuses everything. */
    public boolean refusesEverything() {
        return types().equals(List.of(AlwaysDeny.MODE));
    }

    /** Returns the authorizers of the current file, in order; authorizers other than webhooks are members of a union of modes. */
    public Authorizer of(UnionAuthorizer modes) {
        return of(modes, counters::count);
    }

    /** Returns the same for a policy that is only compared: its decisions are not counted. */
    public Authorizer uncounted(UnionAuthorizer modes) {
        return of(modes, (authorizer, decision) -> {});
    }

    private Authorizer of(UnionAuthorizer modes, BiConsumer<ConfiguredAuthorizer, Decision> decided) {
        State state = current;
        Map<String, Authorizer> byType =
                modes.parts().stream().collect(Collectors.toMap(Member::name, Member::authorizer));
        Map<String, ConfiguredAuthorizer> byName =
                state.listed().stream().collect(Collectors.toMap(ConfiguredAuthorizer::name, one -> one));
        return new StructuredUnion(
                state.listed().stream().map(one -> member(one, state, byType)).toList(),
                (member, decision) -> decided.accept(Objects.requireNonNull(byName.get(member.name())), decision));
    }

    private static Member member(ConfiguredAuthorizer one, State state, Map<String, Authorizer> byType) {
        return switch (one) {
            case ConfiguredAuthorizer.BuiltIn(String name, String type) ->
                new Member(name, Objects.requireNonNull(byType.get(type)));
            case ConfiguredAuthorizer.Webhook webhook ->
                Objects.requireNonNull(state.webhooks().get(webhook.name())).member();
        };
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
